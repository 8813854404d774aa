// How the terms of a reduction or a dot are combined.
#ifndef TMLC_CODEGEN_PLAN_TERMS_H
#define TMLC_CODEGEN_PLAN_TERMS_H

#include "codegen/plan/facts.h"
#include "tir/tir.h"

// How terms [position, position + lanes) of one element are had at once.
typedef enum TermReads {
    TERMS_FLAT,   // row-major positions of the operand
    TERMS_STEP,   // along the last dim that is reduced, in one row of it
    TERMS_ROWS,   // so, and one by one where a row ends
    TERMS_SINGLE, // one by one
} TermReads;

typedef struct TermsPlan {
    uint64_t count;        // of terms
    bool in_lanes;         // else in row-major order, one after the other
    bool unrolled;         // in order: straight code
    bool nans_aside;       // least or greatest: nans and signs of zeros are remembered beside it
    unsigned lanes;        // of one accumulator
    unsigned accumulators; // 1, 2 or 4
    unsigned ways;         // accumulators that one loop takes
    unsigned depth;        // vectors of an accumulator in each round
    uint64_t row;          // TERMS_ROWS: terms that lie side by side
    unsigned chains;       // in order: 2 sums take the terms in turn and are added at the end
    TermReads reads[2];    // in lanes: of the operand, or the left and the right one
} TermsPlan;

// Of a EXPR_REDUCE or EXPR_DOT. How terms are grouped depends on types, sizes, --fp and the target
// only, because it decides bits (L5.6).
TermsPlan terms_plan(const PlanFacts *facts, const TirExpr *expr);
// Terms of a round: a row of vectors, one of each accumulator, then the next row.
uint64_t terms_round_length(const TermsPlan *plan);
// Registers that hold what goes from round to round where a loop takes `ways` accumulators of a
// reduction in lanes; 0 where it has to take all.
unsigned terms_registers(const PlanFacts *facts, const TirExpr *expr, unsigned ways);
// How many may be taken by that, beside the terms.
unsigned terms_registers_limit(const PlanFacts *facts);
// Whether one element of a reduction or a dot adds up its terms in lanes of their own, so that it
// cannot be one lane of something else. Depends on types, sizes, --fp and the target only, because
// it decides bits (L5.6).
bool terms_take_lanes(const PlanFacts *facts, const TirExpr *expr);
// Whether it looks for the least or greatest of reals.
bool terms_seek_extent(const TirExpr *expr);
// Whether several elements of a matrix times a vector can be had at once, though the matrix has its
// rows side by side (emit/matrix_vector.h).
bool terms_take_rows(const PlanFacts *facts, const TirExpr *dot);

#endif
