// An expression becomes one of the same tree, whose types have the new axis: what is the same in
// all turns is stretched along it, the loop's variable becomes positions, and an index that moves
// with it becomes a part of its view. Such a view has no check, so the index must be inside of its
// dim in all turns, whatever conditions hold around.
//
// Refused are functions of the C library on scalars, as those of arrays round in another way, sums,
// whose terms may be grouped in another way, but not products of so few terms that all of them add
// these in order, and what a condition keeps from being computed: where indices are outside, and
// what may trap on the right of an `and` or `or`.
#include "tir/widen.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/in_order.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

#include <string.h>

enum { WRAPS_MOST = 2 }; // of an index, for which parts of arrays are read one behind the other

bool widening_begin(Widening *widening, Tir *tir, const TirStmt *loop) {
    *widening = (Widening){.tir = tir, .counter = loop->for_loop.var};
    ConstantTurns turns;
    if (!constant_turns(tir, loop, &turns)) {
        return false;
    }
    widening->first = turns.first;
    widening->step = turns.step;
    widening->turns = (uint32_t)turns.count;
    return turns.count > 0 && turns.count <= TYPE_SCALARS_LIMIT;
}

static bool is_of_turn(const TirExpr *expr, const void *data) {
    const Widening *widening = data;
    return expr->kind == EXPR_VAR &&
           (expr->var == widening->counter || table_get(&widening->wide, expr->var) != NULL);
}

bool widening_is_fixed(const Widening *widening, const TirExpr *expr) {
    return !tir_any_expr(expr, is_of_turn, widening);
}

bool widening_is_computed(const Widening *widening, const TirExpr *expr) {
    return !widening->is_branch || tir_is_free(expr);
}

static bool line_of_map(const Widening *widening, const TirExpr *expr, WideningLine *line) {
    WideningLine left, right;
    if (tir_op_arity(expr->map.op) != 2 || !widening_line(widening, expr->map.args[0], &left) ||
        !widening_line(widening, expr->map.args[1], &right)) {
        return false;
    }
    switch ((int)expr->map.op) {
    case OP_ADD:
        return !__builtin_add_overflow(left.first, right.first, &line->first) &&
               !__builtin_add_overflow(left.step, right.step, &line->step);
    case OP_SUB:
        return !__builtin_sub_overflow(left.first, right.first, &line->first) &&
               !__builtin_sub_overflow(left.step, right.step, &line->step);
    case OP_MUL: {
        if (left.step != 0 && right.step != 0) {
            return false;
        }
        int64_t a, b;
        bool is_too_large = __builtin_mul_overflow(left.first, right.step, &a) ||
                            __builtin_mul_overflow(right.first, left.step, &b) ||
                            __builtin_add_overflow(a, b, &line->step);
        return !is_too_large && !__builtin_mul_overflow(left.first, right.first, &line->first);
    }
    default: return false;
    }
}

// Whether all values of the line are in [0, limit].
static bool line_is_within(const Widening *widening, WideningLine line, int64_t limit) {
    int64_t last;
    bool is_too_large = __builtin_mul_overflow(line.step, (int64_t)widening->turns - 1, &last) ||
                        __builtin_add_overflow(last, line.first, &last);
    return !is_too_large && line.first >= 0 && line.first <= limit && last >= 0 && last <= limit;
}

// Integers wrap, so a line inside of a dim in the end is right whatever it was on the way.
bool widening_line(const Widening *widening, const TirExpr *expr, WideningLine *line) {
    if (!root_is_integer(expr->type->root) || !type_is_scalar(expr->type)) {
        return false;
    }
    line->step = 0;
    if (constant_integer(widening->tir, expr, &line->first)) {
        return true;
    }
    switch ((int)expr->kind) {
    case EXPR_VAR:
        *line = (WideningLine){widening->first, widening->step};
        return expr->var == widening->counter;
    case EXPR_MAP: return line_of_map(widening, expr, line);
    case EXPR_CONVERT:
        return widening_line(widening, expr->operand, line) &&
               line_is_within(widening, *line, INT32_MAX);
    default: return false;
    }
}

