// Reductions (L11): f(x) over each innermost tensor, f!(x) over the level above it.
#include "sema/builtin/builtin.h"
#include "sema/value.h"
#include "sema/warn/warn.h"

// The reduction of `x` with the result root `root`.
static TirExpr *reduce(Checker *checker, const BuiltinCall *call, TirExpr *x, Root root) {
    uint32_t axis;
    uint32_t count;
    const Type *type = shape_reduce(checker->tir.types, x->type, call->bang, &axis, &count);
    if (count == 0) {
        return x;
    }
    type = type_with_root(checker->tir.types, type, root);
    return check_built(checker, tir_reduce(&checker->tir, (TirReduction)call->op, type, x, axis,
                                           count, call->span));
}

// From left to right.
static TirExpr *extreme_of_many(Checker *checker, const BuiltinCall *call) {
    if (call->bang) {
        return check_fail(checker, DIAG_E0716, call->span, "`%s!` takes one argument", call->name);
    }
    TirExpr *result = call->args[0];
    for (size_t k = 1; k < call->count; k++) {
        if (!type_is_numeric(call->args[k]->type)) {
            return builtin_wrong_argument(checker, call, k, BUILTIN_NUMBERS_TAKEN);
        }
        const Type *type = builtin_operands(checker, call, false, result, call->args[k]);
        if (type == NULL) {
            return checker->poison;
        }
        TirOp op = call->op == REDUCE_MIN ? OP_MIN : OP_MAX;
        warn_extreme(checker, op, call->span, result, call->args[k]);
        result = check_map(checker, op, type, check_fit(checker, result, type),
                           check_fit(checker, call->args[k], type), NULL, call->span);
    }
    return result;
}

TirExpr *builtin_extreme(Checker *checker, const BuiltinCall *call) {
    if (!type_is_numeric(call->args[0]->type)) {
        return builtin_wrong_argument(checker, call, 0, BUILTIN_NUMBERS_TAKEN);
    }
    if (call->count > 1) {
        return extreme_of_many(checker, call);
    }
    return reduce(checker, call, call->args[0], call->args[0]->type->root);
}

TirExpr *builtin_quantifier(Checker *checker, const BuiltinCall *call) {
    if (call->args[0]->type->root != ROOT_BOOL) {
        return builtin_wrong_argument(checker, call, 0, "a bool or a tensor of bools");
    }
    return reduce(checker, call, call->args[0], ROOT_BOOL);
}

// Bools are counted, as uint.
static TirExpr *countable(Checker *checker, TirExpr *x) {
    if (x->type->root != ROOT_BOOL) {
        return x;
    }
    return check_convert(checker, ROOT_UINT, x);
}

TirExpr *builtin_sum(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = countable(checker, call->args[0]);
    return reduce(checker, call, x, x->type->root);
}

TirExpr *builtin_mean(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = check_convert(checker, ROOT_REAL, call->args[0]);
    TirExpr *total = reduce(checker, call, x, ROOT_REAL);
    if (total == x) {
        return x;
    }
    uint32_t count = x->type->numel / total->type->numel;
    TirExpr *divisor = tir_const_real(&checker->tir, (double)count, call->span);
    divisor = check_spread(checker, divisor, total->type);
    return check_map(checker, OP_DIV, total->type, total, divisor, NULL, call->span);
}

TirExpr *builtin_position(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    if (type_is_scalar(x->type)) {
        return tir_const_int(&checker->tir, 0, call->span);
    }
    return reduce(checker, call, x, ROOT_INT);
}

TirExpr *builtin_cumsum(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = countable(checker, call->args[0]);
    if (type_is_scalar(x->type)) {
        return x;
    }
    return check_built(checker, tir_cumsum(&checker->tir, x, call->span));
}
