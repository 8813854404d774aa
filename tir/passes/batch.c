// Makes scalars of the small arrays in loops over many of them, as of small matrices that are
// solved one after the other, where turns can then run side by side, and marks these loops. Reads
// any valid TIR whose sets may be executed element by element, and leaves such; calls in these
// loops are taken in.
//
// Straight rows of a small matrix fill a part of a vector, and wait for each division; as many
// matrices as there are lanes fill all of it. Statements that read many columns of one matrix
// become such loops too: rows are read whole and turned, where each column would be read one by
// one. Those that together write rows of a few elements become plain loops, whose rows LLVM's
// vectoriser writes whole.
#include "tir/passes/passes.h"

#include "support/table.h"
#include "tir/alias.h"
#include "tir/columns.h"
#include "tir/lanes_loop.h"
#include "tir/lanes_order.h"
#include "tir/lanes_reads.h"
#include "tir/ranges.h"
#include "tir/remark.h"
#include "tir/rewrite.h"
#include "tir/spread.h"
#include "tir/uses.h"
#include "tir/visit.h"

#include <string.h>

enum {
    TURNS_LEAST = 8, // the lanes of the longest vectors of reals
    SETS_LIMIT = 64, // that become one loop
};

typedef struct Batcher {
    Tir *tir;
    TirFunction *function;
    size_t count;         // of its variables before the pass
    const uint32_t *uses; // of those
    Table columns;        // loops that have been statements on arrays, each with that
} Batcher;

// The sets of a nest, or those from number `first` of the block on that could be one.
static TirBlock sets_at(const TirBlock *block, size_t first) {
    if (block->items[first]->kind == STMT_NEST) {
        return block->items[first]->nest;
    }
    TirBlock sets = {.items = block->items + first};
    while (first + sets.count < block->count && sets.count < SETS_LIMIT &&
           block->items[first + sets.count]->kind == STMT_SET &&
           tir_nest_takes(&sets, block->items[first + sets.count])) {
        sets.count++;
    }
    return sets;
}

// A loop instead of statements of a block.
typedef struct Instead {
    TirStmt *loop; // NULL: there is none
    size_t count;  // of the statements
    bool stays;    // also where it does not run side by side
} Instead;

static Instead of_read_columns(Batcher *batcher, const TirBlock *block, size_t first) {
    TirBlock sets = sets_at(block, first);
    if (sets.count == 0) {
        return (Instead){0};
    }
    bool is_nest = block->items[first]->kind == STMT_NEST;
    TirStmt *loop = columns_loop(batcher->tir, batcher->function, &sets);
    if (loop == NULL && !is_nest && sets.count > 1) { // this one alone
        sets.count = 1;
        loop = columns_loop(batcher->tir, batcher->function, &sets);
    }
    return (Instead){loop, is_nest ? 1 : sets.count, false};
}

static Instead of_written_rows(Batcher *batcher, const TirBlock *block, size_t first) {
    TirBlock sets = sets_at(block, first);
    for (; sets.count > 1; sets.count--) {
        TirStmt *loop = columns_written_loop(batcher->tir, batcher->function, &sets);
        if (loop != NULL) {
            return (Instead){loop, sets.count, true};
        }
    }
    return (Instead){0};
}

// Of the statements from number `first` on.
static Instead find_loop(Batcher *batcher, const TirBlock *block, size_t first) {
    TirStmt *stmt = block->items[first];
    bool is_set = stmt->kind == STMT_SET;
    Instead instead = {0};
    if (is_set) {
        // Of more dims there are several loops, which stay in any case.
        instead = (Instead){columns_stacked_loop(batcher->tir, batcher->function, stmt), 1,
                            stmt->set.place->type->flat_rank > 2};
    }
    if (instead.loop == NULL && (stmt->kind == STMT_NEST || (is_set && columns_are_read(stmt)))) {
        instead = of_read_columns(batcher, block, first);
    }
    if (instead.loop == NULL && columns_are_written(stmt)) {
        instead = of_written_rows(batcher, block, first);
    }
    return instead;
}

// Puts loops for statements that read or write columns, or sum short rows up.
static void put_loops(Batcher *batcher, TirBlock *block) {
    Arena *arena = batcher->tir->arena;
    TirBlock out = {0};
    for (size_t i = 0; i < block->count;) {
        TirStmt *stmt = block->items[i];
        Instead instead = find_loop(batcher, block, i);
        if (instead.loop != NULL) {
            if (!instead.stays) {
                TirBlock *kept = ARENA_NEW(arena, TirBlock);
                *kept = (TirBlock){.items = block->items + i, .count = instead.count};
                table_set(arena, &batcher->columns, instead.loop, kept);
            }
            LIST_PUSH(arena, &out, instead.loop);
            i += instead.count;
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = stmt->kind == STMT_NEST ? 0 : tir_stmt_blocks(stmt, nested); k-- > 0;) {
            put_loops(batcher, nested[k]);
        }
        LIST_PUSH(arena, &out, stmt);
        i++;
    }
    *block = out;
}

