// Runs side by side: functions that do for some instances of a component at once what others do for
// one (docs/decisions/side-by-side.md). They are copies of the finished code, in which each value
// that runs may have different ones of is a vector with an element for each run, and each struct of
// the host has room for all of them: what lies at byte b lies at b * lanes, run beside run.
#ifndef TMLC_CODEGEN_RUNS_RUNS_H
#define TMLC_CODEGEN_RUNS_RUNS_H

#include "codegen/gen.h"

// PREFIX_init_batch and PREFIX_step_n_batch, declared before LLVM's passes for the model's table.
typedef struct RunsEntries {
    LLVMValueRef init, step_n;
} RunsEntries;

RunsEntries runs_declare(Gen *gen);
// After LLVM's passes: defines them from PREFIX_init and PREFIX_step_n. Where these have something
// that cannot be done side by side, they return TML_E_APART; *why then says what it is.
void runs_define(Gen *gen, const RunsEntries *entries, LLVMValueRef init, LLVMValueRef step_n,
                 const char **why);

#endif
