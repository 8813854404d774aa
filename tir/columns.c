// An element of each expression, at the loop's variable: what spread.c does with constants. Assumes
// that every `set` may be executed element by element (pass_alias).
#include "tir/columns.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/in_order.h"
#include "tir/spread.h"
#include "tir/spread_element.h"
#include "tir/view.h"
#include "tir/visit.h"

enum {
    COLUMNS_LEAST = 4,
    STACKED_MOST = 4,
    ROW_LEAST = 8,  // turns of a loop that writes columns; LLVM's vectoriser takes so many at once
    WOVEN_MOST = 3, // elements of rows that are read and written as whole vectors (emit/weave.h)
    CLOSE_MOST = 8, // elements of rows that LLVM's vectoriser loads together and takes apart
    // Terms of sums of rows, of which as many rows as there are lanes take a quarter of the time;
    // fewer LLVM takes apart, more fill lanes by themselves.
    TERMS_LEAST = SUM_IN_ORDER + 1,
    TERMS_MOST = SUM_SHORT,
};

// Whether rows become scalars, and LLVM does not take them apart as well.
static bool are_taken_apart(uint32_t row) {
    return row <= WOVEN_MOST || (row > CLOSE_MOST && row <= SPREAD_LIMIT);
}

// Of reals, whatever is made of them but where one of them is.
static bool is_of_short_rows(const TirExpr *expr) {
    if (expr->kind != EXPR_REDUCE || expr->type->root != ROOT_REAL || tir_finds_place(expr)) {
        return false;
    }
    const Type *from = expr->reduce.operand->type;
    uint64_t terms = from->numel / expr->type->numel;
    return expr->type->flat_rank == 1 && expr->reduce.axis == 1 && terms >= TERMS_LEAST &&
           terms <= TERMS_MOST;
}

static void count_columns(const TirExpr *expr, void *data) {
    unsigned *count = data;
    if (is_of_short_rows(expr)) {
        *count += COLUMNS_LEAST;
        return;
    }
    if (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR) {
        const Type *from = expr->view.operand->type;
        const TirAxis *axes = expr->view.axes;
        bool is_column = from->flat_rank > 1 && axes[0].axis == 0 && axes[0].step == 1 &&
                         are_taken_apart(from->numel / from->dims[0]);
        for (size_t k = 1; k < from->flat_rank; k++) {
            is_column = is_column && axes[k].axis < 0 && axes[k].index == NULL;
        }
        *count += is_column;
    }
    tir_read_operands(expr, count_columns, data);
}

bool columns_are_read(const TirStmt *set) {
    unsigned count = 0;
    count_columns(set->set.value, &count);
    return count > 0;
}

// An element: at counters of loops in the first dims, and at constants in the others.
typedef struct Turn {
    Tir *tir;
    TirVar *counters[TYPE_FLAT_LIMIT]; // NULL behind those of loops
    uint32_t inside[TYPE_FLAT_LIMIT];  // where in the row
} Turn;

// Where the turn is in a dim that the axis walks; inside whatever turn it is.
static TirAxis axis_at(const Turn *turn, size_t dim, const TirAxis *axis, Span span) {
    if (turn->counters[dim] == NULL) {
        int64_t moved = axis->step * turn->inside[dim];
        return (TirAxis){.axis = -1, .start = axis->start + moved, .span = span};
    }
    TirExpr *counter = tir_read(turn->tir, turn->counters[dim], span);
    return (TirAxis){.axis = -1,
                     .index = tir_line(turn->tir, counter, axis->step, axis->start, span),
                     .unchecked = true,
                     .is_free = true,
                     .span = span};
}

static TirExpr *element_at(const Turn *turn, TirExpr *expr);

static TirExpr *view_at(const Turn *turn, TirExpr *view) {
    TirExpr *operand = view->view.operand;
    const Type *from = operand->type;
    if (type_is_scalar(from)) {
        return operand;
    }
    if (operand->kind != EXPR_VAR && operand->kind != EXPR_CONST) {
        return NULL;
    }
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (size_t k = 0; k < from->flat_rank; k++) {
        axes[k] = view->view.axes[k];
        if (axes[k].axis >= 0) {
            axes[k] = axis_at(turn, (size_t)axes[k].axis, &axes[k], view->span);
        }
    }
    const Type *scalar = type_scalar(turn->tir->types, from->root);
    return tir_view(turn->tir, scalar, operand, axes, view->span);
}

