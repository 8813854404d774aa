// Numbers that are made of masks.
#ifndef TMLC_CODEGEN_TARGET_MASKS_H
#define TMLC_CODEGEN_TARGET_MASKS_H

#include "codegen/gen.h"

// Chooses between 0 and 1 by vectors of bools, where masks have registers of their own.
void masks_late(Gen *gen);

#endif
