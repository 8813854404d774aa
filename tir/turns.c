#include "tir/turns.h"

#include "tir/constant.h"
#include "tir/copying.h"
#include "tir/replace.h"
#include "tir/visit.h"

enum {
    SMALL_ARRAY = 16, // elements that become straight code
    LONG_ARRAY = 64,  // elements that are walked in a loop
    LOOP_NODES = 4,   // as which one operation in such a loop counts
};

// The variables of the loops around and those that are computed in a turn, each with its value.
typedef struct Turn {
    const TirVar *var;
    TirExpr *value;
    const struct Turn *outer;
} Turn;

static TirExpr *at_turn(TirTurns *turns, const Turn *turn, TirExpr *expr) {
    for (; turn != NULL; turn = turn->outer) {
        tir_put(turns->tir, &expr, turn->var, turn->value);
    }
    return expr;
}

// Of what an array is read through, only the reading counts.
static void count_nodes(const TirExpr *expr, void *data) {
    unsigned *count = data;
    uint32_t numel = expr->type->numel;
    *count += numel >= LONG_ARRAY ? LOOP_NODES : numel < SMALL_ARRAY ? numel : SMALL_ARRAY;
    TirExprKind bottom = tir_bottom(expr)->kind;
    bool is_read = expr->kind == EXPR_VIEW && (bottom == EXPR_VAR || bottom == EXPR_CONST);
    if (!is_read) {
        tir_read_operands(expr, count_nodes, data);
    }
}

// False: it would be too long.
static bool spend(TirTurns *turns, unsigned nodes) {
    if (nodes > turns->left) {
        return false;
    }
    turns->left -= nodes;
    return true;
}

static bool spend_stmt(TirTurns *turns, const TirStmt *stmt) {
    unsigned count = 1;
    tir_read_exprs(stmt, count_nodes, &count);
    return spend(turns, count);
}

static bool copy_block(TirTurns *turns, TirBlock *block, const Turn *turn, TirBlock *out);

// Whether the block, which writes the variable, does so once, and nothing outside reads or writes
// it.
static bool belongs_to(const TirTurns *turns, TirBlock *block, const TirVar *var) {
    const TirUses *uses = &turns->uses[var->id];
    return tir_var_is_local(var) && uses->writes + uses->updates == 1 &&
           uses->reads == tir_block_reads(block, var);
}

// Whether it has a value throughout the loop, and reading it again costs nothing.
static bool stays(const TirTurns *turns, const TirExpr *value) {
    bool is_read = value->kind == EXPR_VIEW && value->view.operand->kind == EXPR_VAR;
    int64_t offset;
    bool is_index = value->type->root == ROOT_INT && tir_index_var(value, &offset) != NULL;
    return value->kind == EXPR_CONST || ((is_read || is_index) && !tir_may_trap(value) &&
                                         !tir_stmt_writes_operand((TirStmt *)turns->loop, value));
}

// A variable of the turn is its value, if that is one for all of the loop: indices, factors, and
// parts of arrays that begin elsewhere in each turn. The turn with it; NULL: it is not.
static const Turn *bind(TirTurns *turns, TirBlock *block, const TirVar *var, TirExpr *value,
                        const Turn *turn) {
    if (value == NULL || !belongs_to(turns, block, var)) {
        return NULL;
    }
    bool is_unread = turns->uses[var->id].reads == 0 && !tir_may_trap(value);
    if (!is_unread && !stays(turns, value)) {
        return NULL;
    }
    Turn *bound = ARENA_NEW(turns->tir->arena, Turn);
    *bound = (Turn){var, value, turn};
    return bound;
}

static const Turn *bind_set(TirTurns *turns, TirBlock *block, const TirStmt *set,
                            const Turn *turn) {
    if (set->set.place->kind != EXPR_VAR) {
        return NULL;
    }
    TirExpr *value = at_turn(turns, turn, set->set.value);
    bool is_of_table = value->kind == EXPR_VIEW && value->view.operand->kind == EXPR_CONST;
    return bind(turns, block, tir_place_var(set->set.place),
                is_of_table ? constant_fold(turns->tir, value) : value, turn);
}

