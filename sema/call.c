// Calls (L9): which argument is whose, and what a call becomes in TIR.
#include "sema/expr.h"

#include "sema/argument.h"
#include "sema/builtin/builtin.h"
#include "sema/component/component.h"
#include "sema/function.h"
#include "sema/library/library.h"
#include "sema/notes/record.h"
#include "sema/sizes.h"
#include "sema/stmt.h"
#include "sema/system/system.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"
#include "tir/uses.h"

#include <string.h>

void check_merge_effects(Checker *checker, const TirFunction *callee) {
    TirFunction *caller = checker->at.function;
    caller->reads_globals |= callee->reads_globals;
    caller->writes_globals |= callee->writes_globals;
    caller->has_effects |= callee->has_effects;
    caller->has_io |= callee->has_io;
    caller->uses_interface |= callee->uses_interface;
    caller->has_errors |= callee->has_errors;
    if (caller->derivatives < callee->derivatives) {
        caller->derivatives = callee->derivatives;
    }
}

static bool has_side_effects(const TirFunction *function) {
    return function->has_effects || function->writes_globals;
}

// Whether the call is allowed where the checker stands.
static bool lower_call_place(Checker *checker, const Instance *instance, Span span) {
    const TirFunction *function = instance->tir;
    const char *name = instance->decl->name->text;
    bool has_effects = has_side_effects(function) || instance->has_debug;
    const char *place = check_place_text(&checker->at.mode);
    if (checker->at.mode.in_index && has_effects) {
        return check_refuse(checker, DIAG_E0604, span,
                            "%s cannot call `%s`, which has side effects", place, name);
    }
    bool has_places = function_has_places(instance->decl);
    if (checker->at.mode.in_index && has_places) {
        return check_refuse(checker, DIAG_E0604, span,
                            "%s cannot call `%s`, which changes its arguments", place, name);
    }
    bool pure = !has_effects && !function->reads_globals && !has_places;
    if (checker->at.mode.pure && !pure) {
        bool uses_file = function->reads_globals || function->writes_globals;
        return check_refuse(checker, DIAG_E0702, span, "%s cannot call `%s`, which %s",
                            checker->at.wire != NULL ? "a wire" : "a file-level value", name,
                            has_places   ? "changes its arguments"
                            : !uses_file ? "has side effects"
                            : function->uses_interface
                                ? "touches terminals or variables of the file"
                                : "touches variables of the file");
    }
    if (checker->at.mode.pure && instance->has_while) {
        checker->at.endless = (EndlessCall){name, span};
    }
    if (checker->at.instance != NULL && instance->has_while) {
        checker->at.instance->has_while = true;
    }
    if (checker->at.instance != NULL && instance->has_debug) {
        checker->at.instance->has_debug = true;
    }
    return true;
}

// The values as the parameters have them; false after an error.
static bool convert_values(Checker *checker, const Instance *instance, Span span,
                           const Arguments *arguments) {
    const TirFunction *function = instance->tir;
    bool ok = true;
    for (size_t k = 0; k < function->param_count; k++) {
        TirExpr **value = &arguments->values[k];
        if (*value == NULL) {
            const TirExpr *constant = instance->defaults[k];
            *value = tir_const(&checker->tir, constant->type, constant->data, span);
        } else if (arguments->places[k] == NULL) {
            const char *what =
                arena_format(checker->arena, "argument %zu of `%s`", k + 1, function->name->text);
            *value = check_assignable(checker, function->params[k]->type, *value, what,
                                      instance->decl->ast->function.params[k].name.span);
            ok = ok && !type_is_poison((*value)->type);
        }
    }
    return ok;
}

// Note [Places that are given]
// What a `var` parameter is given is copied into a temporary, which the call writes, and copied
// back (L9.6). A variable needs no copy when nothing else can tell: it is a local one, or one of
// the file that the callee does not touch, and what it had when its argument was evaluated it still
// has. Arguments beside it that read it are values; pass_alias keeps them apart.
static bool needs_no_copy(const TirFunction *function, const TirExpr *place, const TirExpr *value) {
    if (place != value || place->kind != EXPR_VAR) {
        return false;
    }
    bool touches = function->reads_globals || function->writes_globals;
    return !tir_var_is_global(place->var) || (place->var->role == VAR_GLOBAL && !touches);
}

