// Each operation makes the tangent of its result of those of its operands, by the rows of
// tir/derive.def where it works element by element. What a rule reads more than once is kept in a
// temporary, which later passes take out of memory again.
#include "tir/derive/tangent.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/derive/partial.h"
#include "tir/derive/reduction.h"
#include "tir/view.h"
#include "tir/visit.h"

TirExpr *tangent_change(const Tangents *tangents, const Tangent *tangent) {
    const TirExpr *value = tangent->value;
    return tangent->change != NULL
               ? tangent->change
               : directions_zero(&tangents->directions, value->type, value->span);
}

static TirExpr *copy(const Tangents *tangents, const TirExpr *expr) {
    return partial_copy(tangents->clone.tir, expr);
}

enum { KNOWN_LIMIT = 64 }; // elements: rows of 8 by 8

// Known when compiled, element by element.
static bool is_known(const TirExpr *expr) {
    expr = view_bottom(expr);
    return expr != NULL && (expr->kind == EXPR_CONST || expr->kind == EXPR_IOTA);
}

// An element of it is no more than a load, or less: a comparison of positions.
static bool is_direct(const TirExpr *expr) {
    expr = view_bottom(expr);
    if (expr == NULL) {
        return false;
    }
    if (expr->kind == EXPR_MAP && expr->type->root == ROOT_BOOL &&
        tir_op_arity(expr->map.op) == 2) {
        return is_known(expr->map.args[0]) && is_known(expr->map.args[1]);
    }
    return expr->kind == EXPR_VAR || expr->kind == EXPR_CONST || expr->kind == EXPR_IOTA;
}

static TirVar *set_temp(Tangents *tangents, TirExpr *value) {
    return tir_set_temp(tangents->clone.tir, tangents->function, tangents->out, value);
}

TirExpr *tangent_keep(Tangents *tangents, TirExpr *value) {
    if (is_direct(value)) {
        return value;
    }
    return tir_read(tangents->clone.tir, set_temp(tangents, value), value->span);
}

static TirExpr *keep(void *context, TirExpr *value) {
    return tangent_keep(context, value);
}

// Element by element.

static TirExpr *selected(Tangents *tangents, TirExpr *condition, const Tangent *a,
                         const Tangent *b) {
    TirExpr *first = tangent_change(tangents, a);
    return tir_map(tangents->clone.tir, OP_SELECT, first->type,
                   directions_stretch(&tangents->directions, condition), first,
                   tangent_change(tangents, b), condition->span);
}

// What compares positions, as that of a diagonal, is a constant where that is small: of constants
// in straight code nothing is left.
static TirExpr *folded(Tir *tir, TirExpr *condition) {
    if (condition->kind == EXPR_VAR || condition->type->numel > KNOWN_LIMIT) {
        return condition;
    }
    const TirScalar *values = constant_values(tir, condition);
    return values == NULL ? condition : tir_const(tir, condition->type, values, condition->span);
}

static Tangent select_of(Tangents *tangents, const TirExpr *expr) {
    Tangent a = tangent_of(tangents, expr->map.args[1]);
    Tangent b = tangent_of(tangents, expr->map.args[2]);
    TirExpr *condition = clone_expr(&tangents->clone, expr->map.args[0]);
    Tangent result = {0};
    if (a.change != NULL || b.change != NULL) {
        condition = keep(tangents, folded(tangents->clone.tir, condition));
        result.change = selected(tangents, copy(tangents, condition), &a, &b);
    }
    result.value = tir_map(tangents->clone.tir, OP_SELECT, expr->type, condition, a.value, b.value,
                           expr->span);
    return result;
}

static Tangent map_of(Tangents *tangents, const TirExpr *expr) {
    TirOp op = expr->map.op;
    bool chooses = op == OP_MIN || op == OP_MAX;
    if (expr->type->root != ROOT_REAL || !(chooses || op == OP_SELECT || partial_exists(op))) {
        return (Tangent){.value = clone_expr(&tangents->clone, expr)};
    }
    if (op == OP_SELECT) {
        return select_of(tangents, expr);
    }
    unsigned arity = tir_op_arity(op);
    Tangent args[3] = {0};
    bool changes = false;
    for (unsigned k = 0; k < arity; k++) {
        args[k] = tangent_of(tangents, expr->map.args[k]);
        changes = changes || args[k].change != NULL;
    }
    Partial partial = {.tir = tangents->clone.tir, .map = expr, .keep = keep, .context = tangents};
    Tangent result = {0};
    for (unsigned k = 0; k < arity; k++) {
        partial.args[k] = args[k].value;
    }
    if (changes) {
        partial_trap_in_order(&partial);
    }
    if (chooses && changes) {
        result.change = selected(tangents, partial_chooses_first(&partial), &args[0], &args[1]);
    }
    for (unsigned k = 0; !chooses && k < arity; k++) {
        if (args[k].change != NULL) {
            TirExpr *by = directions_stretch(&tangents->directions, partial_by(&partial, k));
            TirExpr *part = tangents->is_linear
                                ? partial_times_plain(tangents->clone.tir, args[k].change, by)
                                : partial_times(tangents->clone.tir, args[k].change, by);
            result.change = partial_plus(tangents->clone.tir, result.change, part);
        }
    }
    result.value = partial.result != NULL
                       ? partial.result
                       : tir_map(tangents->clone.tir, op, expr->type, partial.args[0],
                                 partial.args[1], partial.args[2], expr->span);
    return result;
}

