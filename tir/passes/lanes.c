// Marks loops whose turns may run side by side, as lanes of vectors, where that gains something.
// Reads any valid TIR and writes nothing but the marks. The outermost loop of a nest that can is
// taken; those inside of it are walked by all lanes together.
//
// Straight bodies, and those whose loops it writes out, are left to LLVM, which vectorises them
// too, but where they branch, or read tables: it takes what that costs to be more than all that is
// gained.
#include "tir/passes/passes.h"

#include "tir/lanes_loop.h"
#include "tir/lanes_order.h"
#include "tir/lanes_reads.h"
#include "tir/lanes_rows.h"
#include "tir/ranges.h"
#include "tir/remark.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    TURNS_LEAST = 3,
    TURNS_WHOLE = 8,      // the lanes of the longest vectors of reals
    TURNS_MOST = 1000000, // that are counted
    // Turns of loops inside that LLVM writes out, so that it vectorises the loop around them: with
    // 16 it takes 0.8 to 0.9 of the time of lanes, with 48 more than four times as long.
    UNROLLED = 16,
    // Turns of loops inside that read rows, by how many rows there are: sums of as many as 8
    // products take 0.6 to 0.8 of the time in lanes, those of 40 a quarter. Fewer are left to LLVM,
    // which writes out loops of up to about 30; so are up to UNROLLED where a row is read at two
    // places, or there are branches.
    ROWS_LEAST = 8,
    ROWS_LEAST_OF_FEW = 12,
    ROWS_LEAST_OF_FOUR = 30,
    // Few turns, and terms of all their sums together: products of small matrices written as loops
    // take 0.2 to 0.9 of the time that they take one element after the other; rows of three 1.6.
    FEW_LEAST = 4,
    FEW_TERMS_LEAST = 15,
    // Turns of sums over rows, where the processor has several rows at hand at a time: 31 sums of
    // 24 products take twice as long in lanes, those of 100 a third of the time.
    OVERLAPPED = 48,
    // Least and greatest reals of two, in all turns of loops inside: each is so many instructions,
    // as either may be nan, that LLVM does not write out loops of more.
    EXTREMES_MOST = 2,
    // Operations in all turns of loops inside, likewise, of which a division or a root counts as
    // some: forces between points and 8, 12 and 16 others take 0.3 of the time in lanes; digits of
    // numbers, 136 operations that are quick, 1.4.
    OPERATIONS_MOST = 160,
    SLOW_OPERATIONS = 4,
    // Statements of a body: LLVM compares all accesses of straight code with one another. With
    // 1500 it takes 5 s instead of 0.8.
    STATEMENTS_MOST = 400,
};

typedef struct Marker {
    Tir *tir;
    const uint32_t *uses;
} Marker;

// What loops there are inside.
typedef struct LoopsInside {
    uint64_t turns; // of the longest, those of loops inside it among them
    unsigned depth;
    bool part;           // turns part in one
    bool branch;         // in one
    bool extreme;        // one is looked for
    unsigned extremes;   // of two reals, in one turn each
    unsigned operations; // in one turn each
} LoopsInside;

// Whether a branch is one operation of the processor: `if x > best: best = x`.
static bool is_extreme(const TirStmt *branch) {
    const TirExpr *condition = branch->branch.condition;
    const TirBlock *then = &branch->branch.then;
    if (branch->branch.otherwise.count > 0 || then->count != 1 ||
        then->items[0]->kind != STMT_SET || condition->kind != EXPR_MAP ||
        tir_op_arity(condition->map.op) != 2) {
        return false;
    }
    const TirExpr *place = then->items[0]->set.place;
    const TirExpr *value = then->items[0]->set.value;
    TirExpr *const *sides = condition->map.args;
    return place->kind == EXPR_VAR && value->type->root == ROOT_REAL &&
           ((tir_same_value(sides[0], place) && tir_same_value(sides[1], value)) ||
            (tir_same_value(sides[1], place) && tir_same_value(sides[0], value)));
}

