// Whether a step looks up elements at places that it computes.
#ifndef TMLC_CODEGEN_UNIT_LOOKUPS_H
#define TMLC_CODEGEN_UNIT_LOOKUPS_H

#include "codegen/gen.h"

// In the program's output and update, and what they call.
bool lookups_in_step(Gen *gen);

#endif
