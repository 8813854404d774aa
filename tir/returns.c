#include "tir/returns.h"

#include "tir/visit.h"

enum { CONTINUES_MOST = 16 }; // of a body: each nests what follows it

static bool is_return(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_RETURN;
}

// Whether what follows the statement may be left out: by a `return` in it, or by a `continue`, of
// which loops in it have their own.
static bool may_leave(TirStmt *stmt, TirStmtKind leave) {
    TirBlock block = {.items = &stmt, .count = 1};
    return leave == STMT_RETURN ? tir_any_stmt(&block, is_return, NULL)
                                : tir_block_jumps(&block, leave);
}

// Nothing that follows the block is reached from it.
static bool always_leaves(const TirBlock *block, TirStmtKind leave) {
    if (block->count == 0) {
        return false;
    }
    const TirStmt *last = block->items[block->count - 1];
    return last->kind == leave ||
           (last->kind == STMT_IF && always_leaves(&last->branch.then, leave) &&
            always_leaves(&last->branch.otherwise, leave));
}

static bool can_branch(TirBlock *block, TirStmtKind leave, bool is_followed);

static bool if_can_branch(TirStmt *stmt, TirStmtKind leave, bool is_followed) {
    bool then_leaves = always_leaves(&stmt->branch.then, leave);
    bool either = then_leaves || always_leaves(&stmt->branch.otherwise, leave);
    return (either || !is_followed) &&
           can_branch(&stmt->branch.then, leave, is_followed && !then_leaves) &&
           can_branch(&stmt->branch.otherwise, leave, is_followed && then_leaves);
}

static bool can_branch(TirBlock *block, TirStmtKind leave, bool is_followed) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_last = i + 1 == block->count;
        if (!may_leave(stmt, leave)) {
            continue;
        }
        if (stmt->kind != STMT_IF) {
            return stmt->kind == leave && is_last;
        }
        if (!if_can_branch(stmt, leave, is_followed || !is_last)) {
            return false;
        }
    }
    return true;
}

static void without(Tir *tir, TirBlock *body, TirStmtKind leave) {
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *stmt = body->items[i];
        if (stmt->kind == leave) {
            body->count = i;
        } else if (stmt->kind == STMT_IF && may_leave(stmt, leave)) {
            TirBlock *then = &stmt->branch.then;
            TirBlock *otherwise = &stmt->branch.otherwise;
            TirBlock *rest = always_leaves(then, leave) ? otherwise : then;
            for (size_t k = i + 1; k < body->count; k++) {
                LIST_PUSH(tir->arena, rest, body->items[k]);
            }
            body->count = i + 1;
            without(tir, then, leave);
            without(tir, otherwise, leave);
        }
    }
}

bool tir_returns_branch(TirBlock *body) {
    return can_branch(body, STMT_RETURN, false);
}

void tir_without_returns(Tir *tir, TirBlock *body) {
    without(tir, body, STMT_RETURN);
}

static void count_continue(TirStmt *stmt, void *data) {
    size_t *count = data;
    *count += stmt->kind == STMT_CONTINUE;
}

void tir_without_continues(Tir *tir, TirBlock *body) {
    size_t count = 0;
    tir_visit_stmts(body, count_continue, &count);
    if (count > 0 && count <= CONTINUES_MOST && can_branch(body, STMT_CONTINUE, false)) {
        without(tir, body, STMT_CONTINUE);
    }
}
