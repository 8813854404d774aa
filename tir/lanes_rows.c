// Such an element is at the loop's variable, or a constant before or behind it, in the last dim;
// what it has in the other dims is the same in all turns. It is the only element that a turn has to
// do with of an array that the body writes. All indices are inside whatever conditions hold, so
// that reading early reads nothing outside.
#include "tir/lanes_rows.h"

#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

// Places of one loop that are read, or written; more of them would be stored and read again.
enum { PLACES_MOST = 4 };

typedef struct Search {
    Arena *arena;
    const LanesBody *body;
    LanesBody inner; // of the loop inside
    LanesRows rows;
    bool others; // are read apart
} Search;

bool lanes_rows_write(const LanesRows *rows, const TirVar *array) {
    for (size_t i = 0; i < rows->writes.count; i++) {
        if (tir_place_var(rows->writes.items[i]) == array) {
            return true;
        }
    }
    return false;
}

static bool is_row(const Search *search, const TirExpr *view) {
    const TirExpr *array = view->view.operand;
    size_t last = array->type->flat_rank - 1;
    if (array->type->root == ROOT_BOOL) {
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

static bool is_read_row(const Search *search, const TirExpr *view) {
    const TirExpr *array = view->view.operand;
    return (!lanes_write_array(&search->inner, view) ||
            (array->kind == EXPR_VAR && lanes_rows_write(&search->rows, array->var))) &&
           is_row(search, view);
}

static bool has_view(const LanesViews *views, const TirExpr *view) {
    for (size_t i = 0; i < views->count; i++) {
        if (tir_same_value(views->items[i], view)) {
            return true;
        }
    }
    return false;
}

static void find_views(const TirExpr *expr, void *data) {
    Search *search = data;
    if (expr->kind == EXPR_VIEW && type_is_scalar(expr->type) &&
        lanes_gathers(search->body, expr)) {
        int64_t step;
        if (lanes_step(search->body, NULL, expr, &step) && is_read_row(search, expr)) {
            search->rows.places += !has_view(&search->rows.reads, expr);
            LIST_PUSH(search->arena, &search->rows.reads, expr);
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

// Whether no other statement of a turn writes the array, and none reads another element of it.
static bool has_array(const TirBlock *turn, size_t at) {
    const TirExpr *place = turn->items[at]->set.place;
    for (size_t i = 0; i < turn->count; i++) {
        if (i != at && tir_stmt_writes(turn->items[i], tir_place_var(place))) {
            return false;
        }
    }
    return tir_reads_only(turn, place);
}

static void find_writes(Search *search, const TirBlock *turn) {
    for (size_t i = 0; i < turn->count; i++) {
        const TirExpr *place = turn->items[i]->kind == STMT_SET ? turn->items[i]->set.place : NULL;
        int64_t step;
        if (place != NULL && place->kind == EXPR_VIEW && type_is_scalar(place->type) &&
            place->view.operand->kind == EXPR_VAR && lanes_gathers(search->body, place) &&
            lanes_step(search->body, NULL, place, &step) && is_row(search, place) &&
            has_array(turn, i)) {
            LIST_PUSH(search->arena, &search->rows.writes, place);
        }
    }
}

static Search search_loop(Arena *arena, const LanesBody *body, TirStmt *loop) {
    Search search = {.arena = arena, .body = body, .inner = lanes_body(arena, loop)};
    TirBlock *turn = &loop->for_loop.body;
    const TirExpr *step = loop->for_loop.step;
    find_writes(&search, turn);
    int32_t by = step->kind == EXPR_CONST ? step->data[0].integer : 0;
    search.rows.is_backward = by == -1;
    if ((by != 1 && by != -1) || tir_block_has_jumps(turn) || !search_block(&search, turn) ||
        search.rows.places > PLACES_MOST || search.rows.writes.count > PLACES_MOST) {
        search.others = search.others || search.rows.reads.count > 0;
        search.rows = (LanesRows){0};
    }
    return search;
}

LanesRows lanes_rows(Arena *arena, const LanesBody *body, TirStmt *loop) {
    return search_loop(arena, body, loop).rows;
}

// Whether it is read before a turn has set it.
static bool goes_on(const TirBlock *turn, const TirVar *scalar) {
    for (size_t i = 0; i < turn->count; i++) {
        TirStmt *stmt = turn->items[i];
        if (tir_stmt_reads(stmt, scalar) > 0) {
            return true;
        }
        if (tir_sets_var(stmt, scalar)) {
            return false;
        }
    }
    return false;
}

bool lanes_rows_recur(Arena *arena, const LanesBody *body, TirStmt *loop) {
    Search search = search_loop(arena, body, loop);
    for (size_t i = 0; search.rows.writes.count > 0 && i < search.inner.scalars.count; i++) {
        const TirVar *scalar = search.inner.scalars.items[i];
        if (scalar->type->root == ROOT_REAL && goes_on(&loop->for_loop.body, scalar)) {
            return true;
        }
    }
    return false;
}

static bool reads_twice(const LanesRows *rows) {
    for (size_t i = 0; i < rows->reads.count; i++) {
        for (size_t k = 0; k < i; k++) {
            const TirExpr *a = rows->reads.items[i];
            const TirExpr *b = rows->reads.items[k];
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
            inside->any = inside->any || search.rows.reads.count > 0;
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
