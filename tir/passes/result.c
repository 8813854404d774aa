// A variable that a function returns lives where the caller wants the result, so that it is not
// copied there in the end. Reads and leaves any valid TIR without nests.
//
// The result of a function is written by `result = value` right before each `return`. When one of
// these values is a local array of the same type, the result stands for that array everywhere: at
// the other returns the array is not used any more.
#include "tir/passes/passes.h"

#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/visit.h"

typedef struct Renaming {
    Tir *tir;
    const TirVar *local;
    TirVar *result;
} Renaming;

static bool sets_result(const TirStmt *stmt, const TirVar *result) {
    return stmt->kind == STMT_SET && stmt->set.place->kind == EXPR_VAR &&
           stmt->set.place->var == result;
}

// Counts the writes of the result that a return follows, and finds the variable that the last one
// of them copies.
static uint32_t find_copies(const TirBlock *block, const TirVar *result, bool is_body,
                            const TirVar **local) {
    uint32_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool ends = i + 1 < block->count ? block->items[i + 1]->kind == STMT_RETURN : is_body;
        if (sets_result(stmt, result) && ends) {
            const TirExpr *value = stmt->set.value;
            bool is_local = value->kind == EXPR_VAR && value->type == result->type &&
                            (value->var->role == VAR_LOCAL || value->var->role == VAR_TEMP);
            *local = is_local ? value->var : *local;
            count++;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            count += find_copies(nested[k], result, false, local);
        }
    }
    return count;
}

static void rename_reads(TirExpr **operand, void *data) {
    const Renaming *renaming = data;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_VAR && expr->var == renaming->local) {
        *operand = tir_read(renaming->tir, renaming->result, expr->span);
    } else if (tir_expr_reads(expr, renaming->local) > 0) {
        *operand = tir_copy_node(renaming->tir, expr);
        tir_visit_operands(*operand, rename_reads, data);
    }
}

static bool is_self_copy(const TirStmt *stmt, const TirVar *var) {
    return sets_result(stmt, var) && stmt->set.value->kind == EXPR_VAR &&
           stmt->set.value->var == var;
}

static void rename_block(Renaming *renaming, TirBlock *block) {
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        tir_visit_exprs(stmt, rename_reads, renaming);
        if (stmt->kind == STMT_CALL && stmt->call.result == renaming->local) {
            stmt->call.result = renaming->result;
        } else if (stmt->kind == STMT_INPUT && stmt->input.var == renaming->local) {
            stmt->input.var = renaming->result;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            rename_block(renaming, nested[k]);
        }
        if (!is_self_copy(stmt, renaming->result)) {
            block->items[count++] = stmt;
        }
    }
    block->count = count;
}

// Whether a variable was found; the one that it was copied from may be the next.
static bool place_result(Tir *tir, TirFunction *function) {
    TirVar *result = function->result;
    if (result == NULL || !type_is_tensor(result->type)) {
        return false;
    }
    const TirVar *local = NULL;
    uint32_t copies = find_copies(&function->body, result, true, &local);
    TirUses uses = tir_count_uses(tir->arena, function)[result->id];
    if (local == NULL || uses.reads != 0 || uses.updates != 0 || uses.writes != copies) {
        return false;
    }
    Renaming renaming = {tir, local, result};
    rename_block(&renaming, &function->body);
    tir_remark(tir, "result", local->span, (Span){0}, "%s is the result itself and is not copied",
               tir_remark_name(tir, local));
    return true;
}

void pass_result(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        while (place_result(tir, program->functions.items[i])) {
        }
    }
}
