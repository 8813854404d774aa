// How array statements run, as data: decided from TIR and facts alone, before there is any code.
#ifndef TMLC_CODEGEN_PLAN_PLAN_H
#define TMLC_CODEGEN_PLAN_PLAN_H

#include "codegen/plan/product.h"
#include "codegen/plan/scope.h"
#include "codegen/plan/tiles.h"
#include "codegen/plan/walk.h"

typedef enum PlanKind {
    PLAN_FILL,     // zero bytes
    PLAN_COPY,     // the bytes of memory that holds the value already
    PLAN_PRODUCT,  // of matrices, by register tiles
    PLAN_PARTS,    // each operand of a literal or a concatenation goes into its part of the place
    PLAN_RUNNING,  // sums along the last dim
    PLAN_TILES,    // squares that are turned in registers
    PLAN_ROWS,     // lanes along one dim
    PLAN_ELEMENTS, // one by one
} PlanKind;

typedef struct RunningPlan {
    unsigned rows; // of the last dim but one, whose sums run side by side; 1: row after row
} RunningPlan;

typedef struct Plan {
    PlanKind kind;
    union {
        ProductPlan product;
        RunningPlan running;
        TilesPlan tiles;
        WalkPlan walk; // PLAN_ROWS, PLAN_ELEMENTS
    };
} Plan;

// All bytes of the value are zero: a scalar constant or what repeats one.
bool plan_is_zero_fill(const TirExpr *value);

// Of `destination = value`. The parts of PLAN_PARTS have plans of their own.
Plan plan_set(const PlanFacts *facts, const Destination *to, const TirExpr *value);
// The whole place of a `set` of the function as a destination.
Destination plan_place(const PlanFacts *facts, PlanScope *scope, const TirFunction *function,
                       const TirStmt *set);

#endif
