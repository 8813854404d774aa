// Loops count where they take each position of a dim once and are never left before their end. What
// they have written in the turns before is read as in `y[n] = y[n] + y[n - 1]`.
#include "tir/cover.h"

#include "tir/alias.h"
#include "tir/constant.h"
#include "tir/same.h"
#include "tir/uses.h"

// What a loop, so far behind where it counts, takes of a dim, each position once.
static bool range_of_loop(Tir *tir, const TirStmt *loop, int64_t offset, uint32_t length,
                          TirRange *range) {
    ConstantTurns turns;
    if (!constant_turns(tir, loop, &turns) || (turns.step != 1 && turns.step != -1)) {
        return false;
    }
    bool is_up = turns.step == 1;
    range->first = offset + (is_up ? turns.first : turns.last + 1);
    range->behind = offset + (is_up ? turns.last : turns.first + 1);
    return range->first >= 0 && range->first < range->behind && range->behind <= (int64_t)length;
}

// The variables of loops that are counted along a dim: one that takes positions of it, or as in
// `y[3 * i + p]` one that takes each third and another one those from there on.
typedef struct Counters {
    const TirVar *vars[2 * TYPE_FLAT_LIMIT];
    size_t count;
} Counters;

// False where one counts along two dims.
static bool add_counter(Tir *tir, const LoopAround *around, const TirExpr *expr, uint32_t length,
                        Counters *counters, TirRange *range) {
    int64_t offset;
    const TirVar *var = tir_index_var(expr, &offset);
    const TirStmt *loop = var == NULL ? NULL : tir_loop_of(around, var);
    if (loop == NULL || !range_of_loop(tir, loop, offset, length, range)) {
        return false;
    }
    for (size_t i = 0; i < counters->count; i++) {
        if (counters->vars[i] == var) {
            return false;
        }
    }
    counters->vars[counters->count++] = var;
    return true;
}

// The same of one that takes all positions.
static bool add_whole_counter(Tir *tir, const LoopAround *around, const TirExpr *expr,
                              uint32_t length, Counters *counters) {
    TirRange range;
    return add_counter(tir, around, expr, length, counters, &range) && range.first == 0 &&
           range.behind == length;
}

static bool is_factor(const TirExpr *expr) {
    return expr->kind == EXPR_CONST && expr->type->root == ROOT_INT && expr->data[0].integer > 0;
}

static bool add_counters(Tir *tir, const LoopAround *around, const TirExpr *index, uint32_t length,
                         Counters *counters, TirRange *range) {
    if (add_counter(tir, around, index, length, counters, range)) {
        return true;
    }
    *range = (TirRange){0, length};
    for (unsigned k = 0; k < 2 && index->kind == EXPR_MAP && index->map.op == OP_ADD; k++) {
        const TirExpr *product = index->map.args[k], *rest = index->map.args[1 - k];
        if (product->kind != EXPR_MAP || product->map.op != OP_MUL) {
            continue;
        }
        unsigned at = is_factor(product->map.args[0]) ? 0 : 1;
        if (is_factor(product->map.args[at])) {
            uint32_t factor = (uint32_t)product->map.args[at]->data[0].integer;
            return length % factor == 0 &&
                   add_whole_counter(tir, around, product->map.args[1 - at], length / factor,
                                     counters) &&
                   add_whole_counter(tir, around, rest, factor, counters);
        }
    }
    return false;
}

static TirRange range_of_axis(const TirExpr *place, const TirAxis *axis, uint32_t length) {
    bool is_forward = axis->axis < 0 || axis->step > 0;
    int64_t turns = axis->axis < 0 ? 1 : place->type->dims[axis->axis];
    return is_forward ? (TirRange){axis->start, axis->start + (turns - 1) * axis->step + 1}
                      : (TirRange){0, length};
}

// Whether a dim goes along the axis of one before, as in a diagonal.
static bool shares_axis(const TirExpr *view, size_t dim) {
    for (size_t k = 0; k < dim; k++) {
        if (view->view.axes[k].axis >= 0 && view->view.axes[k].axis == view->view.axes[dim].axis) {
            return true;
        }
    }
    return false;
}

