// Values ahead. What may be read back is a copy, unless it cannot change until then.
#include "tir/derive/record.h"

#include "support/bug.h"
#include "tir/derive/reduction.h"
#include "tir/view.h"
#include "tir/visit.h"

Record *sweep_record(Sweep *sweep, const TirExpr *expr) {
    Record *record = table_get(&sweep->records, expr);
    if (record == NULL) {
        record = ARENA_NEW(sweep->clone.tir->arena, Record);
        table_set(sweep->clone.tir->arena, &sweep->records, expr, record);
    }
    return record;
}

static bool is_stable(const Sweep *sweep, const TirExpr *expr) {
    expr = view_bottom(expr);
    if (expr == NULL) {
        return false;
    }
    return expr->kind == EXPR_CONST || expr->kind == EXPR_IOTA ||
           (expr->kind == EXPR_VAR &&
            (tir_var_is_global(expr->var) || table_get(&sweep->stable, expr->var) != NULL));
}

TirVar *sweep_set(Sweep *sweep, TirBlock *block, TirExpr *value) {
    return tir_set_temp(sweep->clone.tir, sweep->function, block, value);
}

TirExpr *sweep_keep(Sweep *sweep, TirExpr *value) {
    if (is_stable(sweep, value)) {
        return value;
    }
    TirVar *temp = sweep_set(sweep, sweep->ahead, value);
    table_set(sweep->clone.tir->arena, &sweep->stable, temp, temp);
    return tir_read(sweep->clone.tir, temp, value->span);
}

static TirExpr *keep(void *context, TirExpr *value) {
    return sweep_keep(context, value);
}

static TirExpr *copy(Sweep *sweep, const TirExpr *expr) {
    return partial_copy(sweep->clone.tir, expr);
}

static TirExpr *select_ahead(Sweep *sweep, const TirExpr *expr) {
    Record *record = sweep_record(sweep, expr);
    record->kept = sweep_keep(sweep, clone_expr(&sweep->clone, expr->map.args[0]));
    TirExpr *a = sweep_ahead(sweep, expr->map.args[1]);
    TirExpr *b = sweep_ahead(sweep, expr->map.args[2]);
    return tir_map(sweep->clone.tir, OP_SELECT, expr->type, copy(sweep, record->kept), a, b,
                   expr->span);
}

static TirExpr *map_ahead(Sweep *sweep, const TirExpr *expr) {
    TirOp op = expr->map.op;
    if (op == OP_SELECT) {
        return select_ahead(sweep, expr);
    }
    Tir *tir = sweep->clone.tir;
    Record *record = sweep_record(sweep, expr);
    Partial partial = {.tir = tir, .map = expr, .keep = keep, .context = sweep};
    unsigned arity = tir_op_arity(op);
    for (unsigned k = 0; k < arity; k++) {
        partial.args[k] = sweep_ahead(sweep, expr->map.args[k]);
    }
    partial_trap_in_order(&partial);
    if (op == OP_MIN || op == OP_MAX) {
        record->kept = sweep_keep(sweep, partial_chooses_first(&partial));
    } else {
        for (unsigned k = 0; k < arity; k++) {
            bool is_active = active_expr(sweep->active, expr->map.args[k]);
            record->by[k] = is_active ? partial_by(&partial, k) : NULL;
        }
    }
    return partial.result != NULL ? copy(sweep, partial.result)
                                  : tir_map(tir, op, expr->type, partial.args[0], partial.args[1],
                                            partial.args[2], expr->span);
}

