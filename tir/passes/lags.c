// Keeps what turns of a loop read of the turns before them in scalars, where it goes along a row of
// each turn of a loop around it, as filters of many channels do:
//
//     for n = 2:64:                               p = y[c, 1]
//         y[c, n] = x[c, n] - 0.2 * y[c, n - 2]   q = y[c, 0]
//                                                 for n = 2:64:
//                                                     o = x[c, n] - 0.2 * q
//                                                     y[c, n] = o
//                                                     q = p
//                                                     p = o
//
// The element of the turn is kept, too, and written at its end, whatever branches of it do.
//
// Then turns of the loop around may run side by side, each with its scalars (tir/lanes_rows.h). In
// such a loop what is read of other arrays at several places is kept likewise. A loop that only
// follows itself is left alone where it takes the same time: branches of it that write an element
// or do not, `if y[n] < y[n - 1]: y[n] = y[n - 1]`, choose a scalar instead.
//
// Reads any valid TIR.
#include "tir/passes/passes.h"

#include "support/table.h"
#include "tir/constant.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    LAGS_MOST = 4, // turns
    ROWS_MOST = 8, // of a loop
};

// Elements of an array along a dim of it. Offsets are from the loop's variable.
typedef struct Row {
    const TirExpr *view; // one of them
    size_t dim;
    int64_t newest, oldest; // offsets of what is read or written; the loop goes from old to new
    bool is_written;        // the newest one, in each turn; the others are only read
    bool is_lost;           // something else is done with the array
    TirVar *kept[LAGS_MOST + 1]; // by lag: the newest one is the first
} Row;

typedef struct Lags {
    Tir *tir;
    TirFunction *function;
    TirStmt *loop;
    Table written;       // variables that the loop writes, each with itself
    int64_t first, step; // where the loop begins, and 1 or -1
    Row rows[ROWS_MOST];
    size_t count;
} Lags;

static int64_t lag_of(const Lags *lags, const Row *row, int64_t offset) {
    return (row->newest - offset) * lags->step;
}

static int64_t oldest_lag(const Lags *lags, const Row *row) {
    return lag_of(lags, row, row->oldest);
}

// Also the counters of loops inside, which LanesBody has not.
static void note_written(TirStmt *stmt, void *data) {
    Lags *lags = data;
    TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        table_set(lags->tir->arena, &lags->written, var, var);
    }
}

static bool changes(const TirExpr *expr, const void *data) {
    const Lags *lags = data;
    return expr->kind == EXPR_VAR &&
           (expr->var == lags->loop->for_loop.var || table_get(&lags->written, expr->var) != NULL);
}

static bool is_steady(const Lags *lags, const TirExpr *index) {
    return !tir_any_expr(index, changes, lags);
}

// Whether the view is an element of the array that is inside of it whatever conditions hold, and
// moves with the loop along one dim only: which one, and its offset.
static bool find_dim(const Lags *lags, const TirExpr *view, size_t *dim, int64_t *offset) {
    if (view->kind != EXPR_VIEW || !type_is_scalar(view->type) ||
        view->view.operand->kind != EXPR_VAR || view->type->root == ROOT_BOOL) {
        return false;
    }
    bool is_found = false;
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->index == NULL) {
            continue;
        }
        int64_t by;
        bool moves = tir_index_var(axis->index, &by) == lags->loop->for_loop.var;
        bool is_known = moves ? !is_found : is_steady(lags, axis->index);
        if (!axis->unchecked || !axis->is_free || !is_known) {
            return false;
        }
        if (moves) {
            *dim = k;
            *offset = by;
            is_found = true;
        }
    }
    return is_found;
}

static bool is_of_row(const Row *row, const TirExpr *view, size_t dim) {
    if (view->view.operand->var != row->view->view.operand->var || dim != row->dim) {
        return false;
    }
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        if (k != dim && !tir_axes_agree(&view->view.axes[k], &row->view->view.axes[k])) {
            return false;
        }
    }
    return true;
}

// The row that the view is of, and where it is in it; NULL: of none.
static Row *find_row(Lags *lags, const TirExpr *view, int64_t *offset) {
    size_t dim;
    if (find_dim(lags, view, &dim, offset)) {
        for (size_t i = 0; i < lags->count; i++) {
            if (is_of_row(&lags->rows[i], view, dim)) {
                return &lags->rows[i];
            }
        }
    }
    return NULL;
}

static Row *add_row(Lags *lags, const TirExpr *view) {
    size_t dim;
    int64_t offset;
    if (lags->count == ROWS_MOST || !find_dim(lags, view, &dim, &offset)) {
        return NULL;
    }
    Row *row = &lags->rows[lags->count++];
    *row = (Row){.view = view, .dim = dim, .newest = offset, .oldest = offset};
    return row;
}

