// Transposing in registers.
#ifndef TMLC_CODEGEN_EMIT_TRANSPOSE_H
#define TMLC_CODEGEN_EMIT_TRANSPOSE_H

#include "codegen/gen.h"

// Turns `count` vectors of `lanes` lanes into `lanes` vectors of `count` lanes, which come into
// `vectors` as well; that has room for the power of two that holds both. Neither may be more than
// TILE_LIMIT.
void transpose_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count, unsigned lanes);

// Loads columns [first, first + count) of a row, as a vector or a scalar.
typedef LLVMValueRef TransposeLoad(Gen *gen, void *data, unsigned row, unsigned first,
                                   unsigned count);

typedef struct TransposeLoads {
    TransposeLoad *load;
    void *data;
    unsigned rows;
    unsigned bytes; // of an element in memory
} TransposeLoads;

// The same of so many columns of rows that are in memory.
void transpose_loads(Gen *gen, LLVMValueRef *vectors, const TransposeLoads *loads,
                     unsigned columns);

// Takes every `count`-th lane of all `count` vectors together, from lane 0, 1, ... on, and puts
// them back in their order: each result takes a shuffle of two vectors fewer than there are. No
// more than TILE_LIMIT vectors.
void unweave_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count);
void weave_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count);

#endif
