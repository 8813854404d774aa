// A part of the array that the value reads is at the same positions as the place up to some dim,
// where it lies before or behind. Loops over the dims as far as such a one then go backwards where
// parts lie before, and forwards where they lie behind, so that each element is read before it is
// overwritten. What is left is a row of the place and of the value, an expression of the same
// operations, so nothing rounds in another way.
#include "tir/shift.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    ROW_LEAST = 4,      // elements: fewer than a vector are moved one by one
    LOOP_LEAST = 16,    // elements: fewer are copied faster than they are moved one by one
    SAVED_PART = 4,     // of what is moved may be saved beside it: one in so many
    ELEMENTS_MOST = 24, // of a vector that is moved element by element, and then held in registers
};

typedef struct Shift {
    Tir *tir;
    const TirExpr *place;
    int32_t loops;                 // over the first dims
    int step[TYPE_FLAT_LIMIT];     // of the loops: 0 where any will do
    TirVar *turn[TYPE_FLAT_LIMIT]; // their variables
    bool is_possible, has_functions;
} Shift;

static bool is_rows(const TirAxis *axis, int32_t dim) {
    return axis->index == NULL && axis->axis == dim && axis->step == 1;
}

static void look_at_part(Shift *shift, const TirExpr *view) {
    if (tir_places_disjoint(shift->place, view)) {
        return;
    }
    int32_t dim = 0;
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        const TirAxis *to = &shift->place->view.axes[k];
        const TirAxis *from = &view->view.axes[k];
        if (tir_same_axis(to, from)) {
            dim += to->axis >= 0;
            continue;
        }
        int step = from->start > to->start ? 1 : -1;
        shift->is_possible = shift->is_possible && is_rows(to, dim) && is_rows(from, dim) &&
                             shift->step[dim] != -step;
        shift->step[dim] = step;
        shift->loops = dim >= shift->loops ? dim + 1 : shift->loops;
        return;
    }
}

static void look_at(const TirExpr *expr, void *data) {
    Shift *shift = data;
    const TirVar *var = tir_place_var(shift->place);
    switch (expr->kind) {
    case EXPR_MAP:
    case EXPR_CONVERT:
        shift->has_functions =
            shift->has_functions || (expr->kind == EXPR_MAP && tir_op_is_function(expr->map.op));
        tir_read_operands(expr, look_at, data);
        return;
    case EXPR_VIEW:
        for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
            const TirExpr *index = expr->view.axes[k].index;
            shift->is_possible =
                shift->is_possible && (index == NULL || tir_expr_reads(index, var) == 0);
        }
        if (expr->view.operand->kind == EXPR_VAR && expr->view.operand->var == var) {
            look_at_part(shift, expr);
        } else if (tir_expr_reads(expr->view.operand, var) > 0) {
            shift->is_possible = false;
        }
        return;
    case EXPR_CONST:
    case EXPR_IOTA: return;
    case EXPR_VAR: shift->is_possible = shift->is_possible && expr->var != var; return;
    case EXPR_RESHAPE:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT: shift->is_possible = false; return;
    }
    UNREACHABLE();
}

// Whether dims of the place are those of its variable, in this order.
static bool is_in_order(const TirExpr *place) {
    int32_t dim = 0;
    for (size_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &place->view.axes[k];
        if (axis->axis >= 0 && axis->axis != dim++) {
            return false;
        }
    }
    return true;
}

// Whether a `set` moves elements of a short vector, and does nothing else to them.
static bool moves_elements(const Tir *tir, const TirStmt *set) {
    const Type *type = set->set.place->type;
    return type->flat_rank == 1 && type->numel <= ELEMENTS_MOST && !tir->is_small &&
           !set->set.is_update && set->set.value->kind == EXPR_VIEW;
}

// Loops over rows, or over all elements where rows are short; none where these are few, or take a
// function each.
static bool choose_loops(Shift *shift, const TirStmt *set) {
    const Type *type = shift->place->type;
    uint64_t row = 1;
    for (int32_t k = shift->loops; k < type->flat_rank; k++) {
        row *= type->dims[k];
    }
    if (row >= ROW_LEAST || moves_elements(shift->tir, set)) {
        return true;
    }
    shift->loops = type->flat_rank;
    return type->numel >= LOOP_LEAST && !shift->has_functions;
}

