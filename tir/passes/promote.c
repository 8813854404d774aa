// Keeps an element, or a small row, in a variable where all turns of a loop read and write that one
// of its array, and else only others.
//
//     for l = 0:20:                        a = r[i, j]
//         r[i, j] = r[i, j] + x[i, l]      for l = 0:20:
//                                              a = a + x[i, l]
//                                          r[i, j] = a
//
//     for j = 0:i:                         a = v[i, :]
//         v[i, :] -= d[j, :]               for j = 0:i:
//         v[j, :] += d[j, :]                   a -= d[j, :]
//                                              v[j, :] += d[j, :]
//                                          v[i, :] = a
//
// LLVM does so with elements where turns follow each other and nothing else is written; where those
// of a loop around run side by side, the element would be gathered and scattered in each turn. So
// it is with one that turns only read while they write others, which LLVM does not see to be
// others:
//
//     for j = k + 1:n:                     a = r[i, k]
//         r[i, j] -= r[i, k] * r[k, j]     for j = k + 1:n:
//                                              r[i, j] -= a * r[k, j]
//
// So it is, too, with a small array whose elements short loops inside of the loop count, where it
// is taken as a whole elsewhere: for that it lies in memory, into which each turn would put its
// elements.
//
//     for i = 0:200:                       a[0] = m[0]; a[1] = m[1]; a[2] = m[2]
//         for c = 0:3:                     for i = 0:200:
//             m[c] += x[i, c]                  for c = 0:3:
//                                                  a[c] += x[i, c]
//                                          m[0] = a[0]; m[1] = a[1]; m[2] = a[2]
//
// Reads any valid TIR.
#include "tir/passes/passes.h"

#include "tir/apart.h"
#include "tir/parts.h"
#include "tir/replace.h"
#include "tir/rewrite.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

enum {
    STATEMENTS_MOST = 64, // of a loop: each is asked about all of them
    READS_MOST = 8,       // parts of a loop that are only read
    ROW_MOST = 16,        // elements of a part
    ARRAY_MOST = 9,       // of an array that is kept in scalars
};

typedef struct Promoter {
    Tir *tir;
    TirFunction *function;
    TirExpr *place;  // the part at hand
    TirVar *var;     // its array
    TirVar *instead; // what it becomes
    uint32_t same;   // how often it is read in the loop
} Promoter;

static TirVar *array_of(const TirExpr *place) {
    bool is_part = place->kind == EXPR_VIEW && place->type->numel <= ROW_MOST &&
                   place->view.operand->kind == EXPR_VAR &&
                   !type_is_scalar(place->view.operand->type) &&
                   !tir_var_is_global(place->view.operand->var);
    return is_part ? place->view.operand->var : NULL;
}

// Whether it is the same part in all turns, which is there whether or not the loop has any.
static bool stays(TirStmt *loop, const TirExpr *place) {
    for (size_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &place->view.axes[k];
        if (axis->index != NULL &&
            (!axis->unchecked || !axis->is_free || tir_stmt_writes_operand(loop, axis->index))) {
            return false;
        }
    }
    return true;
}

// Whether a place, in these loops, is no element of the part at hand.
static bool is_other(const Promoter *promoter, const LoopAround *around, const TirExpr *place) {
    return tir_place_var(place) != promoter->var ||
           tir_elements_apart(around, place, promoter->place);
}

// What stands in loops around it, while uses of the array are looked at.
typedef struct Uses {
    Promoter *promoter;
    const LoopAround *around;
    bool are_known; // to be of the part at hand, or of others
} Uses;

static void look_at_read(const TirExpr *expr, void *data) {
    Uses *uses = data;
    Promoter *promoter = uses->promoter;
    if (expr->kind == EXPR_VIEW && tir_same_value(expr, promoter->place)) {
        promoter->same++;
        return;
    }
    if (expr->kind != EXPR_VIEW || expr->view.operand->kind != EXPR_VAR) {
        uses->are_known &= expr->kind != EXPR_VAR || expr->var != promoter->var;
        tir_read_operands(expr, look_at_read, data);
        return;
    }
    uses->are_known &= is_other(promoter, uses->around, expr);
    tir_read_indices(expr, look_at_read, data);
}

