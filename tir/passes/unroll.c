// Writes out nests of loops with few constant turns in which the bounds of a loop inside depend on
// the loop around it, as in triangles, or turns alone decide a branch (`if k != j`): one copy of
// the body for each turn, with the loop's variable as a constant. LLVM does so with rectangles,
// from the inside out, but cannot here. So are loops over scalars in a component without state:
// LLVM then takes several steps of `step_n` side by side. Reads and leaves any valid TIR.
//
// Turns stay in their order, and copies compute what they computed, traps included. Only integers
// are folded: reals would be the compiler's.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/columns.h"
#include "tir/constant.h"
#include "tir/copying.h"
#include "tir/nest_size.h"
#include "tir/replace.h"
#include "tir/stateless.h"
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
    LONG_ARRAY = 64,       // elements that are walked in a loop
    LOOP_NODES = 4,        // as which one operation in such a loop counts
};

typedef struct Unroller {
    Tir *tir;
    TirUses *uses; // of the function's variables, before any copy was made
    unsigned left; // nodes that the nest at hand may still have
    unsigned left_of_function;
    TirStmt *chain;    // the loop at hand, if its turns set long arrays; else NULL
    bool binds_copies; // in the chain there are copies of parts of arrays that need not be made
} Unroller;

// The variables of the loops around and those that are computed in a turn, each with its value.
typedef struct Turn {
    const TirVar *var;
    TirExpr *value;
    const struct Turn *outer;
} Turn;

static TirExpr *at_turn(Unroller *unroller, const Turn *turn, TirExpr *expr) {
    for (; turn != NULL; turn = turn->outer) {
        tir_put(unroller->tir, &expr, turn->var, turn->value);
    }
    return expr;
}

// Of what an array is read through, only the reading counts.
static void count_nodes(const TirExpr *expr, void *data) {
    unsigned *count = data;
    uint32_t numel = expr->type->numel;
    *count += numel >= LONG_ARRAY ? LOOP_NODES : numel < SMALL_ARRAY ? numel : SMALL_ARRAY;
    bool is_read = expr->kind == EXPR_VIEW && tir_bottom(expr)->kind == EXPR_VAR;
    if (!is_read) {
        tir_read_operands(expr, count_nodes, data);
    }
}

// False: it would be too long.
static bool spend(Unroller *unroller, unsigned nodes) {
    bool fits = nodes <= unroller->left;
    unroller->left -= fits ? nodes : 0;
    return fits;
}

static bool spend_stmt(Unroller *unroller, const TirStmt *stmt) {
    unsigned count = 1;
    tir_read_exprs(stmt, count_nodes, &count);
    return spend(unroller, count);
}

static bool copy_block(Unroller *unroller, TirBlock *block, const Turn *turn, TirBlock *out);

// Whether the block is all that reads and writes the variable, which it gives one value.
static bool belongs_to(const Unroller *unroller, TirBlock *block, const TirVar *var) {
    const TirUses *uses = &unroller->uses[var->id];
    uint32_t reads = 0;
    bool is_written = false;
    for (size_t i = 0; i < block->count; i++) {
        reads += tir_stmt_reads(block->items[i], var);
        is_written = is_written || tir_stmt_writes(block->items[i], var);
    }
    bool is_own = var->role == VAR_LOCAL || var->role == VAR_TEMP;
    return is_own && is_written && uses->writes + uses->updates == 1 && uses->reads == reads;
}

// Whether it has a value throughout the chain, and reading it again costs nothing.
static bool stays(const Unroller *unroller, const TirExpr *value) {
    bool is_read =
        value->kind == EXPR_VIEW && value->view.operand->kind == EXPR_VAR && !tir_may_trap(value);
    return value->kind == EXPR_CONST ||
           (is_read && !tir_stmt_writes_operand(unroller->chain, value));
}

// In a chain a variable of the turn is its value, if that is one for all of the chain: indices,
// factors, and parts of arrays that begin elsewhere in each turn. The turn with it; NULL: it is
// not.
static const Turn *bind(Unroller *unroller, TirBlock *block, const TirVar *var, TirExpr *value,
                        const Turn *turn) {
    if (value == NULL || !belongs_to(unroller, block, var)) {
        return NULL;
    }
    bool is_unread = unroller->uses[var->id].reads == 0 && !tir_may_trap(value);
    if (!is_unread && !stays(unroller, value)) {
        return NULL;
    }
    Turn *bound = ARENA_NEW(unroller->tir->arena, Turn);
    *bound = (Turn){var, value, turn};
    return bound;
}

