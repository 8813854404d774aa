// Products of two matrices as whole values of a `set`, by register tiles.
#ifndef TMLC_CODEGEN_PLAN_PRODUCT_H
#define TMLC_CODEGEN_PLAN_PRODUCT_H

#include "codegen/plan/destination.h"

typedef struct ProductPlan {
    unsigned full;        // lanes of a register
    uint32_t width;       // columns of a tile
    unsigned registers;   // for the sums of a tile
    bool uses_panel;      // columns of the right operand are copied side by side
    bool right_has_lanes; // it can be read along its rows
} ProductPlan;

// False when tiles do not help.
bool product_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                  ProductPlan *plan);

#endif
