// Several reductions in one loop, as plan/together.h says.
#ifndef TMLC_CODEGEN_EMIT_TOGETHER_H
#define TMLC_CODEGEN_EMIT_TOGETHER_H

#include "codegen/gen.h"

// Before statement `number` of a block: computes what it and those behind it have together, and
// keeps the values in gen->reduced. How many statements these are: 0 when there is nothing.
size_t together_begin(Gen *gen, const TirBlock *block, size_t number);

#endif
