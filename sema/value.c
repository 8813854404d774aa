// What every new node passes through, what keeps the order of evaluation, and how values become
// other types: assignment (L6), constants taken as uint (L2.7), casts (L2.9).
#include "sema/value.h"
#include "sema/component/infer.h"

#include "sema/explain.h"
#include "sema/warn/warn.h"
#include "support/bug.h"
#include "tir/constant.h"
#include "tir/uses.h"

TirExpr *check_built(Checker *checker, TirExpr *expr) {
    return constant_fold(&checker->tir, expr);
}

TirExpr *check_map(Checker *checker, TirOp op, const Type *type, TirExpr *a, TirExpr *b, TirExpr *c,
                   Span span) {
    return check_built(checker, tir_map(&checker->tir, op, type, a, b, c, span));
}

static TirExpr *convert(Checker *checker, Root root, TirExpr *value) {
    return check_built(checker, tir_convert(&checker->tir, root, value, value->span));
}

TirExpr *check_convert(Checker *checker, Root root, TirExpr *value) {
    if (root == ROOT_REAL) {
        warn_real_of(checker, value);
    }
    return convert(checker, root, value);
}

TirExpr *check_along(Checker *checker, TirExpr *expr, const Type *type, const int32_t *positions,
                     Span span) {
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (size_t d = 0; d < expr->type->flat_rank; d++) {
        axes[d] = (TirAxis){.axis = positions[d], .step = positions[d] < 0 ? 0 : 1};
    }
    return check_built(checker, tir_view(&checker->tir, type, expr, axes, span));
}

TirExpr *check_nothing(Checker *checker, Span span) {
    return tir_new_expr(checker->arena, EXPR_CONST, type_void(checker->tir.types), span);
}

// Note [Order of evaluation]
// TIR expressions are pure, so calls and input become statements before the statement they stand
// in. An operand to the left of a call must keep the value it had: check_hold registers operands
// while later ones are checked, and check_spill_held gives those that the call could change or
// overtake (reads of file-level variables, possible traps) a temporary in front of the call. A call
// without side effects changes and overtakes nothing; which of several traps comes first is open. A
// variable that is given to a `var` parameter changes too (check_spill_readers).

void check_hold(Checker *checker, TirExpr **slot) {
    LIST_PUSH(checker->arena, &checker->at.held, slot);
}

void check_release(Checker *checker) {
    CHECK(checker->at.held.count > 0);
    checker->at.held.count--;
}

static bool calls_may_change(const TirExpr *expr, const void *data) {
    (void)data;
    return expr->kind == EXPR_VAR &&
           (expr->var->role == VAR_GLOBAL || expr->var->role == VAR_OUTPUT);
}

static bool call_could_matter(TirExpr *expr) {
    return tir_any_expr(expr, calls_may_change, NULL) || tir_may_trap(expr);
}

TirExpr *check_into_temporary(Checker *checker, TirExpr *expr) {
    TirVar *temp = tir_set_temp(&checker->tir, checker->at.function, checker->at.block, expr);
    return tir_read(&checker->tir, temp, expr->span);
}

// A place that is read may be written as well, with indices that become temporaries later: what is
// read now has nodes of its own.
static TirExpr *apart(Checker *checker, TirExpr *expr) {
    if (expr->kind != EXPR_VIEW && expr->kind != EXPR_RESHAPE) {
        return expr;
    }
    TirExpr *copy = tir_copy_node(&checker->tir, expr);
    TirExpr **operand = copy->kind == EXPR_VIEW ? &copy->view.operand : &copy->operand;
    *operand = apart(checker, *operand);
    return copy;
}

static void spill(Checker *checker, TirExpr **slot) {
    *slot = check_into_temporary(checker, apart(checker, *slot));
}

void check_spill_held(Checker *checker) {
    for (size_t k = 0; k < checker->at.held.count; k++) {
        TirExpr **slot = checker->at.held.items[k];
        if (type_has_value((*slot)->type) && call_could_matter(*slot)) {
            spill(checker, slot);
        }
    }
}

void check_spill_readers(Checker *checker, const TirVar *var) {
    for (size_t k = 0; k < checker->at.held.count; k++) {
        TirExpr **slot = checker->at.held.items[k];
        if (type_has_value((*slot)->type) && tir_expr_reads(*slot, var) > 0) {
            spill(checker, slot);
        }
    }
}

void check_emit_apart(Checker *checker, const TirBlock *statements) {
    tir_append(&checker->tir, checker->at.block, statements);
}

TirExpr *check_spread(Checker *checker, TirExpr *value, const Type *type) {
    const Type *target = type_with_root(checker->tir.types, type, value->type->root);
    if (value->type == target) {
        return value;
    }
    int32_t positions[TYPE_FLAT_LIMIT];
    shape_axes(value->type, target, positions);
    return check_along(checker, value, target, positions, value->span);
}

TirExpr *check_fit(Checker *checker, TirExpr *value, const Type *type) {
    return check_spread(checker, check_convert(checker, type->root, value), type);
}

TirExpr *check_adapt(Checker *checker, TirExpr *value) {
    return constant_is_nonnegative(&checker->tir, value) ? check_convert(checker, ROOT_UINT, value)
                                                         : value;
}

TirExpr *check_assignable(Checker *checker, const Type *target, TirExpr *value, const char *what,
                          Span origin) {
    if (type_is_poison(target) || type_is_poison(value->type)) {
        return type_is_poison(target) ? checker->poison : infer_fill(checker, target, value);
    }
    if (target->root == ROOT_UINT) {
        value = check_adapt(checker, value);
    }
    ShapeFit fit = shape_assign(target, value->type, false);
    if (fit.why == SHAPE_OK) {
        return check_fit(checker, value, target);
    }
    explain_assignment(checker, &fit, target, value, what, origin);
    return checker->poison;
}

TirExpr *check_cast(Checker *checker, const Type *type, TirExpr *value, Span span) {
    if (type_is_poison(type) || type_is_poison(value->type)) {
        return checker->poison;
    }
    if (!type_has_value(type) || !type_has_value(value->type)) {
        const char *from =
            value->type->kind == TYPE_VOID ? "nothing" : check_type_text(checker, value->type);
        return check_fail(checker, DIAG_E0409, span, "there is no cast from %s to %s", from,
                          check_type_text(checker, type));
    }
    if (type_is_scalar(type)) { // of each scalar
        type = type_with_root(checker->tir.types, value->type, type->root);
    }
    ShapeFit fit = shape_assign(type, value->type, true);
    if (fit.why != SHAPE_OK) {
        explain_assignment(checker, &fit, type, value, "the cast's type", (Span){0, 0});
        return checker->poison;
    }
    TirExpr *result = check_spread(checker, convert(checker, type->root, value), type);
    result->span = result == value ? result->span : span;
    return result;
}
