// Which variables expressions and statements read and write. What a called function does to
// variables of the program is known from its flags (TirFunction.reads_globals, writes_globals).
#include "tir/uses.h"

#include "support/bug.h"
#include "tir/visit.h"

// Reads.

typedef struct ReadCount {
    const TirVar *var;
    uint32_t count;
} ReadCount;

static void count_read(const TirExpr *expr, void *data) {
    ReadCount *reads = data;
    reads->count += expr->kind == EXPR_VAR && expr->var == reads->var;
    tir_read_operands(expr, count_read, data);
}

uint32_t tir_expr_reads(const TirExpr *expr, const TirVar *var) {
    ReadCount reads = {.var = var};
    count_read(expr, &reads);
    return reads.count;
}

static bool is_array_of(const TirExpr *expr, const void *other) {
    return expr->kind == EXPR_VAR && expr->type->flat_rank > 0 &&
           tir_expr_reads(other, expr->var) > 0;
}

bool tir_share_array(const TirExpr *a, const TirExpr *b) {
    return tir_any_expr(a, is_array_of, b);
}

void tir_read_indices(const TirExpr *place, TirReader *read, void *data) {
    for (; place->kind != EXPR_VAR;
         place = place->kind == EXPR_VIEW ? place->view.operand : place->operand) {
        for (size_t k = 0; place->kind == EXPR_VIEW && k < place->view.operand->type->flat_rank;
             k++) {
            if (place->view.axes[k].index != NULL) {
                read(place->view.axes[k].index, data);
            }
        }
    }
}

void tir_read_values(const TirStmt *stmt, TirReader *read, void *data) {
    if (stmt->kind == STMT_SET) {
        read(stmt->set.value, data);
        tir_read_indices(stmt->set.place, read, data);
    } else {
        tir_read_exprs(stmt, read, data);
    }
}

typedef struct ValueReader {
    TirReader *read;
    void *data;
} ValueReader;

static void read_values(TirStmt *stmt, void *data) {
    const ValueReader *reader = data;
    tir_read_values(stmt, reader->read, reader->data);
}

void tir_read_values_in(const TirBlock *block, TirReader *read, void *data) {
    tir_visit_stmts(block, read_values, &(ValueReader){read, data});
}

uint32_t tir_block_reads(const TirBlock *block, const TirVar *var) {
    ReadCount reads = {.var = var};
    tir_read_values_in(block, count_read, &reads);
    return reads.count;
}

bool tir_is_alone(const TirBlock *block, size_t at, const TirVar *var) {
    for (size_t i = 0; i < block->count; i++) {
        if (i != at &&
            (tir_stmt_reads(block->items[i], var) > 0 || tir_stmt_writes(block->items[i], var))) {
            return false;
        }
    }
    return true;
}

uint32_t tir_stmt_reads(TirStmt *stmt, const TirVar *var) {
    return tir_block_reads(&(TirBlock){.items = &stmt, .count = 1}, var);
}

// Writes.

static TirVar *written_by_call(const TirStmt *stmt, size_t k) {
    if (k < stmt->call.results.count) {
        return stmt->call.results.items[k];
    }
    k -= stmt->call.results.count;
    for (size_t i = 0; i < stmt->call.arg_count; i++) {
        if (stmt->call.function->params[i]->role == VAR_INOUT && k-- == 0) {
            CHECK(stmt->call.args[i]->kind == EXPR_VAR);
            return stmt->call.args[i]->var;
        }
    }
    return NULL;
}

TirVar *tir_stmt_written(const TirStmt *stmt, size_t k) {
    switch (stmt->kind) {
    case STMT_SET: return k == 0 ? tir_place_var(stmt->set.place) : NULL;
    case STMT_CALL: return written_by_call(stmt, k);
    case STMT_FOR: return k == 0 ? stmt->for_loop.var : NULL;
    case STMT_INPUT: return k == 0 ? stmt->input.var : NULL;
    case STMT_NEST:
    case STMT_IF:
    case STMT_WHILE:
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN:
    case STMT_PRINT:
    case STMT_OUTPUT:
    case STMT_ASSERT: break;
    }
    return NULL;
}

bool tir_stmt_writes(TirStmt *stmt, const TirVar *var) {
    if (stmt->kind == STMT_CALL && stmt->call.function->writes_globals && tir_var_is_global(var)) {
        return true;
    }
    const TirVar *written;
    for (size_t k = 0; (written = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (written == var) {
            return true;
        }
    }
    TirBlock *nested[2];
    for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
        if (tir_block_writes(nested[k], var)) {
            return true;
        }
    }
    return false;
}

