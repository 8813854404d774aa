// Adjoints back: what a node was made of gets its part of the adjoint of the node. What the node
// read at many places sums up, what it summed up is stretched.
#include "tir/derive/record.h"

#include "support/bug.h"
#include "tir/derive/reduction.h"
#include "tir/visit.h"

static TirExpr *copy(Sweep *sweep, const TirExpr *expr) {
    return partial_copy(sweep->clone.tir, expr);
}

// Something of the same value, of which copies may be made in this statement's part of the sweep.
static TirExpr *hold(Sweep *sweep, TirExpr *adjoint) {
    const TirExpr *bottom = tir_bottom(adjoint);
    if (bottom->kind == EXPR_VAR || bottom->kind == EXPR_CONST) {
        return adjoint;
    }
    return tir_read(sweep->clone.tir, sweep_set(sweep, sweep->back, adjoint), adjoint->span);
}

static TirExpr *zeros(Sweep *sweep, const Type *type, Span span) {
    return partial_fill(sweep->clone.tir, type, 0, span);
}

static void add_to(Sweep *sweep, TirExpr *place, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    TirExpr *sum =
        tir_map(tir, OP_ADD, place->type, copy(sweep, place), adjoint, NULL, adjoint->span);
    tir_set(tir, sweep->back, place, sum, adjoint->span);
}

TirExpr *sweep_adjoint(Sweep *sweep, const TirExpr *place) {
    Tir *tir = sweep->clone.tir;
    switch ((int)place->kind) {
    case EXPR_VAR: return tir_read(tir, sweep->adjoints[place->var->id], place->span);
    case EXPR_RESHAPE:
        return tir_reshape(tir, place->type, sweep_adjoint(sweep, place->operand), place->span);
    case EXPR_VIEW: {
        const Record *record = sweep_record(sweep, place);
        size_t rank = place->view.operand->type->flat_rank;
        TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank + 1);
        for (size_t k = 0; k < rank; k++) {
            axes[k] = record->axes[k];
            axes[k].index = axes[k].index == NULL ? NULL : copy(sweep, axes[k].index);
        }
        return tir_view(tir, place->type, sweep_adjoint(sweep, place->view.operand), axes,
                        place->span);
    }
    }
    UNREACHABLE();
}

// Element by element.

static void choice_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    unsigned first = expr->map.op == OP_SELECT ? 1 : 0;
    const TirExpr *condition = sweep_record(sweep, expr)->kept;
    adjoint = hold(sweep, adjoint);
    for (unsigned k = 0; k < 2; k++) {
        const TirExpr *operand = expr->map.args[first + k];
        if (active_expr(sweep->active, operand)) {
            TirExpr *some = copy(sweep, adjoint);
            TirExpr *none = zeros(sweep, expr->type, expr->span);
            sweep_back(sweep, operand,
                       tir_map(tir, OP_SELECT, expr->type, copy(sweep, condition),
                               k == 0 ? some : none, k == 0 ? none : some, expr->span));
        }
    }
}

static void map_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    TirOp op = expr->map.op;
    if (op == OP_SELECT || op == OP_MIN || op == OP_MAX) {
        choice_back(sweep, expr, adjoint);
        return;
    }
    const Record *record = sweep_record(sweep, expr);
    adjoint = hold(sweep, adjoint);
    for (unsigned k = 0; k < tir_op_arity(op); k++) {
        if (record->by[k] == NULL) {
            continue;
        }
        TirExpr *part =
            partial_times(sweep->clone.tir, copy(sweep, adjoint), copy(sweep, record->by[k]));
        if (part != NULL) {
            sweep_back(sweep, expr->map.args[k], part);
        }
    }
}

// What moves elements.