// What moves elements.

static Tangent view_of(Tangents *tangents, const TirExpr *expr) {
    Tangent operand = tangent_of(tangents, expr->view.operand);
    if (operand.change == NULL) {
        return (Tangent){.value = clone_expr(&tangents->clone, expr)};
    }
    size_t rank = expr->view.operand->type->flat_rank;
    TirAxis *axes = ARENA_ARRAY(tangents->clone.tir->arena, TirAxis, rank + 1);
    TirAxis *others = ARENA_ARRAY(tangents->clone.tir->arena, TirAxis, rank + 1);
    for (size_t k = 0; k < rank; k++) {
        axes[k] = others[k] = expr->view.axes[k];
        if (axes[k].index != NULL) {
            axes[k].index = keep(tangents, clone_expr(&tangents->clone, axes[k].index));
            others[k].index = copy(tangents, axes[k].index);
        }
    }
    return (Tangent){
        tir_view(tangents->clone.tir, expr->type, operand.value, axes, expr->span),
        directions_view(&tangents->directions, expr->type, operand.change, others, expr->span)};
}

static Tangent reshape_of(Tangents *tangents, const TirExpr *expr) {
    Tir *tir = tangents->clone.tir;
    Tangent result = tangent_of(tangents, expr->operand);
    result.value = tir_reshape(tir, expr->type, result.value, expr->span);
    if (result.change != NULL) {
        result.change = tir_reshape(tir, directions_type(&tangents->directions, expr->type),
                                    result.change, expr->span);
    }
    return result;
}

// The items of a literal or concatenation, and their changes; NULL when none does.
static TirExpr **items_of(Tangents *tangents, TirExpr *const *items, size_t count,
                          TirExpr ***changes) {
    Arena *arena = tangents->clone.tir->arena;
    TirExpr **values = ARENA_ARRAY(arena, TirExpr *, count);
    Tangent *all = ARENA_ARRAY(arena, Tangent, count);
    bool is_changed = false;
    for (size_t k = 0; k < count; k++) {
        all[k] = tangent_of(tangents, items[k]);
        values[k] = all[k].value;
        is_changed = is_changed || all[k].change != NULL;
    }
    *changes = is_changed ? ARENA_ARRAY(arena, TirExpr *, count) : NULL;
    for (size_t k = 0; is_changed && k < count; k++) {
        (*changes)[k] = tangent_change(tangents, &all[k]);
    }
    return values;
}

static Tangent joined_of(Tangents *tangents, const TirExpr *expr) {
    Tir *tir = tangents->clone.tir;
    const Type *type = directions_type(&tangents->directions, expr->type);
    TirExpr **changes;
    Tangent result = {0};
    if (expr->kind == EXPR_LITERAL) {
        size_t count = expr->literal.count;
        TirExpr **values = items_of(tangents, expr->literal.items, count, &changes);
        result.value = tir_literal(tir, expr->type, values, count, expr->span);
        result.change = changes == NULL ? NULL : tir_literal(tir, type, changes, count, expr->span);
    } else {
        size_t count = expr->concat.count;
        uint32_t axis = expr->concat.axis;
        TirExpr **values = items_of(tangents, expr->concat.items, count, &changes);
        result.value = tir_concat(tir, expr->type, values, count, axis, expr->span);
        result.change =
            changes == NULL ? NULL : tir_concat(tir, type, changes, count, axis, expr->span);
    }
    return result;
}

// Many elements to one.

// Of the least or greatest element, the first of equals.
static TirExpr *extreme_change(Tangents *tangents, const TirExpr *expr, const Tangent *operand) {
    Tir *tir = tangents->clone.tir;
    TirExpr *values = reduction_in_three(tir, expr, copy(tangents, operand->value), 0);
    TirExpr *positions = keep(tangents, reduction_positions(tir, expr, values));
    Tangent none = {.value = values};
    Tangent some = {values,
                    reduction_in_three(tir, expr, operand->change, tangents->directions.count)};
    TirExpr *change =
        selected(tangents, reduction_is_chosen(tir, values->type, positions), &some, &none);
    const Type *left = type_with_root(tir->types, positions->type, ROOT_REAL);
    left = directions_type(&tangents->directions, left);
    return tir_reduce(tir, REDUCE_SUM, left, change, 1, 1, expr->span);
}