bool tir_block_writes(const TirBlock *block, const TirVar *var) {
    for (size_t i = 0; i < block->count; i++) {
        if (tir_stmt_writes(block->items[i], var)) {
            return true;
        }
    }
    return false;
}

bool tir_is_handed_over(TirStmt *stmt, void *var) {
    return (stmt->kind == STMT_CALL || stmt->kind == STMT_PRINT || stmt->kind == STMT_OUTPUT ||
            stmt->kind == STMT_INPUT) &&
           (tir_stmt_reads(stmt, var) > 0 || tir_stmt_writes(stmt, var));
}

static bool is_written_by(const TirExpr *expr, const void *stmt) {
    return expr->kind == EXPR_VAR && tir_stmt_writes((TirStmt *)stmt, expr->var);
}

bool tir_stmt_writes_operand(TirStmt *stmt, const TirExpr *expr) {
    return tir_any_expr(expr, is_written_by, stmt);
}

// Counts of a whole function.

typedef struct Counting {
    TirUses *uses;
    int sign;
} Counting;

static void count_var(const TirExpr *expr, void *data) {
    const Counting *counting = data;
    if (expr->kind == EXPR_VAR && !tir_var_is_global(expr->var)) {
        counting->uses[expr->var->id].reads += (uint32_t)counting->sign;
    }
    tir_read_operands(expr, count_var, data);
}

void tir_count_reads(TirUses *uses, const TirExpr *expr, int sign) {
    Counting counting = {uses, sign};
    count_var(expr, &counting);
}

void tir_count_stmt(TirUses *uses, const TirStmt *stmt, int sign) {
    Counting counting = {uses, sign};
    tir_read_values(stmt, count_var, &counting);
    const TirVar *written;
    for (size_t k = 0; (written = tir_stmt_written(stmt, k)) != NULL; k++) {
        bool is_part = stmt->kind == STMT_SET
                           ? stmt->set.place->kind != EXPR_VAR
                           : stmt->kind == STMT_CALL && k >= stmt->call.results.count;
        if (!tir_var_is_global(written)) {
            uint32_t *writes = is_part ? &uses[written->id].updates : &uses[written->id].writes;
            *writes += (uint32_t)sign;
        }
    }
}

static void count_stmt(TirStmt *stmt, void *data) {
    const Counting *counting = data;
    tir_count_stmt(counting->uses, stmt, counting->sign);
}

void tir_count_block(TirUses *uses, const TirBlock *block, int sign) {
    tir_visit_stmts(block, count_stmt, &(Counting){uses, sign});
}

TirUses *tir_count_uses(Arena *arena, const TirFunction *function) {
    TirUses *uses = ARENA_ARRAY(arena, TirUses, function->vars.count + 1);
    tir_count_block(uses, &function->body, 1);
    return uses;
}

// Counts of a block.

static void count_mention(const TirExpr *expr, void *data) {
    uint32_t *mentions = data;
    if (expr->kind == EXPR_VAR && !tir_var_is_global(expr->var)) {
        mentions[expr->var->id]++;
    }
    tir_read_operands(expr, count_mention, data);
}

static void count_results(TirStmt *stmt, void *data) {
    uint32_t *mentions = data;
    bool has_results = stmt->kind == STMT_CALL || stmt->kind == STMT_INPUT;
    const TirVar *result;
    for (size_t k = 0; has_results && (result = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (!tir_var_is_global(result)) {
            mentions[result->id]++;
        }
    }
}

uint32_t *tir_count_mentions(Arena *arena, const TirFunction *function, TirBlock *block) {
    uint32_t *mentions = ARENA_ARRAY(arena, uint32_t, function->vars.count);
    tir_read_exprs_in(block, count_mention, mentions);
    tir_visit_stmts(block, count_results, mentions); // what they write has no expression
    return mentions;
}

// Calls.

typedef struct Calls {
    bool *called, *asked;
} Calls;

static void note_call(TirStmt *stmt, void *data) {
    const Calls *calls = data;
    if (stmt->kind == STMT_CALL) {
        bool *noted = stmt->call.derivative != NULL ? calls->asked : calls->called;
        noted[stmt->call.function->id] = true;
    }
}

void tir_note_calls(const TirBlock *block, bool *called, bool *asked) {
    tir_visit_stmts(block, note_call, &(Calls){called, asked});
}

static bool is_odd(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind != STMT_SET && stmt->kind != STMT_IF && stmt->kind != STMT_FOR &&
           stmt->kind != STMT_NEST && stmt->kind != STMT_BREAK && stmt->kind != STMT_CONTINUE;
}

bool tir_is_plain(TirBlock *block) {
    return !tir_any_stmt(block, is_odd, NULL);
}

bool tir_only_computes(TirBlock *block) {
    return !tir_block_may_trap(block) && tir_is_plain(block);
}
