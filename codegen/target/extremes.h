// The least and the greatest of vectors of reals, of which networks are made, as medians are.
#ifndef TMLC_CODEGEN_TARGET_EXTREMES_H
#define TMLC_CODEGEN_TARGET_EXTREMES_H

#include "codegen/gen.h"

// Puts instructions of the machine in the place of `llvm.minimum` and `llvm.maximum`.
void extremes_late(Gen *gen);

#endif
