// Choices between two reals.
#ifndef TMLC_CODEGEN_TARGET_CHOICES_H
#define TMLC_CODEGEN_TARGET_CHOICES_H

#include "codegen/gen.h"

// Compares with both reals instead of the chosen one, and chooses constants as words.
void choices_late(Gen *gen);

#endif
