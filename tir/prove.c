// See prove.h. What an index can be comes from tir/ranges.h: from the bounds of loops, from
// conditions that hold, and from what int and uint variables were last set to. What the bounds of
// loops alone say holds under any condition, so that later passes may compute such an index before
// they know one.
#include "tir/prove.h"

#include "support/bug.h"
#include "tir/ranges.h"
#include "tir/visit.h"

// Turns, fewer than which LLVM makes vectors of under masks, where it does not know how many there
// are: two thirds of the time, or half, is lost by that.
enum { BRIEF_BELOW = 17 };

typedef struct Prover {
    Tir *tir;
    Ranges *ranges;
    Interval *loops; // by id: what variables are in the body of their loop, under any condition
} Prover;

static bool is_of_real(const TirExpr *expr) {
    return expr->kind == EXPR_CONVERT && expr->operand->type->root == ROOT_REAL &&
           expr->type->root != ROOT_BOOL;
}

static bool is_division(const TirExpr *expr) {
    return expr->kind == EXPR_MAP && (expr->map.op == OP_DIV || expr->map.op == OP_REM) &&
           expr->type->root == ROOT_INT;
}

static bool is_to_prove(const TirExpr *expr, const void *data) {
    (void)data;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            return true;
        }
    }
    return is_of_real(expr) || is_division(expr);
}

// Numbers that are known for variables, so that later passes see lines in indices. Not where the
// index may be outside: what is read at such a number is read when it is compiled.
static void put_numbers(TirExpr **operand, void *data) {
    const Prover *prover = data;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_MAP || expr->kind == EXPR_CONVERT) {
        *operand = tir_copy_node(prover->tir, expr);
        tir_visit_operands(*operand, put_numbers, data);
    } else if (expr->kind == EXPR_VAR && expr->type->root == ROOT_INT) {
        Interval range = interval_of(prover->ranges->vars, expr);
        bool is_number = interval_is_exact(range);
        *operand = is_number ? tir_const_int(prover->tir, (int32_t)range.least, expr->span) : expr;
    }
}

static void prove_axis(Prover *prover, TirAxis *axis, uint32_t length) {
    Interval dim = {0, (int64_t)length - 1};
    Interval range = ranges_of(prover->ranges, axis->index);
    if (!interval_is_within(range, dim)) {
        return;
    }
    put_numbers(&axis->index, prover);
    axis->unchecked = true;
    axis->is_free = interval_is_within(interval_of(prover->loops, axis->index), dim) &&
                    tir_is_free(axis->index) && !tir_may_trap(axis->index);
    if (interval_is_exact(range) && !tir_may_trap(axis->index)) {
        axis->index = NULL;
        axis->start = range.least;
    }
}

static void prove_operand(TirExpr **operand, void *data);

static TirExpr *prove(Prover *prover, TirExpr *expr) {
    TirExpr *copy = tir_copy_node(prover->tir, expr);
    if (tir_is_short_circuit(expr)) {
        copy->map.args[0] = prove(prover, expr->map.args[0]);
        size_t mark = ranges_mark(prover->ranges);
        ranges_assume(prover->ranges, expr->map.args[0], expr->map.op == OP_AND);
        copy->map.args[1] = prove(prover, expr->map.args[1]);
        ranges_undo(prover->ranges, mark);
        return copy;
    }
    tir_visit_operands(copy, prove_operand, prover);
    if (is_of_real(expr)) {
        Interval value = interval_of(prover->ranges->vars, copy->operand);
        copy->is_small = interval_is_within(interval_whole_part(value), interval_all(ROOT_INT));
    }
    if (is_division(expr)) {
        const Interval *vars = prover->ranges->vars;
        copy->map.is_natural = interval_of(vars, copy->map.args[0]).least >= 0 &&
                               interval_of(vars, copy->map.args[1]).least > 0;
    }
    if (expr->kind == EXPR_VIEW) {
        const Type *from = expr->view.operand->type;
        for (size_t k = 0; k < from->flat_rank; k++) {
            if (copy->view.axes[k].index != NULL) {
                prove_axis(prover, &copy->view.axes[k], from->dims[k]);
            }
        }
    }
    return copy;
}

static void prove_operand(TirExpr **operand, void *data) {
    if (tir_any_expr(*operand, is_to_prove, NULL)) {
        *operand = prove(data, *operand);
    }
}

static void prove_expr(Ranges *ranges, TirExpr **expr, void *data) {
    Prover *prover = data;
    prover->ranges = ranges;
    prove_operand(expr, prover);
}

static bool note_loop(Ranges *ranges, TirStmt *loop, void *data) {
    (void)ranges;
    Prover *prover = data;
    uint64_t turns;
    prover->loops[loop->for_loop.var->id] = interval_of_loop(prover->loops, loop, &turns);
    loop->for_loop.is_brief = turns < BRIEF_BELOW;
    return false;
}

void prove_function(Tir *tir, const TirFunction *function) {
    Prover prover = {.tir = tir, .loops = interval_vars(tir->arena, function)};
    RangesVisitor visitor = {.expr = prove_expr, .loop = note_loop, .data = &prover};
    Ranges ranges;
    ranges_walk_function(&ranges, tir->arena, function, &visitor);
}
