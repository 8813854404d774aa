// Attributes, blocks, and calls of LLVM's intrinsics and of the C library.
#ifndef TMLC_CODEGEN_EMIT_CALLS_H
#define TMLC_CODEGEN_EMIT_CALLS_H

#include "codegen/gen.h"

LLVMAttributeRef gen_attribute(Gen *gen, const char *name, uint64_t value);
void gen_function_attribute(Gen *gen, LLVMValueRef function, const char *name, uint64_t value);
void gen_param_attribute(Gen *gen, LLVMValueRef function, unsigned param, const char *name,
                         uint64_t value);
// What is true of every function that is defined here.
void gen_own_function(Gen *gen, LLVMValueRef function);
// Has a function taken in where it is called, but only before the last passes (pipeline.c).
void gen_take_in_late(Gen *gen, LLVMValueRef function);
#define TAKEN_IN_LATE "tml-late"
// An intrinsic by its name without the suffix, overloaded on `types`.
LLVMValueRef gen_intrinsic(Gen *gen, const char *name, LLVMTypeRef *types, unsigned type_count,
                           LLVMValueRef *args, unsigned count);
// A function of libm on reals, in single where reals are single. Never folded or replaced by LLVM:
// its bits are the library's at every level of optimisation.
LLVMValueRef gen_libm_function(Gen *gen, const char *name, unsigned count);
// A call of it.
LLVMValueRef gen_libm(Gen *gen, const char *name, LLVMValueRef *args, unsigned count);
// Gives an instruction on reals the flags of --fp.
LLVMValueRef gen_fp(Gen *gen, LLVMValueRef value);

// A new block of the function; `gen_enter` puts it in its place and makes it current.
LLVMBasicBlockRef gen_block(Gen *gen, const char *name);
void gen_enter(Gen *gen, LLVMBasicBlockRef block);
// Jumps unless the current block has ended already.
void gen_jump(Gen *gen, LLVMBasicBlockRef block);
bool gen_block_is_open(Gen *gen);
// Says of a conditional branch that it is hardly ever taken, so that nothing behind it is computed
// before it.
void gen_expect_no(Gen *gen, LLVMValueRef branch);
// Says of a branch that either side is as likely: LLVM makes it a choice where it can.
void gen_expect_both(Gen *gen, LLVMValueRef branch);

#endif
