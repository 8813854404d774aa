// Whether a value is within its limits.
#ifndef TMLC_CODEGEN_TARGET_WITHIN_H
#define TMLC_CODEGEN_TARGET_WITHIN_H

#include "codegen/gen.h"

// Compares values with their limits instead of with what the limits make of them.
void within_late(Gen *gen);

#endif