static void lose_array(Lags *lags, const TirVar *array) {
    for (size_t i = 0; i < lags->count; i++) {
        Row *row = &lags->rows[i];
        row->is_lost = row->is_lost || (row->is_written && tir_place_var(row->view) == array);
    }
}

// Rows that are written are there already; what is read of others makes one.
static void see_read(const TirExpr *expr, void *data) {
    Lags *lags = data;
    int64_t offset;
    Row *row = find_row(lags, expr, &offset);
    if (row != NULL) {
        bool is_newer = lag_of(lags, row, offset) < 0;
        row->is_lost = row->is_lost || (is_newer && row->is_written);
        row->newest = is_newer ? offset : row->newest;
        row->oldest = lag_of(lags, row, offset) > oldest_lag(lags, row) ? offset : row->oldest;
    } else if (expr->kind == EXPR_VAR) {
        lose_array(lags, expr->var);
    } else if (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR) {
        TirVar *array = expr->view.operand->var;
        lose_array(lags, array);
        if (table_get(&lags->written, array) == NULL) {
            add_row(lags, expr);
        }
    }
    if (row == NULL) {
        tir_read_operands(expr, see_read, lags);
    }
}

// Whether a place goes with one of the loops around, too.
static bool goes_along(const LoopAround *around, const TirExpr *place) {
    for (; around != NULL; around = around->outer) {
        if (tir_expr_reads(place, around->loop->for_loop.var) > 0) {
            return true;
        }
    }
    return false;
}

// Adds the rows that it writes, each of a turn of a loop around, or in a branch.
static void add_written(Lags *lags, const LoopAround *around, bool in_branch, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            add_written(lags, around, in_branch || stmt->kind == STMT_IF, nested[k]);
        }
        int64_t offset;
        if (stmt->kind == STMT_SET && (in_branch || goes_along(around, stmt->set.place)) &&
            find_row(lags, stmt->set.place, &offset) == NULL) {
            Row *row = add_row(lags, stmt->set.place);
            if (row != NULL) {
                row->is_written = true;
            }
        }
    }
}

static void see_written(TirStmt *stmt, void *data) {
    Lags *lags = data;
    int64_t offset;
    const Row *row = stmt->kind == STMT_SET ? find_row(lags, stmt->set.place, &offset) : NULL;
    if (stmt->kind == STMT_SET && (row == NULL || offset != row->newest)) {
        lose_array(lags, tir_place_var(stmt->set.place));
    }
}

// Two rows of one array may meet, as those of `y[c, n]` and `y[9 - c, n]`, or `y[n, c]`, do.
static void lose_pairs(Lags *lags) {
    for (size_t i = 0; i < lags->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (tir_place_var(lags->rows[i].view) == tir_place_var(lags->rows[k].view)) {
                lose_array(lags, tir_place_var(lags->rows[i].view));
            }
        }
    }
}

// Leaves those of which turns read what turns before them wrote, and, where there are some, those
// that are read at several places.
static void choose_rows(Lags *lags) {
    size_t count = 0;
    bool any_written = false;
    for (size_t i = 0; i < lags->count; i++) {
        const Row *row = &lags->rows[i];
        int64_t lag = oldest_lag(lags, row);
        if (!row->is_lost && lag > 0 && lag <= LAGS_MOST) {
            any_written = any_written || row->is_written;
            lags->rows[count++] = *row;
        }
    }
    lags->count = any_written ? count : 0;
}

// Whether it is known where it begins, has a turn, goes from each element to the next, and takes
// all of each turn, whatever it computes.
static bool is_plain_loop(Lags *lags) {
    ConstantTurns turns;
    TirBlock *body = &lags->loop->for_loop.body;
    if (!constant_turns(lags->tir, lags->loop, &turns) || turns.count == 0 ||
        (turns.step != 1 && turns.step != -1) || !tir_only_computes(body) ||
        tir_block_has_jumps(body)) {
        return false;
    }
    lags->first = turns.first;
    lags->step = turns.step;
    return true;
}

static TirExpr *read_kept(Lags *lags, const Row *row, int64_t lag) {
    return tir_read(lags->tir, row->kept[lag], row->view->span);
}

static void replace_kept(TirExpr **operand, void *data) {
    Lags *lags = data;
    int64_t offset;
    const Row *row = find_row(lags, *operand, &offset);
    if (row != NULL) {
        *operand = read_kept(lags, row, lag_of(lags, row, offset));
        return;
    }
    *operand = tir_copy_node(lags->tir, *operand); // as others may share it
    tir_visit_operands(*operand, replace_kept, data);
}

