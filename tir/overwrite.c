#include "tir/overwrite.h"

#include "tir/constant.h"
#include "tir/cover.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    WINDOW = 8,    // statements behind a `set` that are looked at
    NEST_MOST = 4, // loops in each other
};

// What loops behind a copy read of it. The turns at hand are those of a loop and of such in it,
// each of which goes along one dim.
typedef struct Reading {
    Tir *tir;
    const TirVar *copy;
    const TirVar *counters[NEST_MOST];
    size_t depth;
    TirExpr *from; // a variable, or the one value that all elements have
    bool is_own;   // all that is read of the copy is of the turns at hand
} Reading;

static bool is_of_turns(const Reading *reading, const TirExpr *view) {
    const TirExpr *operand = view->view.operand;
    if (view->kind != EXPR_VIEW || operand->kind != EXPR_VAR || operand->var != reading->copy ||
        operand->type->flat_rank < reading->depth) {
        return false;
    }
    for (size_t k = 0; k < reading->depth; k++) {
        const TirExpr *index = view->view.axes[k].index;
        if (index == NULL || index->kind != EXPR_VAR || index->var != reading->counters[k]) {
            return false;
        }
    }
    return true;
}

static void test_reading(const TirExpr *expr, void *data) {
    Reading *reading = data;
    bool is_copy = expr->kind == EXPR_VAR && expr->var == reading->copy;
    bool is_part = expr->kind == EXPR_VIEW && is_of_turns(reading, expr);
    reading->is_own = reading->is_own && !is_copy;
    for (size_t k = 0; is_part && k < expr->view.operand->type->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            test_reading(expr->view.axes[k].index, data);
        }
    }
    if (!is_part) {
        tir_read_operands(expr, test_reading, data);
    }
}

// Whether the statement writes a part of the turns at hand and nothing else of the copy.
static bool writes_own_part(const Reading *reading, const TirStmt *stmt) {
    return stmt->kind == STMT_SET && stmt->set.place->kind == EXPR_VIEW &&
           is_of_turns(reading, stmt->set.place) &&
           tir_expr_reads(stmt->set.place, reading->copy) == 1; // and none in an index
}

// Whether each turn reads no more of the copy than its own part, and that before it writes it. What
// it reads and writes may be in one loop of its own.
static bool reads_own_parts(const TirStmt *loop, Reading *reading) {
    if (reading->depth == NEST_MOST) {
        return false;
    }
    reading->counters[reading->depth++] = loop->for_loop.var;
    const TirBlock *body = &loop->for_loop.body;
    bool is_written = false;
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *stmt = body->items[i];
        bool is_read = tir_stmt_reads(stmt, reading->copy) > 0;
        bool is_loop = stmt->kind == STMT_FOR && tir_stmt_writes(stmt, reading->copy);
        if (is_loop && !is_written) {
            for (size_t k = i + 1; k < body->count; k++) {
                if (tir_stmt_reads(body->items[k], reading->copy) > 0 ||
                    tir_stmt_writes(body->items[k], reading->copy)) {
                    return false;
                }
            }
            return reading->is_own && reads_own_parts(stmt, reading);
        }
        if (is_written && is_read) {
            return false;
        }
        tir_read_values_in(&(TirBlock){.items = &stmt, .count = 1}, test_reading, reading);
        if (tir_stmt_writes(stmt, reading->copy)) {
            if (!writes_own_part(reading, stmt)) {
                return false;
            }
            is_written = true;
        }
    }
    return reading->is_own;
}

static TirExpr *read_instead(const Reading *reading, const TirExpr *copied) {
    Tir *tir = reading->tir;
    if (reading->from->kind == EXPR_VAR) {
        return tir_reshape(tir, copied->type, tir_read(tir, reading->from->var, copied->span),
                           copied->span);
    }
    return reading->from;
}

static void replace_copy(TirExpr **operand, void *data) {
    const Reading *reading = data;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_VAR && expr->var == reading->copy) {
        *operand = read_instead(reading, expr);
    } else if (tir_expr_reads(expr, reading->copy) > 0) {
        bool is_value = reading->from->kind != EXPR_VAR && expr->kind == EXPR_VIEW &&
                        is_of_turns(reading, expr);
        if (is_value && type_is_scalar(expr->type)) {
            *operand = reading->from;
            return;
        }
        if (is_value) {
            *operand = tir_view(reading->tir, expr->type, reading->from, NULL, expr->span);
            return;
        }
        expr = tir_copy_node(reading->tir, expr);
        tir_visit_operands(expr, replace_copy, data);
        *operand = expr->kind != EXPR_VIEW ? expr
                                           : tir_view(reading->tir, expr->type, expr->view.operand,
                                                      expr->view.axes, expr->span);
    }
}

