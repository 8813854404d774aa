// Limits that catch nans, as in `if not (u <= 5.0): u = 5.0`.
#ifndef TMLC_CODEGEN_TARGET_GUARDS_H
#define TMLC_CODEGEN_TARGET_GUARDS_H

#include "codegen/gen.h"

// Hides from LLVM with what a comparison is that catches what another limit lets pass. For when
// variables are in registers, and before limits are joined.
void guards_hide(Gen *gen);

#endif
