// LLVM's passes.
#ifndef TMLC_CODEGEN_TARGET_PIPELINE_H
#define TMLC_CODEGEN_TARGET_PIPELINE_H

#include "codegen/gen.h"

// Verifies the module (a broken one is a BUG) and optimises it as --O says.
void pipeline_run(Gen *gen);
// Brings all functions into the form that runs side by side are made of.
void pipeline_prepare_runs(Gen *gen);
// Once more, after functions were added that are made of optimised ones.
void pipeline_finish(Gen *gen);

#endif
