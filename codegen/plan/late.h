// What each turn of a loop waits for: values that the turn before has to end with first. A chain of
// these takes as long as its operations do one after the other, whatever else goes beside it.
#ifndef TMLC_CODEGEN_PLAN_LATE_H
#define TMLC_CODEGEN_PLAN_LATE_H

#include "support/table.h"
#include "tir/tir.h"

// Finds the operands of least and greatest scalars of a function that wait so, and how long: what
// late_of says of them, in operations since the turn before. A step of a component is a turn.
void late_plan(Arena *arena, const TirFunction *function, Table *late);
// 0: known before the turn before ends.
unsigned late_of(const Table *late, const TirExpr *operand);

#endif
