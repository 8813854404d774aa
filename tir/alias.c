// Which elements of expressions lie on which scalars of a place. A value conflicts with a place
// when some element of it reads a scalar of the place that another element writes. View indices are
// computed before any element and never conflict.
#include "tir/alias.h"

#include "support/bug.h"
#include "support/number.h"
#include "tir/nest_traps.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

// Comparing index maps.

// Two views with an index on the same dim have the same elements or none in common: which of it is
// known when the program runs, and no matter here.
bool tir_same_axis(const TirAxis *a, const TirAxis *b) {
    return (a->index == NULL) == (b->index == NULL) && a->axis == b->axis && a->start == b->start &&
           a->step == b->step;
}

// Whether element (i0, i1, ...) of `b`, of the same flat dims, is element (i0, i1, ...) of `a`, or
// none of `a` at all. `a` is a place.
bool tir_same_map(const TirExpr *a, const TirExpr *b) {
    if (a->kind != b->kind || !type_same_dims(a->type, b->type)) {
        return false;
    }
    if (a->kind == EXPR_VAR) {
        return a->var == b->var;
    }
    if (a->kind == EXPR_RESHAPE) {
        return tir_same_map(a->operand, b->operand);
    }
    CHECK(a->kind == EXPR_VIEW); // places consist of variables, reshapes and views
    if (!tir_same_map(a->view.operand, b->view.operand)) {
        return false;
    }
    for (size_t i = 0; i < a->view.operand->type->flat_rank; i++) {
        if (!tir_same_axis(&a->view.axes[i], &b->view.axes[i])) {
            return false;
        }
    }
    return true;
}

// The positions of a dim that a view reaches: low, low + stride, ..., high.
typedef struct Positions {
    int64_t low, high, stride; // stride is 0 for a single one
} Positions;

static Positions axis_positions(const TirExpr *view, const TirAxis *axis) {
    if (axis->axis < 0) {
        return (Positions){axis->start, axis->start, 0};
    }
    int64_t last = axis->start + axis->step * ((int64_t)view->type->dims[axis->axis] - 1);
    return axis->step < 0 ? (Positions){last, axis->start, -axis->step}
                          : (Positions){axis->start, last, axis->step};
}

static bool has_position(Positions positions, int64_t position) {
    return position >= positions.low && position <= positions.high &&
           (position - positions.low) % (positions.stride == 0 ? 1 : positions.stride) == 0;
}

static bool positions_disjoint(Positions a, Positions b) {
    if (a.high < b.low || b.high < a.low) {
        return true;
    }
    int64_t divisor = number_common_divisor(a.stride, b.stride);
    if (divisor > 1 && (a.low - b.low) % divisor != 0) {
        return true;
    }
    // Those with the greater stride are few; from the smaller stride on they repeat against it.
    Positions few = a.stride > b.stride ? a : b;
    Positions many = a.stride > b.stride ? b : a;
    if (few.stride > 0 && few.low < many.low) {
        few.low += (many.low - few.low + few.stride - 1) / few.stride * few.stride;
    }
    for (int64_t k = 0; k <= many.stride && few.low <= few.high; k++, few.low += few.stride) {
        if (has_position(many, few.low)) {
            return false;
        }
        if (few.stride == 0) {
            break;
        }
    }
    return true;
}

// Whether two views of one variable have no scalar in common; false when that is not plain to see.
static bool views_disjoint(const TirExpr *a, const TirExpr *b) {
    if (a->kind != EXPR_VIEW || b->kind != EXPR_VIEW || a->view.operand->kind != EXPR_VAR ||
        b->view.operand->kind != EXPR_VAR) {
        return false;
    }
    for (size_t i = 0; i < a->view.operand->type->flat_rank; i++) {
        const TirAxis *x = &a->view.axes[i];
        const TirAxis *y = &b->view.axes[i];
        if (x->index == NULL && y->index == NULL &&
            positions_disjoint(axis_positions(a, x), axis_positions(b, y))) {
            return true;
        }
    }
    return false;
}

bool tir_places_disjoint(const TirExpr *a, const TirExpr *b) {
    return tir_place_var(a) != tir_place_var(b) || views_disjoint(a, b);
}

// Conflicts.

