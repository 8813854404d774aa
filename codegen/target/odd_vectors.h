// Vectors of odd lengths between basic blocks.
#ifndef TMLC_CODEGEN_TARGET_ODD_VECTORS_H
#define TMLC_CODEGEN_TARGET_ODD_VECTORS_H

#include "codegen/gen.h"

// Keeps vectors whose length is no power of two in whole registers from one block to the next.
void odd_vectors_widen(Gen *gen);

#endif
