#include "tir/returns.h"

#include "tir/visit.h"

static bool is_return(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_RETURN;
}

static bool has_return(TirStmt *stmt) {
    return tir_any_stmt(&(TirBlock){.items = &stmt, .count = 1}, is_return, NULL);
}

// Nothing that follows the block is reached from it.
static bool always_returns(const TirBlock *block) {
    if (block->count == 0) {
        return false;
    }
    const TirStmt *last = block->items[block->count - 1];
    return last->kind == STMT_RETURN ||
           (last->kind == STMT_IF && always_returns(&last->branch.then) &&
            always_returns(&last->branch.otherwise));
}

static bool can_branch(TirBlock *block, bool is_followed);

static bool if_can_branch(TirStmt *stmt, bool is_followed) {
    bool then_returns = always_returns(&stmt->branch.then);
    bool either = then_returns || always_returns(&stmt->branch.otherwise);
    return (either || !is_followed) &&
           can_branch(&stmt->branch.then, is_followed && !then_returns) &&
           can_branch(&stmt->branch.otherwise, is_followed && then_returns);
}

static bool can_branch(TirBlock *block, bool is_followed) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_last = i + 1 == block->count;
        if (!has_return(stmt)) {
            continue;
        }
        if (stmt->kind != STMT_IF) {
            return stmt->kind == STMT_RETURN && is_last;
        }
        if (!if_can_branch(stmt, is_followed || !is_last)) {
            return false;
        }
    }
    return true;
}

bool tir_returns_branch(TirBlock *body) {
    return can_branch(body, false);
}

void tir_without_returns(Tir *tir, TirBlock *body) {
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *stmt = body->items[i];
        if (stmt->kind == STMT_RETURN) {
            body->count = i;
        } else if (stmt->kind == STMT_IF && has_return(stmt)) {
            TirBlock *then = &stmt->branch.then;
            TirBlock *otherwise = &stmt->branch.otherwise;
            TirBlock *rest = always_returns(then) ? otherwise : then;
            for (size_t k = i + 1; k < body->count; k++) {
                LIST_PUSH(tir->arena, rest, body->items[k]);
            }
            body->count = i + 1;
            tir_without_returns(tir, then);
            tir_without_returns(tir, otherwise);
        }
    }
}
