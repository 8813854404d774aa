// Several elements at once: an LLVM vector whose lanes are consecutive positions along one dim. A
// value that is the same in every lane stays a scalar until it meets a vector.
#ifndef TMLC_CODEGEN_EMIT_LANES_H
#define TMLC_CODEGEN_EMIT_LANES_H

#include "codegen/gen.h"
#include "codegen/plan/limits.h"

// 1 for scalars.
unsigned lanes_of(LLVMValueRef value);
LLVMTypeRef lanes_type(LLVMTypeRef scalar, unsigned lanes);
// The scalar in every lane; the value itself when `lanes` is 1 or it is a vector already.
LLVMValueRef lanes_splat(Gen *gen, LLVMValueRef value, unsigned lanes);
// The scalar in as many lanes as `sample` has.
LLVMValueRef lanes_like(Gen *gen, LLVMValueRef scalar, LLVMValueRef sample);
// Makes all of them vectors when one is.
void lanes_match(Gen *gen, LLVMValueRef *values, unsigned count);
// first, first + step, ... as i32
LLVMValueRef lanes_count(Gen *gen, LLVMValueRef first, int64_t step, unsigned lanes);
// A vector of these scalars.
LLVMValueRef lanes_collect(Gen *gen, const LLVMValueRef *values, unsigned lanes);
// A vector of integers of 4 or 8 bytes, of which LLVM does not know where it is from: it would make
// it narrow, and pack and unpack it at each use.
LLVMValueRef lanes_hide(Gen *gen, LLVMValueRef wide);
LLVMValueRef lanes_extract(Gen *gen, LLVMValueRef vector, unsigned lane);
// Lanes [first, first + count).
LLVMValueRef lanes_part(Gen *gen, LLVMValueRef vector, unsigned first, unsigned count);
// Lane i of the result is lane from[i] of all `count` vectors behind each other: a shuffle of two
// for each but the first. Of several, as many lanes as one has.
LLVMValueRef lanes_pick(Gen *gen, const LLVMValueRef *vectors, unsigned count, unsigned lanes,
                        const unsigned *from);
// Vectors of one type, or scalars, behind each other; uses up the pieces.
LLVMValueRef lanes_join(Gen *gen, LLVMValueRef *pieces, unsigned count);
// The vector with further lanes, which are zero, up to so many.
LLVMValueRef lanes_with_zeros(Gen *gen, LLVMValueRef vector, unsigned lanes);
// The bits that are set in any lane of a vector of integers, or a bit as it is.
LLVMValueRef lanes_any(Gen *gen, LLVMValueRef flags);

#endif
