// What the turns of a loop hand on to the next one.
#ifndef TMLC_CODEGEN_TARGET_CARRIED_H
#define TMLC_CODEGEN_TARGET_CARRIED_H

#include "codegen/gen.h"

// Hands on whole vectors where turns take vectors apart at their end and put the same ones together
// when they begin.
void carried_join(Gen *gen);

#endif
