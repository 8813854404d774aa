// Calls (L9): which argument is whose, which sizes they supply, and what a call becomes in TIR.
#include "sema/expr.h"

#include "sema/argument.h"
#include "sema/builtin/builtin.h"
#include "sema/component/component.h"
#include "sema/function.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"

// --- size parameters ----------------------------------------------------------------------------

// What a size was found to be, and by which argument.
typedef struct SizeBinding {
    bool known;
    uint32_t value;
    size_t arg;
} SizeBinding;

typedef struct SizeMatch {
    Checker *checker;
    const FunctionDecl *decl;
    SizeBinding *bindings;
    TirExpr **args;
} SizeMatch;

static bool bind_size(SizeMatch *match, const AstExpr *dim, uint32_t length, size_t arg) {
    size_t k = function_size_index(match->decl, dim);
    if (k == match->decl->sizes.count) {
        return true;
    }
    SizeBinding *binding = &match->bindings[k];
    if (!binding->known) {
        *binding = (SizeBinding){.known = true, .value = length, .arg = arg};
    }
    if (binding->value == length) {
        return true;
    }
    const char *name = dim->name.name->text;
    Diag *diag = check_error(match->checker, DIAG_E0506, match->args[arg]->span,
                             "size `%s` of `%s` is %u in one argument and %u in another", name,
                             match->decl->name->text, binding->value, length);
    diag_here(diag, "here `%s` is %u: %s", name, length,
              check_type_text(match->checker, match->args[arg]->type));
    if (binding->arg != arg) {
        diag_label(diag, match->args[binding->arg]->span, "here `%s` is %u: %s", name,
                   binding->value,
                   check_type_text(match->checker, match->args[binding->arg]->type));
    }
    return false;
}

static bool has_size(const FunctionDecl *decl, const AstType *type) {
    if (type->kind != AST_TYPE_TENSOR) {
        return false;
    }
    for (size_t d = 0; d < type->tensor.dims.count; d++) {
        if (function_size_index(decl, type->tensor.dims.items[d]) < decl->sizes.count) {
            return true;
        }
    }
    return has_size(decl, type->tensor.base);
}

static bool match_type(SizeMatch *match, const AstType *ast, const Type *type, size_t arg) {
    if (!has_size(match->decl, ast)) {
        return true;
    }
    if (!type_is_tensor(type) || type->rank != ast->tensor.dims.count) {
        Diag *diag = check_error(match->checker, DIAG_E0506, match->args[arg]->span,
                                 "argument %zu of `%s` needs a tensor of %u %s here, not %s",
                                 arg + 1, match->decl->name->text, ast->tensor.dims.count,
                                 ast->tensor.dims.count == 1 ? "dimension" : "dimensions",
                                 check_type_text(match->checker, match->args[arg]->type));
        diag_note_at(diag, ast->span, "the parameter is this");
        return false;
    }
    for (size_t d = 0; d < type->rank; d++) {
        const AstExpr *dim = ast->tensor.dims.items[d];
        if (!bind_size(match, dim, type->dims[d], arg)) {
            return false;
        }
    }
    return match_type(match, ast->tensor.base, type->base, arg);
}

// A size of which no argument that is given has a dim.
static bool report_unknown_size(Checker *checker, const FunctionDecl *decl, const AstName *size,
                                Span span) {
    Diag *diag = check_error(checker, DIAG_E0711, span,
                             "size `%s` of `%s` is that of an argument that is not given",
                             size->name->text, decl->name->text);
    diag_note_at(diag, size->span, "defaults do not say what `%s` is", size->name->text);
    return false;
}

// The sizes that the arguments supply; false after an error.
static bool infer_sizes(Checker *checker, const FunctionDecl *decl, TirExpr **args, Span span,
                        uint32_t *sizes) {
    SizeMatch match = {.checker = checker, .decl = decl, .args = args};
    match.bindings = ARENA_ARRAY(checker->arena, SizeBinding, decl->sizes.count);
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        if (args[k] != NULL &&
            !match_type(&match, decl->ast->function.params[k].type, args[k]->type, k)) {
            return false;
        }
    }
    for (size_t k = 0; k < decl->sizes.count; k++) {
        if (!match.bindings[k].known) {
            return report_unknown_size(checker, decl, &decl->sizes.items[k], span);
        }
        sizes[k] = match.bindings[k].value;
    }
    return true;
}

// --- calls --------------------------------------------------------------------------------------

static void merge_effects(Checker *checker, const TirFunction *callee) {
    TirFunction *caller = checker->at.function;
    caller->reads_globals |= callee->reads_globals;
    caller->writes_globals |= callee->writes_globals;
    caller->has_effects |= callee->has_effects;
    caller->has_io |= callee->has_io;
    caller->uses_interface |= callee->uses_interface;
    caller->has_errors |= callee->has_errors;
}

static bool has_side_effects(const TirFunction *function) {
    return function->has_effects || function->writes_globals;
}

