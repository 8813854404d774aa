// Derivatives (L17). The expression of `jacobian(e, x)` becomes the body of a function of its own,
// whose parameters are x and all else that it reads, and the call a call of that function with a
// mark (TirDerivative): how it changes with x is worked out on TIR, by a pass and, apart from it,
// by the reference evaluator. What is refused is told here and in activity.c.
#include "sema/builtin/derivative.h"

#include "sema/component/component.h"
#include "sema/expr.h"
#include "sema/library/library.h"
#include "sema/offer.h"
#include "sema/stmt.h"
#include "sema/value.h"

#include <string.h>

enum { DEEPEST = 2 }; // derivatives in one another

// The variables.

static TirVar *refuse_variable(Checker *checker, const BuiltinCall *call, const AstExpr *ast,
                               const char *what, const char *cure) {
    Diag *diag = check_error(checker, DIAG_E0761, ast->span,
                             "`%s` differentiates by a variable, and this is %s", call->name, what);
    diag_note(diag, "%s", cure);
    return NULL;
}

// A variable of integers, whose declaration may say `real`.
static TirVar *refuse_root(Checker *checker, const BuiltinCall *call, const AstExpr *ast,
                           const Type *type, const char *cure) {
    const Symbol *symbol =
        ast->kind == AST_NAME ? scope_find(checker->at.scope, ast->name.name) : NULL;
    Diag *diag = check_error(checker, DIAG_E0761, ast->span,
                             "`%s` differentiates by a real variable, and this is %s", call->name,
                             check_type_text(checker, type));
    if (symbol == NULL || !check_offer_real(checker, diag, symbol)) {
        diag_note(diag, "%s", cure);
    }
    return NULL;
}

static TirVar *refuse_form(Checker *checker, const BuiltinCall *call, const AstExpr *ast) {
    if (ast->kind == AST_INDEX) {
        return refuse_variable(checker, call, ast, "a part of one",
                               "differentiate by all of it, and take a part of the result");
    }
    return refuse_variable(checker, call, ast, "no name",
                           "give the value a name before, and use that name in the expression");
}

// The variable that argument k names; NULL after an error.
static TirVar *variable_argument(Checker *checker, const BuiltinCall *call, size_t k) {
    const AstExpr *ast = builtin_argument(call, k);
    bool is_terminal = check_is_interface(checker, ast);
    if (ast->kind == AST_ERROR || (ast->kind != AST_NAME && !is_terminal)) {
        return ast->kind == AST_ERROR ? NULL : refuse_form(checker, call, ast);
    }
    const TirExpr *value = check_value(checker, ast);
    if (type_is_poison(value->type)) {
        return NULL;
    }
    const char *name = check_expr_text(checker, ast->span, "it");
    const char *cure = arena_format(checker->arena,
                                    "give `real(%s)` a name before, and use that name in the "
                                    "expression",
                                    name);
    if (value->kind != EXPR_VAR) {
        const char *tunable =
            arena_format(checker->arena, "declared `tunable`, `%s` can be differentiated by", name);
        return refuse_variable(checker, call, ast, "a constant", is_terminal ? tunable : cure);
    }
    if (value->var->role == VAR_OUTPUT) {
        return refuse_variable(checker, call, ast, "an output",
                               "give its value a name before, and use that name in the expression");
    }
    if (value->type->root != ROOT_REAL) {
        return refuse_root(checker, call, ast, value->type, cure);
    }
    return value->var;
}

// The variables from argument `first` to `last`, in the order of the call; NULL after an error.
static TirVar **variable_arguments(Checker *checker, const BuiltinCall *call, size_t last) {
    TirVar **vars = ARENA_ARRAY(checker->arena, TirVar *, last);
    bool ok = true;
    for (size_t k = 0; k < last; k++) {
        vars[k] = variable_argument(checker, call, k + 1);
        for (size_t i = 0; i < k && vars[k] != NULL; i++) {
            if (vars[i] == vars[k]) {
                Diag *diag = check_error(checker, DIAG_E0761, builtin_argument(call, k + 1)->span,
                                         "`%s` is given twice", vars[k]->name->text);
                diag_label(diag, builtin_argument(call, i + 1)->span, "given here first");
                vars[k] = NULL;
            }
        }
        ok = ok && vars[k] != NULL;
    }
    return ok ? vars : NULL;
}

// The function.

static bool is_own(const TirFunction *function, const TirVar *var) {
    return !tir_var_is_global(var) && var->id < function->vars.count &&
           function->vars.items[var->id] == var;
}

static void add_param(Derivation *derivation, TirVar *var, Span span) {
    Checker *checker = derivation->checker;
    LIST_PUSH(checker->arena, &derivation->reads, span);
    TirVar *param = tir_var_create(&checker->tir, derivation->function, VAR_PARAM, var->name,
                                   var->type, var->span);
    LIST_PUSH(checker->arena, &derivation->params, param);
    LIST_PUSH(checker->arena, &derivation->outside, var);
}