static const Turn *bind_set(Unroller *unroller, TirBlock *block, const TirStmt *set,
                            const Turn *turn) {
    return set->set.place->kind == EXPR_VAR ? bind(unroller, block, set->set.place->var,
                                                   at_turn(unroller, turn, set->set.value), turn)
                                            : NULL;
}

static const Turn *bind_copy(Unroller *unroller, TirBlock *block, const TirStmt *loop,
                             const Turn *turn) {
    const TirStmt *set = tir_copying_set(loop);
    if (set == NULL) {
        return NULL;
    }
    TirExpr *place = at_turn(unroller, turn, set->set.place);
    TirExpr *value = at_turn(unroller, turn, set->set.value);
    const Turn *bound = bind(unroller, block, tir_place_var(place),
                             tir_copied(unroller->tir, loop, place, value), turn);
    unroller->binds_copies = unroller->binds_copies || bound != NULL;
    return bound;
}

// What does not need a copy in this turn; NULL: it does.
static const Turn *bind_stmt(Unroller *unroller, TirBlock *block, const TirStmt *stmt,
                             const Turn *turn) {
    switch ((int)stmt->kind) {
    case STMT_SET: return bind_set(unroller, block, stmt, turn);
    case STMT_FOR: return bind_copy(unroller, block, stmt, turn);
    default: return NULL;
    }
}

static bool copy_set(Unroller *unroller, const TirStmt *stmt, const Turn *turn, TirBlock *out) {
    TirStmt *copy = tir_stmt(unroller->tir, out, STMT_SET, stmt->span);
    copy->set = stmt->set;
    copy->set.place = at_turn(unroller, turn, stmt->set.place);
    copy->set.value = at_turn(unroller, turn, stmt->set.value);
    return spend_stmt(unroller, copy);
}

static bool copy_branch(Unroller *unroller, TirStmt *stmt, const Turn *turn, TirBlock *out) {
    TirExpr *condition = at_turn(unroller, turn, stmt->branch.condition);
    if (condition->kind == EXPR_CONST) {
        bool holds = condition->data[0].boolean;
        return copy_block(unroller, holds ? &stmt->branch.then : &stmt->branch.otherwise, turn,
                          out);
    }
    TirStmt *copy = tir_stmt(unroller->tir, out, STMT_IF, stmt->span);
    copy->branch.condition = condition;
    return spend_stmt(unroller, copy) &&
           copy_block(unroller, &stmt->branch.then, turn, &copy->branch.then) &&
           copy_block(unroller, &stmt->branch.otherwise, turn, &copy->branch.otherwise);
}

// The copies of all turns, one after the other.
static bool copy_loop(Unroller *unroller, TirStmt *stmt, const Turn *outer, TirBlock *out) {
    Tir *tir = unroller->tir;
    const TirStmt loop = {.kind = STMT_FOR,
                          .for_loop = {.first = at_turn(unroller, outer, stmt->for_loop.first),
                                       .last = at_turn(unroller, outer, stmt->for_loop.last),
                                       .step = at_turn(unroller, outer, stmt->for_loop.step)}};
    ConstantTurns turns;
    if (!constant_turns(tir, &loop, &turns)) {
        return false;
    }
    for (int64_t k = 0; k < turns.count; k++) {
        int64_t i = turns.first + k * turns.step;
        Turn turn = {stmt->for_loop.var, tir_const_int(tir, (int32_t)i, stmt->span), outer};
        if (!spend(unroller, 1) || !copy_block(unroller, &stmt->for_loop.body, &turn, out)) {
            return false;
        }
    }
    return true;
}

