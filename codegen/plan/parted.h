// Short rows that are not computed as a whole.
#ifndef TMLC_CODEGEN_PLAN_PARTED_H
#define TMLC_CODEGEN_PLAN_PARTED_H

#include "codegen/plan/facts.h"
#include "support/arena.h"
#include "tir/tir.h"

// Lanes of the first piece of a row whose elements have so many bytes: all of them, or the greatest
// power of two, behind which lesser ones follow.
unsigned parted_lanes(const PlanFacts *facts, uint32_t row, uint64_t bytes);
// Whether so few of the rows that take more registers in pieces are held in these that they are
// enough.
bool parted_are_few(Arena *arena, const TirProgram *program);

#endif