// Factor by factor, so that zeros among them are right.
static TirExpr *product_change(Tangents *tangents, const TirExpr *expr, const Tangent *operand) {
    Tir *tir = tangents->clone.tir;
    Span span = expr->span;
    TirExpr *value = copy(tangents, operand->value);
    uint32_t count = tangents->directions.count;
    TirVar *factors = set_temp(tangents, reduction_in_three(tir, expr, value, 0));
    TirVar *changes = set_temp(tangents, reduction_in_three(tir, expr, operand->change, count));
    const uint32_t *dims = factors->type->dims;
    const Type *type = type_flat(tir->types, ROOT_REAL, 2, (uint32_t[]){dims[0], dims[2]});
    TirVar *product = set_temp(tangents, partial_fill(tir, type, 1, span));
    TirVar *change = set_temp(tangents, directions_zero(&tangents->directions, type, span));

    TirStmt *loop = tir_for(tir, tangents->out, tangents->function, 0, (int32_t)dims[1], 1, span);
    TirVar *counter = loop->for_loop.var;
    const Directions *directions = &tangents->directions;
    TirExpr *factor = directions_stretch(directions, reduction_slice(tir, factors, counter));
    TirExpr *so_far = directions_stretch(directions, tir_read(tir, product, span));
    TirExpr *sum = partial_plus(tir, partial_times(tir, tir_read(tir, change, span), factor),
                                partial_times(tir, reduction_slice(tir, changes, counter), so_far));
    tir_set_var(tir, &loop->for_loop.body, change, sum, span);
    TirExpr *next = tir_map(tir, OP_MUL, type, tir_read(tir, product, span),
                            reduction_slice(tir, factors, counter), NULL, span);
    tir_set_var(tir, &loop->for_loop.body, product, next, span);
    return tir_read(tir, change, span);
}

static Tangent reduce_of(Tangents *tangents, const TirExpr *expr) {
    Tir *tir = tangents->clone.tir;
    if (expr->type->root != ROOT_REAL) {
        return (Tangent){.value = clone_expr(&tangents->clone, expr)};
    }
    Tangent operand = tangent_of(tangents, expr->reduce.operand);
    TirReduction op = expr->reduce.op;
    Tangent result = {0};
    const Type *type = directions_type(&tangents->directions, expr->type);
    if (operand.change != NULL) {
        if (op == REDUCE_SUM) {
            result.change = tir_reduce(tir, op, type, operand.change, expr->reduce.axis,
                                       expr->reduce.axis_count, expr->span);
        } else {
            operand.value = keep(tangents, operand.value);
            TirExpr *change = op == REDUCE_PROD ? product_change(tangents, expr, &operand)
                                                : extreme_change(tangents, expr, &operand);
            result.change = tir_reshape(tir, type, change, expr->span);
        }
    }
    result.value = tir_reduce(tir, op, expr->type, operand.value, expr->reduce.axis,
                              expr->reduce.axis_count, expr->span);
    return result;
}

static Tangent cumsum_of(Tangents *tangents, const TirExpr *expr) {
    Tir *tir = tangents->clone.tir;
    Tangent result = tangent_of(tangents, expr->operand);
    result.value = tir_cumsum(tir, result.value, expr->span);
    if (result.change != NULL && tangents->directions.count == 0) {
        result.change = tir_cumsum(tir, result.change, expr->span);
    } else if (result.change != NULL) {
        // They run along the last axis.
        uint32_t first = expr->type->flat_rank - 1U;
        TirExpr *turned = directions_rotate(tir, result.change, first, 2, true);
        result.change = directions_rotate(tir, tir_cumsum(tir, turned, expr->span), first, 2, true);
    }
    return result;
}

static Tangent dot_of(Tangents *tangents, const TirExpr *expr) {
    Tir *tir = tangents->clone.tir;
    Tangent left = tangent_of(tangents, expr->dot.left);
    Tangent right = tangent_of(tangents, expr->dot.right);
    Tangent result = {0};
    if (left.change != NULL) {
        right.value = keep(tangents, right.value);
        result.change = directions_dot_left(&tangents->directions, expr->type, left.change,
                                            copy(tangents, right.value));
    }
    if (right.change != NULL) {
        left.value = keep(tangents, left.value);
        TirExpr *more = directions_dot_right(&tangents->directions, expr->type,
                                             copy(tangents, left.value), right.change);
        result.change = partial_plus(tir, result.change, more);
    }
    result.value = tir_dot(tir, expr->type, left.value, right.value, expr->span);
    return result;
}

Tangent tangent_of(Tangents *tangents, const TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_VAR: {
        TirExpr *change = tir_var_is_global(expr->var) ? NULL : tangents->changes[expr->var->id];
        return (Tangent){clone_expr(&tangents->clone, expr),
                         change == NULL ? NULL : copy(tangents, change)};
    }
    case EXPR_MAP: return map_of(tangents, expr);
    case EXPR_VIEW: return view_of(tangents, expr);
    case EXPR_RESHAPE: return reshape_of(tangents, expr);
    case EXPR_LITERAL:
    case EXPR_CONCAT: return joined_of(tangents, expr);
    case EXPR_REDUCE: return reduce_of(tangents, expr);
    case EXPR_CUMSUM: return cumsum_of(tangents, expr);
    case EXPR_DOT: return dot_of(tangents, expr);
    case EXPR_CONST:
    case EXPR_CONVERT: // of an integer or bool, or to one
    case EXPR_IOTA: return (Tangent){.value = clone_expr(&tangents->clone, expr)};
    }
    UNREACHABLE();
}