static const Turn *bind_copy(TirTurns *turns, TirBlock *block, const TirStmt *loop,
                             const Turn *turn) {
    const TirStmt *set = tir_copying_set(loop);
    if (set == NULL) {
        return NULL;
    }
    TirExpr *place = at_turn(turns, turn, set->set.place);
    TirExpr *value = at_turn(turns, turn, set->set.value);
    const Turn *bound =
        bind(turns, block, tir_place_var(place), tir_copied(turns->tir, loop, place, value), turn);
    turns->binds_copies = turns->binds_copies || bound != NULL;
    return bound;
}

// What does not need a copy in this turn; NULL: it does.
static const Turn *bind_stmt(TirTurns *turns, TirBlock *block, const TirStmt *stmt,
                             const Turn *turn) {
    switch ((int)stmt->kind) {
    case STMT_SET: return bind_set(turns, block, stmt, turn);
    case STMT_FOR: return bind_copy(turns, block, stmt, turn);
    default: return NULL;
    }
}

static bool copy_set(TirTurns *turns, const TirStmt *stmt, const Turn *turn, TirBlock *out) {
    TirStmt *copy = tir_stmt(turns->tir, out, STMT_SET, stmt->span);
    copy->set = stmt->set;
    copy->set.place = at_turn(turns, turn, stmt->set.place);
    copy->set.value = at_turn(turns, turn, stmt->set.value);
    return spend_stmt(turns, copy);
}

static bool copy_branch(TirTurns *turns, TirStmt *stmt, const Turn *turn, TirBlock *out) {
    TirExpr *condition = at_turn(turns, turn, stmt->branch.condition);
    if (condition->kind == EXPR_CONST) {
        bool holds = condition->data[0].boolean;
        return copy_block(turns, holds ? &stmt->branch.then : &stmt->branch.otherwise, turn, out);
    }
    TirStmt *copy = tir_stmt(turns->tir, out, STMT_IF, stmt->span);
    copy->branch.condition = condition;
    return spend_stmt(turns, copy) &&
           copy_block(turns, &stmt->branch.then, turn, &copy->branch.then) &&
           copy_block(turns, &stmt->branch.otherwise, turn, &copy->branch.otherwise);
}

// The copies of all turns, one after the other.
static bool copy_loop(TirTurns *turns, TirStmt *stmt, const Turn *outer, TirBlock *out) {
    Tir *tir = turns->tir;
    const TirStmt loop = {.kind = STMT_FOR,
                          .for_loop = {.first = at_turn(turns, outer, stmt->for_loop.first),
                                       .last = at_turn(turns, outer, stmt->for_loop.last),
                                       .step = at_turn(turns, outer, stmt->for_loop.step)}};
    ConstantTurns all;
    if (!constant_turns(tir, &loop, &all)) {
        return false;
    }
    for (int64_t k = 0; k < all.count; k++) {
        int64_t i = all.first + k * all.step;
        Turn turn = {stmt->for_loop.var, tir_const_int(tir, (int32_t)i, stmt->span), outer};
        if (!spend(turns, 1) || !copy_block(turns, &stmt->for_loop.body, &turn, out)) {
            return false;
        }
    }
    return true;
}

static bool copy_block(TirTurns *turns, TirBlock *block, const Turn *turn, TirBlock *out) {
    bool fits = true;
    for (size_t i = 0; i < block->count && fits; i++) {
        TirStmt *stmt = block->items[i];
        const Turn *bound = turns->binds ? bind_stmt(turns, block, stmt, turn) : NULL;
        if (bound != NULL) {
            turn = bound;
            continue;
        }
        switch (stmt->kind) {
        case STMT_SET: fits = copy_set(turns, stmt, turn, out); break;
        case STMT_IF: fits = copy_branch(turns, stmt, turn, out); break;
        case STMT_FOR: fits = copy_loop(turns, stmt, turn, out); break;
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

bool tir_copy_turns(TirTurns *turns, TirStmt *loop, TirBlock *copies) {
    turns->loop = loop;
    turns->binds_copies = false;
    return copy_loop(turns, loop, NULL, copies);
}

bool tir_copy_body(TirTurns *turns, TirStmt *loop, TirBlock *body) {
    turns->loop = loop;
    turns->binds_copies = false;
    return copy_block(turns, &loop->for_loop.body, NULL, body);
}