// Whether the call is allowed where the checker stands.
static bool lower_call_place(Checker *checker, const Instance *instance, Span span) {
    const TirFunction *function = instance->tir;
    const char *name = instance->decl->name->text;
    if (checker->at.mode.in_index && has_side_effects(function)) {
        return check_refuse(checker, DIAG_E0604, span,
                            "an index cannot call `%s`, which has side effects", name);
    }
    bool pure = !has_side_effects(function) && !function->reads_globals;
    if (checker->at.mode.pure && !pure) {
        bool uses_file = function->reads_globals || function->writes_globals;
        return check_refuse(
            checker, DIAG_E0702, span, "a file-level value cannot call `%s`, which %s", name,
            !uses_file                 ? "has side effects"
            : function->uses_interface ? "touches terminals or variables of the file"
                                       : "touches variables of the file");
    }
    if (checker->at.mode.pure && instance->has_while) {
        checker->at.endless = (EndlessCall){name, span};
    }
    if (checker->at.instance != NULL && instance->has_while) {
        checker->at.instance->has_while = true;
    }
    return true;
}

static TirExpr *convert_and_call(Checker *checker, Instance *instance, Span span, TirExpr **args) {
    FunctionDecl *decl = instance->decl;
    TirFunction *function = instance->tir;
    bool ok = true;
    for (size_t k = 0; k < function->param_count; k++) {
        if (args[k] == NULL) {
            const TirExpr *value = instance->defaults[k];
            args[k] = tir_const(&checker->tir, value->type, value->data, span);
            continue;
        }
        const char *what =
            arena_format(checker->arena, "argument %zu of `%s`", k + 1, function->name->text);
        args[k] = check_assignable(checker, function->params[k]->type, args[k], what,
                                   decl->ast->function.params[k].name.span);
        ok = ok && !type_is_poison(args[k]->type);
    }
    if (!ok || !lower_call_place(checker, instance, span)) {
        return checker->poison;
    }
    if (has_side_effects(function)) {
        check_spill_held(checker);
    }
    TirVar *result = NULL;
    if (function->result != NULL) {
        result = tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL,
                                function->result->type, span);
    }
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_CALL, span);
    stmt->call.function = function;
    stmt->call.args = args;
    stmt->call.arg_count = function->param_count;
    stmt->call.result = result;
    merge_effects(checker, function);
    return result != NULL ? tir_read(&checker->tir, result, span) : check_nothing(checker, span);
}

TirExpr *check_call_function(Checker *checker, FunctionDecl *decl, Span span, TirExpr **args) {
    bool ok = !decl->signature_failed;
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        ok = ok && (args[k] == NULL || !type_is_poison(args[k]->type));
    }
    if (!ok) {
        return checker->poison;
    }
    uint32_t *sizes = ARENA_ARRAY(checker->arena, uint32_t, decl->sizes.count);
    if (decl->sizes.count > 0 && !infer_sizes(checker, decl, args, span, sizes)) {
        return checker->poison;
    }
    Instance *instance = function_instance(checker, decl, sizes, span);
    if (instance == NULL) {
        return checker->poison;
    }
    check_note_callee(checker, instance);
    warn_called(checker, decl, span);
    if (decl->signature_failed) {
        return checker->poison;
    }
    return convert_and_call(checker, instance, span, args);
}

static TirExpr *call_named(Checker *checker, const AstExpr *ast, FunctionDecl *decl) {
    const char *name = decl->name->text;
    if (ast->call.bang) {
        return check_fail(checker, DIAG_E0716, ast->span, "`%s` has no `!` form", name);
    }
    if (decl->is_entry) {
        return check_fail(checker, DIAG_E0718, ast->span, "`%s` runs by itself and is never called",
                          name);
    }
    TirExpr **args = argument_values(checker, decl, ast);
    return args == NULL ? checker->poison : check_call_function(checker, decl, ast->span, args);
}

TirExpr *check_call(Checker *checker, const AstExpr *ast) {
    const AstExpr *callee = ast->call.callee;
    if (callee->kind != AST_NAME) {
        if (callee->kind != AST_ERROR) {
            check_error(checker, DIAG_E0719, callee->span, "only functions can be called");
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
        return call_named(checker, ast, function->function);
    }
    const Builtin *builtin = builtin_find(name->name);
    if (builtin != NULL) {
        return builtin_call(checker, builtin, ast);
    }
    const Symbol *symbol = scope_find(checker->at.scope, name->name);
    if (symbol != NULL) {
        Diag *diag = check_error(checker, DIAG_E0719, callee->span, "`%s` is a %s, not a function",
                                 name->name->text,
                                 symbol->kind == SYMBOL_VAR ? "variable" : "size parameter");
        diag_note_at(diag, symbol->span, "`%s` is declared here", name->name->text);
        if (symbol->kind == SYMBOL_VAR) {
            diag_note(diag, "indices stand in square brackets, and count from 0");
        }
        return checker->poison;
    }
    if (!checker->at.unit->import_failed) {
        Diag *diag = check_error(checker, DIAG_E0301, callee->span, "unknown function `%s`",
                                 name->name->text);
        check_suggest(checker, diag, name, true);
    }
    for (size_t k = 0; k < ast->call.args.count; k++) {
        const AstExpr *arg = ast->call.args.items[k];
        if (arg->kind != AST_TYPE_ARG) {
            check_expr(checker, arg->kind == AST_NAMED_ARG ? arg->named.value : arg);
        }
    }
    return checker->poison;
}
