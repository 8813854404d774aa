// Lanes gain where what is added takes longer than its addition, for which each turn waits; and
// where branches, which the processor cannot foresee, become selects. What is kept at best is
// compared for all lanes at once, which gains as soon as there are many turns.
#include "tir/lanes_order.h"

#include "tir/lanes_reads.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    // Operations for each addition of few turns, and for each of many: with two, as in
    // `d = x[i] - y[i]`, `s += d * d`, 100 turns take 0.8 to 0.9 of the time, 13 take 1.2.
    // For each record of few turns too: with none, 12 turns take 0.7 to 1.0 of the time where a
    // vector has four reals, 1.0 to 1.15 where it has two, and 24 turns 0.5 to 0.85.
    TURNS_MANY = 48,
    TURNS_MANY_RECORDS = 12,
    FEW_OPS = 4,
    MANY_OPS = 2,
    SLOW_OPS = 4,   // that take as long as a division or a root
    BRANCH_OPS = 4, // or a branch
    RECORD_OPS = 5, // what a record takes itself: its branch and its comparison
};

static void count_op(const TirExpr *expr, void *data) {
    uint64_t *ops = data;
    bool is_slow = expr->kind == EXPR_MAP && (expr->map.op == OP_DIV || expr->map.op == OP_SQRT);
    *ops += is_slow ? SLOW_OPS : expr->kind == EXPR_MAP;
    tir_read_operands(expr, count_op, data);
}

static uint64_t ops_of(const Interval *ranges, TirBlock *block) {
    uint64_t ops = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        ops += stmt->kind == STMT_IF ? BRANCH_OPS : 0;
        tir_read_values(stmt, count_op, &ops);
        uint64_t turns = 1;
        if (stmt->kind == STMT_FOR) {
            interval_of_loop(ranges, stmt, &turns);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            ops += turns * ops_of(ranges, nested[k]);
        }
    }
    return ops;
}

// Of reals: integers have no order.
static uint64_t additions_of(const LanesBody *body) {
    uint64_t additions = 0;
    for (size_t i = 0; i < body->all.count; i++) {
        const LanesTotal *total = table_get(&body->totals, body->all.items[i]);
        bool has_order = total != NULL && total->var->type->root == ROOT_REAL;
        additions += has_order ? total->additions.count : 0;
    }
    return additions;
}

LanesOrder lanes_order(const Interval *ranges, const LanesBody *body, TirBlock *block,
                       uint64_t count) {
    uint64_t additions = additions_of(body);
    uint64_t records = body->records.count;
    LanesReads reads = lanes_reads(body, block);
    uint64_t least = (count < TURNS_MANY ? FEW_OPS : MANY_OPS) * additions +
                     (count < TURNS_MANY_RECORDS ? FEW_OPS * records : 0);
    uint64_t own =
        additions + RECORD_OPS * records + LANES_OPS_PER_READ * (reads.anywhere + reads.apart);
    return additions + records == 0               ? LANES_ORDER_NONE
           : ops_of(ranges, block) >= own + least ? LANES_ORDER_PAYS
                                                  : LANES_ORDER_COSTS;
}
