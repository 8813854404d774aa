// All parts of the array that the value reads lie at the same row as the place and the same
// elements of it, or all before it, or all behind it. Then rows go backwards, or forwards. A row of
// the value is an expression of the same operations, so nothing rounds in another way.
#include "tir/shift.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    ROW_LEAST = 4,      // elements: less than a vector is copied faster as a whole
    ELEMENTS_MOST = 24, // of a vector that is moved element by element, and then held in registers
};

typedef struct Shift {
    Tir *tir;
    const TirExpr *place;
    bool reads_before, reads_behind; // rows
    bool is_possible;
    TirVar *row; // the loop's variable
} Shift;

// Whether rows of the view are rows of its operand, one after the other.
static bool has_rows(const TirExpr *view) {
    const TirAxis *axis = &view->view.axes[0];
    return axis->index == NULL && axis->axis == 0 && axis->step == 1;
}

static void look_at_part(Shift *shift, const TirExpr *view) {
    if (tir_same_map(shift->place, view)) {
        return;
    }
    int64_t distance = view->view.axes[0].start - shift->place->view.axes[0].start;
    shift->is_possible = shift->is_possible && has_rows(view) && distance != 0;
    shift->reads_before = shift->reads_before || distance < 0;
    shift->reads_behind = shift->reads_behind || distance > 0;
}

