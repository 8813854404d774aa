// Values become other types: assignment (L6), constants taken as uint (L2.7), casts (L2.9).
#include "sema/convert.h"

#include "sema/checker.h"
#include "sema/explain.h"
#include "sema/message.h"
#include "sema/order.h"
#include "support/bug.h"
#include "tir/constant.h"

TirExpr *check_spread(Checker *checker, TirExpr *value, const Type *type) {
    const Type *target = type_with_root(checker->tir.types, type, value->type->root);
    if (value->type == target) {
        return value;
    }
    int32_t places[TYPE_FLAT_LIMIT];
    shape_axes(value->type, target, places);
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (size_t d = 0; d < value->type->flat_rank; d++) {
        axes[d] = (TirAxis){.axis = places[d], .step = places[d] < 0 ? 0 : 1};
    }
    return check_built(checker, tir_view(&checker->tir, target, value, axes, value->span));
}

static TirExpr *convert(Checker *checker, Root root, TirExpr *value) {
    return check_built(checker, tir_convert(&checker->tir, root, value, value->span));
}

TirExpr *check_fit(Checker *checker, TirExpr *value, const Type *type) {
    return check_spread(checker, convert(checker, type->root, value), type);
}

TirExpr *check_adapt(Checker *checker, TirExpr *value) {
    return constant_is_nonnegative(&checker->tir, value) ? convert(checker, ROOT_UINT, value)
                                                         : value;
}

TirExpr *check_assignable(Checker *checker, const Type *target, TirExpr *value, const char *what,
                          Span origin) {
    if (type_is_poison(target) || type_is_poison(value->type)) {
        return check_poison(checker);
    }
    if (target->root == ROOT_UINT) {
        value = check_adapt(checker, value);
    }
    ShapeFit fit = shape_assign(target, value->type, false);
    if (fit.why == SHAPE_OK) {
        return check_fit(checker, value, target);
    }
    explain_assignment(checker, &fit, target, value, what, origin);
    return check_poison(checker);
}

TirExpr *check_cast(Checker *checker, const Type *type, TirExpr *value, Span span) {
    if (type_is_poison(type) || type_is_poison(value->type)) {
        return check_poison(checker);
    }
    if (!type_has_value(type) || !type_has_value(value->type)) {
        const char *from =
            value->type->kind == TYPE_VOID ? "nothing" : check_type_text(checker, value->type);
        return check_fail(checker, DIAG_E0409, span, "there is no cast from %s to %s", from,
                          check_type_text(checker, type));
    }
    ShapeFit fit = shape_assign(type, value->type, true);
    if (fit.why != SHAPE_OK) {
        explain_assignment(checker, &fit, type, value, "the cast's type", (Span){0, 0});
        return check_poison(checker);
    }
    TirExpr *result = check_fit(checker, value, type);
    result->span = result == value ? result->span : span;
    return result;
}