// A variable of elsewhere is read as the parameter that has its value.
static void capture(TirExpr **slot, void *data) {
    Derivation *derivation = data;
    if ((*slot)->kind != EXPR_VAR) {
        tir_visit_operands(*slot, capture, data);
        return;
    }
    TirVar *var = (*slot)->var;
    if (is_own(derivation->function, var)) {
        return;
    }
    size_t k = 0;
    while (k < derivation->outside.count && derivation->outside.items[k] != var) {
        k++;
    }
    if (k == derivation->outside.count) {
        add_param(derivation, var, (*slot)->span);
    }
    *slot = tir_read(&derivation->checker->tir, derivation->params.items[k], (*slot)->span);
}

// Checks the expression as the body of the function; NULL after an error.
static TirExpr *check_body(Derivation *derivation, const AstExpr *ast) {
    Checker *checker = derivation->checker;
    CheckPlace outside = checker->at;
    Instance *instance = checker->at.instance;
    bool had_debug = instance != NULL && instance->has_debug;
    if (instance != NULL) {
        instance->has_debug = false;
    }
    checker->at.function = derivation->function;
    checker->at.block = &derivation->function->body;
    memset(&checker->at.held, 0, sizeof checker->at.held);
    TirExpr *value = check_value(checker, ast);
    if (!type_is_poison(value->type)) {
        TirVar *result =
            tir_result_create(&checker->tir, derivation->function, value->type, ast->span);
        tir_set_var(&checker->tir, checker->at.block, result, value, ast->span);
        tir_stmt(&checker->tir, checker->at.block, STMT_RETURN, ast->span);
    }
    EndlessCall endless = checker->at.endless;
    checker->at = outside;
    checker->at.endless = endless;
    if (instance != NULL) {
        derivation->has_debug = instance->has_debug;
        instance->has_debug = had_debug;
    }
    return type_is_poison(value->type) ? NULL : value;
}

static bool require_real(Checker *checker, const BuiltinCall *call, const TirExpr *value) {
    bool is_gradient = call->op == DERIVATIVE_GRADIENT;
    if (value->type->root == ROOT_REAL && (!is_gradient || type_is_scalar(value->type))) {
        return true;
    }
    Diag *diag = check_error(
        checker, DIAG_E0763, builtin_argument(call, 0)->span, "`%s` needs %s, this is %s",
        call->name, is_gradient ? "a real scalar" : "reals", check_type_text(checker, value->type));
    if (value->type->root != ROOT_REAL) {
        diag_note(diag, "integers and bools have no derivative, nor have casts to them");
    } else {
        diag_note(diag, "`jacobian` takes values of any shape; `gradient(sum(w * e), ...)` weighs "
                        "its elements");
    }
    return false;
}

static bool require_depth(const Derivation *derivation) {
    if (derivation->function->derivatives < DEEPEST) {
        return true;
    }
    Diag *diag = check_error(derivation->checker, DIAG_E0906, derivation->call->span,
                             "this is a derivative of a derivative of a derivative");
    diag_note(diag, "derivatives stand in one another two deep: `jacobian(gradient(e, x), x)`");
    return false;
}

// The function of the expression, which joins the program; false after an error.
static bool make_function(Derivation *derivation, TirVar *const *vars, size_t count) {
    Checker *checker = derivation->checker;
    const BuiltinCall *call = derivation->call;
    TirFunction *function = ARENA_NEW(checker->arena, TirFunction);
    derivation->function = function;
    // No instance of a function of the source has such a symbol.
    function->symbol = arena_format(checker->arena, "derivative.e%u", checker->derivatives++);
    function->name = names_intern_text(checker->context->names, "derivative");
    function->span = call->span;
    function->is_made = true;
    for (size_t k = 0; k < count; k++) {
        add_param(derivation, vars[k], builtin_argument(call, k + 1)->span);
    }
    const TirExpr *value = check_body(derivation, builtin_argument(call, 0));
    if (value == NULL || function->has_errors || !require_real(checker, call, value) ||
        !derivative_is_pure(derivation)) {
        return false;
    }
    tir_visit_exprs_in(&function->body, capture, derivation);
    function->params = derivation->params.items;
    function->param_count = derivation->params.count;
    if (!require_depth(derivation) || !derivative_depends(derivation, count)) {
        return false;
    }
    if (!checker->at.mode.unevaluated) {
        library_rules(checker, function);
        tir_add_function(&checker->tir, checker->program, function);
    }
    return true;
}

// The call.

