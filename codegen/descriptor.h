// The constant tables of runtime/abi.h: types, ports, texts and the program itself.
#ifndef TMLC_CODEGEN_DESCRIPTOR_H
#define TMLC_CODEGEN_DESCRIPTOR_H

#include "codegen/gen.h"

// The tml_type of a type.
LLVMValueRef descriptor_type(Gen *gen, const Type *type);
// Records a named input or output once and returns its name as a C string.
LLVMValueRef descriptor_port(Gen *gen, Slice name, bool is_output, const Type *type);
// Records the text of an assertion and returns its number.
size_t descriptor_text(Gen *gen, Slice text);
// The tml_program, when all functions are there. Its `run` is the program's entry.
void descriptor_program(Gen *gen);
// A library's uint64_t NAME_state_bytes: how much zeroed memory its functions need for their state.
void descriptor_library(Gen *gen);

#endif
