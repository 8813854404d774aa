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

// Whether the statement replaces what the one before it sets, or is all that reads what took that
// one an operation.
static bool ends(const TirUses *uses, const TirStmt *before, const TirStmt *stmt, uint32_t ops) {
    const TirVar *var = before->set.place->var;
    return tir_sets_var(stmt, var) || (tir_var_is_local(var) && ops > 0 &&
                                       uses[var->id].writes == 1 && uses[var->id].reads == 1);
}

// Whether the value of the one before stands as well where the statement reads it, which it does
// once.
static bool goes_on(const TirUses *uses, const TirStmt *before, const TirStmt *stmt) {
    if (!tir_sets_scalar(before) || tir_var_is_global(before->set.place->var) ||
        stmt->kind != STMT_SET || !type_is_scalar(stmt->set.place->type) ||
        tir_may_trap(before->set.value)) {
        return false;
    }
    TirContent content = {0};
    tir_content_add(&content, before->set.value, NODES_MOST);
    return content.nodes <= NODES_MOST && !content.walks && ends(uses, before, stmt, content.ops) &&
           tir_expr_reads(stmt->set.value, before->set.place->var) == 1;
}

static void join_block(Tir *tir, TirUses *uses, TirBlock *block) {
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            join_block(tir, uses, nested[k]);
        }
        const TirStmt *before = count == 0 ? NULL : block->items[count - 1];
        bool is_joined = before != NULL && goes_on(uses, before, stmt);
        if (is_joined) {
            TirUses *of_var = &uses[before->set.place->var->id];
            tir_replace(tir, &stmt->set.value, before->set.place->var, before->set.value);
            of_var->writes--;
            of_var->reads--;
            count--;
        }
        block->items[count++] = stmt;
    }
    block->count = count;
}

void pass_terms(Tir *tir, TirFunction *function) {
    join_block(tir, tir_count_uses(tir->arena, function), &function->body);
}
