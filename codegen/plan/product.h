// Products of two matrices as whole values of a `set`, by register tiles.
#ifndef TMLC_CODEGEN_PLAN_PRODUCT_H
#define TMLC_CODEGEN_PLAN_PRODUCT_H

#include "codegen/plan/destination.h"
#include "codegen/plan/split.h"

// How the rows of the right operand come into vectors.
typedef enum ProductRight {
    RIGHT_IN_PLACE, // loaded where they are
    RIGHT_COPIED,   // by panels that are copied side by side
    RIGHT_TURNED,   // the same; its columns lie side by side, so squares of it are transposed
    RIGHT_SINGLE,   // the same, element by element
} ProductRight;

// From one row and from one column to the next, in elements.
typedef struct ProductStrides {
    int64_t row, column;
} ProductStrides;

typedef struct ProductPlan {
    unsigned full;        // lanes of a register
    uint32_t width;       // columns of a tile
    unsigned registers;   // for the sums of a tile
    uint32_t block_terms; // that a panel holds; all where there is none
    unsigned chains;      // of each sum, as in TermsPlan
    ProductRight right;
    uint32_t packed;           // rows of the result that share vectors; 1: each has its own
    bool straight;             // code without loops
    bool is_shared;            // a function for all products of these sizes and strides
    ProductStrides strides[3]; // result, left, right where it is shared; the first two where packed
    SplitPlan split;           // of all of it; its rectangles have their own
} ProductPlan;

// False when tiles do not help.
bool product_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                  ProductPlan *plan);
// How threads share a rectangle of the result, of so many elements and terms: tiles side by side
// (SPLIT_PIECES), or where these are few rows of tiles or blocks of them (SPLIT_OUTER).
SplitPlan product_split(const PlanFacts *facts, const ProductPlan *plan, uint64_t multiplications,
                        uint64_t row_turns, uint64_t column_turns);

#endif