// The indices of a view are kept, so that they are computed and checked once.
static TirExpr *view_ahead(Sweep *sweep, const TirExpr *expr) {
    Record *record = sweep_record(sweep, expr);
    size_t rank = expr->view.operand->type->flat_rank;
    TirAxis *axes = ARENA_ARRAY(sweep->clone.tir->arena, TirAxis, rank + 1);
    record->axes = ARENA_ARRAY(sweep->clone.tir->arena, TirAxis, rank + 1);
    for (size_t k = 0; k < rank; k++) {
        axes[k] = record->axes[k] = expr->view.axes[k];
        if (axes[k].index != NULL) {
            axes[k].index = sweep_keep(sweep, clone_expr(&sweep->clone, axes[k].index));
            record->axes[k].index = copy(sweep, axes[k].index);
            record->axes[k].unchecked = true;
        }
    }
    return tir_view(sweep->clone.tir, expr->type, sweep_ahead(sweep, expr->view.operand), axes,
                    expr->span);
}

static TirExpr **items_ahead(Sweep *sweep, TirExpr *const *items, size_t count) {
    TirExpr **values = ARENA_ARRAY(sweep->clone.tir->arena, TirExpr *, count);
    for (size_t k = 0; k < count; k++) {
        values[k] = sweep_ahead(sweep, items[k]);
    }
    return values;
}

static TirExpr *reduce_ahead(Sweep *sweep, const TirExpr *expr) {
    Tir *tir = sweep->clone.tir;
    TirExpr *operand = sweep_ahead(sweep, expr->reduce.operand);
    if (expr->reduce.op != REDUCE_SUM) {
        Record *record = sweep_record(sweep, expr);
        operand = sweep_keep(sweep, operand);
        TirExpr *values = reduction_in_three(tir, expr, copy(sweep, operand), 0);
        record->kept = expr->reduce.op == REDUCE_PROD
                           ? values
                           : sweep_keep(sweep, reduction_positions(tir, expr, values));
    }
    return tir_reduce(tir, expr->reduce.op, expr->type, operand, expr->reduce.axis,
                      expr->reduce.axis_count, expr->span);
}

static TirExpr *dot_ahead(Sweep *sweep, const TirExpr *expr) {
    Record *record = sweep_record(sweep, expr);
    TirExpr *left = sweep_ahead(sweep, expr->dot.left);
    TirExpr *right = sweep_ahead(sweep, expr->dot.right);
    if (active_expr(sweep->active, expr->dot.left)) {
        right = sweep_keep(sweep, right);
        record->by[0] = copy(sweep, right);
    }
    if (active_expr(sweep->active, expr->dot.right)) {
        left = sweep_keep(sweep, left);
        record->by[1] = copy(sweep, left);
    }
    return tir_dot(sweep->clone.tir, expr->type, left, right, expr->span);
}

TirExpr *sweep_ahead(Sweep *sweep, const TirExpr *expr) {
    Tir *tir = sweep->clone.tir;
    if (!active_expr(sweep->active, expr)) {
        return clone_expr(&sweep->clone, expr);
    }
    switch (expr->kind) {
    case EXPR_VAR: return clone_expr(&sweep->clone, expr);
    case EXPR_MAP: return map_ahead(sweep, expr);
    case EXPR_VIEW: return view_ahead(sweep, expr);
    case EXPR_RESHAPE:
        return tir_reshape(tir, expr->type, sweep_ahead(sweep, expr->operand), expr->span);
    case EXPR_LITERAL: {
        size_t count = expr->literal.count;
        TirExpr **items = items_ahead(sweep, expr->literal.items, count);
        return tir_literal(tir, expr->type, items, count, expr->span);
    }
    case EXPR_CONCAT: {
        size_t count = expr->concat.count;
        TirExpr **items = items_ahead(sweep, expr->concat.items, count);
        return tir_concat(tir, expr->type, items, count, expr->concat.axis, expr->span);
    }
    case EXPR_REDUCE: return reduce_ahead(sweep, expr);
    case EXPR_CUMSUM: return tir_cumsum(tir, sweep_ahead(sweep, expr->operand), expr->span);
    case EXPR_DOT: return dot_ahead(sweep, expr);
    case EXPR_CONST:
    case EXPR_CONVERT:
    case EXPR_IOTA: break; // not active
    }
    UNREACHABLE();
}