// What turns before the first one would have left.
static void begin_row(Lags *lags, Row *row, TirBlock *out) {
    Tir *tir = lags->tir;
    const TirExpr *view = row->view;
    for (int64_t lag = 0; lag <= oldest_lag(lags, row); lag++) {
        row->kept[lag] =
            tir_var_create(tir, lags->function, VAR_TEMP, NULL, view->type, view->span);
        if (lag > 0) {
            TirExpr *element = tir_copy_node(tir, view);
            element->view.axes[row->dim] =
                (TirAxis){.axis = -1,
                          .start = lags->first + row->newest - lag * lags->step,
                          .span = view->span};
            tir_set(tir, out, read_kept(lags, row, lag), element, view->span);
        }
    }
}

static TirExpr *newest_of(Lags *lags, const Row *row) {
    TirExpr *element = tir_copy_node(lags->tir, row->view);
    TirExpr *at = tir_read(lags->tir, lags->loop->for_loop.var, row->view->span);
    element->view.axes[row->dim].index = tir_line(lags->tir, at, 1, row->newest, at->span);
    return element;
}

typedef struct Search {
    Lags *lags;
    const Row *row;
    bool reads_newest;
} Search;

static void find_newest(const TirExpr *expr, void *data) {
    Search *search = data;
    int64_t offset;
    const Row *row = find_row(search->lags, expr, &offset);
    search->reads_newest =
        search->reads_newest || (row == search->row && offset == search->row->newest);
    tir_read_operands(expr, find_newest, data);
}

static bool reads_newest(Lags *lags, const Row *row, const TirStmt *stmt) {
    Search search = {lags, row, false};
    tir_read_values(stmt, find_newest, &search);
    return search.reads_newest;
}

typedef enum Use { USE_NONE, USE_NEEDS_VALUE, USE_WRITES } Use;

// What a block does with the newest element first: it writes it in all of its branches, or it needs
// what that is before.
static Use first_use(Lags *lags, const Row *row, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        int64_t offset;
        if (reads_newest(lags, row, stmt)) {
            return USE_NEEDS_VALUE;
        }
        if (stmt->kind == STMT_SET && find_row(lags, stmt->set.place, &offset) == row) {
            return USE_WRITES;
        }
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        Use first = count > 0 ? first_use(lags, row, nested[0]) : USE_NONE;
        Use second = count > 1 ? first_use(lags, row, nested[1]) : USE_NONE;
        if (first == USE_WRITES && second == USE_WRITES) {
            return USE_WRITES;
        }
        if (first != USE_NONE || second != USE_NONE) {
            return USE_NEEDS_VALUE;
        }
    }
    return USE_NONE;
}

static void keep_rows(Lags *lags, TirBlock *out) {
    Tir *tir = lags->tir;
    TirBlock *body = &lags->loop->for_loop.body;
    TirBlock turn = {0};
    for (size_t i = 0; i < lags->count; i++) {
        Row *row = &lags->rows[i];
        begin_row(lags, row, out);
        if (!row->is_written || first_use(lags, row, body) != USE_WRITES) {
            tir_set(tir, &turn, read_kept(lags, row, 0), newest_of(lags, row), row->view->span);
        }
    }
    tir_visit_exprs_in(body, replace_kept, lags);
    tir_append(tir, &turn, body);
    for (size_t i = 0; i < lags->count; i++) {
        const Row *row = &lags->rows[i];
        Span span = row->view->span;
        if (row->is_written) {
            tir_set(tir, &turn, newest_of(lags, row), read_kept(lags, row, 0), span);
        }
        for (int64_t lag = oldest_lag(lags, row); lag > 0; lag--) {
            tir_set(tir, &turn, read_kept(lags, row, lag), read_kept(lags, row, lag - 1), span);
        }
    }
    *body = turn;
}

// The loop, with what goes before it.
static void keep_lags(Tir *tir, TirFunction *function, const LoopAround *around, TirStmt *loop,
                      TirBlock *out) {
    Lags lags = {.tir = tir, .function = function, .loop = loop};
    if (is_plain_loop(&lags)) {
        tir_visit_stmts(&loop->for_loop.body, note_written, &lags);
        add_written(&lags, around, false, &loop->for_loop.body);
        if (lags.count > 0) {
            lose_pairs(&lags);
            tir_visit_stmts(&loop->for_loop.body, see_written, &lags);
            tir_read_values_in(&loop->for_loop.body, see_read, &lags);
            choose_rows(&lags);
        }
        if (lags.count > 0) {
            keep_rows(&lags, out);
        }
    }
    LIST_PUSH(tir->arena, out, loop);
}

static void keep_in(Tir *tir, TirFunction *function, const LoopAround *around, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_loop = stmt->kind == STMT_FOR;
        LoopAround inner = {stmt, around};
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            keep_in(tir, function, is_loop ? &inner : around, nested[k]);
        }
        if (is_loop) {
            keep_lags(tir, function, around, stmt, &out);
        } else {
            LIST_PUSH(tir->arena, &out, stmt);
        }
    }
    *block = out;
}

void pass_lags(Tir *tir, TirFunction *function) {
    keep_in(tir, function, NULL, &function->body);
}
