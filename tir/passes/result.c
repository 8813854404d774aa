// A variable that a function returns lives where the caller wants the result, so that it is not
// copied there in the end. Reads and leaves any valid TIR without nests.
//
// The results of a function are written by `result = value`, one after the other, right before each
// `return`. When one of these values is a local array of the same type, or a temporary of the same
// dims, the result stands for that array everywhere: at the other returns the array is not used any
// more, or this result stays.
#include "tir/passes/passes.h"

#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

typedef struct Renaming {
    Tir *tir;
    const TirVar *local;
    TirVar *result;
} Renaming;

static bool copies(const TirStmt *set, const TirVar *var) {
    const TirExpr *value = reshape_skip_levels(set->set.value);
    return value->kind == EXPR_VAR && value->var == var;
}

// Where the sets of results behind the one at `i` end; `block->count` where no return follows.
static size_t end_of_results(const TirBlock *block, size_t i, bool is_body, bool *returns) {
    size_t end = i + 1;
    while (end < block->count && tir_sets_whole(block->items[end]) &&
           block->items[end]->set.place->var->role == VAR_RESULT) {
        end++;
    }
    *returns = end < block->count ? block->items[end]->kind == STMT_RETURN : is_body;
    return end;
}

// Counts the writes of the result that a return follows, and finds the variable that the last one
// of them copies.
static uint32_t find_copies(const TirBlock *block, const TirVar *result, bool is_body,
                            const TirVar **local) {
    uint32_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool ends;
        (void)end_of_results(block, i, is_body, &ends);
        if (tir_sets_var(stmt, result) && ends) {
            const TirExpr *value = reshape_skip_levels(stmt->set.value);
            bool is_local = value->kind == EXPR_VAR &&
                            (value->var->role == VAR_TEMP ||
                             (value->var->role == VAR_LOCAL && value->type == result->type));
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

// Whether another value is put into the result before a later result is made of `local`: then they
// cannot be the same.
static bool is_read_behind(const TirBlock *block, const TirVar *result, const TirVar *local) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool ends;
        size_t end = end_of_results(block, i, true, &ends);
        bool is_other = tir_sets_var(stmt, result) && !copies(stmt, local);
        for (size_t k = i + 1; is_other && k < end; k++) {
            if (tir_stmt_reads(block->items[k], local) > 0) {
                return true;
            }
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (is_read_behind(nested[k], result, local)) {
                return true;
            }
        }
    }
    return false;
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
    return tir_sets_var(stmt, var) && copies(stmt, var);
}

static void rename_block(Renaming *renaming, TirBlock *block) {
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        tir_visit_exprs(stmt, rename_reads, renaming);
        for (size_t k = 0; stmt->kind == STMT_CALL && k < stmt->call.results.count; k++) {
            TirVar **result = &stmt->call.results.items[k];
            *result = *result == renaming->local ? renaming->result : *result;
        }
        if (stmt->kind == STMT_INPUT && stmt->input.var == renaming->local) {
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
static bool place_result(Tir *tir, TirFunction *function, TirVar *result) {
    if (!type_is_tensor(result->type)) {
        return false;
    }
    const TirVar *local = NULL;
    uint32_t copies = find_copies(&function->body, result, true, &local);
    TirUses uses = tir_count_uses(tir->arena, function)[result->id];
    if (local == NULL || uses.reads != 0 || uses.updates != 0 || uses.writes != copies ||
        is_read_behind(&function->body, result, local)) {
        return false;
    }
    Renaming renaming = {tir, local, result};
    rename_block(&renaming, &function->body);
    tir_remark(tir, "result", local->span, (Span){0}, "%s is the result itself and is not copied",
               tir_remark_name(tir, local));
    return true;
}

void pass_result(Tir *tir, TirFunction *function) {
    for (size_t k = 0; k < function->results.count; k++) {
        while (place_result(tir, function, function->results.items[k])) {
        }
    }
}
