// A row of an expression is the same tree over rows. What is written row by row may be read in that
// row only, as others are not there yet or not any more; all else is read wherever it is.
//
// Refused are functions of the C library of which scalars would be left, as they round in another
// way than those of arrays, and sums over the rows. Sums inside of rows have the same terms in the
// same groups as those of all rows.
#include "tir/narrow.h"

#include "support/bug.h"
#include "tir/visit.h"

const Type *narrowing_type(const Narrowing *narrowing, const Type *type) {
    CHECK(type->flat_rank > 0 && type->dims[0] == narrowing->rows);
    TypeTable *types = narrowing->tir->types;
    const Type *scalar = type_scalar(types, type->root);
    return type->flat_rank == 1 ? scalar
                                : type_tensor(types, scalar, type->flat_rank - 1U, type->dims + 1);
}

static bool has_rows(const Narrowing *narrowing, const Type *type) {
    return type->flat_rank > 0 && type->dims[0] == narrowing->rows;
}

static bool is_written(const TirExpr *expr, const void *data) {
    const Narrowing *narrowing = data;
    return expr->kind == EXPR_VAR && table_get(&narrowing->written, expr->var) != NULL;
}

static bool reads_written(const Narrowing *narrowing, const TirExpr *expr) {
    return tir_any_expr(expr, is_written, narrowing);
}

static TirExpr *position(const Narrowing *narrowing, const TirAxis *axis, Span span) {
    Tir *tir = narrowing->tir;
    return tir_line(tir, tir_read(tir, narrowing->counter, span), axis->step, axis->start, span);
}

TirExpr *narrowing_var(const Narrowing *narrowing, TirVar *var, Span span) {
    Tir *tir = narrowing->tir;
    TirVar *row = table_get(&narrowing->rows_of, var);
    if (row != NULL) {
        return tir_read(tir, row, span);
    }
    TirAxis at = {.axis = -1, .index = tir_read(tir, narrowing->counter, span), .unchecked = true};
    return tir_row(tir, narrowing_type(narrowing, var->type), tir_read(tir, var, span), at);
}

// The dim of its operand along which a view goes through the rows: -1 none, -2 several.
static int32_t dim_of_rows(const TirExpr *view) {
    int32_t dim = -1;
    for (int32_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->index == NULL && axis->axis == 0 && axis->step != 0) {
            dim = dim == -1 ? k : -2;
        }
    }
    return dim;
}

static TirExpr *narrow_view(Narrowing *narrowing, const Type *type, TirExpr *view) {
    TirExpr *operand = view->view.operand;
    int32_t rank = operand->type->flat_rank;
    int32_t dim = dim_of_rows(view);
    if (dim == -2) {
        return NULL;
    }
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (int32_t k = 0; k < rank; k++) {
        axes[k] = view->view.axes[k];
        if (axes[k].index != NULL) {
            return NULL;
        }
        axes[k].axis = axes[k].step == 0 || axes[k].axis < 0 ? -1 : axes[k].axis - 1;
    }
    if (!reads_written(narrowing, operand) &&
        (dim == -1 || operand->kind == EXPR_VAR || operand->kind == EXPR_CONST)) {
        if (dim >= 0) {
            TirExpr *index = position(narrowing, &view->view.axes[dim], view->span);
            axes[dim] = (TirAxis){.axis = -1, .index = index, .unchecked = true};
        }
        return tir_view(narrowing->tir, type, operand, axes, view->span);
    }
    bool is_row = dim == 0 && has_rows(narrowing, operand->type) && view->view.axes[0].start == 0 &&
                  view->view.axes[0].step == 1;
    TirExpr *row = is_row ? narrowing_value(narrowing, operand) : NULL;
    return row == NULL ? NULL : tir_view(narrowing->tir, type, row, axes + 1, view->span);
}

static TirExpr *narrow_map(Narrowing *narrowing, const Type *type, TirExpr *expr) {
    if (type_is_scalar(type) && tir_op_is_function(expr->map.op)) {
        return NULL;
    }
    TirExpr *args[3] = {NULL};
    for (unsigned i = 0; i < tir_op_arity(expr->map.op); i++) {
        args[i] = narrowing_value(narrowing, expr->map.args[i]);
        if (args[i] == NULL) {
            return NULL;
        }
    }
    return tir_map(narrowing->tir, expr->map.op, type, args[0], args[1], args[2], expr->span);
}

static TirExpr *narrow_sum(Narrowing *narrowing, const Type *type, TirExpr *expr) {
    const Type *from = expr->reduce.operand->type;
    uint32_t axis = expr->reduce.axis;
    bool is_inside = axis > 0 && axis + expr->reduce.axis_count == from->flat_rank;
    TirExpr *operand = is_inside ? narrowing_value(narrowing, expr->reduce.operand) : NULL;
    return operand == NULL ? NULL
                           : tir_reduce(narrowing->tir, expr->reduce.op, type, operand, axis - 1,
                                        expr->reduce.axis_count, expr->span);
}

TirExpr *narrowing_value(Narrowing *narrowing, TirExpr *value) {
    if (!has_rows(narrowing, value->type)) {
        return NULL;
    }
    const Type *type = narrowing_type(narrowing, value->type);
    switch (value->kind) {
    case EXPR_VAR: return narrowing_var(narrowing, value->var, value->span);
    case EXPR_MAP: return narrow_map(narrowing, type, value);
    case EXPR_VIEW: return narrow_view(narrowing, type, value);
    case EXPR_REDUCE: return narrow_sum(narrowing, type, value);
    case EXPR_CONVERT: {
        TirExpr *operand = narrowing_value(narrowing, value->operand);
        return operand == NULL ? NULL : tir_convert_as(narrowing->tir, value, operand);
    }
    case EXPR_RESHAPE: {
        TirExpr *operand = narrowing_value(narrowing, value->operand);
        return operand == NULL ? NULL : tir_reshape(narrowing->tir, type, operand, value->span);
    }
    case EXPR_CONST:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_CUMSUM:
    case EXPR_DOT:
    case EXPR_IOTA: return NULL;
    }
    UNREACHABLE();
}
