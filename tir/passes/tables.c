// Writes out short loops over what constant tables of integers have, as where neighbours lie, so
// that indices are a loop's variable and a constant (tir/turns.h):
//
//     for k = 0:4:                           s = s + x[i - 1, j]
//         s += x[i + di[k], j + dj[k]]       s = s + x[i + 1, j]
//     end                                    ...
//
// Passes behind see the edges of arrays, and turns of the loops around that may run side by side.
// Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/turns.h"
#include "tir/visit.h"

enum {
    TURNS_MOST = 16,
    COPY_NODES = 512,
    FUNCTION_NODES = 2048, // of all copies in a function
};

// A loop's variable, and whether a constant table of integers is read at it.
typedef struct Picking {
    const TirVar *var;
    bool found;
} Picking;

static void see_pick(const TirExpr *expr, void *data) {
    Picking *picking = data;
    bool is_table = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_CONST;
    picking->found |=
        is_table && expr->type->root == ROOT_INT && tir_expr_reads(expr, picking->var) > 0;
    tir_read_operands(expr, see_pick, data);
}

static bool picks(const TirVar *var, const TirBlock *block) {
    Picking picking = {.var = var};
    for (size_t i = 0; i < block->count && !picking.found; i++) {
        TirStmt *stmt = block->items[i];
        tir_read_exprs(stmt, see_pick, &picking);
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0 && !picking.found;) {
            picking.found = picks(var, nested[k]);
        }
    }
    return picking.found;
}

// `left`: nodes that copies in the function may still have.
static bool write_out(TirTurns *turns, unsigned *left, TirStmt *loop, TirBlock *out) {
    ConstantTurns all;
    if (!constant_turns(turns->tir, loop, &all) || all.count > TURNS_MOST ||
        !picks(loop->for_loop.var, &loop->for_loop.body)) {
        return false;
    }
    TirBlock copies = {0};
    unsigned most = *left < COPY_NODES ? *left : COPY_NODES;
    turns->left = most;
    if (!tir_copy_turns(turns, loop, &copies)) {
        return false;
    }
    *left -= most - turns->left;
    tir_append(turns->tir, out, &copies);
    return true;
}

static void write_out_block(TirTurns *turns, unsigned *left, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_FOR && write_out(turns, left, stmt, &out)) {
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            write_out_block(turns, left, nested[k]);
        }
        LIST_PUSH(turns->tir->arena, &out, stmt);
    }
    *block = out;
}

void pass_tables(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        TirTurns turns = {.tir = tir, .uses = tir_count_uses(tir->arena, function), .binds = true};
        unsigned left = FUNCTION_NODES;
        write_out_block(&turns, &left, &function->body);
    }
}