// What a remainder by a constant is of, as in x[(i + 1) % 8], where that is a line that is nowhere
// below 0.
static bool wrapped_line(const Widening *widening, const TirExpr *index, WideningLine *line,
                         int64_t *period) {
    return index->kind == EXPR_MAP && index->map.op == OP_REM &&
           constant_integer(widening->tir, index->map.args[1], period) && *period > 0 &&
           widening_line(widening, index->map.args[0], line) &&
           line_is_within(widening, *line, INT32_MAX);
}

bool widening_is_wrapped(const Widening *widening, const TirExpr *expr) {
    WideningLine line;
    int64_t period;
    return wrapped_line(widening, expr, &line, &period);
}

typedef struct WrapSearch {
    const Widening *widening;
    uint32_t turn;
} WrapSearch;

static void search_wrap(const TirExpr *expr, void *data) {
    WrapSearch *search = data;
    WideningLine line;
    int64_t period;
    if (wrapped_line(search->widening, expr, &line, &period) && line.step != 0) {
        int64_t rest = line.first % period;
        int64_t next =
            line.step > 0 ? (period - rest + line.step - 1) / line.step : rest / -line.step + 1;
        search->turn = next < search->turn ? (uint32_t)next : search->turn;
    }
    tir_read_operands(expr, search_wrap, data);
}

uint32_t widening_wrap(const Widening *widening, const TirExpr *expr) {
    WrapSearch search = {.widening = widening, .turn = widening->turns};
    search_wrap(expr, &search);
    return search.turn;
}

// The same of an index that begins anew nowhere in these turns.
static bool index_line(const Widening *widening, const TirExpr *index, WideningLine *line) {
    int64_t period;
    if (!wrapped_line(widening, index, line, &period)) {
        return widening_line(widening, index, line);
    }
    int64_t last = line->first + line->step * (widening->turns - 1);
    bool is_one = line->first / period == last / period;
    line->first %= period;
    return is_one;
}

static uint32_t new_axis(const Widening *widening, const Type *type) {
    return widening->at < type->flat_rank ? widening->at : type->flat_rank;
}