// Places have the copy at their bottom, which stays; what it is indexed with does not read it.
static void replace_in(TirStmt *stmt, void *data) {
    Reading *reading = data;
    if (stmt->kind == STMT_SET && tir_place_var(stmt->set.place) == reading->copy) {
        replace_copy(&stmt->set.value, reading);
    } else {
        tir_visit_exprs(stmt, replace_copy, reading);
    }
}

// What elements of the value are: those of a variable, or all the same constant. NULL: others.
static TirExpr *copied_from(TirExpr *value) {
    bool is_fill = value->kind == EXPR_VIEW && value->view.operand->kind == EXPR_CONST &&
                   type_is_scalar(value->view.operand->type);
    return value->kind == EXPR_VAR ? value : is_fill ? value->view.operand : NULL;
}

static bool reads_copied(Tir *tir, const TirBlock *block, size_t first, size_t at) {
    const TirStmt *set = block->items[first];
    TirStmt *loop = block->items[at];
    Reading reading = {.tir = tir,
                       .copy = set->set.place->var,
                       .from = copied_from(set->set.value),
                       .is_own = true};
    if (reading.from == NULL || tir_expr_reads(reading.from, reading.copy) > 0) {
        return false;
    }
    for (size_t i = first + 1; i <= at; i++) {
        TirStmt *stmt = block->items[i];
        if (tir_stmt_writes_operand(stmt, reading.from) ||
            (i < at && tir_stmt_writes(stmt, reading.copy))) {
            return false;
        }
    }
    if (!reads_own_parts(loop, &reading)) {
        return false;
    }
    tir_visit_stmts(&loop->for_loop.body, replace_in, &reading);
    return true;
}

// Rows of an array, or of a part of it at the same indices in its first dims, that a loop writes
// one after the other.
typedef struct Progress {
    Tir *tir;
    const TirExpr *place; // all of them
    size_t dim;           // along which they lie
    const TirVar *array, *counter;
    int64_t rows;        // in front of those that the loop writes
    bool is_written;     // the row of the turn, so far
    bool holds;          // no other rows are read than those in front, and such that are written
    const TirExpr *from; // has what the rows that the loop writes have before; NULL: others
    size_t from_dim;     // along which rows lie in its array
    bool reads_own;      // rows of turns, before they are written: those of `from`
} Progress;

// Whether the place is an array, or all of it at some indices in the first dims, so many.
static bool is_of_rows(const TirExpr *place, size_t *indices) {
    *indices = 0;
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR) {
        return place->kind == EXPR_VAR;
    }
    const Type *type = place->view.operand->type;
    *indices = type->flat_rank - place->type->flat_rank;
    for (size_t k = 0; k < type->flat_rank; k++) {
        const TirAxis *axis = &place->view.axes[k];
        int32_t along = (int32_t)k - (int32_t)*indices;
        bool is_all = axis->axis == along && axis->start == 0 && axis->step == 1 &&
                      (along < 0 || place->type->dims[along] == type->dims[k]);
        if (along < 0 ? axis->axis >= 0 : axis->index != NULL || !is_all) {
            return false;
        }
    }
    return true;
}

// How far the row of a view lies behind that of the turn. False: that is not known.
static bool row_behind(const Progress *progress, const TirExpr *view, int64_t *behind) {
    for (size_t k = 0; k < progress->dim; k++) {
        if (!tir_axes_agree(&view->view.axes[k], &progress->place->view.axes[k])) {
            return false;
        }
    }
    const TirExpr *index = view->view.axes[progress->dim].index;
    int64_t offset;
    if (index == NULL || tir_index_var(index, &offset) != progress->counter) {
        return false;
    }
    *behind = -offset;
    return true;
}

static void test_row(const TirExpr *expr, void *data) {
    Progress *progress = data;
    bool is_array = expr->kind == EXPR_VAR && expr->var == progress->array;
    bool is_part = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
                   expr->view.operand->var == progress->array;
    progress->holds = progress->holds && !is_array;
    if (!is_part) {
        tir_read_operands(expr, test_row, data);
        return;
    }
    int64_t behind = -1;
    bool is_known = row_behind(progress, expr, &behind);
    bool is_own = is_known && behind == 0 && !progress->is_written;
    progress->reads_own = progress->reads_own || is_own;
    progress->holds = progress->holds && is_known && behind >= 0 && behind <= progress->rows &&
                      (!is_own || progress->from != NULL);
    for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            test_row(expr->view.axes[k].index, data);
        }
    }
}

