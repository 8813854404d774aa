// Parts of vectors that LLVM reads as wide integers become lanes again.
#ifndef TMLC_CODEGEN_TARGET_PART_VECTORS_H
#define TMLC_CODEGEN_TARGET_PART_VECTORS_H

#include "codegen/gen.h"

// Once loads have been taken from one another.
void part_vectors_restore(Gen *gen);

#endif