static TirExpr *map_at(const Turn *turn, TirExpr *map) {
    TirExpr *args[3] = {NULL};
    if (tir_op_is_function(map->map.op)) {
        return NULL;
    }
    for (unsigned i = 0; i < tir_op_arity(map->map.op); i++) {
        args[i] = element_at(turn, map->map.args[i]);
        if (args[i] == NULL) {
            return NULL;
        }
    }
    return tir_map(turn->tir, map->map.op, type_scalar(turn->tir->types, map->type->root), args[0],
                   args[1], args[2], map->span);
}

static TirExpr *array_at(const Turn *turn, TirExpr *array) {
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (size_t k = 0; k < array->type->flat_rank; k++) {
        axes[k] = axis_at(turn, k, &(TirAxis){.step = 1}, array->span);
    }
    const Type *scalar = type_scalar(turn->tir->types, array->type->root);
    return tir_view(turn->tir, scalar, array, axes, array->span);
}

// The terms of one row as an array of scalars: how they are grouped is not for TIR to say.
static TirExpr *reduce_at(const Turn *turn, TirExpr *reduce) {
    if (!is_of_short_rows(reduce)) {
        return NULL;
    }
    Tir *tir = turn->tir;
    TirExpr *operand = reduce->reduce.operand;
    uint32_t terms = operand->type->numel / reduce->type->numel;
    TirExpr **items = ARENA_ARRAY(tir->arena, TirExpr *, terms);
    Turn row = {.tir = tir, .counters = {turn->counters[0]}};
    for (uint32_t k = 0; k < terms; k++) {
        spread_positions_at(operand->type, k, row.inside);
        items[k] = element_at(&row, operand);
        if (items[k] == NULL) {
            return NULL;
        }
    }
    const Type *scalar = type_scalar(tir->types, ROOT_REAL);
    TirExpr *all =
        tir_literal(tir, type_tensor(tir->types, scalar, 1, &terms), items, terms, reduce->span);
    return tir_reduce(tir, reduce->reduce.op, scalar, all, 0, 1, reduce->span);
}

// NULL: it is not computed alone.
static TirExpr *element_at(const Turn *turn, TirExpr *expr) {
    Tir *tir = turn->tir;
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_VAR: return array_at(turn, expr);
    case EXPR_VIEW: return view_at(turn, expr);
    case EXPR_MAP: return map_at(turn, expr);
    case EXPR_IOTA: return tir_read(tir, turn->counters[0], expr->span);
    case EXPR_CONVERT: {
        TirExpr *operand = element_at(turn, expr->operand);
        return operand == NULL ? NULL : tir_convert_as(tir, expr, operand);
    }
    case EXPR_RESHAPE: return reshape_is_of_levels(expr) ? element_at(turn, expr->operand) : NULL;
    case EXPR_REDUCE: return reduce_at(turn, expr);
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_CUMSUM:
    case EXPR_DOT: return NULL;
    }
    UNREACHABLE();
}

TirExpr *columns_element(Tir *tir, TirVar *counter, TirExpr *expr) {
    return element_at(&(Turn){.tir = tir, .counters = {counter}}, expr);
}

TirExpr *columns_element_of_row(Tir *tir, TirVar *row, TirVar *column, TirExpr *expr) {
    return element_at(&(Turn){.tir = tir, .counters = {row, column}}, expr);
}

// With the counter of `turn` in that dim, and nothing in it.
static TirStmt *new_loop(Turn *turn, size_t dim, TirFunction *function, uint32_t turns, Span span) {
    TirBlock block = {0};
    TirStmt *loop = tir_for(turn->tir, &block, function, 0, (int32_t)turns, 1, span);
    turn->counters[dim] = loop->for_loop.var;
    return loop;
}

// False: an element of a set is not computed alone.
static bool put_elements(const Turn *turn, const TirBlock *sets, TirBlock *block) {
    for (size_t i = 0; i < sets->count; i++) {
        const TirStmt *set = sets->items[i];
        TirExpr *place = element_at(turn, set->set.place);
        TirExpr *value = element_at(turn, set->set.value);
        if (place == NULL || value == NULL) {
            return false;
        }
        tir_set(turn->tir, block, place, value, set->span);
    }
    return true;
}

TirStmt *columns_loop(Tir *tir, TirFunction *function, const TirBlock *sets) {
    const Type *space = sets->items[0]->set.place->type;
    unsigned columns = 0;
    for (size_t i = 0; i < sets->count; i++) {
        count_columns(sets->items[i]->set.value, &columns);
    }
    if (space->flat_rank != 1 || columns < COLUMNS_LEAST || tir_sets_move_index(sets)) {
        return NULL;
    }
    Turn turn = {.tir = tir};
    TirStmt *loop = new_loop(&turn, 0, function, space->numel, sets->items[0]->span);
    return put_elements(&turn, sets, &loop->for_loop.body) ? loop : NULL;
}