static void count_extremes(const TirExpr *expr, void *data) {
    unsigned *count = data;
    bool is_extreme = expr->kind == EXPR_MAP && expr->type->root == ROOT_REAL &&
                      (expr->map.op == OP_MIN || expr->map.op == OP_MAX);
    *count += is_extreme && expr->map.args[0]->kind != EXPR_CONST &&
              expr->map.args[1]->kind != EXPR_CONST;
    tir_read_operands(expr, count_extremes, data);
}

static void count_operations(const TirExpr *expr, void *data) {
    unsigned *count = data;
    bool is_slow = expr->kind == EXPR_MAP && expr->type->root == ROOT_REAL &&
                   (expr->map.op == OP_DIV || expr->map.op == OP_SQRT);
    *count += is_slow ? SLOW_OPERATIONS : expr->kind == EXPR_MAP;
    tir_read_operands(expr, count_operations, data);
}

// The turns of the longest loop of the block, those inside it among them, or 1.
static uint64_t see_loops(const Ranges *ranges, TirBlock *block, unsigned depth,
                          LoopsInside *inside) {
    uint64_t longest = 1;
    inside->depth = depth > inside->depth ? depth : inside->depth;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_loop = stmt->kind == STMT_FOR;
        uint64_t turns = 1;
        if (is_loop) {
            interval_of_loop(ranges->vars, stmt, &turns);
        }
        if (depth > 0) {
            tir_read_values(stmt, count_extremes, &inside->extremes);
            tir_read_values(stmt, count_operations, &inside->operations);
        }
        inside->part = inside->part || stmt->kind == STMT_WHILE || stmt->kind == STMT_BREAK;
        if (depth > 0 && stmt->kind == STMT_IF) {
            *(is_extreme(stmt) ? &inside->extreme : &inside->branch) = true;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            uint64_t within = see_loops(ranges, nested[k], depth + is_loop, inside);
            uint64_t all = within > TURNS_MOST / (turns + 1) ? TURNS_MOST : turns * within;
            longest = all > longest ? all : longest;
        }
    }
    return longest;
}

// Whether loops inside read rows, which are turned, and nothing else that lies apart, and whether
// that gains something for so many rows.
static bool reads_rows(Arena *arena, const LanesBody *body, TirBlock *block,
                       const LoopsInside *inside, uint64_t count) {
    uint64_t least = count >= TURNS_WHOLE ? ROWS_LEAST
                     : count > 4          ? ROWS_LEAST_OF_FEW
                                          : ROWS_LEAST_OF_FOUR;
    if (inside->turns < least || (inside->extreme && count < TURNS_WHOLE)) {
        return false;
    }
    LanesRowsInside rows = lanes_rows_inside(arena, body, block);
    bool is_slow = rows.twice || inside->branch;
    return rows.any && rows.all && (!is_slow || inside->turns > UNROLLED);
}

// Whether lanes gain something from tables, and set *of_tables where they do if registers hold the
// small ones.
static bool gains_from_tables(const LanesReads *reads, bool *of_tables) {
    if (reads->anywhere == 0 || lanes_reads_pay(reads, reads->anywhere)) {
        return reads->anywhere > 0;
    }
    *of_tables = reads->tables == reads->anywhere ||
                 (reads->tables > 0 && lanes_reads_pay(reads, reads->anywhere - reads->tables));
    return *of_tables;
}