// How many elements there are: each dim of the variable is at constant positions, or goes with
// loops of its own. 0: that is not known.
static uint64_t find_part(const TirCover *cover, const TirExpr *place, TirPart *part) {
    const Type *type = cover->var->type;
    uint64_t count = place->type->numel;
    bool is_view = place->kind == EXPR_VIEW && place->view.operand->kind == EXPR_VAR;
    if (!is_view && place->kind != EXPR_VAR) {
        return 0;
    }
    part->place = place;
    Counters counters = {.count = 0};
    for (uint32_t k = 0; k < type->flat_rank; k++) {
        TirRange *range = &part->ranges[k];
        const TirAxis *axis = is_view ? &place->view.axes[k] : NULL;
        if (axis == NULL) {
            *range = (TirRange){0, type->dims[k]};
        } else if (shares_axis(place, k)) {
            return 0;
        } else if (axis->index == NULL) {
            *range = range_of_axis(place, axis, type->dims[k]);
        } else if (add_counters(cover->tir, cover->around, axis->index, type->dims[k], &counters,
                                range)) {
            count *= (uint64_t)(range->behind - range->first);
        } else {
            return 0;
        }
    }
    return count;
}

static bool are_apart(const TirCover *cover, const TirPart *a, const TirPart *b) {
    for (uint32_t k = 0; k < cover->var->type->flat_rank; k++) {
        if (a->ranges[k].behind <= b->ranges[k].first ||
            b->ranges[k].behind <= a->ranges[k].first) {
            return true;
        }
    }
    return tir_places_disjoint(a->place, b->place);
}

static void add_place(TirCover *cover, const TirExpr *place) {
    if (cover->count == COVER_PARTS_MOST || tir_place_var(place) != cover->var) {
        return;
    }
    TirPart *part = &cover->parts[cover->count];
    uint64_t count = find_part(cover, place, part);
    for (size_t i = 0; i < cover->count; i++) {
        if (count > 0 && !are_apart(cover, &cover->parts[i], part)) {
            return;
        }
    }
    cover->count += count > 0;
    cover->numel += count;
}

static const TirAxis *axis_of(const TirExpr *place, size_t dim) {
    return place->kind == EXPR_VIEW ? &place->view.axes[dim] : NULL; // NULL: it has all of the dim
}

static bool is_within(TirRange range, TirRange other) {
    return other.first <= range.first && range.behind <= other.behind;
}

// Whether the part, of what is over, has such positions.
static bool has_range(const TirCover *cover, const TirPart *part, size_t dim, TirRange range) {
    const TirAxis *axis = axis_of(part->place, dim);
    int64_t offset;
    bool has_all = axis == NULL;
    if (axis != NULL && axis->index == NULL) {
        has_all = axis->axis < 0 || axis->step == 1;
    } else if (axis != NULL) {
        const TirVar *var = tir_index_var(axis->index, &offset);
        has_all = var != NULL && tir_loop_of(cover->around, var) == NULL;
    }
    return has_all && is_within(range, part->ranges[dim]);
}

// Whether the part has all that the view reads along a dim.
static bool has_dim(const TirCover *cover, const TirPart *part, const TirExpr *view, size_t dim) {
    const TirAxis *a = axis_of(part->place, dim), *b = axis_of(view, dim);
    uint32_t length = cover->var->type->dims[dim];
    bool is_same =
        a != NULL && a->index != NULL && b->index != NULL && tir_same_value(a->index, b->index);
    return is_same ||
           has_range(cover, part, dim,
                     b->index == NULL ? range_of_axis(view, b, length) : (TirRange){0, length});
}

enum { NO_DIM = TYPE_FLAT_LIMIT };

// The same along all dims but one, along which it reads that position only.
static bool has_element(const TirCover *cover, const TirExpr *view, size_t dim, int64_t at) {
    for (size_t i = 0; i < cover->count; i++) {
        const TirPart *part = &cover->parts[i];
        bool has_all = true;
        for (size_t k = 0; k < cover->var->type->flat_rank && has_all; k++) {
            has_all = k == dim ? has_range(cover, part, k, (TirRange){at, at + 1})
                               : has_dim(cover, part, view, k);
        }
        if (has_all) {
            return true;
        }
    }
    return false;
}

