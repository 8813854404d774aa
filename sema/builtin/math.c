// Built-ins that work element by element.
#include "sema/builtin/builtin.h"
#include "sema/explain.h"
#include "sema/operator.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"

// Functions of a real, questions about one, and the sign, which stays an integer.
TirExpr *builtin_function(Checker *checker, const BuiltinCall *call) {
    TirOp op = (TirOp)call->op;
    TirExpr *x = call->args[0];
    x = op == OP_SIGN ? x : check_convert(checker, ROOT_REAL, x);
    bool asks = op == OP_ISNAN || op == OP_ISINF || op == OP_ISFINITE;
    Root root = op == OP_SIGN ? ROOT_INT : asks ? ROOT_BOOL : ROOT_REAL;
    const Type *type = type_with_root(checker->tir.types, x->type, root);
    return check_map(checker, op, type, x, NULL, NULL, call->span);
}

TirExpr *builtin_function_of_two(Checker *checker, const BuiltinCall *call) {
    const Type *shape = builtin_operands(checker, call, true, call->args[0], call->args[1]);
    if (shape == NULL) {
        return checker->poison;
    }
    const Type *type = type_with_root(checker->tir.types, shape, ROOT_REAL);
    return check_map(checker, (TirOp)call->op, type, check_fit(checker, call->args[0], type),
                     check_fit(checker, call->args[1], type), NULL, call->span);
}

// The shape of all arguments together, with the greatest root; NULL after an error.
static const Type *common_type(Checker *checker, const BuiltinCall *call) {
    TirExpr *all = call->args[0];
    for (size_t k = 1; k < call->count; k++) {
        const Type *type = builtin_operands(checker, call, false, all, call->args[k]);
        if (type == NULL) {
            return NULL;
        }
        all = check_fit(checker, all, type);
    }
    return all->type;
}

// An operation on reals of shapes that stretch to each other.
TirExpr *builtin_of_reals(Checker *checker, const BuiltinCall *call) {
    const Type *shape = common_type(checker, call);
    if (shape == NULL) {
        return checker->poison;
    }
    const Type *type = type_with_root(checker->tir.types, shape, ROOT_REAL);
    TirExpr *args[3] = {NULL};
    for (size_t k = 0; k < call->count; k++) {
        args[k] = check_fit(checker, call->args[k], type);
    }
    return check_map(checker, (TirOp)call->op, type, args[0], args[1], args[2], call->span);
}

// The same on uints, which constants without a sign become.
TirExpr *builtin_of_bits(Checker *checker, const BuiltinCall *call) {
    for (size_t k = 0; k < call->count; k++) {
        call->args[k] = check_adapt(checker, call->args[k]);
        if (call->args[k]->type->root != ROOT_UINT) {
            return builtin_wrong_argument(checker, call, k, "a `uint` or a tensor of them");
        }
    }
    const Type *type = common_type(checker, call);
    if (type == NULL) {
        return checker->poison;
    }
    TirExpr *args[2] = {NULL};
    for (size_t k = 0; k < call->count; k++) {
        args[k] = check_spread(checker, call->args[k], type);
    }
    return check_map(checker, (TirOp)call->op, type, args[0], args[1], NULL, call->span);
}

// What an operator of L5.4 says, of shapes that stretch to each other.
TirExpr *builtin_comparison(Checker *checker, const BuiltinCall *call) {
    TirExpr **args = call->args;
    Root a = args[0]->type->root;
    Root b = args[1]->type->root;
    bool takes_bools = (call->op == OP_EQ || call->op == OP_NE) && a == b;
    for (size_t k = 0; k < 2; k++) {
        bool is_bool = args[k]->type->root == ROOT_BOOL;
        if (!type_is_numeric(args[k]->type) && !(is_bool && takes_bools)) {
            return builtin_wrong_argument(checker, call, k, BUILTIN_NUMBERS_TAKEN);
        }
    }
    const Type *shape = builtin_operands(checker, call, false, args[0], args[1]);
    if (shape == NULL) {
        return checker->poison;
    }
    // An int and a uint compare by value.
    for (size_t k = 0; k < 2; k++) {
        TirExpr *value =
            shape->root == ROOT_REAL ? check_convert(checker, ROOT_REAL, args[k]) : args[k];
        args[k] = check_spread(checker, value, shape);
    }
    const Type *type = type_with_root(checker->tir.types, shape, ROOT_BOOL);
    return check_map(checker, (TirOp)call->op, type, args[0], args[1], NULL, call->span);
}

// Adapts arguments to uint and spreads them over the first one's shape. False after an error.
static bool bit_arguments(Checker *checker, const BuiltinCall *call, TirExpr **args) {
    for (size_t k = 0; k < call->count; k++) {
        args[k] = check_adapt(checker, call->args[k]);
        bool flag = k == 2 && args[k]->type->root == ROOT_BOOL;
        if (args[k]->type->root != ROOT_UINT && !flag) {
            builtin_wrong_argument(checker, call, k, k == 2 ? "a `uint` or `bool`" : "a `uint`");
            return false;
        }
        if (k > 0) {
            const Type *shape = builtin_operands(checker, call, true, args[0], args[k]);
            if (shape == NULL) {
                return false;
            }
            args[0] = check_spread(checker, args[0], shape);
        }
    }
    for (size_t k = 1; k < call->count; k++) {
        args[k] = check_spread(checker, args[k], args[0]->type);
    }
    return true;
}

