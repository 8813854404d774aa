// What one thread does is known in about cycles, from the operations of an element. Less than
// SPLIT_WORK_FROM of it stays in one thread, and so does what may trap: the first trap in the order
// of one thread is the one to tell of, and what stands behind it must not run.
#include "codegen/plan/split.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "codegen/plan/walk.h"
#include "support/bug.h"
#include "tir/visit.h"
#include "types/memory.h"

// Indices of views are checked before the first element.
static bool may_trap(const TirExpr *expr, const void *data) {
    (void)data;
    return expr->kind == EXPR_MAP && (tir_node_may_trap(expr) || tir_is_short_circuit(expr));
}

bool split_may_trap(const TirExpr *value) {
    return tir_any_expr(value, may_trap, NULL);
}

static uint64_t work_of(const PlanStore *stores, size_t count, const WalkPlan *walk) {
    uint64_t cost = 0;
    bool has_loop = false;
    for (size_t i = 0; i < count; i++) {
        cost += element_cost(stores[i].value) + 1;
        has_loop = has_loop || element_has_loop(stores[i].value);
    }
    uint64_t lanes = walk->lanes > SPLIT_LANES ? SPLIT_LANES
                     : walk->lanes > 1         ? walk->lanes
                     : has_loop                ? SPLIT_LANES / 2
                                               : 1;
    return stores[0].value->type->numel * cost / lanes;
}

uint64_t split_stream_pieces(void) {
    return SPLIT_STREAM_PIECES;
}

SplitPlan split_turns(const PlanFacts *facts, SplitKind kind, uint64_t turns, uint64_t work) {
    if (facts->threads < 2 || work == 0 || work < facts->threads_from || turns < 2) {
        return (SplitPlan){.kind = SPLIT_NONE};
    }
    uint64_t least = facts->threads_from / SPLIT_PARTS;
    uint64_t grain = (least * turns + work - 1) / work;
    return (SplitPlan){.kind = kind, .turns = turns, .grain = grain > 0 ? grain : 1};
}

// The dims around a row, or around blocks of rows, or all where there are no lanes.
static size_t outer_dims(const WalkPlan *walk) {
    if (walk->wrap.period != 0) {
        return walk->wrap.outer;
    }
    return walk->lanes == 1 ? walk->rank : walk->along;
}

static uint64_t outer_length(const WalkPlan *walk, size_t k) {
    bool is_grouped = walk->rows > 1 && k + 1 == walk->along;
    return is_grouped ? (walk->dims[k] + walk->rows - 1) / walk->rows : walk->dims[k];
}

// As few of the outer dims as have turns enough. Those of single elements leave a loop inside.
static SplitPlan split_outer(const PlanFacts *facts, const WalkPlan *walk, uint64_t work) {
    size_t most = outer_dims(walk);
    most -= walk->lanes == 1 && most > 1;
    uint64_t turns = 1;
    size_t dims = 0;
    while (dims < most && turns < SPLIT_TURNS_ENOUGH) {
        turns *= outer_length(walk, dims++);
    }
    SplitPlan split = split_turns(facts, SPLIT_OUTER, turns, work);
    split.dims = dims;
    return split;
}

static SplitPlan split_pieces(const PlanFacts *facts, const WalkPlan *walk, uint64_t work) {
    uint64_t length = (uint64_t)walk->lanes * (walk->streams ? SPLIT_STREAM_PIECES : walk->pieces);
    CHECK(length > 0);
    return split_turns(facts, SPLIT_PIECES, walk->dims[walk->along] / length, work);
}