enum { TURNS_MOST = 8 }; // before the one that reads

// Whether the view, of the turn of a loop that is not over, reads what that place, which the loop
// writes in each turn, was in one of the turns before; and before the first of these, other parts.
static bool was_written(const TirCover *cover, const TirStmt *loop, const TirExpr *place,
                        const TirExpr *view, size_t dim) {
    TirCover own = {.tir = cover->tir, .var = cover->var, .around = cover->around};
    add_place(&own, place);
    if (own.count == 0) { // also of an element that a flat index takes
        return false;
    }
    ConstantTurns turns;
    int64_t read_at, written_at;
    const TirAxis *a = axis_of(place, dim), *b = axis_of(view, dim);
    const TirVar *counter = loop->for_loop.var;
    if (a == NULL || a->index == NULL || tir_index_var(a->index, &written_at) != counter ||
        tir_index_var(b->index, &read_at) != counter || !constant_turns(cover->tir, loop, &turns)) {
        return false;
    }
    int64_t lag = (written_at - read_at) * turns.step;
    if ((turns.step != 1 && turns.step != -1) || lag <= 0 || lag > TURNS_MOST) {
        return false;
    }
    for (size_t k = 0; k < cover->var->type->flat_rank; k++) {
        if (k != dim && !has_dim(&own, &own.parts[0], view, k)) {
            return false;
        }
    }
    for (int64_t back = 1; back <= lag; back++) {
        if (!has_element(cover, view, dim, turns.first + written_at - back * turns.step)) {
            return false;
        }
    }
    return true;
}

static bool was_written_in_turns(const TirCover *cover, const TirExpr *view) {
    for (size_t dim = 0; dim < cover->var->type->flat_rank; dim++) {
        int64_t offset;
        const TirExpr *index = axis_of(view, dim)->index;
        const TirVar *var = index == NULL ? NULL : tir_index_var(index, &offset);
        const TirStmt *loop = var == NULL ? NULL : tir_loop_of(cover->around, var);
        for (size_t i = 0; loop != NULL && i < loop->for_loop.body.count; i++) {
            const TirStmt *stmt = loop->for_loop.body.items[i];
            if (stmt->kind == STMT_SET && tir_place_var(stmt->set.place) == cover->var &&
                was_written(cover, loop, stmt->set.place, view, dim)) {
                return true;
            }
        }
    }
    return false;
}

static void see_read(const TirExpr *expr, void *data) {
    TirCover *cover = data;
    if (cover->reads_others) {
        return;
    }
    bool is_part = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
                   expr->view.operand->var == cover->var;
    bool is_whole = expr->kind == EXPR_VAR && expr->var == cover->var;
    if (is_whole ||
        (is_part && !has_element(cover, expr, NO_DIM, 0) && !was_written_in_turns(cover, expr))) {
        cover->reads_others = true;
    } else if (is_part) {
        tir_read_indices(expr, see_read, data);
    } else {
        tir_read_operands(expr, see_read, data);
    }
}

static bool has_turns(Tir *tir, const TirStmt *loop) {
    ConstantTurns turns;
    return constant_turns(tir, loop, &turns) && turns.count > 0;
}

void tir_cover_add(TirCover *cover, TirStmt *stmt) {
    if (stmt->kind == STMT_FOR && has_turns(cover->tir, stmt) &&
        !tir_block_may_leave(&stmt->for_loop.body)) {
        tir_read_values(stmt, see_read, cover);
        LoopAround around = {stmt, cover->around};
        cover->around = &around;
        for (size_t i = 0; i < stmt->for_loop.body.count; i++) {
            tir_cover_add(cover, stmt->for_loop.body.items[i]);
        }
        cover->around = around.outer;
        return;
    }
    tir_read_values_in(&(TirBlock){.items = &stmt, .count = 1}, see_read, cover);
    if (stmt->kind == STMT_SET) {
        add_place(cover, stmt->set.place);
    }
}