static bool writes_row(const Progress *progress, const TirExpr *place) {
    size_t indices;
    int64_t behind;
    return place->kind == EXPR_VIEW && is_of_rows(place, &indices) &&
           indices == progress->dim + 1 && row_behind(progress, place, &behind) && behind == 0;
}

// Whether each turn writes its row as a whole, once, and the loop writes nothing else of the array.
static bool writes_rows_in_order(TirStmt *loop, Progress *progress) {
    TirBlock *body = &loop->for_loop.body;
    if (tir_block_may_leave(body)) {
        return false;
    }
    for (size_t i = 0; i < body->count && progress->holds; i++) {
        TirStmt *stmt = body->items[i];
        tir_read_values_in(&(TirBlock){.items = &stmt, .count = 1}, test_row, progress);
        if (tir_stmt_writes(stmt, progress->array)) {
            if (progress->is_written || stmt->kind != STMT_SET ||
                !writes_row(progress, stmt->set.place)) {
                return false;
            }
            progress->is_written = true;
        }
    }
    return progress->holds && progress->is_written;
}

// What the array was copied from, where the view has the array.
static TirExpr *element_of_from(const Progress *progress, const TirExpr *view) {
    const TirExpr *from = progress->from;
    TirVar *array = tir_place_var(from);
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (size_t k = 0; k < array->type->flat_rank; k++) {
        axes[k] = k < progress->from_dim ? from->view.axes[k]
                                         : view->view.axes[k - progress->from_dim + progress->dim];
    }
    Span span = view->view.operand->span;
    return tir_view(progress->tir, view->type, tir_read(progress->tir, array, span), axes, span);
}

static void read_own_from(TirExpr **operand, void *data) {
    const Progress *progress = data;
    TirExpr *expr = *operand;
    if (tir_expr_reads(expr, progress->array) == 0) {
        return;
    }
    int64_t behind;
    bool is_own = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
                  row_behind(progress, expr, &behind) && behind == 0;
    *operand = is_own ? element_of_from(progress, expr) : tir_copy_node(progress->tir, expr);
    tir_visit_operands(*operand, read_own_from, data);
}

// Up to the statement that writes it, a turn reads of its row what the array was copied from.
static void read_rows_from(TirStmt *loop, Progress *progress) {
    TirBlock *body = &loop->for_loop.body;
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *stmt = body->items[i];
        if (tir_stmt_writes(stmt, progress->array)) {
            read_own_from(&stmt->set.value, progress);
            return;
        }
        tir_visit_exprs_in(&(TirBlock){.items = &stmt, .count = 1}, read_own_from, progress);
    }
}

// Whether the statement writes what the place is indexed with.
static bool moves(TirStmt *stmt, const TirExpr *place, size_t indices) {
    for (size_t k = 0; k < indices; k++) {
        const TirExpr *index = place->view.axes[k].index;
        if (index != NULL && tir_stmt_writes_operand(stmt, index)) {
            return true;
        }
    }
    return false;
}

// What an array is a copy of, but for so many rows in front, and how many of these hold all that
// was read of it since.
typedef struct Copied {
    const TirExpr *from; // an array, or all of it at some indices in the first dims; NULL: nothing
    size_t dim;          // along which its rows lie
    int64_t changed, read;
} Copied;

// How many rows there are in front of those that the loop writes, one after the other. 0: it does
// not, or there are none. What the array is a copy of, it reads there.
static uint32_t rows_in_front(Tir *tir, TirStmt *loop, const TirExpr *place, size_t dim,
                              Copied copied) {
    ConstantTurns turns;
    if (loop->kind != STMT_FOR || !constant_turns(tir, loop, &turns) || turns.step != 1 ||
        turns.first < copied.read || turns.first <= 0 || turns.count == 0 ||
        turns.last != place->type->dims[0] || moves(loop, place, dim)) {
        return 0;
    }
    bool is_copy = copied.from != NULL && copied.changed <= turns.first &&
                   !tir_stmt_writes_operand(loop, copied.from);
    Progress progress = {.tir = tir,
                         .from = is_copy ? copied.from : NULL,
                         .from_dim = copied.dim,
                         .place = place,
                         .dim = dim,
                         .array = tir_place_var(place),
                         .counter = loop->for_loop.var,
                         .rows = turns.first,
                         .holds = true};
    if (!writes_rows_in_order(loop, &progress)) {
        return 0;
    }
    if (progress.reads_own) {
        read_rows_from(loop, &progress);
    }
    return (uint32_t)turns.first;
}

