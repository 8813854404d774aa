// Each turn adds to an element of the last dim the one before, which is a sum already. A running
// sum begins with -0.0, to which the first element is added, and that is the first element.
#include "tir/prefix.h"

#include "tir/visit.h"

#include <string.h>

// A view of one element of a variable, whose last index moves with the turns and whose others do
// not.
static bool is_along_row(const Widening *turns, const TirExpr *view, WideningLine *line) {
    if (view->kind != EXPR_VIEW || view->view.operand->kind != EXPR_VAR ||
        !type_is_scalar(view->type)) {
        return false;
    }
    size_t last = view->view.operand->type->flat_rank - 1u;
    for (size_t k = 0; k < last; k++) {
        const TirExpr *index = view->view.axes[k].index;
        if (index != NULL && !widening_is_fixed(turns, index)) {
            return false;
        }
    }
    const TirExpr *index = view->view.axes[last].index;
    return index != NULL && !tir_may_trap(view) && widening_line(turns, index, line) &&
           line->step == 1;
}

static bool is_same_index(const TirExpr *a, const TirExpr *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return a->kind == EXPR_VAR && b->kind == EXPR_VAR && a->var == b->var;
}

// The same row of the same variable.
static bool is_same_row(const TirExpr *a, const TirExpr *b) {
    if (a->view.operand->var != b->view.operand->var) {
        return false;
    }
    size_t last = a->view.operand->type->flat_rank - 1u;
    for (size_t k = 0; k < last; k++) {
        const TirAxis *x = &a->view.axes[k];
        const TirAxis *y = &b->view.axes[k];
        if (!is_same_index(x->index, y->index) || (x->index == NULL && x->start != y->start)) {
            return false;
        }
    }
    return true;
}

// The view of `distance` elements behind the place's.
static bool reads_behind(const Widening *turns, const TirExpr *place, const TirExpr *view,
                         int64_t distance) {
    WideningLine written, read;
    return is_along_row(turns, place, &written) && is_along_row(turns, view, &read) &&
           is_same_row(place, view) && written.first - read.first == distance;
}

// The elements of the place's row from the one before the first turn's on.
static TirExpr *row_of(const Widening *turns, TirExpr *place, int64_t first) {
    Tir *tir = turns->tir;
    TirExpr *operand = place->view.operand;
    size_t last = operand->type->flat_rank - 1u;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, last + 1);
    memcpy(axes, place->view.axes, (last + 1) * sizeof(*axes));
    axes[last] = (TirAxis){.axis = 0, .start = first, .step = 1, .span = axes[last].span};
    uint32_t length = turns->turns + 1;
    TypeTable *types = tir->types;
    const Type *type = type_tensor(types, type_scalar(types, place->type->root), 1, &length);
    return tir_view(tir, type, operand, axes, place->span);
}

TirStmt *tir_running_sum(const Widening *turns, const TirStmt *set) {
    if (set->kind != STMT_SET) {
        return NULL;
    }
    TirExpr *place = set->set.place;
    const TirExpr *value = set->set.value;
    if (value->kind != EXPR_MAP || value->map.op != OP_ADD || place->kind != EXPR_VIEW) {
        return NULL;
    }
    const TirExpr *left = value->map.args[0];
    const TirExpr *right = value->map.args[1];
    bool adds = (reads_behind(turns, place, left, 0) && reads_behind(turns, place, right, 1)) ||
                (reads_behind(turns, place, left, 1) && reads_behind(turns, place, right, 0));
    WideningLine line;
    if (!adds || !is_along_row(turns, place, &line) || line.first < 1 ||
        line.first + turns->turns >
            place->view.operand->type->dims[place->view.operand->type->flat_rank - 1]) {
        return NULL;
    }
    TirBlock out = {0};
    TirExpr *row = row_of(turns, place, line.first - 1);
    TirExpr *sums = tir_cumsum(turns->tir, row, value->span);
    return tir_set(turns->tir, &out, row, sums, set->span);
}