// Where the elements of a place lie in its array: each `step` behind the one before in the last
// dim.
typedef struct Line {
    const TirVar *array;
    int64_t step, start;
} Line;

// False: where they lie is not known before the program runs.
static bool line_of(const TirExpr *place, Line *line) {
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR) {
        return false;
    }
    const Type *from = place->view.operand->type;
    *line = (Line){.array = place->view.operand->var};
    int64_t size = from->numel;
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &place->view.axes[k];
        if (axis->index != NULL) {
            return false;
        }
        size /= from->dims[k];
        line->start += axis->start * size;
        line->step += axis->axis == (int)place->type->flat_rank - 1 ? axis->step * size : 0;
    }
    return true;
}

static bool are_few_apart(const Line *line) {
    return line->step > 1 && line->step <= STACKED_MOST;
}

bool columns_are_written(const TirStmt *stmt) {
    Line line;
    return stmt->kind == STMT_SET && line_of(stmt->set.place, &line) && are_few_apart(&line);
}

// How many of the sets write elements beside those of this line.
static size_t count_beside(const TirBlock *sets, const Line *line) {
    size_t count = 0;
    for (size_t i = 0; i < sets->count; i++) {
        Line other;
        count += line_of(sets->items[i]->set.place, &other) && other.array == line->array &&
                 other.step == line->step && other.start / line->step == line->start / line->step;
    }
    return count;
}

bool columns_write_rows(const TirBlock *sets) {
    for (size_t i = 0; i < sets->count; i++) {
        Line line;
        if (!line_of(sets->items[i]->set.place, &line) || !are_few_apart(&line) ||
            count_beside(sets, &line) != (size_t)line.step) {
            return false;
        }
    }
    return true;
}

// Loops over the first dims, one in the other; in the innermost there is nothing.
static TirStmt *new_loops(Turn *turn, TirFunction *function, const Type *space, size_t rank,
                          Span span, TirStmt **innermost) {
    TirStmt *outer = new_loop(turn, 0, function, space->dims[0], span);
    *innermost = outer;
    for (size_t k = 1; k < rank; k++) {
        TirStmt *inner = new_loop(turn, k, function, space->dims[k], span);
        LIST_PUSH(turn->tir->arena, &(*innermost)->for_loop.body, inner);
        *innermost = inner;
    }
    return outer;
}

TirStmt *columns_written_loop(Tir *tir, TirFunction *function, const TirBlock *sets) {
    const Type *space = sets->items[0]->set.place->type;
    size_t rank = space->flat_rank;
    if (rank == 0 || space->dims[rank - 1] < ROW_LEAST || !columns_write_rows(sets) ||
        tir_sets_move_index(sets)) {
        return NULL;
    }
    Turn turn = {.tir = tir};
    TirStmt *loop;
    TirStmt *outer = new_loops(&turn, function, space, rank, sets->items[0]->span, &loop);
    return put_elements(&turn, sets, &loop->for_loop.body) ? outer : NULL;
}

// What an array with one element in its last dim is made of; NULL: nothing without that dim.
static TirExpr *column_of(TirExpr *item) {
    size_t rank = item->type->flat_rank - 1;
    if (item->kind != EXPR_VIEW || item->type->dims[rank] != 1 ||
        item->view.operand->type->flat_rank != rank) {
        return NULL;
    }
    for (size_t k = 0; k < rank; k++) {
        const TirAxis *axis = &item->view.axes[k];
        if (axis->axis != (int)k || axis->start != 0 || axis->step != 1) {
            return NULL;
        }
    }
    return item->view.operand;
}

TirStmt *columns_stacked_loop(Tir *tir, TirFunction *function, TirStmt *set) {
    TirExpr *value = set->set.value;
    TirExpr *place = set->set.place;
    size_t rank = value->type->flat_rank;
    if (value->kind != EXPR_CONCAT || place->kind != EXPR_VAR || rank < 2 ||
        value->concat.axis != rank - 1 || value->type->dims[rank - 1] > STACKED_MOST ||
        tir_sets_move_index(&(TirBlock){.items = &set, .count = 1})) {
        return NULL;
    }
    Turn turn = {.tir = tir};
    TirStmt *loop;
    TirStmt *outer = new_loops(&turn, function, value->type, rank - 1, set->span, &loop);
    for (uint32_t k = 0; k < value->concat.count; k++) {
        TirExpr *column = column_of(value->concat.items[k]);
        TirExpr *element = column == NULL ? NULL : element_at(&turn, column);
        if (element == NULL) {
            return NULL;
        }
        turn.inside[rank - 1] = k;
        tir_set(tir, &loop->for_loop.body, array_at(&turn, place), element, set->span);
    }
    return outer;
}
