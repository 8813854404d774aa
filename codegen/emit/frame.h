// Where the variables of the function being generated live.
#ifndef TMLC_CODEGEN_EMIT_FRAME_H
#define TMLC_CODEGEN_EMIT_FRAME_H

#include "codegen/gen.h"

LLVMValueRef frame_var_address(Gen *gen, const TirVar *var);
// Memory for one value that lives as long as the function's frame: an alloca of the entry block.
LLVMValueRef frame_slot(Gen *gen, const Type *type);
// The same for an array of so many elements.
LLVMValueRef frame_elements(Gen *gen, Root root, uint32_t count);
// `offset` bytes behind `base`.
LLVMValueRef frame_member_address(Gen *gen, LLVMValueRef base, uint64_t offset);

#endif
