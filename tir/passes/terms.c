// Takes the value of a scalar into the next statement, where that gives it a new one:
//
//     s = x[i - 1]                 s = x[i - 1] + x[i + 1]
//     s = s + x[i + 1]
//
// Reads and leaves any valid TIR. Operations stay what they are and in their order; passes that
// look for values of one statement, as loops that become statements on rows do, find more.
#include "tir/passes/passes.h"

#include "tir/content.h"
#include "tir/replace.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum { NODES_MOST = 64 }; // of a value that is taken in

static bool sets_scalar(const TirStmt *stmt) {
    return stmt->kind == STMT_SET && stmt->set.place->kind == EXPR_VAR &&
           type_is_scalar(stmt->set.place->type) && !tir_var_is_global(stmt->set.place->var);
}

// Whether the statement replaces what the one before it sets, and reads it once for that.
static bool goes_on(const TirStmt *before, const TirStmt *stmt) {
    if (!sets_scalar(before) || !sets_scalar(stmt) ||
        before->set.place->var != stmt->set.place->var || tir_may_trap(before->set.value)) {
        return false;
    }
    TirContent content = {0};
    tir_content_add(&content, before->set.value, NODES_MOST);
    return content.nodes < NODES_MOST && !content.walks &&
           tir_expr_reads(stmt->set.value, before->set.place->var) == 1;
}

static void join_block(Tir *tir, TirBlock *block) {
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            join_block(tir, nested[k]);
        }
        const TirStmt *before = count == 0 ? NULL : block->items[count - 1];
        bool is_joined = before != NULL && goes_on(before, stmt);
        if (is_joined) {
            tir_replace(tir, &stmt->set.value, stmt->set.place->var, before->set.value);
            count--;
        }
        block->items[count++] = stmt;
    }
    block->count = count;
}

void pass_terms(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        join_block(tir, &program->functions.items[i]->body);
    }
}
