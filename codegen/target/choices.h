// Comparisons with one of two reals.
#ifndef TMLC_CODEGEN_TARGET_CHOICES_H
#define TMLC_CODEGEN_TARGET_CHOICES_H

#include "codegen/gen.h"

// Compares with both, and chooses between the results.
void choices_late(Gen *gen);

#endif
