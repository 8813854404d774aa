// Transposing in registers.
#ifndef TMLC_CODEGEN_EMIT_TRANSPOSE_H
#define TMLC_CODEGEN_EMIT_TRANSPOSE_H

#include "codegen/gen.h"

// Turns `count` vectors of `lanes` lanes into `lanes` vectors of `count` lanes, which come into
// `vectors` as well; that has room for the power of two that holds both. Neither may be more than
// TILE_LIMIT.
void transpose_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count, unsigned lanes);
// Takes every `count`-th lane of all `count` vectors together, from lane 0, 1, ... on, and puts
// them back in their order: each result takes a shuffle of two vectors fewer than there are. No
// more than TILE_LIMIT vectors.
void unweave_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count);
void weave_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count);

#endif
