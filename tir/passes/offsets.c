// Writes out short loops over what constant tables of integers have, as where neighbours lie, so
// that indices are a loop's variable and a constant (tir/turns.h):
//
//     for k = 0:4:                           s = s + x[i - 1, j]
//         s += x[i + di[k], j + dj[k]]       s = s + x[i + 1, j]
//     end                                    ...
//
// So it does with those over a window that moves by several elements, `m = max(m, x[2 * i + k])`,
// and over what turns of the loop around have written, `s -= a[k] * y[n - k]` in the one of `y[n]`.
// Passes behind see the edges of arrays, and turns of the loops around that may run side by side.
// Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/turns.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    TURNS_MOST = 16,
    WINDOW_MOST = 4, // turns
    COPY_NODES = 512,
    FUNCTION_NODES = 2048, // of all copies in a function
};

// Whether a constant table of integers is read at a loop's variable.
static bool picks(const TirExpr *expr, const void *var) {
    return expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_CONST &&
           expr->type->root == ROOT_INT && tir_expr_reads(expr, var) > 0;
}

static bool is_multiple_of_others(const TirExpr *expr, const void *var) {
    return expr->kind == EXPR_MAP && expr->map.op == OP_MUL && tir_expr_reads(expr, var) == 0;
}

// Whether a loop's variable is added to a multiple of another one in an index.
static bool is_stepped(const TirExpr *expr, const void *var) {
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        const TirExpr *index = expr->view.axes[k].index;
        if (index != NULL && tir_expr_reads(index, var) > 0 &&
            tir_any_expr(index, is_multiple_of_others, var)) {
            return true;
        }
    }
    return false;
}

typedef struct Tapping {
    const TirVar *var;
    TirStmt *around;
} Tapping;

// Whether what the loop around writes is read at an index that goes with both variables.
static bool taps(const TirExpr *expr, const void *data) {
    const Tapping *tapping = data;
    const TirExpr *array = expr->kind == EXPR_VIEW ? expr->view.operand : NULL;
    bool is_both = false;
    for (size_t k = 0; array != NULL && k < array->type->flat_rank; k++) {
        const TirExpr *index = expr->view.axes[k].index;
        is_both = is_both || (index != NULL && tir_expr_reads(index, tapping->var) > 0 &&
                              tir_expr_reads(index, tapping->around->for_loop.var) > 0);
    }
    return is_both && array->kind == EXPR_VAR && tir_stmt_writes(tapping->around, array->var);
}

// Whether a turn only gives scalars values.
static bool sets_scalars(const TirBlock *body) {
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *set = body->items[i];
        if (!tir_sets_scalar(set)) {
            return false;
        }
    }
    return true;
}

// Whether few turns, of which there is nothing left but scalars, read places of a window that moves
// by several elements, or of what the loop around writes; that may be NULL.
static bool steps(Tir *tir, const TirStmt *loop, TirStmt *around) {
    ConstantTurns turns;
    const TirBlock *body = &loop->for_loop.body;
    if (!constant_turns(tir, loop, &turns) || turns.count > WINDOW_MOST) {
        return false;
    }
    if (body->count == 1 && body->items[0]->kind == STMT_FOR) {
        return steps(tir, body->items[0], NULL);
    }
    Tapping tapping = {.var = loop->for_loop.var, .around = around};
    return sets_scalars(body) && (tir_any_expr_in(body, is_stepped, tapping.var) ||
                                  (around != NULL && tir_any_expr_in(body, taps, &tapping)));
}

// `left`: nodes that copies in the function may still have.
static bool write_out(TirTurns *turns, unsigned *left, TirStmt *around, TirStmt *loop,
                      TirBlock *out) {
    ConstantTurns all;
    bool is_short = constant_turns(turns->tir, loop, &all) && all.count <= TURNS_MOST;
    if (!is_short || *left == 0 ||
        !(tir_any_expr_in(&loop->for_loop.body, picks, loop->for_loop.var) ||
          steps(turns->tir, loop, around))) {
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

static void write_out_block(TirTurns *turns, unsigned *left, TirStmt *around, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_loop = stmt->kind == STMT_FOR;
        if (is_loop && write_out(turns, left, around, stmt, &out)) {
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            write_out_block(turns, left, is_loop ? stmt : around, nested[k]);
        }
        LIST_PUSH(turns->tir->arena, &out, stmt);
    }
    *block = out;
}

void pass_offsets(Tir *tir, TirFunction *function) {
    TirTurns turns = {.tir = tir, .uses = tir_count_uses(tir->arena, function), .binds = true};
    unsigned left = FUNCTION_NODES;
    write_out_block(&turns, &left, NULL, &function->body);
}