// An index in a place keeps the value that it has now, though the call writes its variable.
static void fix_indices(Checker *checker, TirExpr *place, const TirVar *written) {
    for (; place->kind != EXPR_VAR;
         place = place->kind == EXPR_VIEW ? place->view.operand : place->operand) {
        for (size_t d = 0; place->kind == EXPR_VIEW && d < place->view.operand->type->flat_rank;
             d++) {
            TirAxis *axis = &place->view.axes[d];
            if (axis->index != NULL && tir_expr_reads(axis->index, written) > 0) {
                axis->index = check_into_temporary(checker, axis->index);
            }
        }
    }
}

static void give_places(Checker *checker, const TirFunction *function, const Arguments *arguments) {
    for (size_t k = 0; k < function->param_count * function->param_count; k++) {
        TirExpr *place = arguments->places[k / function->param_count];
        const TirExpr *other = arguments->places[k % function->param_count];
        if (place != NULL && other != NULL) {
            fix_indices(checker, place, tir_place_var(other));
        }
    }
    for (size_t k = 0; k < function->param_count; k++) {
        const TirExpr *place = arguments->places[k];
        if (place == NULL) {
            continue;
        }
        check_spill_readers(checker, tir_place_var(place));
        TirExpr **value = &arguments->values[k];
        if (!needs_no_copy(function, place, *value)) {
            *value = check_into_temporary(checker, *value);
        }
    }
}

static void take_places_back(Checker *checker, const TirFunction *function,
                             const Arguments *arguments) {
    for (size_t k = 0; k < function->param_count; k++) {
        TirExpr *place = arguments->places[k];
        TirExpr *value = arguments->values[k];
        if (place != NULL && !(place->kind == EXPR_VAR && place->var == value->var)) {
            tir_set(&checker->tir, checker->at.block, place, value, place->span);
        }
    }
}

// The statement of the call; NULL after an error.
static TirStmt *convert_and_call(Checker *checker, Instance *instance, Span span,
                                 const Arguments *arguments) {
    TirFunction *function = instance->tir;
    if (!convert_values(checker, instance, span, arguments) ||
        !arguments_check_places(checker, function, arguments) ||
        !lower_call_place(checker, instance, span)) {
        return NULL;
    }
    if (has_side_effects(function)) {
        check_spill_held(checker);
    }
    give_places(checker, function, arguments);
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_CALL, span);
    stmt->call.function = function;
    stmt->call.args = arguments->values;
    stmt->call.arg_count = function->param_count;
    for (size_t k = 0; k < function->results.count; k++) {
        TirVar *result = tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL,
                                        function->results.items[k]->type, span);
        LIST_PUSH(checker->arena, &stmt->call.results, result);
    }
    check_merge_effects(checker, function);
    take_places_back(checker, function, arguments);
    return stmt;
}

// The one for such values; NULL after an error.
static Instance *instance_for(Checker *checker, FunctionDecl *decl, Span span, TirExpr **values,
                              size_t *size_from) {
    uint32_t *sizes = ARENA_ARRAY(checker->arena, uint32_t, decl->sizes.count);
    Root root = ROOT_BOOL;
    bool has_sizes = (decl->sizes.count == 0 && !decl->has_root) ||
                     sizes_infer(checker, decl, values, span, sizes, size_from, &root);
    return has_sizes ? function_instance(checker, decl, sizes, root, span) : NULL;
}

TirFunction *check_function_for(Checker *checker, FunctionDecl *decl, Span span, TirExpr **values) {
    size_t *size_from = ARENA_ARRAY(checker->arena, size_t, decl->sizes.count);
    const Instance *instance = instance_for(checker, decl, span, values, size_from);
    return instance == NULL ? NULL : instance->tir;
}