bool tir_is_overwritten(Tir *tir, TirBlock *block, size_t first) {
    const TirStmt *set = block->items[first];
    if (!tir_sets_whole(set) || tir_var_is_global(set->set.place->var) ||
        type_is_scalar(set->set.place->type) || tir_may_trap(set->set.value)) {
        return false;
    }
    const TirVar *var = set->set.place->var;
    TirCover cover = {.tir = tir, .var = var};
    for (size_t i = first + 1; i < block->count && i <= first + WINDOW; i++) {
        TirStmt *stmt = block->items[i];
        tir_cover_add(&cover, stmt);
        bool is_read_there = stmt->kind == STMT_FOR && cover.reads_others;
        if (cover.numel == var->type->numel &&
            (!cover.reads_others || (is_read_there && reads_copied(tir, block, first, i)))) {
            return true;
        }
        if (cover.reads_others || tir_may_leave(stmt)) {
            return false;
        }
    }
    return false;
}

// How many of the first rows, along that dim, hold all that a view of an array shows.
static int64_t rows_shown(const TirExpr *view, size_t dim) {
    if (view->kind != EXPR_VIEW || view->view.operand->kind != EXPR_VAR ||
        view->view.axes[dim].index != NULL) {
        return INT64_MAX;
    }
    const TirAxis *axis = &view->view.axes[dim];
    int64_t turns = axis->axis < 0 ? 0 : (int64_t)view->type->dims[axis->axis] - 1;
    int64_t last = axis->step > 0 ? axis->start + axis->step * turns : axis->start;
    return last + 1;
}

// The same of all that a statement may write of it.
static int64_t rows_changed(TirStmt *stmt, const TirVar *array, size_t dim) {
    return !tir_stmt_writes(stmt, array) ? 0
           : stmt->kind != STMT_SET      ? INT64_MAX
                                         : rows_shown(stmt->set.place, dim);
}

typedef struct RowsRead {
    const TirVar *array;
    size_t dim;
    int64_t rows; // in front, which hold all that is read
} RowsRead;

static void see_rows(const TirExpr *expr, void *data) {
    RowsRead *read = data;
    bool is_part = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR;
    if (is_part ? expr->view.operand->var == read->array
                : expr->kind == EXPR_VAR && expr->var == read->array) {
        int64_t rows = rows_shown(expr, read->dim);
        read->rows = rows > read->rows ? rows : read->rows;
    }
    if (is_part) {
        tir_read_indices(expr, see_rows, data);
    } else {
        tir_read_operands(expr, see_rows, data);
    }
}

uint32_t tir_loop_goes_on_from(Tir *tir, TirBlock *block, size_t first) {
    const TirExpr *place = block->items[first]->set.place;
    const TirExpr *value = block->items[first]->set.value;
    size_t dim;
    if (!is_of_rows(place, &dim)) {
        return 0;
    }
    Copied copied = {0};
    copied.from = value->type == place->type && is_of_rows(value, &copied.dim) ? value : NULL;
    RowsRead read = {.array = tir_place_var(place), .dim = dim};
    for (size_t i = first + 1; i < block->count && i <= first + WINDOW; i++) {
        TirStmt *stmt = block->items[i];
        copied.read = read.rows;
        uint32_t rows = rows_in_front(tir, stmt, place, dim, copied);
        if (rows > 0) {
            return rows;
        }
        tir_read_values_in(&(TirBlock){.items = &stmt, .count = 1}, see_rows, &read);
        if (read.rows >= place->type->dims[0] || tir_may_leave(stmt) || moves(stmt, place, dim)) {
            return 0;
        }
        bool is_lost = copied.from != NULL && tir_stmt_writes_operand(stmt, copied.from);
        copied.from = is_lost ? NULL : copied.from;
        int64_t more = copied.from == NULL ? 0 : rows_changed(stmt, read.array, dim);
        copied.changed = more > copied.changed ? more : copied.changed;
    }
    return 0;
}
