// The words of tests (L19.3): `cycle`, `near`. Outside of tests they are errors.
#include "sema/test.h"

#include "sema/builtin/builtin.h"
#include "sema/value.h"

static bool in_test(Checker *checker, const BuiltinCall *call) {
    return check_in_test(checker) ||
           check_refuse(checker, DIAG_E0770, call->span, "`%s` is a word of tests", call->name);
}

// Statements with effects, which an index or another value cannot hold.
static bool may_run(Checker *checker, const BuiltinCall *call) {
    if (!in_test(checker, call)) {
        return false;
    }
    if (!tests_has_cycles(checker)) {
        return check_refuse(checker, DIAG_E0770, call->span,
                            "`%s` runs a component, and this file is none", call->name);
    }
    if (checker->at.mode.in_index) {
        return check_refuse(checker, DIAG_E0604, call->span, "%s cannot call `%s`",
                            check_place_text(&checker->at.mode), call->name);
    }
    check_spill_held(checker);
    return true;
}

TirExpr *builtin_cycle(Checker *checker, const BuiltinCall *call) {
    TirExpr *count = NULL;
    if (!may_run(checker, call)) {
        return checker->poison;
    }
    if (call->count > 0) {
        const Type *type = type_scalar(checker->tir.types, ROOT_INT);
        count =
            check_assignable(checker, type, call->args[0], "the number of cycles", (Span){0, 0});
        if (type_is_poison(count->type)) {
            return checker->poison;
        }
    }
    tests_cycle(checker, count, call->span);
    return check_nothing(checker, call->span);
}

// Whether all elements of a tensor of bools are true, on all levels.
static TirExpr *all_of(Checker *checker, TirExpr *x, Span span) {
    if (type_is_scalar(x->type)) {
        return x;
    }
    const Type *type = type_scalar(checker->tir.types, ROOT_BOOL);
    return check_built(checker,
                       tir_reduce(&checker->tir, REDUCE_ALL, type, x, 0, x->type->flat_rank, span));
}

// a == b, or |a - b| is finite and at most tol * max(1, min(|a|, |b|)), everywhere.
TirExpr *builtin_near(Checker *checker, const BuiltinCall *call) {
    if (!in_test(checker, call)) {
        return checker->poison;
    }
    const Type *shape = builtin_operands(checker, call, false, call->args[0], call->args[1]);
    TirExpr *tolerance = check_assignable(checker, type_scalar(checker->tir.types, ROOT_REAL),
                                          call->args[2], "the tolerance", (Span){0, 0});
    if (shape == NULL || type_is_poison(tolerance->type)) {
        return checker->poison;
    }
    Span span = call->span;
    const Type *type = type_with_root(checker->tir.types, shape, ROOT_REAL);
    const Type *truth = type_with_root(checker->tir.types, shape, ROOT_BOOL);
    TirExpr *a = builtin_shared(checker, check_fit(checker, call->args[0], type));
    TirExpr *b = builtin_shared(checker, check_fit(checker, call->args[1], type));
    checker->near[0] = a;
    checker->near[1] = b;
    TirExpr *one = check_fit(checker, tir_const_real(&checker->tir, 1, span), type);
    TirExpr *difference = check_map(checker, OP_SUB, type, a, b, NULL, span);
    TirExpr *distance =
        builtin_shared(checker, check_map(checker, OP_ABS, type, difference, NULL, NULL, span));
    TirExpr *scale =
        check_map(checker, OP_MIN, type, check_map(checker, OP_ABS, type, a, NULL, NULL, span),
                  check_map(checker, OP_ABS, type, b, NULL, NULL, span), NULL, span);
    scale = check_map(checker, OP_MAX, type, one, scale, NULL, span);
    TirExpr *bound =
        check_map(checker, OP_MUL, type, check_fit(checker, tolerance, type), scale, NULL, span);
    TirExpr *close = check_map(checker, OP_LE, truth, distance, bound, NULL, span);
    TirExpr *finite = check_map(checker, OP_ISFINITE, truth, distance, NULL, NULL, span);
    TirExpr *equal = check_map(checker, OP_EQ, truth, a, b, NULL, span);
    close = check_map(checker, OP_AND, truth, close, finite, NULL, span);
    return all_of(checker, check_map(checker, OP_OR, truth, equal, close, NULL, span), span);
}