// Whether vectors gain something in the body: in loops whose turns part together, in branches, in
// what is computed from tables.
static bool gains(const Ranges *ranges, Arena *arena, TirStmt *loop, const LoopsInside *inside,
                  uint64_t count, bool *of_tables) {
    bool is_whole = count >= TURNS_WHOLE;
    TirBlock *block = &loop->for_loop.body;
    LanesBody body = lanes_body(arena, loop);
    // LLVM makes no vectors of few turns (pass_bounds).
    bool is_few = loop->for_loop.is_brief && inside->depth > 0 && count >= FEW_LEAST &&
                  count * inside->turns >= FEW_TERMS_LEAST;
    bool is_short = inside->turns <= UNROLLED && inside->depth < 2 && !is_few &&
                    inside->turns * inside->extremes <= EXTREMES_MOST &&
                    inside->turns * inside->operations <= OPERATIONS_MOST;
    if (lanes_have_order(&body) && is_short && !inside->part) {
        return is_whole && lanes_order(ranges->vars, &body, block, count) == LANES_ORDER_PAYS;
    }
    if (inside->part || tir_block_branches(block)) {
        return is_whole;
    }
    if (reads_rows(arena, &body, block, inside, count)) {
        return true;
    }
    LanesReads reads = lanes_reads(&body, block);
    bool is_known =
        loop->for_loop.first->kind == EXPR_CONST && loop->for_loop.last->kind == EXPR_CONST;
    if (is_whole && loop->for_loop.is_brief && is_known && inside->depth == 0 &&
        reads.apart + reads.anywhere == 0) {
        return true; // LLVM makes no vectors of it
    }
    if (is_short) {
        return is_whole && gains_from_tables(&reads, of_tables);
    }
    if (!is_whole) {
        return reads.apart == 0 && reads.anywhere == 0;
    }
    return inside->branch || (inside->turns > OVERLAPPED && !inside->extreme) ||
           lanes_reads_pay(&reads, reads.apart);
}

// Whether they have so few turns that LLVM, which writes them out, vectorises the loop around if
// its turns may run side by side: what goes on from turn to turn in them is better left.
static bool are_short(const LoopsInside *inside) {
    return inside->depth == 1 && inside->turns <= OVERLAPPED;
}

static void count_stmt(TirStmt *stmt, void *data) {
    (void)stmt;
    ++*(unsigned *)data;
}

static bool is_long(const TirBlock *body) {
    unsigned statements = 0;
    tir_visit_stmts(body, count_stmt, &statements);
    return statements > STATEMENTS_MOST;
}

// Also whether the body of the loop is to be left out.
static bool mark_loop(Ranges *ranges, TirStmt *loop, void *data) {
    const Marker *marker = data;
    if (loop->for_loop.has_lanes) { // pass_batch
        return true;
    }
    Interval range = ranges->vars[loop->for_loop.var->id];
    int64_t turns = range.most - range.least + 1;
    Arena *arena = marker->tir->arena;
    bool of_tables = false;
    LoopsInside inside = {0};
    inside.turns = see_loops(ranges, &loop->for_loop.body, 0, &inside);
    bool pays = turns >= TURNS_LEAST && !is_long(&loop->for_loop.body) &&
                gains(ranges, arena, loop, &inside, (uint64_t)turns, &of_tables);
    bool is_for_llvm = !pays && turns >= TURNS_WHOLE && are_short(&inside);
    if ((pays || is_for_llvm) &&
        lanes_loop_obstacle(arena, marker->uses, ranges->vars, loop) == NULL &&
        !lanes_are_for_loops_inside(arena, loop)) {
        if (is_for_llvm) {
            return true;
        }
        lanes_loop_mark(arena, loop);
        loop->for_loop.most = turns <= UINT8_MAX ? (uint8_t)turns : 0;
        loop->for_loop.of_tables = of_tables;
        tir_remark(marker->tir, "lanes", loop->span, (Span){0}, "its turns run side by side%s",
                   of_tables ? " where small tables can be held in registers"
                   : loop->for_loop.in_order
                       ? "; what goes on from one to the next does so in order"
                       : "");
    }
    return loop->for_loop.has_lanes;
}

void pass_lanes(Tir *tir, TirFunction *function) {
    Marker marker = {.tir = tir, .uses = tir_count_mentions(tir->arena, function, &function->body)};
    RangesVisitor visitor = {.loop = mark_loop, .data = &marker};
    Ranges ranges;
    ranges_walk_function(&ranges, tir->arena, function, &visitor);
}