static bool is_possible(Shift *shift, const TirStmt *set) {
    const TirExpr *place = shift->place;
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR || !is_in_order(place) ||
        tir_may_trap(place) || tir_may_trap(set->set.value)) {
        return false;
    }
    look_at(place, shift);
    look_at(set->set.value, shift);
    return shift->is_possible && choose_loops(shift, set);
}

static const Type *row_type(const Shift *shift, const Type *type) {
    TypeTable *types = shift->tir->types;
    const Type *scalar = type_scalar(types, type->root);
    unsigned rank = type->flat_rank - (unsigned)shift->loops;
    return rank == 0 ? scalar : type_tensor(types, scalar, rank, type->dims + shift->loops);
}

// Where one dim of an operand is in the turn.
static TirAxis axis_in_turn(const Shift *shift, TirAxis axis) {
    Tir *tir = shift->tir;
    if (axis.axis < 0 || axis.axis >= shift->loops) {
        axis.axis -= axis.axis < 0 ? 0 : shift->loops;
        return axis;
    }
    TirVar *turn = shift->turn[axis.axis];
    TirExpr *index = tir_read(tir, turn, axis.span);
    if (axis.step != 1) {
        TirExpr *step = tir_const_int(tir, (int32_t)axis.step, axis.span);
        index = tir_map(tir, OP_MUL, turn->type, index, step, NULL, axis.span);
    }
    if (axis.start != 0) {
        TirExpr *start = tir_const_int(tir, (int32_t)axis.start, axis.span);
        index = tir_map(tir, OP_ADD, turn->type, index, start, NULL, axis.span);
    }
    return (TirAxis){.axis = -1, .index = index, .unchecked = true, .span = axis.span};
}

static TirExpr *in_turn(const Shift *shift, const TirExpr *expr);

static TirExpr *map_in_turn(const Shift *shift, const Type *type, const TirExpr *expr) {
    TirExpr *args[3] = {NULL};
    for (unsigned i = 0; i < tir_op_arity(expr->map.op); i++) {
        args[i] = in_turn(shift, expr->map.args[i]);
    }
    return tir_map(shift->tir, expr->map.op, type, args[0], args[1], args[2], expr->span);
}

static TirExpr *in_turn(const Shift *shift, const TirExpr *expr) {
    Tir *tir = shift->tir;
    const Type *type = row_type(shift, expr->type);
    if (expr->kind == EXPR_MAP) {
        return map_in_turn(shift, type, expr);
    }
    if (expr->kind == EXPR_CONVERT) {
        return tir_convert_as(tir, expr, in_turn(shift, expr->operand));
    }
    bool is_view = expr->kind == EXPR_VIEW;
    TirExpr *operand = is_view ? expr->view.operand : tir_copy_node(tir, expr);
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, operand->type->flat_rank + 1U);
    for (int32_t k = 0; k < operand->type->flat_rank; k++) {
        TirAxis axis = is_view ? expr->view.axes[k] : (TirAxis){.axis = k, .step = 1};
        axes[k] = axis_in_turn(shift, axis);
    }
    return tir_view(tir, type, operand, axes, expr->span);
}

// The turns of the loop.
static void write_out(Tir *tir, const TirStmt *loop, TirBlock *out) {
    const TirStmt *row = loop->for_loop.body.items[0];
    int32_t first = loop->for_loop.first->data[0].integer;
    int32_t last = loop->for_loop.last->data[0].integer;
    int32_t step = loop->for_loop.step->data[0].integer;
    for (int32_t at = first; at != last; at += step) {
        TirExpr *place = row->set.place, *value = row->set.value;
        TirExpr *position = tir_const_int(tir, at, loop->span);
        tir_put(tir, &place, loop->for_loop.var, position);
        tir_put(tir, &value, loop->for_loop.var, position);
        tir_set(tir, out, place, value, row->span);
    }
}

static void remark_elements(const Shift *shift, Span span, Table *moved) {
    TirVar *array = tir_place_var(shift->place);
    table_set(shift->tir->arena, moved, array, array);
    tir_remark(shift->tir, "alias", span, (Span){0}, "%s moves along one element at a time",
               tir_remark_name(shift->tir, array));
}

