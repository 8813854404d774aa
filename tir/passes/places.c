// Looks for the least or greatest of each of many rows that are a few vectors long in loops, whose
// turns may run side by side: a row alone is compared in vectors, then its vector in itself, and
// then searched for what that gave, which takes twice as long, of rows of 8 reals six times.
//
//     y = argmin(x, axis 1)         for i = 0:200:
//                                       best = x[i, 0]
//                                       at = 0
//                                       for j = 1:24:
//                                           value = x[i, j]
//                                           if not (value >= best) and best == best:
//                                               best = value
//                                               at = j
//                                       y[i] = at
//
// The first nan is the best, as elsewhere. Reads what pass_hoist leaves, and leaves such.
#include "tir/passes/passes.h"

#include "tir/columns.h"
#include "tir/content.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/rewrite.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    ROWS_LEAST = 8,
    // Elements of a row, and what is computed at a time of them. In lanes of 64 bytes rows of 8
    // reals take 0.2 of the time, of 32 0.5; in lanes of 32 bytes of 8 0.9, of 32 0.65, of 64 1.4;
    // in lanes of 16 bytes of 16 to 24 0.9, of 32 1.3.
    COLUMNS_LEAST = 8,
    VECTORS_MOST = 8,
    // Of an element, and arrays in it: the rows of each are turned.
    NODES_MOST = 8,
    ARRAYS_MOST = 2,
};

typedef struct Searcher {
    Tir *tir;
    TirFunction *function;
} Searcher;

static bool is_light(const TirExpr *operand) {
    TirContent content = {0};
    tir_content_add(&content, operand, NODES_MOST);
    return !content.walks && !content.leaves_rows && !content.has_dear_ops &&
           content.nodes <= NODES_MOST && content.arrays <= ARRAYS_MOST;
}

static bool searches_rows(const Tir *tir, TirStmt *stmt) {
    if (stmt->kind != STMT_SET || stmt->set.value->kind != EXPR_REDUCE ||
        !tir_finds_place(stmt->set.value)) {
        return false;
    }
    const TirExpr *place = stmt->set.place;
    const TirExpr *operand = stmt->set.value->reduce.operand;
    if (operand->type->flat_rank != 2 || stmt->set.value->reduce.axis != 1) {
        return false;
    }
    uint32_t columns = operand->type->dims[1];
    return operand->type->dims[0] >= ROWS_LEAST && columns >= COLUMNS_LEAST &&
           columns <= VECTORS_MOST * tir->lanes && is_light(operand) && !tir_may_trap(operand) &&
           !tir_may_trap(place) && tir_stmt_reads(stmt, tir_place_var(place)) == 0;
}

// Whether a value is better than the best one, of which nans are better than all others.
static TirExpr *is_better(Tir *tir, TirVar *value, TirVar *best, bool is_greatest, Span span) {
    const Type *type = type_scalar(tir->types, ROOT_BOOL);
    TirExpr *a = tir_read(tir, value, span);
    TirExpr *b = tir_read(tir, best, span);
    if (best->type->root != ROOT_REAL) {
        return tir_map(tir, is_greatest ? OP_GT : OP_LT, type, a, b, NULL, span);
    }
    TirExpr *is_worse = tir_map(tir, is_greatest ? OP_LE : OP_GE, type, a, b, NULL, span);
    TirExpr *is_number = tir_map(tir, OP_EQ, type, b, b, NULL, span);
    return tir_map(tir, OP_AND, type, tir_map(tir, OP_NOT, type, is_worse, NULL, NULL, span),
                   is_number, NULL, span);
}

// False: the statement stays.
static bool search_rows(TirStmt *set, TirBlock *out, void *data) {
    const Searcher *searcher = data;
    Tir *tir = searcher->tir;
    if (!searches_rows(tir, set)) {
        return false;
    }
    TirExpr *operand = set->set.value->reduce.operand;
    Span span = set->span;
    TirBlock after = {0};
    const uint32_t *dims = operand->type->dims;
    TirStmt *rows = tir_for(tir, &after, searcher->function, 0, (int32_t)dims[0], 1, span);
    TirBlock *row = &rows->for_loop.body;
    TirBlock inner = {0};
    TirStmt *columns = tir_for(tir, &inner, searcher->function, 1, (int32_t)dims[1], 1, span);
    TirVar *counter = columns->for_loop.var;
    TirExpr *element = columns_element_of_row(tir, rows->for_loop.var, counter, operand);
    TirExpr *place = columns_element(tir, rows->for_loop.var, set->set.place);
    if (element == NULL || place == NULL) {
        return false;
    }
    TirExpr *first = element;
    tir_put(tir, &first, counter, tir_const_int(tir, 0, span));
    TirVar *best = tir_set_temp(tir, searcher->function, row, first);
    TirVar *at = tir_set_temp(tir, searcher->function, row, tir_const_int(tir, 0, span));
    TirVar *value = tir_set_temp(tir, searcher->function, &columns->for_loop.body, element);
    TirStmt *branch = tir_stmt(tir, &columns->for_loop.body, STMT_IF, span);
    bool is_greatest = set->set.value->reduce.op == REDUCE_ARGMAX;
    branch->branch.condition = is_better(tir, value, best, is_greatest, span);
    tir_set_var(tir, &branch->branch.then, best, tir_read(tir, value, span), span);
    tir_set_var(tir, &branch->branch.then, at, tir_read(tir, counter, span), span);
    LIST_PUSH(tir->arena, row, columns);
    tir_set(tir, row, place, tir_read(tir, at, span), span);
    LIST_PUSH(tir->arena, out, rows);
    tir_remark(tir, "places", span, (Span){0}, "each row is searched in a turn of a loop");
    return true;
}

void pass_places(Tir *tir, TirFunction *function) {
    Searcher searcher = {tir, function};
    tir_rewrite_inner_first(tir, &function->body, search_rows, &searcher);
}
