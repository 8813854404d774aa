// Writes out nests of loops with few constant turns in which the bounds of a loop inside depend on
// the loop around it, as in triangles, or turns alone decide a branch (`if k != j`): one copy of
// the body for each turn, with the loop's variable as a constant. LLVM does so with rectangles,
// from the inside out, but cannot here. So are loops over scalars in a component without state:
// LLVM then takes several steps of `step_n` side by side. Reads and leaves any valid TIR.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/columns.h"
#include "tir/copying.h"
#include "tir/nest_size.h"
#include "tir/stateless.h"
#include "tir/turns.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

enum {
    // Nodes of what one nest becomes; each element of a small array counts. Time of what was
    // written out over time of loops: Cholesky factors of 4, 6, 8 rows 0.86, 0.90, 0.91; 3, 5 and 8
    // bodies that attract each other 0.91, 0.92 and, which takes more than this, 1.07.
    COPY_LIMIT = 1152,
    FUNCTION_LIMIT = 2048, // of all nests of a function: long ones are cut in pieces
    SMALL_ARRAY = 16,      // elements that become straight code
};

typedef struct Unroller {
    Tir *tir;
    TirTurns turns;
    unsigned left; // nodes that copies of the function may still have
    bool is_rest;  // what looks for a least or a greatest value has the form of a record
} Unroller;

static bool is_var(const TirExpr *expr, const void *var) {
    return expr->kind == EXPR_VAR && expr->var == var;
}

// Whether a loop inside has bounds that depend on the variable.
static bool has_bounds_by(TirStmt *stmt, void *var) {
    return stmt->kind == STMT_FOR && tir_any_expr_of(stmt, is_var, var);
}

// The loops of a nest, and what a condition in it reads.
typedef struct Deciding {
    const TirStmt *outermost;
    const LoopAround *around;
    bool reads_outermost, reads_others;
} Deciding;

static void see_decider(const TirExpr *expr, void *data) {
    Deciding *deciding = data;
    if (expr->kind == EXPR_VAR) {
        const TirStmt *loop = tir_loop_of(deciding->around, expr->var);
        deciding->reads_outermost |= loop == deciding->outermost;
        deciding->reads_others |= loop == NULL;
    }
    tir_read_operands(expr, see_decider, data);
}

// Whether the turns alone decide a branch, so that none is left of it in their copies.
static bool decides(const TirStmt *outermost, const TirStmt *loop, const LoopAround *outer) {
    LoopAround around = {loop, outer};
    const TirBlock *body = &loop->for_loop.body;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        Deciding deciding = {.outermost = outermost, .around = &around};
        if (stmt->kind == STMT_IF) {
            see_decider(stmt->branch.condition, &deciding);
        }
        if ((deciding.reads_outermost && !deciding.reads_others) ||
            (stmt->kind == STMT_FOR && decides(outermost, stmt, &around))) {
            return true;
        }
    }
    return false;
}

// Whether each turn sets arrays that are not small, and beside them what may belong to the turn at
// most.
static bool has_long_sets(const TirBlock *block) {
    bool found = false;
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET) {
            bool is_long = stmt->set.place->type->numel >= SMALL_ARRAY;
            if (!is_long && stmt->set.place->kind != EXPR_VAR) {
                return false;
            }
            found = found || is_long;
        } else if (stmt->kind == STMT_FOR) {
            bool is_chain = tir_copying_set(stmt) == NULL;
            if (is_chain && !has_long_sets(&stmt->for_loop.body)) {
                return false;
            }
            found = found || is_chain;
        } else {
            return false;
        }
    }
    return found;
}

// What does more than to give scalars values.
static bool does_more(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_SET
               ? stmt->set.place->kind != EXPR_VAR || !type_is_scalar(stmt->set.place->type)
               : stmt->kind != STMT_IF && stmt->kind != STMT_FOR;
}

// All turns in one nest, or in one loop of pass_batch: what they hand on stays in registers.
// Several nests are worth it where each turn would copy a part of an array.
static bool are_nests(const Unroller *unroller, const TirBlock *sets) {
    size_t first = 0; // of the nest
    for (size_t i = 0; i < sets->count; i++) {
        TirStmt *set = sets->items[i];
        TirBlock before = {.items = &sets->items[first], .count = i - first};
        if (unroller->turns.binds_copies && before.count > 0 && !tir_nest_fits(&before, set)) {
            first = i;
            before.count = 0;
        }
        if (!(tir_nest_fits(&before, set) || columns_are_read(set)) ||
            !tir_nest_takes(&before, set)) {
            return false;
        }
    }
    return sets->count > 1;
}

// Where steps may run side by side, in a loop over scalars, `is_side`, it is worth it in any case.
static bool unroll_loop(Unroller *unroller, TirStmt *stmt, bool is_side, TirBlock *out) {
    bool is_decided = tir_any_stmt(&stmt->for_loop.body, has_bounds_by, stmt->for_loop.var) ||
                      decides(stmt, stmt, NULL);
    bool is_chain =
        !is_decided && tir_copying_set(stmt) == NULL && has_long_sets(&stmt->for_loop.body);
    if ((!is_decided && !is_chain && !is_side) || stmt->for_loop.is_rare) {
        return false;
    }
    TirBlock copies = {0};
    unsigned most = unroller->left < COPY_LIMIT ? unroller->left : COPY_LIMIT;
    unroller->turns.left = most;
    unroller->turns.binds = is_chain;
    if (!tir_copy_turns(&unroller->turns, stmt, &copies) ||
        (is_chain && !are_nests(unroller, &copies))) {
        return false;
    }
    unroller->left -= most - unroller->turns.left;
    tir_append(unroller->tir, out, &copies);
    return true;
}

// `is_side`: steps may run side by side if no loop is left of the block.
static void unroll_block(Unroller *unroller, TirBlock *block, bool is_side) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool of_scalars = is_side && stmt->kind == STMT_FOR &&
                          !tir_any_stmt(&stmt->for_loop.body, does_more, NULL) &&
                          (unroller->is_rest || !tir_block_branches(&stmt->for_loop.body));
        if (stmt->kind == STMT_FOR && unroll_loop(unroller, stmt, of_scalars, &out)) {
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            unroll_block(unroller, nested[k], of_scalars);
        }
        LIST_PUSH(unroller->tir->arena, &out, stmt);
    }
    *block = out;
}

static void unroll(Tir *tir, TirProgram *program, bool is_rest) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        TirUses *uses = tir_count_uses(tir->arena, function);
        Unroller unroller = {
            .tir = tir,
            .turns = {.tir = tir, .uses = uses},
            .left = FUNCTION_LIMIT,
            .is_rest = is_rest,
        };
        unroll_block(&unroller, &function->body, tir_is_stateless_step(program, function));
    }
}

void pass_unroll(Tir *tir, TirProgram *program) {
    unroll(tir, program, false);
}

void pass_unroll_rest(Tir *tir, TirProgram *program) {
    unroll(tir, program, true);
}
