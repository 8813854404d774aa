// What is known about an expression before its code is there.
#ifndef TMLC_CODEGEN_PLAN_ESTIMATE_H
#define TMLC_CODEGEN_PLAN_ESTIMATE_H

#include "codegen/plan/facts.h"
#include "tir/tir.h"

// About how many scalar operations one element takes.
uint64_t element_cost(const TirExpr *expr);
// Whether walking `count` positions of what takes so many is better done by straight code.
bool cost_unrolls(const PlanFacts *facts, uint64_t cost, uint64_t count);
// The same of the terms of a dot product inside of an element.
bool element_unrolls_dot(const PlanFacts *facts, const TirExpr *dot, uint64_t count);
// Whether the value at a row-major position can be had without splitting it into dims.
bool element_is_flat(const TirExpr *expr);
// The x of `int(abs(x))` and `uint(abs(x))` of an int, which need not become a real for that; NULL:
// another expression.
const TirExpr *element_int_of_size(const PlanFacts *facts, const TirExpr *expr);
// The most bytes that a scalar of the expression takes.
uint64_t element_widest(const PlanFacts *facts, const TirExpr *expr);
// Elements walk a loop of their own.
bool element_has_loop(const TirExpr *expr);
// An elementary function is in it.
bool element_has_function(const TirExpr *expr);
// Lanes of elements are rows of a matrix times a vector (terms_take_rows).
bool element_takes_rows(const PlanFacts *facts, const TirExpr *expr);
// Whether element() can give several lanes at once, each `steps[k]` further along flat dim k than
// the one before: what it reads lies side by side or is the same for all of them, and nothing has
// to be decided per lane.
bool element_has_lanes(const PlanFacts *facts, const TirExpr *expr, const int64_t *steps);
// The same where what is read may lie apart in memory, but for the terms of what has a loop.
bool element_has_lanes_apart(const PlanFacts *facts, const TirExpr *expr, const int64_t *steps);
// The same where it may lie a few elements apart (NEAR_LIMIT).
bool element_has_lanes_near(const PlanFacts *facts, const TirExpr *expr, const int64_t *steps);
// As element_has_lanes in square tiles (tile.h), whose rows are `across` apart: what is read may
// also lie side by side from row to row.
bool element_has_tiles(const PlanFacts *facts, const TirExpr *expr, const int64_t *steps,
                       const int64_t *across);
// As element_has_lanes for row-major positions that follow each other, of an expression that is
// flat.
bool element_has_flat_lanes(const PlanFacts *facts, const TirExpr *expr);

#endif
