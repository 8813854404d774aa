// Makes two loops of one in which something happens in every n-th turn:
//
//     for i = 0:100:                         for o = 0:100:4:
//         s += x[i]                              for r = 0:4:
//         if i % 4 == 3:                             s += x[o + r]
//             y[i / 4] = s                           if r == 3:
//         end                                            y[(o + r) / 4] = s
//     end                                    ...
//
// where something is carried from turn to turn. The inner loop is short, and later passes write it
// out or take its last turn apart, so that the condition is gone. Turns that are left over are a
// loop as it was. Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/periodic.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/rewrite.h"
#include "tir/visit.h"

enum {
    PERIOD_MOST = 64,
    PERIODS_LEAST = 4,
    NODES_MOST = 256, // of a loop
};

// A loop and the period of conditions in it.
typedef struct Strip {
    Tir *tir;
    TirStmt *loop;
    ConstantTurns turns;
    int64_t period;        // 0: none is found yet
    TirExpr *start, *turn; // variables of the two loops
    unsigned nodes;
    bool carries; // from turn to turn; other loops run side by side, conditions and all
} Strip;

// Whether it is the remainder of the variable of the loop and a constant, of which nothing is
// negative or wraps around.
static bool is_periodic(const Strip *strip, const TirExpr *expr, int64_t *period, int64_t *offset) {
    if (expr->kind != EXPR_MAP || expr->map.op != OP_REM || !constant_is_int(expr->map.args[1]) ||
        tir_index_var(expr->map.args[0], offset) != strip->loop->for_loop.var) {
        return false;
    }
    *period = expr->map.args[1]->data[0].integer;
    return *period >= 2 && strip->turns.first + *offset >= 0 &&
           strip->turns.first + strip->turns.count + *offset <= INT32_MAX;
}

static bool is_test(const TirExpr *expr) {
    return expr->kind == EXPR_MAP && (expr->map.op == OP_EQ || expr->map.op == OP_NE) &&
           constant_is_int(expr->map.args[1]);
}

static void look_for_period(const TirExpr *expr, void *data) {
    Strip *strip = data;
    int64_t period, offset;
    if (is_test(expr) && is_periodic(strip, expr->map.args[0], &period, &offset) &&
        period <= PERIOD_MOST) {
        strip->period = period;
    }
    tir_read_operands(expr, look_for_period, data);
}

static void count_node(const TirExpr *expr, void *data) {
    Strip *strip = data;
    strip->nodes++;
    tir_read_operands(expr, count_node, data);
}

static bool is_in_the_way(TirStmt *stmt, void *data) {
    Strip *strip = data;
    if (stmt->kind == STMT_IF) {
        look_for_period(stmt->branch.condition, strip);
    }
    strip->carries = strip->carries || tir_goes_on(strip->loop, stmt);
    tir_read_exprs(stmt, count_node, strip);
    bool is_possible = stmt->kind == STMT_SET || stmt->kind == STMT_IF ||
                       stmt->kind == STMT_CONTINUE || stmt->kind == STMT_RETURN ||
                       tir_is_short_for(strip->tir, stmt);
    return !is_possible || strip->nodes > NODES_MOST;
}

// Puts the turn of the inner loop where remainders of the outer one's are.
static void put_turn(TirExpr **operand, void *data) {
    const Strip *strip = data;
    Tir *tir = strip->tir;
    TirExpr *expr = *operand;
    int64_t period, offset;
    if (tir_expr_reads(expr, strip->loop->for_loop.var) == 0) {
        return;
    }
    if (is_test(expr) && is_periodic(strip, expr->map.args[0], &period, &offset) &&
        period == strip->period) {
        int64_t wanted = expr->map.args[1]->data[0].integer;
        int64_t at = (wanted - strip->turns.first - offset) % period;
        bool never = wanted < 0 || wanted >= period;
        at = never ? -1 : (at + period) % period;
        *operand = tir_map(tir, expr->map.op, expr->type, strip->turn,
                           tir_const_int(tir, (int32_t)at, expr->span), NULL, expr->span);
        return;
    }
    if (is_periodic(strip, expr, &period, &offset) && period == strip->period) {
        int64_t by = (strip->turns.first + offset) % period;
        TirExpr *sum = tir_line(tir, strip->turn, 1, by, expr->span);
        *operand = by == 0
                       ? sum
                       : tir_map(tir, OP_REM, expr->type, sum, expr->map.args[1], NULL, expr->span);
        return;
    }
    if (expr->kind != EXPR_VAR) {
        *operand = tir_copy_node(tir, expr);
        tir_visit_operands(*operand, put_turn, data);
    }
}

static bool find_strip(Strip *strip) {
    const TirStmt *loop = strip->loop;
    if (!constant_turns(strip->tir, loop, &strip->turns) || strip->turns.step != 1 ||
        tir_block_jumps(&strip->loop->for_loop.body, STMT_BREAK)) {
        return false;
    }
    return !tir_any_stmt(&loop->for_loop.body, is_in_the_way, strip) && strip->carries &&
           strip->period > 0 && strip->turns.count >= PERIODS_LEAST * strip->period;
}

static void write_strip(Strip *strip, TirOwn *own, TirBlock *out) {
    Tir *tir = strip->tir;
    TirStmt *loop = strip->loop;
    int64_t first = strip->turns.first, end = first + strip->turns.count;
    int64_t full = end - strip->turns.count % strip->period;
    TirBlock rest = {0};
    tir_copy_turns_of(tir, own, loop, full, end, &rest);
    TirStmt *outer = tir_for(tir, out, own->function, (int32_t)first, (int32_t)full,
                             (int32_t)strip->period, loop->span);
    TirStmt *inner = tir_for(tir, &outer->for_loop.body, own->function, 0, (int32_t)strip->period,
                             1, loop->span);
    outer->for_loop.var->name = inner->for_loop.var->name = loop->for_loop.var->name;
    strip->start = tir_read(tir, outer->for_loop.var, loop->span);
    strip->turn = tir_read(tir, inner->for_loop.var, loop->span);
    inner->for_loop.body = loop->for_loop.body;
    tir_visit_exprs_in(&inner->for_loop.body, put_turn, strip);
    TirExpr *whole =
        tir_map(tir, OP_ADD, strip->turn->type, strip->start, strip->turn, NULL, loop->span);
    for (size_t i = 0; i < inner->for_loop.body.count; i++) {
        tir_replace_in(tir, inner->for_loop.body.items[i], loop->for_loop.var, whole);
    }
    for (size_t i = 0; i < rest.count; i++) {
        LIST_PUSH(tir->arena, out, rest.items[i]);
    }
    tir_remark(tir, "strips", loop->span, (Span){0}, "%lld turns of it at a time are a loop",
               (long long)strip->period);
}

static bool rewrite(TirStmt *loop, TirBlock *out, void *data) {
    TirOwn *own = data;
    Strip strip = {.tir = own->tir, .loop = loop};
    bool is_one = loop->kind == STMT_FOR && find_strip(&strip);
    if (is_one) {
        write_strip(&strip, own, out);
    }
    return is_one;
}

void pass_strips(Tir *tir, TirFunction *function) {
    TirOwn own = own_create(tir, function);
    tir_rewrite_outer_first(tir, &function->body, rewrite, &own);
}