TirExpr *builtin_getbit(Checker *checker, const BuiltinCall *call) {
    CHECK(call->count == 2);
    TirExpr *args[3];
    if (!bit_arguments(checker, call, args)) {
        return checker->poison;
    }
    const Type *type = args[0]->type;
    TirExpr *one = check_spread(checker, tir_const_uint(&checker->tir, 1, call->span), type);
    TirExpr *shifted = check_map(checker, OP_SHR, type, args[0], args[1], NULL, call->span);
    return check_map(checker, OP_BIT_AND, type, shifted, one, NULL, call->span);
}

// x with the bit set where v is nonzero, cleared elsewhere.
TirExpr *builtin_setbit(Checker *checker, const BuiltinCall *call) {
    CHECK(call->count == 3);
    TirExpr *args[3];
    if (!bit_arguments(checker, call, args)) {
        return checker->poison;
    }
    const Type *type = args[0]->type;
    Span span = call->span;
    TirExpr *x = builtin_shared(checker, args[0]);
    TirExpr *one = check_spread(checker, tir_const_uint(&checker->tir, 1, span), type);
    TirExpr *bit = check_map(checker, OP_SHL, type, one, args[1], NULL, span);
    bit = builtin_shared(checker, bit);
    TirExpr *on = check_convert(checker, ROOT_BOOL, args[2]);
    TirExpr *with = check_map(checker, OP_BIT_OR, type, x, bit, NULL, span);
    TirExpr *mask = check_map(checker, OP_BIT_NOT, type, bit, NULL, NULL, span);
    TirExpr *without = check_map(checker, OP_BIT_AND, type, x, mask, NULL, span);
    return check_map(checker, OP_SELECT, type, on, with, without, span);
}

// Three arguments do not broadcast: `left` and `right` do not either, or all three together are too
// large. Returns poison.
static TirExpr *report_third(Checker *checker, const BuiltinCall *call, const ShapeFit *fit,
                             TirExpr *left, TirExpr *right) {
    if (fit->why == SHAPE_TOO_LARGE) {
        return builtin_too_large(checker, call);
    }
    builtin_operands(checker, call, false, left, right);
    return checker->poison;
}

TirExpr *builtin_clamp(Checker *checker, const BuiltinCall *call) {
    const Type *low = builtin_operands(checker, call, false, call->args[0], call->args[1]);
    const Type *high =
        low == NULL ? NULL : builtin_operands(checker, call, false, call->args[0], call->args[2]);
    if (high == NULL) {
        return checker->poison;
    }
    ShapeFit fit = shape_broadcast(checker->tir.types, low, high);
    if (fit.why != SHAPE_OK) {
        return report_third(checker, call, &fit, call->args[1], call->args[2]);
    }
    warn_limits(checker, call->span, call->args[1], call->args[2]);
    const Type *type = fit.type;
    TirExpr *args[3];
    for (size_t k = 0; k < 3; k++) {
        args[k] = check_fit(checker, call->args[k], type);
    }
    TirExpr *raised = check_map(checker, OP_MAX, type, args[0], args[1], NULL, call->span);
    return check_map(checker, OP_MIN, type, raised, args[2], NULL, call->span);
}

TirExpr *builtin_select(Checker *checker, const BuiltinCall *call) {
    TirExpr *condition = call->args[0];
    if (condition->type->root != ROOT_BOOL) {
        return builtin_wrong_argument(checker, call, 0, "a bool or a tensor of bools");
    }
    const Type *values = builtin_operands(checker, call, false, call->args[1], call->args[2]);
    if (values == NULL) {
        return checker->poison;
    }
    ShapeFit fit = shape_broadcast(checker->tir.types, condition->type, values);
    if (fit.why != SHAPE_OK) {
        const Type *first = call->args[1]->type;
        ShapeFit with_first = shape_broadcast(checker->tir.types, condition->type, first);
        TirExpr *value = call->args[with_first.why == SHAPE_OK ? 2 : 1];
        return report_third(checker, call, &fit, condition, value);
    }
    if (shape_promoted(condition->type, values) != NULL) { // L5.7
        bool is_first = shape_promoted(condition->type, call->args[1]->type) != NULL;
        bool is_second = shape_promoted(condition->type, call->args[2]->type) != NULL;
        Operation operation = {.text = call->name,
                               .span = call->span,
                               .op_span = call->span,
                               .left = condition,
                               .right = call->args[is_first ? 1 : 2],
                               .is_one_of_two = is_first && is_second};
        if (check_operands(checker, &operation, false) == NULL) {
            return checker->poison;
        }
    }
    const Type *type = type_with_root(checker->tir.types, fit.type, values->root);
    return check_map(checker, OP_SELECT, type, check_spread(checker, condition, type),
                     check_fit(checker, call->args[1], type),
                     check_fit(checker, call->args[2], type), call->span);
}
