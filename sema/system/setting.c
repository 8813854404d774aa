// What the declaration of an instance gives its component: constants for properties and constants
// (L15.1). They are converted where the component declares them (sema/component/given.c).
#include "sema/system/system.h"

#include "parser/ast_visit.h"
#include "sema/component/component.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/buffer.h"
#include "tir/constant.h"
#include "types/shape.h"

#include <string.h>

// What a file may declare under a name: with a modifier.
typedef struct DeclarationSearch {
    Name name;
    unsigned modifier;
} DeclarationSearch;

static bool declares(const AstStmt *stmt, void *data) {
    const DeclarationSearch *search = data;
    return stmt->kind == AST_TERMINAL && (stmt->terminal.modifiers & search->modifier) != 0 &&
           ast_name_may_be(&stmt->terminal.name, search->name);
}

bool system_file_declares(const AstFile *file, Name name, AstModifier modifier) {
    DeclarationSearch search = {name, modifier};
    AstVisitor visitor = {.stmt = declares, .data = &search};
    return ast_visit_block(&file->statements, &visitor);
}

static bool lower_setting_value(Checker *checker, const AstSetting *ast, UseSetting *setting) {
    ConstantStart start = check_constant_start(checker);
    CheckMode mode = checker->at.mode;
    checker->at.mode.pure = true;
    checker->at.mode.takes_defaults = setting->may_be_tunable;
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

// Scalars of this type, those of the part of so many that has this number.
static void describe_values(Buffer *key, const Type *type, const TirScalar *data, uint32_t number) {
    data += (size_t)number * type->numel;
    for (uint32_t k = 0; k < type->numel; k++) {
        uint64_t bits = 0;
        const void *value =
            type->root == ROOT_REAL ? (const void *)&data[k].real : (const void *)&data[k].uint;
        memcpy(&bits, type->root == ROOT_BOOL ? (const void *)&data[k].boolean : value,
               type->root == ROOT_REAL   ? sizeof(double)
               : type->root == ROOT_BOOL ? sizeof(bool)
                                         : sizeof(uint32_t));
        buffer_format(key, "%llx,", (unsigned long long)bits);
    }
}

static Name content_of(Checker *checker, const UseSetting *setting) {
    Buffer content = {0};
    if (setting->is_text) {
        buffer_append(&content, setting->text.data, setting->text.len);
    } else {
        const Type *type = setting->value->type;
        buffer_format(&content, "%p:", (const void *)type);
        describe_values(&content, type, setting->value->data, 0);
    }
    Name name = names_intern(checker->context->names, content.data, content.len);
    buffer_free(&content);
    return name;
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
    setting->may_be_tunable =
        space[0] == 'p' && system_file_declares(file, name, AST_MODIFIER_TUNABLE);
    unsigned defaults_read = checker->defaults_read;
    if (!lower_setting_value(checker, ast, setting)) {
        return false;
    }
    setting->reads_tunables = checker->defaults_read > defaults_read;
    setting->content = content_of(checker, setting);
    return true;
}

void system_describe_setting(Buffer *key, const UseSetting *setting, const ComponentUse *use) {
    buffer_format(key, "%c.%s=%p:", setting->space, setting->name->text,
                  (const void *)setting->content);
    if (!setting->is_text && setting->space == 'p' && use->count > 0 &&
        shape_is_vector_of(setting->value->type, use->count)) {
        describe_values(key, setting->value->type->base, setting->value->data, use->element);
    }
}