// Puts those statements back whose loops do not run side by side.
static bool put_back(TirStmt *stmt, TirBlock *out, void *data) {
    const Batcher *batcher = data;
    const TirBlock *before = table_get(&batcher->columns, stmt);
    if (before == NULL || stmt->for_loop.has_lanes) {
        return false;
    }
    tir_append(batcher->tir, out, before);
    return true;
}

// Intervals for new variables, too.
static Interval *all_ranges(const Batcher *batcher, const Ranges *ranges) {
    Interval *all = interval_vars(batcher->tir->arena, batcher->function);
    memcpy(all, ranges->vars, batcher->count * sizeof(*all));
    return all;
}

// In copies of the nodes, as statements outside of the loop may share them.
static void take_indices_as_proven(TirExpr **operand, void *data) {
    TirExpr *expr = tir_copy_node(data, *operand);
    *operand = expr;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        expr->view.axes[k].unchecked = true;
    }
    tir_visit_operands(expr, take_indices_as_proven, data);
}

// Whether all that the loop does is another one that fills vectors along rows by itself: turned
// rows of stencils take twice as long.
static bool is_of_rows(const Batcher *batcher, const Ranges *ranges, const TirStmt *loop) {
    const TirBlock *body = &loop->for_loop.body;
    TirStmt *inner = body->count == 1 ? body->items[0] : NULL;
    uint64_t turns;
    if (inner == NULL || inner->kind != STMT_FOR) {
        return false;
    }
    Interval *all = all_ranges(batcher, ranges);
    all[inner->for_loop.var->id] = interval_of_loop(all, inner, &turns);
    Arena *arena = batcher->tir->arena;
    LanesBody lanes = lanes_body(arena, inner);
    LanesReads reads = lanes_reads(&lanes, &inner->for_loop.body);
    return turns >= TURNS_LEAST && reads.apart + reads.anywhere == 0 &&
           lanes_loop_obstacle(arena, batcher->uses, all, inner) == NULL;
}

static bool spread_loop(Ranges *ranges, TirStmt *loop, void *data) {
    const Batcher *batcher = data;
    Tir *tir = batcher->tir;
    Interval range = ranges->vars[loop->for_loop.var->id];
    int64_t turns = range.most - range.least + 1;
    if (turns < TURNS_LEAST || is_of_rows(batcher, ranges, loop)) {
        return false;
    }
    TirBlock before = loop->for_loop.body;
    uint32_t *inside = tir_count_mentions(tir->arena, batcher->function, &before);
    TirBlock body;
    bool is_worth_it = table_get(&batcher->columns, loop) != NULL;
    bool of_rows;
    if (!spread_body(tir, batcher->function, batcher->uses, inside, loop, is_worth_it, &body,
                     &of_rows)) {
        return false;
    }
    uint32_t *uses = tir_count_mentions(tir->arena, batcher->function, &body);
    for (size_t i = 0; i < batcher->count; i++) {
        uses[i] += batcher->uses[i] - inside[i];
    }
    loop->for_loop.body = body;
    const char *why = lanes_loop_obstacle(tir->arena, uses, all_ranges(batcher, ranges), loop);
    LanesBody lanes = lanes_body(tir->arena, loop);
    LanesReads reads = lanes_reads(&lanes, &body);
    bool has_slow_order =
        of_rows && lanes_order(ranges->vars, &lanes, &body, (uint64_t)turns) == LANES_ORDER_COSTS;
    if (why != NULL || has_slow_order || lanes_are_for_loops_inside(tir->arena, loop) ||
        !lanes_sums_pay(&reads) || !lanes_reads_pay_inside(tir->arena, &lanes, &body)) {
        loop->for_loop.body = before;
        return false;
    }
    tir_visit_exprs_in(&loop->for_loop.body, take_indices_as_proven, tir);
    lanes_loop_mark(tir->arena, loop);
    loop->for_loop.of_rows = of_rows && tir_block_branches(&loop->for_loop.body);
    tir_remark(
        tir, "batch", loop->span, (Span){0}, "its turns run side by side, with %s as scalars%s",
        is_worth_it ? "columns" : "their small arrays",
        loop->for_loop.in_order ? "; what goes on from one to the next does so in order" : "");
    return true;
}

void pass_batch(Tir *tir, TirFunction *function) {
    Batcher batcher = {.tir = tir, .function = function};
    put_loops(&batcher, &function->body);
    batcher.count = function->vars.count;
    batcher.uses = tir_count_mentions(tir->arena, function, &function->body);
    RangesVisitor visitor = {.loop = spread_loop, .data = &batcher};
    Ranges ranges;
    ranges_walk_function(&ranges, tir->arena, function, &visitor);
    if (batcher.columns.count > 0) {
        tir_rewrite_outer_first(tir, &function->body, put_back, &batcher);
    }
}