// The sum along all axes that no dim uses, and those that are left: `axes` are changed to mean
// these.
static TirExpr *summed_up(Tir *tir, TirExpr *adjoint, TirAxis *axes, size_t rank) {
    for (uint32_t axis = adjoint->type->flat_rank; axis-- > 0;) {
        bool is_used = false;
        for (size_t k = 0; k < rank; k++) {
            is_used = is_used || (axes[k].axis == (int32_t)axis && axes[k].step != 0);
        }
        if (is_used) {
            continue;
        }
        size_t left = 0;
        uint32_t *dims = ARENA_ARRAY(tir->arena, uint32_t, adjoint->type->flat_rank);
        for (uint32_t k = 0; k < adjoint->type->flat_rank; k++) {
            if (k != axis) {
                dims[left++] = adjoint->type->dims[k];
            }
        }
        const Type *type = type_flat(tir->types, ROOT_REAL, left, dims);
        adjoint = tir_reduce(tir, REDUCE_SUM, type, adjoint, axis, 1, adjoint->span);
        for (size_t k = 0; k < rank; k++) {
            if (axes[k].axis == (int32_t)axis) {
                axes[k].axis = -1;
            } else if (axes[k].axis > (int32_t)axis) {
                axes[k].axis--;
            }
        }
    }
    return adjoint;
}

static void view_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    const TirExpr *operand = expr->view.operand;
    const Record *record = sweep_record(sweep, expr);
    size_t rank = operand->type->flat_rank;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank + 1);
    for (size_t k = 0; k < rank; k++) {
        axes[k] = record->axes[k];
        axes[k].index = axes[k].index == NULL ? NULL : copy(sweep, axes[k].index);
    }
    adjoint = summed_up(tir, adjoint, axes, rank);
    if (operand->kind == EXPR_VAR) {
        TirExpr *all = tir_read(tir, sweep->adjoints[operand->var->id], expr->span);
        add_to(sweep, tir_view(tir, adjoint->type, all, axes, expr->span), adjoint);
        return;
    }
    if (rank == 0) { // a scalar in all elements
        sweep_back(sweep, operand, adjoint);
        return;
    }
    TirVar *var = sweep_set(sweep, sweep->back, zeros(sweep, operand->type, expr->span));
    tir_set(tir, sweep->back,
            tir_view(tir, adjoint->type, tir_read(tir, var, expr->span), axes, expr->span), adjoint,
            expr->span);
    sweep_back(sweep, operand, tir_read(tir, var, expr->span));
}

// A section of the only axis, as an expression of the type.
static TirExpr *section(Tir *tir, const Type *type, TirExpr *line, uint32_t first) {
    TirAxis axes[] = {{.axis = 0, .start = first, .step = 1}};
    const Type *part = type_flat(tir->types, ROOT_REAL, 1, &type->numel);
    return tir_reshape(tir, type, tir_view(tir, part, line, axes, line->span), line->span);
}

static void literal_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    const Type *line = type_flat(tir->types, ROOT_REAL, 1, &expr->type->numel);
    adjoint = hold(sweep, tir_reshape(tir, line, adjoint, adjoint->span));
    uint32_t first = 0;
    for (size_t k = 0; k < expr->literal.count; k++) {
        const TirExpr *item = expr->literal.items[k];
        if (active_expr(sweep->active, item)) {
            sweep_back(sweep, item, section(tir, item->type, copy(sweep, adjoint), first));
        }
        first += item->type->numel;
    }
}

static void concat_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    uint32_t rank = expr->type->flat_rank;
    adjoint = hold(sweep, adjoint);
    uint32_t first = 0;
    for (size_t k = 0; k < expr->concat.count; k++) {
        const TirExpr *item = expr->concat.items[k];
        TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank);
        for (uint32_t d = 0; d < rank; d++) {
            axes[d] = (TirAxis){.axis = (int32_t)d, .step = 1};
        }
        axes[expr->concat.axis].start = first;
        if (active_expr(sweep->active, item)) {
            sweep_back(sweep, item,
                       tir_view(tir, item->type, copy(sweep, adjoint), axes, item->span));
        }
        first += item->type->dims[expr->concat.axis];
    }
}

