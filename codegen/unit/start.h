// What the function that sets the state up need not do.
#ifndef TMLC_CODEGEN_UNIT_START_H
#define TMLC_CODEGEN_UNIT_START_H

#include "codegen/gen.h"

// Whether `function` is that one, of a component or library. It runs once.
bool start_is(const Gen *gen, const TirFunction *function);

// Notes in gen->left_out which of its statements set to zero what is zero before (entry.c).
void start_leave_out(Gen *gen, const TirFunction *function);

#endif
