// Values become other types: assignment (L6), constants taken as uint (L2.7), casts (L2.9).
#include "sema/checker.h"

#include "sema/constant.h"
#include "sema/shape_explain.h"
#include "support/bug.h"

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

// `5u + 1` is an int because `1` is: the constant that made it so, or NULL.
static const TirExpr *int_beside_uint(const TirExpr *value) {
    if (value->kind != TIR_MAP || tir_op_arity(value->map.op) != 2) {
        return NULL;
    }
    for (int k = 0; k < 2; k++) {
        const TirExpr *other = value->map.args[1 - k];
        bool was_uint = other->kind == TIR_CONVERT && other->operand->type->root == ROOT_UINT;
        const TirExpr *arg = value->map.args[k];
        bool literal = arg->kind == TIR_CONST && type_is_scalar(arg->type);
        if (was_uint && literal && arg->data->integer >= 0) {
            return arg;
        }
    }
    return NULL;
}

static void report_root(Checker *checker, const Type *target, TirExpr *value, const char *what,
                        Span origin) {
    DiagList *diags = checker->context->diags;
    const char *wanted = check_type_text(checker, target);
    Diag *diag = check_error(checker, DIAG_E0401, value->span, "%s cannot become %s",
                             check_type_text(checker, value->type), wanted);
    diag_here(diags, diag, "%s is %s", what, wanted);
    if (origin.end != 0) {
        diag_label(diags, diag, origin, "%s is declared here", what);
    }
    const TirExpr *literal = target->root == ROOT_UINT ? int_beside_uint(value) : NULL;
    if (literal != NULL) {
        diag_help(diags, diag, "`%du` instead of `%d` keeps it a `uint`", literal->data->integer,
                  literal->data->integer);
        return;
    }
    diag_help(
        diags, diag, "a cast converts it: `%s(%s)`",
        check_type_text(checker, type_with_root(checker->tir.types, value->type, target->root)),
        check_expr_text(checker, value->span, "..."));
}

static void report_shape(Checker *checker, const Type *target, TirExpr *value, const char *what,
                         Span origin, const ShapeFit *fit) {
    DiagList *diags = checker->context->diags;
    const char *source = check_type_text(checker, value->type);
    Diag *diag = check_error(checker, DIAG_E0510, value->span, "%s does not fit %s", source,
                             check_type_text(checker, target));
    diag_here(diags, diag, "%s is %s", what, check_type_text(checker, target));
    if (origin.end != 0) {
        diag_label(diags, diag, origin, "%s is declared here", what);
    }
    if (type_is_scalar(target)) {
        diag_note(diags, diag, "a tensor is never assigned to a scalar");
        if (type_is_scalar(shape_narrow(checker->tir.types, value->type))) {
            diag_help(diags, diag, "`narrow(%s)` takes its only element",
                      check_expr_text(checker, value->span, "..."));
        }
        return;
    }
    const char *table = shape_table(
        checker->arena, fit, "target", target, "value", value->type,
        fit->why == SHAPE_LENGTHS
            ? arena_format(checker->arena, "%u is neither %u nor 1", fit->right, fit->left)
            : shape_explain(checker->arena, fit, false));
    diag_table(diags, diag, "%s", table);
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
    if (fit.why == SHAPE_ROOTS) {
        report_root(checker, target, value, what, origin);
    } else {
        report_shape(checker, target, value, what, origin, &fit);
    }
    return check_poison(checker);
}

TirExpr *check_cast(Checker *checker, const Type *type, TirExpr *value, Span span) {
    if (type_is_poison(type) || type_is_poison(value->type)) {
        return check_poison(checker);
    }
    if (!type_has_value(type) || !type_has_value(value->type)) {
        const char *from =
            value->type->kind == TYPE_VOID ? "nothing" : check_type_text(checker, value->type);
        check_error(checker, DIAG_E0409, span, "there is no cast from %s to %s", from,
                    check_type_text(checker, type));
        return check_poison(checker);
    }
    ShapeFit fit = shape_assign(type, value->type, true);
    if (fit.why != SHAPE_OK) {
        report_shape(checker, type, value, "the cast's type", (Span){0, 0}, &fit);
        return check_poison(checker);
    }
    TirExpr *result = check_fit(checker, value, type);
    result->span = result == value ? result->span : span;
    return result;
}
