// How the turns of a loop are split among threads (--threads). Each turn writes elements of its
// own and sums nothing up with others, so bits depend neither on the number of threads nor on which
// of them does what.
#ifndef TMLC_CODEGEN_PLAN_SPLIT_H
#define TMLC_CODEGEN_PLAN_SPLIT_H

#include "codegen/plan/facts.h"
#include "codegen/plan/walk.h"
#include "tir/tir.h"

typedef enum SplitKind {
    SPLIT_NONE,   // one thread
    SPLIT_OUTER,  // positions of the first dims
    SPLIT_PIECES, // pieces of each row, or of a product's columns
} SplitKind;

typedef struct SplitPlan {
    SplitKind kind;
    size_t dims;    // of SPLIT_OUTER: how many
    uint64_t turns; // in all
    uint64_t grain; // turns below which a thread takes no part
} SplitPlan;

// Of a walk.
SplitPlan split_walk(const PlanFacts *facts, const PlanStore *stores, size_t count,
                     const WalkPlan *walk);
// Of `turns` turns that take about so many cycles together.
SplitPlan split_turns(const PlanFacts *facts, SplitKind kind, uint64_t turns, uint64_t work);
// Whether the turns of a `for` run side by side on this machine.
bool loop_in_lanes(const PlanFacts *facts, const TirStmt *loop);
// Whether an `if` is left out for what its second branch does, which is the same.
bool branch_is_left_out(const PlanFacts *facts, const TirStmt *branch);
// Of a `for` whose turns do not depend on one another. Where the number of turns is known only
// when the program runs, so is whether threads share them.
SplitPlan split_loop(const PlanFacts *facts, const TirStmt *loop);
// Elements of the value may trap, so that one thread computes them.
bool split_may_trap(const TirExpr *value);
// How many pieces of a row that streams are one turn: both ends of a thread's part are stored as
// usual.
uint64_t split_stream_pieces(void);

#endif
