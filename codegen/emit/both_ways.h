// Two statements that take one matrix both ways, as plan/both_ways.h says.
#ifndef TMLC_CODEGEN_EMIT_BOTH_WAYS_H
#define TMLC_CODEGEN_EMIT_BOTH_WAYS_H

#include "codegen/gen.h"

// Statement `number` of a block and the one behind it, if they are such; whether they were.
bool both_ways_set(Gen *gen, const TirBlock *block, size_t number);

#endif
