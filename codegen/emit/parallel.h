// Loops whose turns threads share: the code of some of the turns is a function, which the runtime
// calls for parts of them (runtime/run/parallel.c).
#ifndef TMLC_CODEGEN_EMIT_PARALLEL_H
#define TMLC_CODEGEN_EMIT_PARALLEL_H

#include "codegen/emit/loop.h"
#include "codegen/gen.h"
#include "codegen/plan/destination.h"
#include "codegen/plan/split.h"

// Emits turns [first, end), both i64, of which there is at least one.
typedef void PartBody(Gen *gen, void *data, LLVMValueRef first, LLVMValueRef end);

// Runs all turns of the plan in threads. The addresses of all variables must be known
// (parallel_prepare).
void parallel_turns(Gen *gen, const SplitPlan *plan, PartBody *body, void *data);
// The same for a number of turns (i64), perhaps none or below, that is known when the program runs.
void parallel_turns_of(Gen *gen, LLVMValueRef count, uint64_t grain, PartBody *body, void *data);
// Makes the addresses of what is read and written known.
void parallel_prepare(Gen *gen, const Destination *to, const TirExpr *value);
// Turns [first, end) of a nest of loops, as loop_nest for those of the first `dims` dims together.
void parallel_nest(Gen *gen, LoopSpace space, size_t dims, LLVMValueRef first, LLVMValueRef end,
                   LoopBody *body, void *data);

#endif