// `aligned`: element (i0, i1, ...) of the value needs this element of expr only.
bool tir_conflicts(const TirExpr *place, const TirExpr *expr, bool aligned) {
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_IOTA: return false;
    case EXPR_VAR:
        return expr->var == tir_place_var(place) && !(aligned && tir_same_map(place, expr));
    case EXPR_VIEW:
    case EXPR_RESHAPE:
        if (aligned && tir_same_map(place, expr)) {
            return false;
        }
        if (expr->kind == EXPR_VIEW) {
            return tir_conflicts(place, expr->view.operand, false) && !views_disjoint(place, expr);
        }
        return tir_conflicts(place, expr->operand, aligned && reshape_is_of_levels(expr));
    case EXPR_MAP:
        for (unsigned i = 0; i < tir_op_arity(expr->map.op); i++) {
            if (tir_conflicts(place, expr->map.args[i], aligned)) {
                return true;
            }
        }
        return false;
    case EXPR_CONVERT: return tir_conflicts(place, expr->operand, aligned);
    case EXPR_CUMSUM: return tir_conflicts(place, expr->operand, false);
    case EXPR_LITERAL:
        for (size_t i = 0; i < expr->literal.count; i++) {
            if (tir_conflicts(place, expr->literal.items[i], false)) {
                return true;
            }
        }
        return false;
    case EXPR_CONCAT:
        for (size_t i = 0; i < expr->concat.count; i++) {
            if (tir_conflicts(place, expr->concat.items[i], false)) {
                return true;
            }
        }
        return false;
    case EXPR_REDUCE: return tir_conflicts(place, expr->reduce.operand, false);
    case EXPR_DOT:
        return tir_conflicts(place, expr->dot.left, false) ||
               tir_conflicts(place, expr->dot.right, false);
    }
    UNREACHABLE();
}

// A single scalar is complete before it is stored, whatever it reads; a running sum reads each
// element before it is overwritten.
bool tir_set_conflicts(const TirExpr *place, const TirExpr *value) {
    value = value->kind == EXPR_CUMSUM ? value->operand : value;
    return place->type->numel > 1 && tir_conflicts(place, value, true);
}

// Nests.

// Whether the value of an index may change while the nest runs.
static bool index_changes(const TirExpr *expr, const void *data) {
    const TirBlock *nest = data;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        const TirExpr *index = expr->view.axes[k].index;
        for (size_t i = 0; index != NULL && i < nest->count; i++) {
            if (tir_stmt_writes_operand(nest->items[i], index)) {
                return true;
            }
        }
    }
    return false;
}

bool tir_sets_move_index(const TirBlock *sets) {
    return tir_any_expr_in(sets, index_changes, sets);
}

static NestRefusal refusal_of(const TirStmt *before, const TirStmt *set) {
    const TirExpr *place = set->set.place;
    if (!type_same_dims(before->set.place->type, place->type)) {
        return NEST_SPACE;
    }
    if (tir_conflicts(before->set.place, set->set.value, true)) {
        return NEST_READS;
    }
    if (tir_conflicts(place, before->set.value, true)) {
        return NEST_WRITES;
    }
    return tir_conflicts(place, before->set.place, true) ? NEST_WRITES_BOTH : NEST_TAKES;
}

NestAnswer tir_nest_ask(const TirBlock *nest, const TirStmt *set) {
    if (tir_set_conflicts(set->set.place, set->set.value) || !tir_nest_traps_agree(nest, set)) {
        return (NestAnswer){.why = NEST_TRAPS};
    }
    if (tir_any_expr_of(set, index_changes, nest)) {
        return (NestAnswer){.why = NEST_INDEX};
    }
    for (size_t i = 0; i < nest->count; i++) {
        const TirStmt *other = nest->items[i];
        NestRefusal why = refusal_of(other, set);
        if (why != NEST_TAKES) {
            const TirStmt *writer = why == NEST_READS ? other : set;
            return (NestAnswer){why, other, tir_place_var(writer->set.place)};
        }
    }
    return (NestAnswer){.why = NEST_TAKES};
}

bool tir_nest_takes(const TirBlock *nest, const TirStmt *set) {
    return tir_nest_ask(nest, set).why == NEST_TAKES;
}
