// What the next turn of a loop waits for is there some cycles sooner, for an instruction more.
#ifndef TMLC_CODEGEN_TARGET_SOONER_H
#define TMLC_CODEGEN_TARGET_SOONER_H

#include "codegen/gen.h"

// Limits to both sides are asked beside each other, and products are added by an instruction of
// their own, where they were there before. LLVM's passes would join both again.
void sooner_late(Gen *gen);

#endif