// Many elements to one.

// The adjoint of a reduction in two axes, stretched over the reduced one between them.
static TirExpr *stretched_over(Tir *tir, const TirExpr *expr, TirExpr *adjoint, uint32_t count) {
    const Type *from = expr->reduce.operand->type;
    uint32_t dims[3] = {1, count, 1};
    for (uint32_t k = 0; k < from->flat_rank; k++) {
        if (k < expr->reduce.axis || k >= expr->reduce.axis + expr->reduce.axis_count) {
            dims[k < expr->reduce.axis ? 0 : 2] *= from->dims[k];
        }
    }
    const Type *two = type_flat(tir->types, ROOT_REAL, 2, (uint32_t[]){dims[0], dims[2]});
    TirExpr *flat = tir_reshape(tir, two, adjoint, adjoint->span);
    if (count == 0) {
        return flat;
    }
    TirAxis axes[] = {{.axis = 0, .step = 1}, {.axis = 2, .step = 1}};
    return tir_view(tir, type_flat(tir->types, ROOT_REAL, 3, dims), flat, axes, adjoint->span);
}

// By the products of the factors before and behind each.
static TirExpr *product_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    Span span = expr->span;
    TirVar *factors = sweep_set(sweep, sweep->back, copy(sweep, sweep_record(sweep, expr)->kept));
    TirVar *own = sweep_set(sweep, sweep->back, stretched_over(tir, expr, adjoint, 0));
    TirVar *parts = sweep_set(sweep, sweep->back, zeros(sweep, factors->type, span));
    TirVar *before = sweep_set(sweep, sweep->back, zeros(sweep, factors->type, span));
    TirVar *product = sweep_set(sweep, sweep->back, partial_fill(tir, own->type, 1, span));
    int32_t count = (int32_t)factors->type->dims[1];
    for (int pass = 0; pass < 2; pass++) {
        TirStmt *loop = pass == 0
                            ? tir_for(tir, sweep->back, sweep->function, 0, count, 1, span)
                            : tir_for(tir, sweep->back, sweep->function, count - 1, -1, -1, span);
        TirVar *counter = loop->for_loop.var;
        TirBlock *body = &loop->for_loop.body;
        TirExpr *so_far = tir_read(tir, product, span);
        if (pass == 1) {
            TirExpr *others = tir_map(tir, OP_MUL, own->type, so_far,
                                      reduction_slice(tir, before, counter), NULL, span);
            TirExpr *part = partial_times(tir, tir_read(tir, own, span), others);
            tir_set(tir, body, reduction_slice(tir, parts, counter), part, span);
        } else {
            tir_set(tir, body, reduction_slice(tir, before, counter), so_far, span);
        }
        TirExpr *next = tir_map(tir, OP_MUL, own->type, tir_read(tir, product, span),
                                reduction_slice(tir, factors, counter), NULL, span);
        tir_set_var(tir, body, product, next, span);
        if (pass == 0) {
            tir_set_var(tir, sweep->back, product, partial_fill(tir, own->type, 1, span), span);
        }
    }
    return tir_read(tir, parts, span);
}

static void reduce_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    const TirExpr *operand = expr->reduce.operand;
    uint32_t count = operand->type->numel / expr->type->numel;
    TirExpr *all;
    if (expr->reduce.op == REDUCE_PROD) {
        all = product_back(sweep, expr, adjoint);
    } else {
        all = stretched_over(tir, expr, adjoint, count);
        if (expr->reduce.op != REDUCE_SUM) {
            TirExpr *positions = copy(sweep, sweep_record(sweep, expr)->kept);
            TirExpr *is_it = reduction_is_chosen(tir, all->type, positions);
            all = tir_map(tir, OP_SELECT, all->type, is_it, all,
                          zeros(sweep, all->type, expr->span), expr->span);
        }
    }
    sweep_back(sweep, operand, tir_reshape(tir, operand->type, all, expr->span));
}