TirStmt *check_call_with(Checker *checker, FunctionDecl *decl, Span span,
                         const Arguments *arguments) {
    if (decl->signature_failed) {
        return NULL;
    }
    size_t *size_from = ARENA_ARRAY(checker->arena, size_t, decl->sizes.count);
    Instance *instance = instance_for(checker, decl, span, arguments->values, size_from);
    notes_call(checker, decl, span, instance, arguments->values, size_from);
    if (instance == NULL) {
        return NULL;
    }
    check_note_callee(checker, instance);
    warn_called(checker, decl, span);
    return decl->signature_failed ? NULL : convert_and_call(checker, instance, span, arguments);
}

// What the call of a function with one result or none is.
static TirExpr *value_of_call(Checker *checker, const TirStmt *call) {
    if (call == NULL) {
        return checker->poison;
    }
    return call->call.results.count == 0
               ? check_nothing(checker, call->span)
               : tir_read(&checker->tir, call->call.results.items[0], call->span);
}

TirExpr *check_call_function(Checker *checker, FunctionDecl *decl, Span span, TirExpr **args) {
    size_t count = decl->ast->function.param_count;
    for (size_t k = 0; k < count; k++) {
        if (args[k] != NULL && type_is_poison(args[k]->type)) {
            return checker->poison;
        }
    }
    Arguments arguments = {args, ARENA_ARRAY(checker->arena, TirExpr *, count)};
    return value_of_call(checker, check_call_with(checker, decl, span, &arguments));
}

static bool refuse_bang(Checker *checker, const AstExpr *ast, const char *name) {
    return !ast->call.bang ||
           check_refuse(checker, DIAG_E0716, ast->span, "`%s` has no `!` form", name);
}

// After an error in the call of a function of the program: whether it hides one that takes as many
// arguments.
static void note_hidden(Checker *checker, const AstExpr *ast, const FunctionDecl *decl,
                        size_t errors) {
    const DiagList *diags = checker->context->diags;
    if (diags->error_count == errors || diags->error_count > DIAG_LIMIT || decl->unit->trusted) {
        return;
    }
    Diag *diag = diags->all.items[diags->all.count - 1];
    size_t count = ast->call.args.count;
    const Builtin *builtin = builtin_find(decl->name);
    const FunctionDecl *other =
        builtin == NULL ? library_taking(checker, decl->name->text, count) : NULL;
    if (other != NULL) {
        diag_note_at(diag, other->ast->function.name.span, "the library has another `%s`",
                     decl->name->text);
    } else if (builtin != NULL && builtin_takes(builtin, count)) {
        diag_note(diag, "the library has another `%s`: `tmlc --explain %s`", decl->name->text,
                  decl->name->text);
    }
}

static TirStmt *call_named(Checker *checker, const AstExpr *ast, FunctionDecl *decl) {
    const char *name = decl->name->text;
    size_t errors = checker->context->diags->error_count;
    if (decl->is_entry) {
        Diag *diag = check_error(checker, DIAG_E0718, ast->span,
                                 "`%s` runs by itself and is never called", name);
        if (check_in_test(checker)) {
            diag_note(diag, "in a test `cycle()` runs a step of the component");
        }
        return NULL;
    }
    Arguments arguments;
    TirStmt *call =
        refuse_bang(checker, ast, name) && arguments_check(checker, decl, ast, &arguments)
            ? check_call_with(checker, decl, ast->span, &arguments)
            : NULL;
    if (call == NULL) {
        note_hidden(checker, ast, decl, errors);
    }
    return call;
}

static const char *count_text(Checker *checker, size_t count) {
    return count == 0   ? "no result"
           : count == 1 ? "1 result"
                        : arena_format(checker->arena, "%zu results", count);
}

// `_, _ = ` for a function with two results.
static const char *dropping_targets(Checker *checker, size_t count) {
    const char *text = "_";
    for (size_t k = 1; k < count; k++) {
        text = arena_format(checker->arena, "%s, _", text);
    }
    return arena_format(checker->arena, "%s = ", text);
}

// A call of a function with several results where one value or none can stand.
static void report_many(Checker *checker, const AstExpr *ast, const FunctionDecl *decl) {
    size_t count = decl->ast->function.result_count;
    Diag *diag = check_error(checker, DIAG_E0712, ast->span,
                             "`%s` has %s, and stands only behind as many targets",
                             decl->name->text, count_text(checker, count));
    diag_note(diag, "`%s%s(...)` takes all results; a name in place of `_` keeps one",
              dropping_targets(checker, count), decl->name->text);
    diag_note_at(diag, decl->ast->function.name.span, "`%s` is declared here", decl->name->text);
}

