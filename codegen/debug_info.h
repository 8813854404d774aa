// DWARF for -g. Every function here does nothing without -g.
#ifndef TMLC_CODEGEN_DEBUG_INFO_H
#define TMLC_CODEGEN_DEBUG_INFO_H

#include "codegen/gen.h"

void debug_begin(Gen *gen);
void debug_end(Gen *gen);
// Describes the function being generated; its code is in that scope from now on.
void debug_function(Gen *gen, const TirFunction *function);
// Code that follows belongs to this place in the source.
void debug_place(Gen *gen, Span span);
// A named variable lives at `address` for the whole function. `number` is a parameter's, from 1; 0
// for others.
void debug_variable(Gen *gen, const TirVar *var, LLVMValueRef address, unsigned number);

#endif
