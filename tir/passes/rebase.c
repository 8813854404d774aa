// Counts loops from 0 whose bounds move along with a loop around:
//
//     for i = 0:90:                          for i = 0:90:
//         for k = i + 1:i + 4:                   for l = 0:3:
//             s += x[k]                              s += x[i + 1 + l]
//
// They have the same turns in each of that one, so that its turns may run side by side. Reads any
// valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/replace.h"
#include "tir/visit.h"

typedef struct Rebaser {
    Tir *tir;
    TirFunction *function;
} Rebaser;

static bool is_int(int64_t value) {
    return value == (int32_t)value;
}

// Whether the sum of an offset and the variable of a loop around is an int in all its turns.
static bool is_int_throughout(Tir *tir, const TirStmt *outer, int64_t offset) {
    ConstantTurns turns;
    if (outer == NULL || !constant_turns(tir, outer, &turns)) {
        return false;
    }
    int64_t first = turns.first + offset;
    return is_int(first) && is_int(first + turns.step * (turns.count - 1));
}

static void rebase(const Rebaser *rebaser, TirStmt *loop, const LoopAround *around) {
    Tir *tir = rebaser->tir;
    int64_t first, last;
    const TirVar *by = tir_index_var(loop->for_loop.first, &first);
    if (by == NULL || tir_index_var(loop->for_loop.last, &last) != by ||
        loop->for_loop.step->kind != EXPR_CONST) {
        return;
    }
    const TirStmt *outer = tir_loop_of(around, by);
    int64_t turns = last - first;
    if (!is_int_throughout(tir, outer, first) || !is_int_throughout(tir, outer, last) ||
        !is_int(turns)) {
        return;
    }
    Span span = loop->span;
    TirVar *old = loop->for_loop.var;
    TirVar *counter = tir_var_create(tir, rebaser->function, VAR_LOOP, NULL, old->type, span);
    TirExpr *value = tir_map(tir, OP_ADD, old->type, loop->for_loop.first,
                             tir_read(tir, counter, span), NULL, span);
    for (size_t i = 0; i < loop->for_loop.body.count; i++) {
        tir_replace_in(tir, loop->for_loop.body.items[i], old, value);
    }
    loop->for_loop.var = counter;
    loop->for_loop.first = tir_const_int(tir, 0, span);
    loop->for_loop.last = tir_const_int(tir, (int32_t)turns, span);
}

static void rebase_block(const Rebaser *rebaser, const TirBlock *block, const LoopAround *around) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        LoopAround here = {stmt, around};
        if (stmt->kind == STMT_FOR) {
            rebase(rebaser, stmt, around);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            rebase_block(rebaser, nested[k], stmt->kind == STMT_FOR ? &here : around);
        }
    }
}

void pass_rebase(Tir *tir, TirFunction *function) {
    Rebaser rebaser = {tir, function};
    rebase_block(&rebaser, &function->body, NULL);
}
