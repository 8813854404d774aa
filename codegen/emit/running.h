// Running sums along the last dim.
#ifndef TMLC_CODEGEN_EMIT_RUNNING_H
#define TMLC_CODEGEN_EMIT_RUNNING_H

#include "codegen/gen.h"
#include "codegen/plan/plan.h"

// Emits `destination = value`, which is a EXPR_CUMSUM.
void running_set(Gen *gen, const Destination *to, const TirExpr *value, const RunningPlan *plan);

#endif