const Type *widening_type(const Widening *widening, const Type *type) {
    if (type->flat_rank >= TYPE_RANK_LIMIT) {
        return NULL;
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    uint32_t at = new_axis(widening, type);
    for (uint32_t k = 0; k < type->flat_rank; k++) {
        dims[k + (k >= at)] = type->dims[k];
    }
    dims[at] = widening->turns;
    TypeTable *types = widening->tir->types;
    return type_tensor(types, type_scalar(types, type->root), type->flat_rank + 1U, dims);
}

// An axis of what was there before, among those of all turns.
static int32_t moved_axis(const Widening *widening, const Type *type, int32_t axis) {
    return axis < 0 ? axis : axis + (axis >= (int32_t)new_axis(widening, type));
}

static TirExpr *stretched(const Widening *widening, const Type *type, TirExpr *expr) {
    TirAxis axes[TYPE_RANK_LIMIT];
    for (int32_t k = 0; k < expr->type->flat_rank; k++) {
        axes[k] = (TirAxis){.axis = moved_axis(widening, expr->type, k), .step = 1};
    }
    return tir_view(widening->tir, type, expr, axes, expr->span);
}

static TirExpr *counter_in_turns(const Widening *widening, const Type *type, Span span) {
    Tir *tir = widening->tir;
    TirExpr *value = tir_iota(tir, type, span);
    if (widening->step != 1) {
        TirExpr *step = tir_const_int(tir, (int32_t)widening->step, span);
        value = tir_map(tir, OP_MUL, type, value, stretched(widening, type, step), NULL, span);
    }
    if (widening->first != 0) {
        TirExpr *first = tir_const_int(tir, (int32_t)widening->first, span);
        value = tir_map(tir, OP_ADD, type, value, stretched(widening, type, first), NULL, span);
    }
    return value;
}

static TirExpr *map_in_turns(Widening *widening, const Type *type, TirExpr *expr) {
    bool is_scalar = type_is_scalar(expr->type);
    bool is_exact = expr->map.op == OP_REMAINDER;
    if (is_scalar && tir_op_is_function(expr->map.op) && !is_exact) {
        return NULL;
    }
    TirExpr *args[3] = {NULL};
    bool is_outside = widening->is_branch;
    for (unsigned i = 0; i < tir_op_arity(expr->map.op); i++) {
        bool is_branch = i == 1 && tir_is_short_circuit(expr);
        widening->is_branch = is_outside || is_branch;
        args[i] = widening_value(widening, expr->map.args[i]);
        widening->is_branch = is_outside;
        if (args[i] == NULL || (is_branch && tir_may_trap(args[i]))) {
            return NULL;
        }
    }
    return tir_map(widening->tir, expr->map.op, type, args[0], args[1], args[2], expr->span);
}

// The axes of a view in all turns, of an operand that is the same in all of them.
static bool axes_in_turns(const Widening *widening, const TirExpr *view, TirAxis *axes) {
    const Type *from = view->view.operand->type;
    for (uint32_t k = 0; k < from->flat_rank; k++) {
        TirAxis axis = view->view.axes[k];
        axis.axis = moved_axis(widening, view->type, axis.axis);
        if (axis.index != NULL && widening_is_fixed(widening, axis.index)) {
            if (widening->is_branch && !axis.is_free) {
                return false;
            }
        } else if (axis.index != NULL) {
            WideningLine line;
            if (!index_line(widening, axis.index, &line) ||
                !line_is_within(widening, line, (int64_t)from->dims[k] - 1)) {
                return false;
            }
            axis = (TirAxis){.axis = (int32_t)new_axis(widening, view->type),
                             .start = line.first,
                             .step = line.step,
                             .span = axis.span};
        }
        axes[k] = axis;
    }
    return true;
}

static TirExpr *view_in_turns(Widening *widening, const Type *type, TirExpr *expr) {
    TirExpr *operand = expr->view.operand;
    TirAxis axes[TYPE_RANK_LIMIT + 1];
    if (operand->type->flat_rank >= TYPE_RANK_LIMIT || !axes_in_turns(widening, expr, axes)) {
        return NULL;
    }
    if (!widening_is_fixed(widening, operand)) {
        uint32_t at = new_axis(widening, operand->type);
        for (uint32_t k = 0; k < operand->type->flat_rank; k++) {
            const TirExpr *index = expr->view.axes[k].index;
            if (index != NULL && !widening_is_fixed(widening, index)) {
                return NULL; // two axes of the operand would move
            }
        }
        memmove(&axes[at + 1], &axes[at], (operand->type->flat_rank - at) * sizeof(*axes));
        axes[at] = (TirAxis){.axis = (int32_t)new_axis(widening, expr->type), .step = 1};
        operand = widening_value(widening, operand);
    }
    return operand == NULL ? NULL : tir_view(widening->tir, type, operand, axes, expr->span);
}

// The turns up to where an index begins anew, and those from there on, one behind the other.
static TirExpr *wrapped_view_in_turns(Widening *widening, const Type *type, TirExpr *view,
                                      unsigned wraps) {
    uint32_t turn = widening_wrap(widening, view);
    bool is_split = widening->is_copy && turn < widening->turns && wraps > 0 &&
                    widening_is_fixed(widening, view->view.operand);
    if (!is_split) {
        return view_in_turns(widening, type, view);
    }
    Widening before = *widening, behind = *widening;
    before.turns = turn;
    behind.turns -= turn;
    behind.first += widening->step * turn;
    TirExpr **items = ARENA_ARRAY(widening->tir->arena, TirExpr *, 2);
    items[0] = view_in_turns(&before, widening_type(&before, view->type), view);
    items[1] = wrapped_view_in_turns(&behind, widening_type(&behind, view->type), view, wraps - 1);
    uint32_t axis = new_axis(widening, view->type);
    return items[0] == NULL || items[1] == NULL
               ? NULL
               : tir_concat(widening->tir, type, items, 2, axis, view->span);
}

static TirExpr *reshape_in_turns(Widening *widening, const Type *type, const TirExpr *expr) {
    bool is_of_levels = reshape_is_of_levels(expr);
    TirExpr *operand = widening_value(widening, expr->operand);
    bool is_in_order = is_of_levels || widening->at == 0;
    return operand == NULL || !is_in_order ? NULL
                                           : tir_reshape(widening->tir, type, operand, expr->span);
}

static TirExpr *transposed(const Widening *widening, TirExpr *matrix) {
    TypeTable *types = widening->tir->types;
    const uint32_t dims[] = {matrix->type->dims[1], matrix->type->dims[0]};
    const Type *type = type_tensor(types, type_scalar(types, matrix->type->root), 2, dims);
    const TirAxis axes[] = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
    return tir_view(widening->tir, type, matrix, axes, matrix->span);
}

// A vector of each turn times what is the same in all of them: the vectors are rows, or columns, of
// a matrix.
static TirExpr *product_in_turns(Widening *widening, const Type *type, const TirExpr *dot) {
    bool is_left_fixed = widening_is_fixed(widening, dot->dot.left);
    TirExpr *fixed = is_left_fixed ? dot->dot.left : dot->dot.right;
    TirExpr *vector = is_left_fixed ? dot->dot.right : dot->dot.left;
    if (dot->dot.right->type->dims[0] > PRODUCT_IN_ORDER || vector->type->flat_rank != 1 ||
        !widening_is_fixed(widening, fixed)) {
        return NULL;
    }
    TirExpr *vectors = widening_value(widening, vector);
    if (vectors == NULL) {
        return NULL;
    }
    bool are_rows = widening->at == 0;
    if (fixed->type->flat_rank == 2 && are_rows == is_left_fixed) {
        fixed = transposed(widening, fixed);
    }
    TirExpr *left = are_rows ? vectors : fixed;
    return tir_dot(widening->tir, type, left, are_rows ? fixed : vectors, dot->span);
}

static TirExpr *concat_in_turns(Widening *widening, const Type *type, const TirExpr *concat) {
    size_t count = concat->concat.count;
    TirExpr **items = ARENA_ARRAY(widening->tir->arena, TirExpr *, count);
    for (size_t i = 0; i < count; i++) {
        items[i] = widening_value(widening, concat->concat.items[i]);
        if (items[i] == NULL) {
            return NULL;
        }
    }
    int32_t axis = moved_axis(widening, concat->type, (int32_t)concat->concat.axis);
    return tir_concat(widening->tir, type, items, count, (uint32_t)axis, concat->span);
}

static TirExpr *value_in_turns(Widening *widening, TirExpr *value) {
    const Type *type = widening_type(widening, value->type);
    if (type == NULL) {
        return NULL;
    }
    if (widening_is_fixed(widening, value)) {
        return widening_is_computed(widening, value) ? stretched(widening, type, value) : NULL;
    }
    switch (value->kind) {
    case EXPR_VAR:
        if (value->var == widening->counter) {
            return counter_in_turns(widening, type, value->span);
        }
        return tir_read(widening->tir, table_get(&widening->wide, value->var), value->span);
    case EXPR_MAP: return map_in_turns(widening, type, value);
    case EXPR_CONVERT: {
        TirExpr *operand = widening_value(widening, value->operand);
        return operand == NULL ? NULL : tir_convert_as(widening->tir, value, operand);
    }
    case EXPR_VIEW: return wrapped_view_in_turns(widening, type, value, WRAPS_MOST);
    case EXPR_RESHAPE: return reshape_in_turns(widening, type, value);
    case EXPR_CUMSUM: {
        bool stays_last = new_axis(widening, value->type) < value->type->flat_rank;
        TirExpr *operand = stays_last ? widening_value(widening, value->operand) : NULL;
        return operand == NULL ? NULL : tir_cumsum(widening->tir, operand, value->span);
    }
    case EXPR_DOT: return product_in_turns(widening, type, value);
    case EXPR_CONST:
    case EXPR_IOTA: break; // the same in all turns
    case EXPR_CONCAT: return concat_in_turns(widening, type, value);
    case EXPR_LITERAL:
    case EXPR_REDUCE: return NULL;
    }
    UNREACHABLE();
}

TirExpr *widening_value(Widening *widening, TirExpr *value) {
    TirExpr *wide = value_in_turns(widening, value);
    if (wide == NULL && widening->refused == NULL) {
        widening->refused = value;
    }
    return wide;
}

typedef struct OwnReads {
    const Widening *widening;
    const TirVar *var; // that is written
    size_t dim;        // of it, along which turns go
    TirAxis written;   // how
    bool all;
} OwnReads;

// Of what is in all turns.
static int32_t axis_of_turns(const Widening *widening, const Type *type) {
    uint32_t last = type->flat_rank - 1U;
    return (int32_t)(widening->at < last ? widening->at : last);
}

static void see_read(const TirExpr *expr, void *data);

// Whether a dim of what a view shows goes along with the turns as it does where it is written.
static bool goes_along(const OwnReads *reads, const TirAxis *axis, const Type *type) {
    return axis->index == NULL && axis->axis == axis_of_turns(reads->widening, type) &&
           axis->step == reads->written.step && axis->start == reads->written.start;
}

static void see_read_by_view(const TirExpr *view, OwnReads *reads) {
    const TirExpr *operand = view->view.operand;
    for (size_t k = 0; k < operand->type->flat_rank; k++) {
        const TirExpr *index = view->view.axes[k].index;
        reads->all = reads->all && (index == NULL || tir_expr_reads(index, reads->var) == 0);
    }
    bool is_var = operand->kind == EXPR_VAR && operand->var == reads->var;
    reads->all =
        reads->all && is_var && goes_along(reads, &view->view.axes[reads->dim], view->type);
}

static void see_read(const TirExpr *expr, void *data) {
    OwnReads *reads = data;
    if (tir_expr_reads(expr, reads->var) == 0) {
        return;
    }
    switch (expr->kind) {
    case EXPR_VIEW: see_read_by_view(expr, reads); return;
    case EXPR_VAR:
        reads->all =
            reads->all &&
            goes_along(reads, &(TirAxis){.axis = (int32_t)reads->dim, .step = 1}, expr->type);
        return;
    case EXPR_DOT: {
        bool are_rows = reads->widening->at == 0;
        const TirExpr *fixed = are_rows ? expr->dot.right : expr->dot.left;
        reads->all = reads->all && tir_expr_reads(fixed, reads->var) == 0;
        see_read(are_rows ? expr->dot.left : expr->dot.right, reads);
        return;
    }
    case EXPR_MAP:
    case EXPR_CONVERT: tir_read_operands(expr, see_read, reads); return;
    case EXPR_CONST:
    case EXPR_RESHAPE:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_IOTA: reads->all = false; return;
    }
    UNREACHABLE();
}

bool widening_reads_own(const Widening *widening, const TirExpr *place, const TirExpr *value) {
    OwnReads reads = {.widening = widening, .all = true};
    int32_t turns = axis_of_turns(widening, place->type);
    if (place->kind == EXPR_VAR) {
        reads.var = place->var;
        reads.dim = (size_t)turns;
        reads.written = (TirAxis){.axis = turns, .step = 1};
    } else if (place->kind == EXPR_VIEW && place->view.operand->kind == EXPR_VAR &&
               view_is_constant(place)) {
        reads.var = place->view.operand->var;
        while (reads.dim < reads.var->type->flat_rank &&
               place->view.axes[reads.dim].axis != turns) {
            reads.dim++;
        }
        if (reads.dim == reads.var->type->flat_rank) {
            return false;
        }
        reads.written = place->view.axes[reads.dim];
    } else {
        return false;
    }
    see_read(value, &reads);
    return reads.all;
}

uint32_t widening_axis(const Widening *widening, const TirExpr *place) {
    int32_t at = 0;
    for (size_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &place->view.axes[k];
        if (axis->index != NULL && !widening_is_fixed(widening, axis->index)) {
            return (uint32_t)at;
        }
        at = axis->index == NULL && axis->axis >= at ? axis->axis + 1 : at;
    }
    return 0;
}

TirExpr *widening_place(Widening *widening, TirExpr *place) {
    const Type *type = widening_type(widening, place->type);
    if (type == NULL || place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR ||
        place->view.operand->type->flat_rank >= TYPE_RANK_LIMIT) {
        return NULL;
    }
    TirAxis axes[TYPE_RANK_LIMIT];
    if (!axes_in_turns(widening, place, axes)) {
        return NULL;
    }
    int32_t at = (int32_t)new_axis(widening, place->type);
    bool is_told_apart = false;
    for (uint32_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        is_told_apart |= axes[k].index == NULL && axes[k].axis == at && axes[k].step != 0;
    }
    return is_told_apart ? tir_view(widening->tir, type, place->view.operand, axes, place->span)
                         : NULL;
}