SplitPlan split_walk(const PlanFacts *facts, const PlanStore *stores, size_t count,
                     const WalkPlan *walk) {
    if (facts->threads < 2 || walk->unrolled) {
        return (SplitPlan){.kind = SPLIT_NONE};
    }
    for (size_t i = 0; i < count; i++) {
        if (split_may_trap(stores[i].value)) {
            return (SplitPlan){.kind = SPLIT_NONE};
        }
    }
    uint64_t work = work_of(stores, count, walk);
    if (walk->wrap.period != 0 && walk->wrap.outer == 0) {
        uint64_t block = (uint64_t)walk->wrap.rows * walk->wrap.period;
        return split_turns(facts, SPLIT_PIECES, stores[0].value->type->numel / block, work);
    }
    SplitPlan outer = split_outer(facts, walk, work);
    if (walk->wrap.period != 0 || walk->lanes == 1 ||
        (outer.kind != SPLIT_NONE && outer.turns >= SPLIT_TURNS_ENOUGH)) {
        return outer;
    }
    uint64_t rows = 1;
    for (size_t k = 0; k < walk->along; k++) {
        rows *= outer_length(walk, k);
    }
    SplitPlan pieces = split_pieces(facts, walk, work / rows);
    return pieces.kind != SPLIT_NONE ? pieces : outer;
}

static uint64_t limited(uint64_t cost) {
    return cost < COST_LIMIT ? cost : COST_LIMIT;
}

// Turns of a `for`, when they are known; else 0.
static uint64_t turns_of(const TirStmt *loop) {
    const TirExpr *first = loop->for_loop.first, *last = loop->for_loop.last;
    const TirExpr *step = loop->for_loop.step;
    bool is_known = first->kind == EXPR_CONST && last->kind == EXPR_CONST &&
                    step->kind == EXPR_CONST && step->data[0].integer == 1;
    int64_t turns = is_known ? (int64_t)last->data[0].integer - first->data[0].integer : 0;
    return turns > 0 ? (uint64_t)turns : 0;
}

// Of one turn of what is around the block.
static uint64_t cost_of(const TirBlock *block) {
    uint64_t cost = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET) {
            cost += stmt->set.value->type->numel * (element_cost(stmt->set.value) + 1);
        }
        uint64_t inner = 0;
        TirBlock *blocks[2];
        for (size_t k = tir_stmt_blocks(stmt, blocks); k-- > 0;) {
            inner = limited(inner + cost_of(blocks[k]));
        }
        bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        uint64_t turns = stmt->kind == STMT_FOR ? turns_of(stmt) : 0;
        cost = limited(cost + inner * (turns > 0 ? turns : is_loop ? SPLIT_TURNS_GUESSED : 1));
    }
    return cost;
}

// Reals in a vector from which on rows that are turned gain where turns branch: with 2 pairs of
// boxes and polygons take 2 to 4 times as long as one turn after the other, with 4 0.3 to 1.3, with
// 8 0.2 to 0.6.
enum { ROW_LANES = 4 };

bool loop_in_lanes(const PlanFacts *facts, const TirStmt *loop) {
    size_t real_bytes = root_bytes(ROOT_REAL, facts->single);
    return loop->for_loop.has_lanes && facts->vectors &&
           (!loop->for_loop.of_tables || facts->tables) &&
           (!loop->for_loop.of_rows || facts->vector_bytes >= ROW_LANES * real_bytes);
}

bool branch_is_left_out(const PlanFacts *facts, const TirStmt *branch) {
    return branch->branch.asks_lanes && (!facts->vectors || facts->vector_bytes < GATHER_BYTES);
}

SplitPlan split_loop(const PlanFacts *facts, const TirStmt *loop) {
    if (facts->threads < 2) {
        return (SplitPlan){.kind = SPLIT_NONE};
    }
    uint64_t cost = cost_of(&loop->for_loop.body) * sizeof(double) / facts->vector_bytes + 1;
    uint64_t turns = turns_of(loop);
    bool is_known = loop->for_loop.first->kind == EXPR_CONST && turns > 0;
    if (is_known && !loop_in_lanes(facts, loop) && turns < SPLIT_LOOP_TURNS) {
        return (SplitPlan){.kind = SPLIT_NONE};
    }
    if (is_known) {
        return split_turns(facts, SPLIT_OUTER, turns, turns * cost);
    }
    return (SplitPlan){.kind = SPLIT_OUTER, .grain = facts->threads_from / 2 / cost + 1};
}
