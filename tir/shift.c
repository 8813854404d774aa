// All parts of the array that the value reads lie at the same row as the place and the same
// elements of it, or all before it, or all behind it. Then rows go backwards, or forwards. A row of
// the value is an expression of the same operations, so nothing rounds in another way.
#include "tir/shift.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum { ROW_LEAST = 4 }; // elements: less than a vector is copied faster as a whole

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

static bool is_possible(Shift *shift, const TirStmt *set) {
    const TirExpr *place = shift->place;
    const Type *type = place->type;
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR || type->flat_rank < 2 ||
        type->numel / type->dims[0] < ROW_LEAST || !has_rows(place) || tir_may_trap(place) ||
        tir_may_trap(set->set.value)) {
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
    return type_tensor(types, type_scalar(types, type->root), type->flat_rank - 1U, type->dims + 1);
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

TirStmt *tir_shift_loop(Tir *tir, TirFunction *function, const TirStmt *set) {
    Shift shift = {.tir = tir, .place = set->set.place, .is_possible = true};
    if (!is_possible(&shift, set)) {
        return NULL;
    }
    Span span = set->span;
    int32_t rows = (int32_t)shift.place->type->dims[0];
    TirBlock out = {0};
    TirStmt *loop = shift.reads_before ? tir_for(tir, &out, function, rows - 1, -1, -1, span)
                                       : tir_for(tir, &out, function, 0, rows, 1, span);
    shift.row = loop->for_loop.var;
    TirStmt *row = tir_set(tir, &loop->for_loop.body, at_row(&shift, shift.place),
                           at_row(&shift, set->set.value), span);
    row->set.is_update = set->set.is_update;
    return loop;
}
