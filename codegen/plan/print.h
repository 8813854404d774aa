// Plans as text, for `--emit=plan` and tests.
#ifndef TMLC_CODEGEN_PLAN_PRINT_H
#define TMLC_CODEGEN_PLAN_PRINT_H

#include "codegen/plan/facts.h"
#include "support/buffer.h"
#include "support/source.h"
#include "tir/tir.h"

// One line for each statement that computes arrays or sums, function by function, and below it one
// for each part and each sum of it.
void plan_print(Arena *arena, Buffer *out, const PlanFacts *facts, const SourceMap *sources,
                const TirProgram *program);

#endif
