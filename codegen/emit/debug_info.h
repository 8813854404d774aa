// DWARF for -g. Every function here does nothing without -g.
#ifndef TMLC_CODEGEN_EMIT_DEBUG_INFO_H
#define TMLC_CODEGEN_EMIT_DEBUG_INFO_H

#include "codegen/gen.h"

void debug_begin(Gen *gen);
void debug_end(Gen *gen);
// Takes all of it out of the finished module if nobody asked for it.
void debug_drop(Gen *gen);
// Describes the function being generated; its code is in that scope from now on.
void debug_function(Gen *gen, const TirFunction *function);
// The same of a function that hosts call. Without a description of its own it would lose those of
// the functions that become a part of it.
void debug_host_function(Gen *gen, const char *name, Span span);
// Declares its variables before `entry_end`, the last instruction of the entry block.
void debug_end_function(Gen *gen, LLVMValueRef entry_end);
// Code that follows belongs to this place in the source.
void debug_place(Gen *gen, Span span);
// Code that follows brings parameters to where they live: a function's breakpoint stands behind it.
void debug_nowhere(Gen *gen);
// A variable lives at `address` for the whole function; those without a name are left out.
// `number` is a parameter's, from 1; 0 for others.
void debug_variable(Gen *gen, const TirVar *var, LLVMValueRef address, unsigned number);

#endif
