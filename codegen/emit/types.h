// What types of the language are in LLVM, and constants, loads and stores of scalars.
#ifndef TMLC_CODEGEN_EMIT_TYPES_H
#define TMLC_CODEGEN_EMIT_TYPES_H

#include "codegen/gen.h"

// What scalars look like as values and in memory (a bool is i1, in memory one byte).
LLVMTypeRef gen_scalar_type(Gen *gen, Root root);
LLVMTypeRef gen_memory_type(Gen *gen, Root root);
uint64_t gen_root_bytes(Gen *gen, Root root);
uint64_t gen_type_bytes(Gen *gen, const Type *type);
// What the compiler's own storage of such a value is aligned to.
unsigned gen_type_align(Gen *gen, const Type *type);
LLVMTypeRef gen_array_type(Gen *gen, const Type *type);
// A private constant global with this value; in objects to embed in a section of its own.
LLVMValueRef gen_constant(Gen *gen, const char *name, LLVMValueRef value, unsigned align);
// In ELF: gives a function or constant the section `kind`.NAME.
void gen_own_section(Gen *gen, LLVMValueRef global, const char *kind);
LLVMValueRef gen_string(Gen *gen, const char *text, size_t len);
LLVMValueRef gen_scalar(Gen *gen, Root root, TirScalar scalar);
LLVMValueRef gen_i1(Gen *gen, bool value);
LLVMValueRef gen_i32(Gen *gen, int64_t value);
LLVMValueRef gen_i64(Gen *gen, int64_t value);
LLVMValueRef gen_size(Gen *gen, uint64_t value); // as wide as an address
LLVMValueRef gen_real(Gen *gen, double value);
// One scalar, or a vector of as many lanes.
LLVMValueRef gen_load(Gen *gen, Root root, LLVMValueRef address, unsigned lanes);
// A bool of the byte that memory has of it, 0 or 1, or of each byte of a vector: by a comparison,
// whose lanes LLVM gives the width of what they choose between; i1 it would pack and unpack.
LLVMValueRef gen_loaded_bool(Gen *gen, LLVMValueRef bytes);
// The instruction is the result.
LLVMValueRef gen_store(Gen *gen, Root root, LLVMValueRef value, LLVMValueRef address);
// The address of scalar number `position` (i64) of an array.
LLVMValueRef gen_offset(Gen *gen, Root root, LLVMValueRef address, LLVMValueRef position);
// Index arithmetic: i64 that cannot overflow.
LLVMValueRef gen_index_add(Gen *gen, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_index_mul(Gen *gen, LLVMValueRef a, uint64_t factor);

#endif
