// Runs loops whose statements go across the rows of matrices row by row, all turns of one before
// those of the next:
//
//     for n = 1:64:                               for c = 0:8:
//         y[:, n] = 0.9 * y[:, n - 1] + x[:, n]       for n = 1:64:
//                                                         y[c, n] = 0.9 * y[c, n - 1] + x[c, n]
//
// Elements of a column lie apart, those that turns come to one after the other side by side. Each
// row has to do with itself only, and nothing traps, so any order of rows is the same. Rows may run
// side by side then, with what goes on from turn to turn in scalars (pass_lags, pass_promote).
//
// Reads valid TIR in which each `set` may be executed element by element (pass_alias).
#include "tir/passes/passes.h"

#include "support/table.h"
#include "tir/columns.h"
#include "tir/constant.h"
#include "tir/remark.h"
#include "tir/rewrite.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    ROWS_LEAST = 3,
    STATEMENTS_MOST = 64, // of a loop: each is asked about the scalars of all of them
};

typedef struct Crossing {
    Tir *tir;
    TirStmt *loop;
    uint32_t rows;
    Table written;    // variables that the loop writes, each with a place of it
    bool is_apart;    // rows of an array lie the way the loop goes
    bool is_together; // those of one lie across it
    bool holds;       // each row has to do with itself only, as far as that is known
} Crossing;

// The dim along which an array, or a view of one, has a row in each element.
static bool find_dim(const Crossing *crossing, const TirExpr *expr, size_t *dim) {
    if (expr->kind == EXPR_VAR) {
        *dim = 0;
        return expr->type->flat_rank == 1 && expr->type->dims[0] == crossing->rows;
    }
    bool is_found = false;
    for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        if (axis->axis < 0) {
            continue;
        }
        if (is_found || axis->start != 0 || axis->step != 1 ||
            expr->view.operand->type->dims[k] != crossing->rows) {
            return false;
        }
        *dim = k;
        is_found = true;
    }
    return is_found;
}

static bool is_array(const TirExpr *expr) {
    return expr->kind == EXPR_VAR ||
           (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR);
}

// Whether it reads, or writes, what is written in the row of its element only.
static bool is_of_row(const Crossing *crossing, const TirExpr *expr) {
    const TirExpr *place = table_get(&crossing->written, tir_place_var(expr));
    size_t dim, written;
    return place == NULL || (find_dim(crossing, expr, &dim) &&
                             find_dim(crossing, place, &written) && dim == written);
}

// How the elements of rows lie, which the loop comes to one after the other.
static void see_way(Crossing *crossing, const TirExpr *view) {
    size_t dim, last = view->view.operand->type->flat_rank - 1;
    if (last == 0 || !find_dim(crossing, view, &dim)) {
        return;
    }
    const TirExpr *index = view->view.axes[last].index;
    bool is_along = index != NULL && tir_expr_reads(index, crossing->loop->for_loop.var) > 0;
    crossing->is_apart = crossing->is_apart || is_along;
    crossing->is_together = crossing->is_together || dim == last;
}

// What takes longer is not to be computed once for each row.
static void see_expr(const TirExpr *expr, void *data) {
    Crossing *crossing = data;
    bool is_light = expr->kind == EXPR_CONST || expr->kind == EXPR_CONVERT ||
                    expr->kind == EXPR_IOTA || is_array(expr) || expr->kind == EXPR_VIEW ||
                    (expr->kind == EXPR_MAP && !tir_op_is_function(expr->map.op));
    if (!is_light || (is_array(expr) && !is_of_row(crossing, expr))) {
        crossing->holds = false;
    } else if (is_array(expr)) {
        if (expr->kind == EXPR_VIEW) {
            see_way(crossing, expr);
            tir_read_indices(expr, see_expr, data);
        }
    } else {
        tir_read_operands(expr, see_expr, data);
    }
}

// Whether it sets a scalar that nothing of a turn up to it reads.
static bool is_of_turn(const TirBlock *body, size_t at) {
    const TirStmt *stmt = body->items[at];
    TirBlock front = {.items = body->items, .count = at + 1};
    return tir_sets_scalar(stmt) && !tir_var_is_global(stmt->set.place->var) &&
           tir_block_reads(&front, stmt->set.place->var) == 0;
}

// Adds what is written. False: it does more than give values to arrays of as many elements as there
// are rows, and to scalars that each turn computes.
static bool add_sets(Crossing *crossing, const TirBlock *body) {
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        if (stmt->kind == STMT_NEST ? add_sets(crossing, &stmt->nest) : is_of_turn(body, i)) {
            continue;
        }
        TirExpr *place = stmt->kind == STMT_SET ? stmt->set.place : NULL;
        if (place == NULL || place->type->flat_rank != 1 || !is_array(place) ||
            (crossing->rows != 0 && place->type->dims[0] != crossing->rows)) {
            return false;
        }
        crossing->rows = place->type->dims[0];
        table_set(crossing->tir->arena, &crossing->written, tir_place_var(place), place);
    }
    return true;
}

// The sets for one row; false where an element of one is not computed alone.
static bool add_elements(Crossing *crossing, TirVar *row, const TirBlock *body, TirBlock *out) {
    Tir *tir = crossing->tir;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        if (stmt->kind == STMT_NEST) {
            if (!add_elements(crossing, row, &stmt->nest, out)) {
                return false;
            }
            continue;
        }
        TirExpr *place = columns_element(tir, row, stmt->set.place);
        TirExpr *value = columns_element(tir, row, stmt->set.value);
        if (place == NULL || value == NULL) {
            return false;
        }
        tir_set(tir, out, place, value, stmt->span);
    }
    return true;
}

typedef struct Turner {
    Tir *tir;
    TirFunction *function;
} Turner;

static bool turn_loop(TirStmt *loop, TirBlock *out, void *data) {
    const Turner *turner = data;
    Tir *tir = turner->tir;
    Crossing crossing = {.tir = tir, .loop = loop, .holds = true};
    TirBlock *body = &loop->for_loop.body;
    ConstantTurns turns;
    if (loop->kind != STMT_FOR || !constant_turns(tir, loop, &turns) ||
        body->count > STATEMENTS_MOST || !add_sets(&crossing, body) || crossing.rows < ROWS_LEAST ||
        !tir_only_computes(body)) {
        return false;
    }
    tir_read_exprs_in(body, see_expr, &crossing);
    if (!crossing.holds || !crossing.is_apart || crossing.is_together) {
        return false;
    }
    TirBlock rows = {0}, elements = {0};
    TirStmt *around =
        tir_for(tir, &rows, turner->function, 0, (int32_t)crossing.rows, 1, loop->span);
    if (!add_elements(&crossing, around->for_loop.var, body, &elements)) {
        return false;
    }
    *body = elements;
    LIST_PUSH(tir->arena, &around->for_loop.body, loop);
    tir_append(tir, out, &rows);
    tir_remark(tir, "channels", loop->span, (Span){0},
               "runs row by row, each row through all turns");
    return true;
}

void pass_channels(Tir *tir, TirFunction *function) {
    Turner turner = {tir, function};
    tir_rewrite_inner_first(tir, &function->body, turn_loop, &turner);
}