// Whether all that the block, in these loops, does with the array is to read and write the part at
// hand and others, and it does nothing that would see the part.
static bool only_uses(Promoter *promoter, const LoopAround *around, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_set = stmt->kind == STMT_SET;
        bool is_known = is_set || stmt->kind == STMT_IF || stmt->kind == STMT_FOR ||
                        stmt->kind == STMT_NEST || stmt->kind == STMT_BREAK ||
                        stmt->kind == STMT_CONTINUE;
        if (!is_known || (is_set && !is_other(promoter, around, stmt->set.place) &&
                          !tir_same_value(stmt->set.place, promoter->place))) {
            return false;
        }
        Uses uses = {promoter, around, true};
        tir_read_values(stmt, look_at_read, &uses);
        if (!uses.are_known) {
            return false;
        }
        LoopAround inner = {stmt, around};
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (!only_uses(promoter, stmt->kind == STMT_FOR ? &inner : around, nested[k])) {
                return false;
            }
        }
    }
    return true;
}

static void replace_same(TirExpr **operand, void *data) {
    const Promoter *promoter = data;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_VIEW && tir_same_value(expr, promoter->place)) {
        *operand = tir_read(promoter->tir, promoter->instead, expr->span);
        return;
    }
    if (tir_expr_reads(expr, promoter->var) > 0) { // in a copy, as others may share the node
        *operand = tir_copy_node(promoter->tir, expr);
        tir_visit_operands(*operand, replace_same, data);
    }
}

// Whether it writes such a part; that is the one at hand then.
static bool writes_part(Promoter *promoter, TirStmt *loop, const TirStmt *stmt) {
    if (stmt->kind != STMT_SET || array_of(stmt->set.place) == NULL) {
        return false;
    }
    promoter->place = stmt->set.place;
    promoter->var = array_of(stmt->set.place);
    promoter->same = 0;
    LoopAround around = {loop, NULL};
    return stays(loop, promoter->place) && only_uses(promoter, &around, &loop->for_loop.body) &&
           promoter->same > 0;
}

static bool find_part(Promoter *promoter, TirStmt *loop, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (writes_part(promoter, loop, block->items[i])) {
            return true;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            if (find_part(promoter, loop, nested[k])) {
                return true;
            }
        }
    }
    return false;
}

// Whether the block, in this loop and those inside of it around the place, writes elements of the
// array that are known to be others.
static bool writes_others(const Promoter *promoter, const LoopAround *around, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        LoopAround inner = {stmt, around};
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        if (stmt->kind == STMT_SET ? !is_other(promoter, around, stmt->set.place)
                                   : count == 0 && tir_stmt_writes(stmt, promoter->var)) {
            return false;
        }
        for (size_t k = 0; k < count; k++) {
            bool is_loop = stmt->kind == STMT_FOR;
            if (!writes_others(promoter, is_loop ? &inner : around, nested[k])) {
                return false;
            }
        }
    }
    return true;
}

typedef struct Search {
    Promoter *promoter;
    TirStmt *loop;
    bool found;
} Search;

static void find_read(const TirExpr *expr, void *data) {
    Search *search = data;
    TirVar *array = search->found ? NULL : array_of(expr);
    if (array != NULL && tir_stmt_writes(search->loop, array) && stays(search->loop, expr)) {
        Promoter *promoter = search->promoter;
        LoopAround around = {search->loop, NULL};
        promoter->place = (TirExpr *)expr;
        promoter->var = array;
        search->found = writes_others(promoter, &around, &search->loop->for_loop.body);
    }
    if (!search->found) {
        tir_read_operands(expr, find_read, data);
    }
}

static bool has_read(TirStmt *stmt, void *data) {
    Search *search = data;
    tir_read_values(stmt, find_read, search);
    return search->found;
}

static void count_stmt(TirStmt *stmt, void *data) {
    (void)stmt;
    ++*(size_t *)data;
}

// The part at hand gets a variable in the body, and its value before.
static void keep_part(Promoter *promoter, TirBlock *body, TirBlock *before) {
    Tir *tir = promoter->tir;
    TirExpr *place = promoter->place;
    promoter->instead =
        tir_var_create(tir, promoter->function, VAR_TEMP, NULL, place->type, place->span);
    tir_visit_exprs_in(body, replace_same, promoter);
    tir_set_var(tir, before, promoter->instead, place, place->span);
}

// The loop, with what goes before and behind it.
static bool promote_loop(TirStmt *loop, TirBlock *out, void *data) {
    Promoter *promoter = data;
    Tir *tir = promoter->tir;
    if (loop->kind != STMT_FOR) {
        return false;
    }
    TirBlock after = {0};
    TirBlock *body = &loop->for_loop.body;
    size_t count = 0;
    tir_visit_stmts(body, count_stmt, &count);
    bool is_short = count <= STATEMENTS_MOST;
    while (is_short && find_part(promoter, loop, body)) {
        TirExpr *place = promoter->place;
        keep_part(promoter, body, out);
        tir_set(tir, &after, place, tir_read(tir, promoter->instead, place->span), place->span);
    }
    for (unsigned reads = 0; is_short && reads < READS_MOST; reads++) {
        if (!tir_any_stmt(body, has_read, &(Search){promoter, loop, false})) {
            break;
        }
        keep_part(promoter, body, out);
    }
    LIST_PUSH(tir->arena, out, loop);
    tir_append(tir, out, &after);
    return true;
}