static void look_at(const TirExpr *expr, void *data) {
    Shift *shift = data;
    const TirVar *var = tir_place_var(shift->place);
    switch (expr->kind) {
    case EXPR_MAP:
    case EXPR_CONVERT: tir_read_operands(expr, look_at, data); return;
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

// Whether a `set` moves elements of a short vector, and does nothing else to them.
static bool moves_elements(const Tir *tir, const TirStmt *set) {
    const Type *type = set->set.place->type;
    return type->flat_rank == 1 && type->numel <= ELEMENTS_MOST && !tir->is_small &&
           !set->set.is_update && set->set.value->kind == EXPR_VIEW;
}

static bool is_possible(Shift *shift, const TirStmt *set) {
    const TirExpr *place = shift->place;
    const Type *type = place->type;
    bool has_long_rows = type->flat_rank >= 2 && type->numel / type->dims[0] >= ROW_LEAST;
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR ||
        (!has_long_rows && !moves_elements(shift->tir, set)) || !has_rows(place) ||
        tir_may_trap(place) || tir_may_trap(set->set.value)) {
        return false;
    }
    for (size_t k = 1; k < place->view.operand->type->flat_rank; k++) {
        if (place->view.axes[k].index == NULL && place->view.axes[k].axis == 0) {
            return false; // a diagonal
        }
    }
    look_at(place, shift);
    look_at(set->set.value, shift);
    return shift->is_possible && !(shift->reads_before && shift->reads_behind);
}

static const Type *row_type(const Shift *shift, const Type *type) {
    TypeTable *types = shift->tir->types;
    const Type *scalar = type_scalar(types, type->root);
    return type->flat_rank == 1 ? scalar
                                : type_tensor(types, scalar, type->flat_rank - 1U, type->dims + 1);
}

// Where one dim of an operand is at the row.
static TirAxis axis_at_row(const Shift *shift, TirAxis axis) {
    Tir *tir = shift->tir;
    if (axis.index != NULL || axis.axis != 0) {
        axis.axis -= axis.axis > 0;
        return axis;
    }
    const Type *type = shift->row->type;
    TirExpr *index = tir_read(tir, shift->row, axis.span);
    if (axis.step != 1) {
        TirExpr *step = tir_const_int(tir, (int32_t)axis.step, axis.span);
        index = tir_map(tir, OP_MUL, type, index, step, NULL, axis.span);
    }
    if (axis.start != 0) {
        TirExpr *start = tir_const_int(tir, (int32_t)axis.start, axis.span);
        index = tir_map(tir, OP_ADD, type, index, start, NULL, axis.span);
    }
    return (TirAxis){.axis = -1, .index = index, .unchecked = true, .span = axis.span};
}

static TirExpr *at_row(const Shift *shift, const TirExpr *expr);

static TirExpr *map_at_row(const Shift *shift, const Type *type, const TirExpr *expr) {
    TirExpr *args[3] = {NULL};
    for (unsigned i = 0; i < tir_op_arity(expr->map.op); i++) {
        args[i] = at_row(shift, expr->map.args[i]);
    }
    return tir_map(shift->tir, expr->map.op, type, args[0], args[1], args[2], expr->span);
}

static TirExpr *at_row(const Shift *shift, const TirExpr *expr) {
    Tir *tir = shift->tir;
    const Type *type = row_type(shift, expr->type);
    if (expr->kind == EXPR_MAP) {
        return map_at_row(shift, type, expr);
    }
    if (expr->kind == EXPR_CONVERT) {
        return tir_convert_as(tir, expr, at_row(shift, expr->operand));
    }
    bool is_view = expr->kind == EXPR_VIEW;
    TirExpr *operand = is_view ? expr->view.operand : tir_copy_node(tir, expr);
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, operand->type->flat_rank + 1U);
    for (int32_t k = 0; k < operand->type->flat_rank; k++) {
        TirAxis axis = is_view ? expr->view.axes[k] : (TirAxis){.axis = k, .step = 1};
        axes[k] = axis_at_row(shift, axis);
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

// Moves rows as `place = value` says, each read before it is overwritten.
static bool move_rows(Tir *tir, TirFunction *function, const TirStmt *set, TirBlock *out,
                      Table *moved) {
    Shift shift = {.tir = tir, .place = set->set.place, .is_possible = true};
    if (!is_possible(&shift, set)) {
        return false;
    }
    Span span = set->span;
    int32_t rows = (int32_t)shift.place->type->dims[0];
    TirBlock loops = {0};
    TirStmt *loop = shift.reads_before ? tir_for(tir, &loops, function, rows - 1, -1, -1, span)
                                       : tir_for(tir, &loops, function, 0, rows, 1, span);
    shift.row = loop->for_loop.var;
    TirStmt *row = tir_set(tir, &loop->for_loop.body, at_row(&shift, shift.place),
                           at_row(&shift, set->set.value), span);
    row->set.is_update = set->set.is_update;
    if (moves_elements(tir, set)) {
        TirVar *array = tir_place_var(shift.place);
        table_set(tir->arena, moved, array, array);
        tir_remark(tir, "alias", span, (Span){0}, "%s moves along one element at a time",
                   tir_remark_name(tir, array));
        write_out(tir, loop, out);
    } else {
        LIST_PUSH(tir->arena, out, loop);
    }
    return true;
}

// The rows of a variable from `first` on, as many as `type` has.
static TirExpr *rows_of(Tir *tir, const TirExpr *var, uint32_t first, const Type *type) {
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (int32_t k = 0; k < type->flat_rank; k++) {
        axes[k] = (TirAxis){.axis = k, .step = 1, .span = var->span};
    }
    axes[0].start = first;
    return tir_view(tir, type, tir_read(tir, var->var, var->span), axes, var->span);
}

// The only part of a concatenation of rows that reads the variable, which it reads some rows of as
// they are; the number of parts: there is none such.
static size_t moved_part(const TirExpr *concat, const TirVar *var) {
    size_t found = concat->concat.count;
    for (size_t i = 0; i < concat->concat.count; i++) {
        const TirExpr *part = concat->concat.items[i];
        bool is_rows = part->kind == EXPR_VIEW && part->view.operand->kind == EXPR_VAR &&
                       part->view.operand->var == var;
        if (tir_may_trap(part) ||
            (tir_expr_reads(part, var) > 0 && (!is_rows || found != concat->concat.count))) {
            return concat->concat.count;
        }
        found = is_rows ? i : found;
    }
    return found;
}

// `x = concat(0, row, x[:n - 1, :])` moves rows, and sets the others then.
static bool move_part(Tir *tir, TirFunction *function, const TirStmt *set, TirBlock *out,
                      Table *moved) {
    const TirExpr *place = set->set.place, *concat = set->set.value;
    size_t at = moved_part(concat, place->var);
    if (concat->concat.axis != 0 || at == concat->concat.count) {
        return false;
    }
    uint32_t first = 0;
    TirBlock others = {0};
    for (size_t i = 0; i < concat->concat.count; i++) {
        TirExpr *part = concat->concat.items[i];
        TirExpr *rows = rows_of(tir, place, first, part->type);
        if (i != at) {
            tir_set(tir, &others, rows, part, set->span);
        } else if (!tir_same_map(rows, part)) {
            TirBlock one = {0};
            if (!move_rows(tir, function, tir_set(tir, &one, rows, part, set->span), out, moved)) {
                return false;
            }
        }
        first += part->type->dims[0];
    }
    tir_append(tir, out, &others);
    return true;
}

bool tir_shift(Tir *tir, TirFunction *function, const TirStmt *set, TirBlock *out, Table *moved) {
    bool is_concat = set->set.place->kind == EXPR_VAR && set->set.value->kind == EXPR_CONCAT;
    return (is_concat ? move_part : move_rows)(tir, function, set, out, moved);
}