// L17.3. NULL where that is too large.
static const Type *jacobian_type(TypeTable *types, const Type *e, const Type *x) {
    if (type_is_scalar(x) || type_is_scalar(e)) {
        return type_is_scalar(x) ? e : x;
    }
    if (type_is_tensor(e->base)) {
        const Type *base = jacobian_type(types, e->base, x);
        return base == NULL ? NULL : type_tensor(types, base, e->rank, e->dims);
    }
    uint32_t dims[2 * TYPE_RANK_LIMIT];
    memcpy(dims, e->dims, e->rank * sizeof(*dims));
    memcpy(dims + e->rank, x->dims, x->rank * sizeof(*dims));
    return type_tensor(types, x->base, (size_t)e->rank + x->rank, dims);
}

// Appends the marked call, whose results are `results`; false after an error.
static bool make_call(Derivation *derivation, TirVar *const *vars, size_t count, TirVar **results) {
    Checker *checker = derivation->checker;
    Tir *tir = &checker->tir;
    const BuiltinCall *call = derivation->call;
    TirFunction *function = derivation->function;
    const Type *types[2] = {function->results.items[0]->type};
    TirExpr **args = ARENA_ARRAY(checker->arena, TirExpr *, function->param_count);
    for (size_t k = 0; k < function->param_count; k++) {
        args[k] = check_read(checker, derivation->outside.items[k], derivation->reads.items[k]);
        check_hold(checker, &args[k]);
    }
    TirExpr *along = NULL;
    if (call->op == DERIVATIVE_ALONG) {
        TirExpr *value = check_value(checker, builtin_argument(call, 2));
        along = check_assignable(checker, vars[0]->type, value, "the direction",
                                 builtin_argument(call, 1)->span);
    }
    for (size_t k = 0; k < function->param_count; k++) {
        check_release(checker);
    }
    if (along != NULL && type_is_poison(along->type)) {
        return false;
    }
    uint32_t *by = ARENA_ARRAY(checker->arena, uint32_t, count);
    for (size_t k = 0; k < count; k++) {
        const Type *type = call->op == DERIVATIVE_JACOBIAN
                               ? jacobian_type(tir->types, types[0], vars[k]->type)
                           : call->op == DERIVATIVE_GRADIENT ? vars[k]->type
                                                             : types[0];
        if (type == NULL) {
            builtin_too_large(checker, call);
            return false;
        }
        by[k] = (uint32_t)k;
        results[k] = tir_var_create(tir, checker->at.function, VAR_TEMP, NULL, type, call->span);
    }
    TirStmt *stmt = tir_derivative(tir, checker->at.block, (TirDerivativeKind)call->op, function,
                                   args, by, count, along, call->span);
    for (size_t k = 0; k < count; k++) {
        LIST_PUSH(checker->arena, &stmt->call.results, results[k]);
    }
    check_merge_effects(checker, function);
    TirFunction *caller = checker->at.function;
    if (caller->derivatives < function->derivatives + 1) {
        caller->derivatives = (uint8_t)(function->derivatives + 1);
    }
    return true;
}

// `gradient(f, x)`: the value is differentiated, not the function.
static bool report_named_function(Checker *checker, const BuiltinCall *call) {
    const AstExpr *ast = builtin_argument(call, 0);
    const AstExpr *by = builtin_argument(call, 1);
    if (!check_names_function(checker, ast)) {
        return false;
    }
    Diag *diag = check_error(checker, DIAG_E0719, ast->span, "`%s` is a function, not a value",
                             ast->name.name->text);
    const char *text = check_expr_text(checker, by->span, "x");
    diag_help(diag, "write `%s(%s)`, the value there", ast->name.name->text, text);
    diag_edit(diag, ast->span, "%s(%s)", ast->name.name->text, text);
    return true;
}

bool builtin_derivatives(Checker *checker, const BuiltinCall *call, size_t count,
                         TirVar **results) {
    if (report_named_function(checker, call)) {
        return false;
    }
    TirVar **vars = variable_arguments(checker, call, count);
    Derivation derivation = {.checker = checker, .call = call};
    return vars != NULL && make_function(&derivation, vars, count) &&
           make_call(&derivation, vars, count, results);
}

TirExpr *builtin_derivative(Checker *checker, const BuiltinCall *call) {
    if (call->op == DERIVATIVE_GRADIENT && call->count > 2) {
        Diag *diag = check_error(checker, DIAG_E0712, call->span,
                                 "this `gradient` has %zu results, and stands only behind as many "
                                 "targets",
                                 call->count - 1);
        diag_note(diag, "it has one for each variable: `g, h = gradient(e, x, y)`");
        return checker->poison;
    }
    TirVar *result;
    return builtin_derivatives(checker, call, 1, &result)
               ? tir_read(&checker->tir, result, call->span)
               : checker->poison;
}