// Small arrays.

// What a loop does with an array.
typedef struct ElementUses {
    const TirVar *array;
    const LoopAround *around;
    bool are_all;               // of them elements
    bool are_read, are_counted; // some are read; some are of loops inside
} ElementUses;

static void look_at_element(const TirExpr *expr, void *data) {
    ElementUses *uses = data;
    if (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
        expr->view.operand->var == uses->array && tir_is_element(uses->around, expr)) {
        uses->are_read = true;
        uses->are_counted = uses->are_counted || !view_is_constant(expr);
        return;
    }
    uses->are_all = uses->are_all && !(expr->kind == EXPR_VAR && expr->var == uses->array);
    tir_read_operands(expr, look_at_element, data);
}

// Whether all that the block does with the array is to read and write elements of it.
static bool only_elements(ElementUses *uses, const LoopAround *around, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool writes = stmt->kind == STMT_SET && tir_place_var(stmt->set.place) == uses->array;
        if (stmt->kind == STMT_RETURN || stmt->kind == STMT_CALL || stmt->kind == STMT_INPUT ||
            stmt->kind == STMT_NEST || (writes && !tir_is_element(around, stmt->set.place))) {
            return false;
        }
        uses->around = around;
        tir_read_values(stmt, look_at_element, uses);
        const LoopAround inside = {stmt, around};
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (!only_elements(uses, stmt->kind == STMT_FOR ? &inside : around, nested[k])) {
                return false;
            }
        }
    }
    return uses->are_all;
}

// An array of which the loop counts elements up, for instance.
static bool is_kept(const TirStmt *loop, const TirVar *array) {
    if (array->name == NULL || tir_var_is_global(array) || type_is_scalar(array->type) ||
        array->type->numel > ARRAY_MOST) {
        return false;
    }
    ElementUses uses = {.array = array, .are_all = true};
    const LoopAround around = {loop, NULL};
    return only_elements(&uses, &around, &loop->for_loop.body) && uses.are_read && uses.are_counted;
}

typedef struct Kept {
    Promoter *promoter;
    const TirStmt *loop;
    TirVar *array;
} Kept;

static bool writes_kept(TirStmt *stmt, void *data) {
    Kept *kept = data;
    kept->array = stmt->kind == STMT_SET ? tir_place_var(stmt->set.place) : NULL;
    return kept->array != NULL && is_kept(kept->loop, kept->array);
}

static void copy_elements(Tir *tir, TirBlock *block, TirVar *to, TirVar *from, Span span) {
    for (uint32_t k = 0; k < to->type->numel; k++) {
        tir_set(tir, block, tir_element(tir, tir_read(tir, to, span), k),
                tir_element(tir, tir_read(tir, from, span), k), span);
    }
}

// From the outside in: what is kept around a loop has no name in it.
static bool keep_arrays(TirStmt *loop, TirBlock *out, void *data) {
    Kept *kept = data;
    Tir *tir = kept->promoter->tir;
    if (loop->kind != STMT_FOR) {
        return false;
    }
    TirBlock *body = &loop->for_loop.body;
    TirBlock after = {0};
    size_t count = 0;
    tir_visit_stmts(body, count_stmt, &count);
    kept->loop = loop;
    while (count <= STATEMENTS_MOST && !tir_is_straight_loop(loop) &&
           tir_any_stmt(body, writes_kept, kept)) {
        TirVar *array = kept->array;
        TirVar *instead =
            tir_var_create(tir, kept->promoter->function, VAR_TEMP, NULL, array->type, array->span);
        copy_elements(tir, out, instead, array, loop->span);
        tir_replace_in(tir, loop, array, tir_read(tir, instead, loop->span));
        copy_elements(tir, &after, array, instead, loop->span);
    }
    tir_rewrite_outer_first(tir, body, keep_arrays, kept);
    LIST_PUSH(tir->arena, out, loop);
    tir_append(tir, out, &after);
    return true;
}

void pass_promote(Tir *tir, TirFunction *function) {
    Promoter promoter = {.tir = tir, .function = function};
    Kept kept = {.promoter = &promoter};
    tir_rewrite_outer_first(tir, &function->body, keep_arrays, &kept);
    tir_rewrite_inner_first(tir, &function->body, promote_loop, &promoter);
}