static TirExpr *backwards(Tir *tir, TirExpr *expr) {
    uint32_t rank = expr->type->flat_rank;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank);
    for (uint32_t k = 0; k < rank; k++) {
        bool is_last = k + 1 == rank;
        axes[k] = (TirAxis){.axis = (int32_t)k,
                            .start = is_last ? (int64_t)expr->type->dims[k] - 1 : 0,
                            .step = is_last ? -1 : 1};
    }
    return tir_view(tir, expr->type, expr, axes, expr->span);
}

static TirExpr *transposed(Tir *tir, TirExpr *expr) {
    if (expr->type->flat_rank < 2) {
        return expr;
    }
    TirAxis axes[] = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
    uint32_t dims[] = {expr->type->dims[1], expr->type->dims[0]};
    return tir_view(tir, type_flat(tir->types, ROOT_REAL, 2, dims), expr, axes, expr->span);
}

// a[i0] * b[i1], of which a scalar has no axis, in the dims of the type.
static TirExpr *outer(Tir *tir, const Type *type, TirExpr *a, TirExpr *b) {
    TirAxis first[] = {{.axis = 0, .step = 1}};
    TirAxis last[] = {{.axis = type->flat_rank - 1, .step = 1}};
    return tir_map(tir, OP_MUL, type, tir_view(tir, type, a, first, a->span),
                   tir_view(tir, type, b, last, b->span), NULL, a->span);
}

static void dot_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    const Record *record = sweep_record(sweep, expr);
    const TirExpr *left = expr->dot.left, *right = expr->dot.right;
    bool rows = left->type->flat_rank == 2, columns = right->type->flat_rank == 2;
    adjoint = hold(sweep, adjoint);
    if (record->by[0] != NULL) {
        TirExpr *b = copy(sweep, record->by[0]);
        TirExpr *g = copy(sweep, adjoint);
        sweep_back(sweep, left,
                   columns ? tir_dot(tir, left->type, rows ? g : b, rows ? transposed(tir, b) : g,
                                     expr->span)
                           : outer(tir, left->type, g, b));
    }
    if (record->by[1] != NULL) {
        TirExpr *a = copy(sweep, record->by[1]);
        TirExpr *g = copy(sweep, adjoint);
        sweep_back(sweep, right,
                   rows ? tir_dot(tir, right->type, columns ? transposed(tir, a) : g,
                                  columns ? g : a, expr->span)
                        : outer(tir, right->type, a, g));
    }
}

void sweep_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint) {
    Tir *tir = sweep->clone.tir;
    if (!active_expr(sweep->active, expr)) {
        return;
    }
    switch (expr->kind) {
    case EXPR_VAR:
        add_to(sweep, tir_read(tir, sweep->adjoints[expr->var->id], expr->span), adjoint);
        return;
    case EXPR_MAP: map_back(sweep, expr, adjoint); return;
    case EXPR_VIEW: view_back(sweep, expr, adjoint); return;
    case EXPR_RESHAPE:
        sweep_back(sweep, expr->operand,
                   tir_reshape(tir, expr->operand->type, adjoint, adjoint->span));
        return;
    case EXPR_LITERAL: literal_back(sweep, expr, adjoint); return;
    case EXPR_CONCAT: concat_back(sweep, expr, adjoint); return;
    case EXPR_REDUCE: reduce_back(sweep, expr, adjoint); return;
    case EXPR_CUMSUM:
        sweep_back(sweep, expr->operand,
                   backwards(tir, tir_cumsum(tir, backwards(tir, adjoint), expr->span)));
        return;
    case EXPR_DOT: dot_back(sweep, expr, adjoint); return;
    case EXPR_CONST:
    case EXPR_CONVERT:
    case EXPR_IOTA: return;
    }
    UNREACHABLE();
}
