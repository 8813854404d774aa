// The lesser and the greater of two values, scalars or vectors of as many lanes.
#ifndef TMLC_CODEGEN_EMIT_OP_MIN_MAX_H
#define TMLC_CODEGEN_EMIT_OP_MIN_MAX_H

#include "codegen/gen.h"

LLVMValueRef op_min_max(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b);
// The same element by element, where the operands are of use for themselves.
LLVMValueRef op_min_max_pair(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b);

// min(max(x, a), b) and the like: where any operand is nan is asked of the operands alone, beside
// the comparisons, and answered once.
typedef struct MinMaxChain {
    LIST_OF(LLVMValueRef) operands; // but for constants
} MinMaxChain;

// Whether that is less work on this machine.
bool op_min_max_has_chains(Gen *gen);
void op_min_max_see(Gen *gen, MinMaxChain *chain, LLVMValueRef operand);
// Anything where one is nan, but nan beside a constant.
LLVMValueRef op_min_max_of_numbers(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b);
// The same of more than two, whose order it changes: one that is no constant keeps its nan.
LLVMValueRef op_min_max_of_many(Gen *gen, bool is_max, LLVMValueRef *values, size_t count);
LLVMValueRef op_min_max_end(Gen *gen, const MinMaxChain *chain, LLVMValueRef value);

#endif
