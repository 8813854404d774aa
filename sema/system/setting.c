// What the declaration of an instance gives its component: constants for properties and constants
// (L15.1). They are converted where the component declares them (sema/component/given.c).
#include "sema/system/system.h"

#include "parser/ast_visit.h"
#include "sema/component/component.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "tir/constant.h"

#include <string.h>

// -------------------------------------------------------------------------------------

// What a file may declare under a name: with a modifier.
typedef struct DeclarationSearch {
    Name name;
    unsigned modifier;
} DeclarationSearch;

static bool declares(const AstStmt *stmt, void *data) {
    const DeclarationSearch *search = data;
    if (stmt->kind != AST_TERMINAL || (stmt->terminal.modifiers & search->modifier) == 0) {
        return false;
    }
    const AstName *name = &stmt->terminal.name;
    return name->macro_indices.count == 0
               ? name->name == search->name
               : strncmp(name->name->text, search->name->text, name->name->len) == 0;
}

// Whether a file declares that name with this modifier, as far as its text tells.
bool system_file_declares(const AstFile *file, Name name, AstModifier modifier) {
    DeclarationSearch search = {name, modifier};
    AstVisitor visitor = {.stmt = declares, .data = &search};
    return ast_visit_block(&file->statements, &visitor);
}

bool system_is_tunable(const AstFile *file, const UseSetting *setting) {
    return setting->space == 'p' && system_file_declares(file, setting->name, AST_MODIFIER_TUNABLE);
}

static bool lower_setting_value(Checker *checker, const AstSetting *ast, bool takes_defaults,
                                UseSetting *setting) {
    ConstantStart start = check_constant_start(checker);
    CheckMode mode = checker->at.mode;
    checker->at.mode.pure = true;
    checker->at.mode.takes_defaults = takes_defaults;
    TirExpr *value = check_expr(checker, ast->value);
    checker->at.mode = mode;
    if (type_is_poison(value->type)) {
        return false;
    }
    if (value->type->root == ROOT_STR && type_is_scalar(value->type)) {
        setting->is_text = true;
        setting->text = check_text_value(checker, value);
        return true;
    }
    value = check_constant_end(checker, &start, check_has_value(checker, value));
    if (type_is_poison(value->type)) {
        return false;
    }
    const TirScalar *data = constant_values(&checker->tir, value);
    if (data == NULL) {
        Diag *diag = check_error(checker, DIAG_E0702, ast->value->span,
                                 "the value of `%c.%s` must be a constant expression",
                                 setting->space, setting->name->text);
        check_note_not_constant(checker, diag, ast->value);
        return false;
    }
    setting->value = tir_const(&checker->tir, value->type, data, ast->value->span);
    return true;
}

bool system_lower_setting(Checker *checker, const AstFile *file, const AstSetting *ast,
                          const UseSetting *before, size_t count, UseSetting *setting) {
    const char *space = ast->space.name->text;
    Name name = check_macro_name(checker, &ast->name);
    Span span = span_join(ast->space.span, ast->name.span);
    if (name == NULL) {
        return false;
    }
    if (strcmp(space, "p") != 0 && strcmp(space, "n") != 0) {
        Diag *diag = check_error(checker, DIAG_E0304, span,
                                 "an instance is given properties `p.` and constants `n.`");
        if (strcmp(space, "t") == 0) {
            diag_note(diag, "terminals are connected: `connect %s.%s = ...`", "NAME", name->text);
        }
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        if (before[k].space == space[0] && before[k].name == name) {
            Diag *diag =
                check_error(checker, DIAG_E0304, span, "`%s.%s` is given twice", space, name->text);
            diag_label(diag, before[k].span, "first given here");
            return false;
        }
    }
    *setting = (UseSetting){.space = space[0], .name = name, .span = span};
    return lower_setting_value(checker, ast, system_is_tunable(file, setting), setting);
}