// The function that a call names, when it is one of the program; else NULL.
static FunctionDecl *called_function(Checker *checker, const AstExpr *ast) {
    if (ast->kind != AST_CALL || ast->call.callee->kind != AST_NAME ||
        !check_knows_name(checker, &ast->call.callee->name)) {
        return NULL;
    }
    Name name = check_macro_name(checker, &ast->call.callee->name);
    const Symbol *symbol = name == NULL ? NULL : scope_find_function(checker->at.scope, name);
    if (symbol == NULL) {
        return NULL;
    }
    notes_symbol(checker, symbol, ast->call.callee->span);
    return symbol->function;
}

// Whether a function has as many results as there are targets for them; else an error.
static bool has_results(Checker *checker, const AstExpr *ast, const FunctionDecl *decl,
                        size_t count) {
    if (decl->ast->function.result_count == count) {
        return true;
    }
    Diag *diag =
        check_error(checker, DIAG_E0712, ast->span, "`%s` has %s, not %zu", decl->name->text,
                    count_text(checker, decl->ast->function.result_count), count);
    if (decl->unit->trusted && strcmp(decl->name->text, "sort") == 0) {
        diag_note(diag, "`argsort(x)` has the positions of the elements in order");
    }
    diag_note_at(diag, decl->ast->function.name.span, "`%s` is declared here", decl->name->text);
    return false;
}

static Name called_name(Checker *checker, const AstExpr *ast) {
    bool is_named = ast->kind == AST_CALL && ast->call.callee->kind == AST_NAME;
    return is_named ? check_macro_name(checker, &ast->call.callee->name) : NULL;
}

// The built-in with several results that a call names; NULL when it is none.
static const Builtin *called_builtin(Checker *checker, const AstExpr *ast) {
    Name name = called_name(checker, ast);
    const Builtin *builtin = name == NULL ? NULL : builtin_find(name);
    return builtin != NULL && builtin_has_results(builtin) ? builtin : NULL;
}

// The function of the library that a call names; NULL when it is none.
static const LibraryRow *called_of_library(Checker *checker, const AstExpr *ast) {
    Name name = called_name(checker, ast);
    return name == NULL || builtin_find(name) != NULL ? NULL : library_find(checker, name);
}

static bool library_results(Checker *checker, const AstExpr *ast, const LibraryRow *row,
                            size_t count, TirVar **results) {
    FunctionDecl *decl = library_callee(checker, row, ast->call.args.count);
    TirExpr **values = ARENA_ARRAY(checker->arena, TirExpr *, count);
    if (!(row->bang || refuse_bang(checker, ast, row->name)) ||
        !has_results(checker, ast, decl, count) || !library_call(checker, row, decl, ast, values)) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        results[k] = check_into_temporary(checker, values[k])->var;
    }
    return true;
}

static TirExpr *library_value(Checker *checker, const AstExpr *ast, const LibraryRow *row) {
    FunctionDecl *decl = library_callee(checker, row, ast->call.args.count);
    TirExpr *value = checker->poison;
    if (decl->ast->function.result_count > 1) {
        report_many(checker, ast, decl);
    } else if (row->bang || refuse_bang(checker, ast, row->name)) {
        library_call(checker, row, decl, ast, &value);
    }
    return value;
}