static bool copy_block(Unroller *unroller, TirBlock *block, const Turn *turn, TirBlock *out) {
    bool fits = true;
    for (size_t i = 0; i < block->count && fits; i++) {
        TirStmt *stmt = block->items[i];
        const Turn *bound = unroller->chain == NULL ? NULL : bind_stmt(unroller, block, stmt, turn);
        if (bound != NULL) {
            turn = bound;
            continue;
        }
        switch (stmt->kind) {
        case STMT_SET: fits = copy_set(unroller, stmt, turn, out); break;
        case STMT_IF: fits = copy_branch(unroller, stmt, turn, out); break;
        case STMT_FOR: fits = copy_loop(unroller, stmt, turn, out); break;
        case STMT_NEST:
        case STMT_CALL:
        case STMT_WHILE:
        case STMT_BREAK:
        case STMT_CONTINUE:
        case STMT_RETURN:
        case STMT_PRINT:
        case STMT_INPUT:
        case STMT_OUTPUT:
        case STMT_ASSERT: return false;
        }
    }
    return fits;
}

typedef struct Search {
    const TirVar *var;
    bool found;
} Search;

static void search_var(const TirExpr *expr, void *data) {
    Search *search = data;
    search->found = search->found || tir_expr_reads(expr, search->var) > 0;
}

// Whether a loop inside has bounds that depend on the variable.
static bool is_triangular(const TirVar *var, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        Search search = {.var = var};
        if (stmt->kind == STMT_FOR) {
            tir_read_exprs(stmt, search_var, &search);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0 && !search.found;) {
            search.found = is_triangular(var, nested[k]);
        }
        if (search.found) {
            return true;
        }
    }
    return false;
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

// Whether turns only give scalars values.
static bool has_scalars_only(TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET
                ? stmt->set.place->kind != EXPR_VAR || !type_is_scalar(stmt->set.place->type)
                : stmt->kind != STMT_IF && stmt->kind != STMT_FOR) {
            return false;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (!has_scalars_only(nested[k])) {
                return false;
            }
        }
    }
    return true;
}

// All turns in one nest, or in one loop of pass_batch: what they hand on stays in registers.
// Several nests are worth it where each turn would copy a part of an array.
static bool are_nests(const Unroller *unroller, const TirBlock *sets) {
    size_t first = 0; // of the nest
    for (size_t i = 0; i < sets->count; i++) {
        TirStmt *set = sets->items[i];
        TirBlock before = {.items = &sets->items[first], .count = i - first};
        if (unroller->binds_copies && before.count > 0 && !tir_nest_fits(&before, set)) {
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
    bool is_decided =
        is_triangular(stmt->for_loop.var, &stmt->for_loop.body) || decides(stmt, stmt, NULL);
    bool is_chain =
        !is_decided && tir_copying_set(stmt) == NULL && has_long_sets(&stmt->for_loop.body);
    if ((!is_decided && !is_chain && !is_side) || stmt->for_loop.is_rare) {
        return false;
    }
    TirBlock copies = {0};
    unsigned most =
        unroller->left_of_function < COPY_LIMIT ? unroller->left_of_function : COPY_LIMIT;
    unroller->left = most;
    unroller->chain = is_chain ? stmt : NULL;
    unroller->binds_copies = false;
    if (!copy_loop(unroller, stmt, NULL, &copies) || (is_chain && !are_nests(unroller, &copies))) {
        return false;
    }
    unroller->left_of_function -= most - unroller->left;
    tir_append(unroller->tir, out, &copies);
    return true;
}

// `is_side`: steps may run side by side if no loop is left of the block.
static void unroll_block(Unroller *unroller, TirBlock *block, bool is_side) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool of_scalars =
            is_side && stmt->kind == STMT_FOR && has_scalars_only(&stmt->for_loop.body);
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

static void unroll_function(Tir *tir, const TirProgram *program, TirFunction *function) {
    Unroller unroller = {.tir = tir,
                         .uses = tir_count_uses(tir->arena, function),
                         .left_of_function = FUNCTION_LIMIT};
    unroll_block(&unroller, &function->body, tir_is_stateless_step(program, function));
}

void pass_unroll(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        unroll_function(tir, program, program->functions.items[i]);
    }
}

void pass_unroll_rest(Tir *tir, TirProgram *program) {
    pass_unroll(tir, program);
    if (program->past.output != NULL) {
        unroll_function(tir, program, program->past.output);
    }
}
