// Such an element is at the loop's variable, or a constant before or behind it, in the last dim;
// what it has in the other dims is the same in all turns, and the body writes nothing of the array.
// All indices are inside whatever conditions hold, so that reading early reads nothing outside.
#include "tir/lanes_rows.h"

#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

// Views of one loop; what more of them read would be stored and read again.
enum { VIEWS_MOST = 2 };

typedef struct Search {
    Arena *arena;
    const LanesBody *body;
    LanesBody inner; // of the loop inside
    LanesRows rows;
    bool others; // are read apart
} Search;

static bool is_row(const Search *search, const TirExpr *view) {
    const TirExpr *array = view->view.operand;
    size_t last = array->type->flat_rank - 1;
    if (array->type->root == ROOT_BOOL ||
        (array->kind == EXPR_VAR && table_get(&search->inner.written, array->var) != NULL)) {
        return false;
    }
    for (size_t k = 0; k <= last; k++) {
        const TirAxis *axis = &view->view.axes[k];
        bool is_same = axis->index == NULL || !lanes_varies(&search->inner, axis->index);
        bool is_inside = axis->index == NULL || axis->is_free;
        if (!is_inside || (k < last && !is_same)) {
            return false;
        }
    }
    const TirExpr *index = view->view.axes[last].index;
    int64_t offset;
    return index != NULL && tir_index_var(index, &offset) == search->inner.counter;
}

static void find_views(const TirExpr *expr, void *data) {
    Search *search = data;
    if (expr->kind == EXPR_VIEW && type_is_scalar(expr->type) &&
        lanes_gathers(search->body, expr)) {
        int64_t step;
        if (lanes_step(search->body, NULL, expr, &step) && is_row(search, expr)) {
            LIST_PUSH(search->arena, &search->rows.views, expr);
            return;
        }
        search->others = true;
    }
    tir_read_operands(expr, find_views, data);
}

// False: there are loops in it.
static bool search_block(Search *search, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE) {
            return false;
        }
        tir_read_values(stmt, find_views, search);
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (!search_block(search, nested[k])) {
                return false;
            }
        }
    }
    return true;
}

static Search search_loop(Arena *arena, const LanesBody *body, TirStmt *loop) {
    Search search = {.arena = arena, .body = body, .inner = lanes_body(arena, loop)};
    TirBlock *turn = &loop->for_loop.body;
    const TirExpr *step = loop->for_loop.step;
    bool jumps = tir_block_jumps(turn, STMT_BREAK) || tir_block_jumps(turn, STMT_CONTINUE);
    if (step->kind != EXPR_CONST || step->data[0].integer != 1 || jumps ||
        !search_block(&search, turn) || search.rows.views.count > VIEWS_MOST) {
        search.others = search.others || search.rows.views.count > 0;
        search.rows.views.count = 0;
    }
    return search;
}

LanesRows lanes_rows(Arena *arena, const LanesBody *body, TirStmt *loop) {
    return search_loop(arena, body, loop).rows;
}

static bool reads_twice(const LanesRows *rows) {
    for (size_t i = 0; i < rows->views.count; i++) {
        for (size_t k = 0; k < i; k++) {
            const TirExpr *a = rows->views.items[i];
            const TirExpr *b = rows->views.items[k];
            if (!tir_same_value(a, b) && tir_same_value(a->view.operand, b->view.operand)) {
                return true;
            }
        }
    }
    return false;
}

static void search_loops(Arena *arena, const LanesBody *body, TirBlock *block,
                         LanesRowsInside *inside) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_FOR) {
            Search search = search_loop(arena, body, stmt);
            inside->any = inside->any || search.rows.views.count > 0;
            inside->all = inside->all && !search.others;
            inside->twice = inside->twice || reads_twice(&search.rows);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            search_loops(arena, body, nested[k], inside);
        }
    }
}

LanesRowsInside lanes_rows_inside(Arena *arena, const LanesBody *body, TirBlock *block) {
    LanesRowsInside inside = {.all = true};
    search_loops(arena, body, block, &inside);
    return inside;
}
