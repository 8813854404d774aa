// What a target names (L6.2): a variable, an output of this file, an input of an instance. Brackets
// on it are index.c's.
#include "sema/component/component.h"
#include "sema/expr.h"
#include "sema/stmt.h"
#include "sema/system/system.h"

static void report_target(Checker *checker, const AstExpr *object) {
    const Symbol *owner = object->kind == AST_ATTR && object->attr.object->kind == AST_NAME
                              ? scope_find(checker->at.scope, object->attr.object->name.name)
                              : NULL;
    if (owner != NULL && owner->kind == SYMBOL_VAR && type_is_poison(owner->var->type)) {
        return; // it was told
    }
    Diag *diag =
        check_error(checker, DIAG_E0202, object->span, "only variables can be assigned to");
    check_explain_member(checker, diag, object);
}

static void report_loop_variable(Checker *checker, const Symbol *symbol, Span span) {
    Diag *diag =
        check_error(checker, DIAG_E0715, span,
                    "`%s` is the variable of a loop and cannot be assigned to", symbol->name->text);
    diag_note_at(diag, symbol->span, "the loop is here");
}

TirVar *check_target_var(Checker *checker, const AstExpr *object, TargetUse use, bool is_part) {
    if (system_is_refused(checker, object)) {
        return NULL;
    }
    bool is_own = check_is_interface(checker, object);
    if (!is_own && use != TARGET_ASSIGNED && system_is_member(checker, object)) {
        system_report_read(checker, object);
        return NULL;
    }
    if (is_own || system_is_member(checker, object)) {
        return is_own ? check_interface_target(checker, object) : system_target(checker, object);
    }
    if (object->kind != AST_NAME) {
        report_target(checker, object);
        return NULL;
    }
    AstName resolved = {.name = check_macro_name(checker, &object->name), .span = object->span};
    if (resolved.name == NULL ||
        !check_is_no_macro_variable(checker, resolved.name, object->span, DIAG_E0715)) {
        return NULL;
    }
    Symbol *symbol = check_lookup_target(checker, &resolved, use, is_part);
    if (symbol == NULL) {
        return NULL;
    }
    const char *name = resolved.name->text;
    if (symbol->is_loop) {
        report_loop_variable(checker, symbol, object->span);
        return NULL;
    }
    if (symbol->kind == SYMBOL_IO) {
        return check_io_target(checker, object, symbol);
    }
    if (symbol->kind != SYMBOL_VAR) {
        Diag *diag = check_error(checker, symbol->kind == SYMBOL_FUNCTION ? DIAG_E0719 : DIAG_E0720,
                                 object->span, "`%s` is %s and cannot be assigned to", name,
                                 symbol->kind == SYMBOL_FUNCTION   ? "a function"
                                 : symbol->kind == SYMBOL_INSTANCE ? "an instance"
                                                                   : "a size parameter");
        diag_note_at(diag, symbol->span, "`%s` is declared here", name);
        return NULL;
    }
    TirVar *var = symbol->var;
    if (var->role == VAR_LOOP) {
        report_loop_variable(checker, symbol, object->span);
        return NULL;
    }
    if (check_in_test(checker) && tir_var_is_global(var)) {
        Diag *diag = check_error(checker, DIAG_E0720, object->span,
                                 "`%s` is a variable of the file, which a test reads", name);
        diag_note_at(diag, symbol->span, "it is declared here");
        return NULL;
    }
    symbol->assigned = true;
    if (!check_is_present(checker, symbol->optional, object, true)) {
        return NULL;
    }
    return var;
}