bool check_call_results(Checker *checker, const AstExpr *ast, size_t count, TirVar **results) {
    FunctionDecl *decl = called_function(checker, ast);
    const LibraryRow *row = decl == NULL ? called_of_library(checker, ast) : NULL;
    if (row != NULL) {
        return library_results(checker, ast, row, count, results);
    }
    const Builtin *builtin = decl == NULL ? called_builtin(checker, ast) : NULL;
    if (builtin != NULL) {
        return builtin_call_results(checker, builtin, ast, count, results);
    }
    if (decl == NULL) {
        TirExpr *value = check_expr(checker, ast);
        if (!type_is_poison(value->type)) {
            Diag *diag = check_error(
                checker, DIAG_E0712, ast->span, "%s, not %zu",
                ast->kind == AST_CALL ? "this call has 1 result" : "this is 1 value", count);
            builtin_note_position(diag, called_name(checker, ast));
        }
        return false;
    }
    scope_find_function(checker->at.scope, decl->name)->used = true;
    size_t errors = checker->context->diags->error_count;
    if (!has_results(checker, ast, decl, count)) {
        note_hidden(checker, ast, decl, errors);
        return false;
    }
    const TirStmt *call = call_named(checker, ast, decl);
    for (size_t k = 0; call != NULL && k < count; k++) {
        results[k] = call->call.results.items[k];
    }
    return call != NULL;
}

static void report_no_function(Checker *checker, const Symbol *symbol, Span span) {
    const char *name = symbol->name->text;
    Diag *diag = check_error(checker, DIAG_E0719, span, "`%s` is %s, not a function", name,
                             symbol->kind == SYMBOL_VAR        ? "a variable"
                             : symbol->kind == SYMBOL_INSTANCE ? "an instance of a component"
                                                               : "a size parameter");
    diag_note_at(diag, symbol->span, "`%s` is declared here", name);
    if (symbol->kind == SYMBOL_INSTANCE) {
        diag_note(diag, "its inputs have wires: `connect %s.NAME = ...`", name);
    }
    if (symbol->kind == SYMBOL_VAR) {
        diag_note(diag, "indices stand in square brackets, and count from 0");
    }
}

// The arguments of what nobody knows are looked at all the same.
static void report_unknown(Checker *checker, const AstName *name, const AstExpr *call) {
    const char *message = arena_format(checker->arena, "unknown function `%s`", name->name->text);
    if (!checker->at.unit->lacks_names &&
        !check_was_told(checker, DIAG_E0301, name->span, message)) {
        Diag *diag = check_error(checker, DIAG_E0301, name->span, "%s", message);
        check_suggest(checker, diag, name, call);
    }
    for (size_t k = 0; k < call->call.args.count; k++) {
        const AstExpr *arg = call->call.args.items[k];
        if (arg->kind != AST_TYPE_ARG) {
            check_expr(checker, arg->kind == AST_NAMED_ARG ? arg->named.value : arg);
        }
    }
}

TirExpr *check_call(Checker *checker, const AstExpr *ast) {
    const AstExpr *callee = ast->call.callee;
    if (callee->kind != AST_NAME) {
        if (system_is_refused(checker, callee)) {
            return checker->poison;
        }
        if (system_is_member(checker, callee)) {
            return system_call(checker, ast);
        }
        if (callee->kind != AST_ERROR) {
            check_foreign_call(checker, ast);
        }
        return checker->poison;
    }
    AstName resolved = {.name = check_macro_name(checker, &callee->name), .span = callee->span};
    const AstName *name = &resolved;
    if (name->name == NULL) {
        return checker->poison;
    }
    Symbol *function = scope_find_function(checker->at.scope, name->name);
    if (function != NULL) {
        function->used = true;
        notes_symbol(checker, function, callee->span);
        if (function->function->ast->function.result_count > 1) {
            report_many(checker, ast, function->function);
            return checker->poison;
        }
        return value_of_call(checker, call_named(checker, ast, function->function));
    }
    if (system_is_delay(checker, ast)) {
        return system_delay(checker, ast);
    }
    const Builtin *builtin = builtin_find(name->name);
    if (builtin != NULL) {
        return builtin_call(checker, builtin, ast);
    }
    const LibraryRow *row = called_of_library(checker, ast);
    if (row != NULL) {
        return library_value(checker, ast, row);
    }
    const Symbol *symbol = scope_find(checker->at.scope, name->name);
    if (symbol == NULL) {
        report_unknown(checker, name, ast);
    } else if (symbol->kind != SYMBOL_VAR || !type_is_poison(symbol->var->type)) {
        report_no_function(checker, symbol, callee->span);
    } // else as in `f = sin`: what it was to be was told
    return checker->poison;
}
