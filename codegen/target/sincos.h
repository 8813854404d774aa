// Sine and cosine of one scalar by one call.
#ifndef TMLC_CODEGEN_TARGET_SINCOS_H
#define TMLC_CODEGEN_TARGET_SINCOS_H

#include "codegen/gen.h"

// Puts one call for those of the finished module that stand in one block, where the C library is
// known to have it, with the same bits.
void sincos_join(Gen *gen);

#endif