// Moves rows as `place = value` says, each read before it is overwritten.
static bool move_rows(Tir *tir, TirFunction *function, const TirStmt *set, TirBlock *out,
                      Table *moved) {
    Shift shift = {.tir = tir, .place = set->set.place, .is_possible = true};
    if (!is_possible(&shift, set)) {
        return false;
    }
    TirBlock loops = {0}, *body = &loops;
    for (int32_t k = 0; k < shift.loops; k++) {
        int32_t count = (int32_t)shift.place->type->dims[k];
        TirStmt *loop = shift.step[k] < 0
                            ? tir_for(tir, body, function, count - 1, -1, -1, set->span)
                            : tir_for(tir, body, function, 0, count, 1, set->span);
        shift.turn[k] = loop->for_loop.var;
        body = &loop->for_loop.body;
    }
    TirStmt *row = tir_set(tir, body, in_turn(&shift, shift.place), in_turn(&shift, set->set.value),
                           set->span);
    row->set.is_update = set->set.is_update;
    if (moves_elements(tir, set)) {
        remark_elements(&shift, set->span, moved);
        write_out(tir, loops.items[0], out);
    } else {
        tir_append(tir, out, &loops);
    }
    return true;
}

// What one part of a concatenation becomes in a variable, from `first` on.
static TirExpr *part_of(Tir *tir, const TirExpr *var, uint32_t axis, uint32_t first,
                        const Type *type) {
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (int32_t k = 0; k < type->flat_rank; k++) {
        axes[k] = (TirAxis){.axis = k, .step = 1, .span = var->span};
    }
    axes[axis].start = first;
    return tir_view(tir, type, tir_read(tir, var->var, var->span), axes, var->span);
}

static void split_concat(Tir *tir, const TirStmt *set, TirBlock *parts) {
    const TirExpr *concat = set->set.value;
    uint32_t first = 0;
    for (size_t i = 0; i < concat->concat.count; i++) {
        TirExpr *part = concat->concat.items[i];
        TirExpr *place = part_of(tir, set->set.place, concat->concat.axis, first, part->type);
        tir_set(tir, parts, place, part, set->span);
        first += part->type->dims[concat->concat.axis];
    }
}

// The part that moves most elements of the variable, if there is one that does.
static TirStmt *moved_part(const TirBlock *parts, const TirVar *var) {
    TirStmt *most = NULL;
    for (size_t i = 0; i < parts->count; i++) {
        TirStmt *part = parts->items[i];
        if (tir_expr_reads(part->set.value, var) > 0 &&
            (most == NULL || part->set.place->type->numel > most->set.place->type->numel)) {
            most = part;
        }
    }
    return most;
}

// Whether the part could be moved: nothing is to do for one that stays where it is.
static bool move_part(Tir *tir, TirFunction *function, TirStmt *part, TirBlock *out, Table *moved) {
    if (tir_set_conflicts(part->set.place, part->set.value)) {
        return move_rows(tir, function, part, out, moved);
    }
    if (!tir_same_map(part->set.place, part->set.value)) {
        LIST_PUSH(tir->arena, out, part);
    }
    return true;
}

bool tir_shift_parts(Tir *tir, TirFunction *function, const TirVar *var, const TirBlock *parts,
                     TirBlock *out, Table *moved) {
    TirStmt *most = moved_part(parts, var);
    TirBlock saves = {0}, moves = {0}, others = {0};
    uint64_t saved = 0;
    for (size_t i = 0; i < parts->count; i++) {
        TirStmt *part = parts->items[i];
        if (tir_may_trap(part->set.value)) {
            return false;
        }
        if (part == most) {
            continue;
        }
        TirExpr *value = part->set.value;
        if (tir_expr_reads(value, var) > 0) {
            TirVar *temp = tir_var_create(tir, function, VAR_TEMP, NULL, value->type, part->span);
            tir_set_var(tir, &saves, temp, value, part->span);
            value = tir_read(tir, temp, part->span);
            saved += value->type->numel;
        }
        tir_set(tir, &others, part->set.place, value, part->span);
    }
    if (most == NULL || saved > most->set.place->type->numel / SAVED_PART ||
        !move_part(tir, function, most, &moves, moved)) {
        return false;
    }
    tir_append(tir, out, &saves);
    tir_append(tir, out, &moves);
    tir_append(tir, out, &others);
    return true;
}

bool tir_shift(Tir *tir, TirFunction *function, const TirStmt *set, TirBlock *out, Table *moved) {
    if (set->set.place->kind != EXPR_VAR || set->set.value->kind != EXPR_CONCAT) {
        return move_rows(tir, function, set, out, moved);
    }
    TirBlock parts = {0};
    split_concat(tir, set, &parts);
    return tir_shift_parts(tir, function, set->set.place->var, &parts, out, moved);
}
