// Where the least or greatest of many terms is, found in lanes.
#ifndef TMLC_CODEGEN_EMIT_ARG_LANES_H
#define TMLC_CODEGEN_EMIT_ARG_LANES_H

#include "codegen/gen.h"
#include "codegen/plan/terms.h"

// Whether a value is strictly beyond the best one, or the first nan.
LLVMValueRef arg_is_better(Gen *gen, bool is_max, Root root, LLVMValueRef value, LLVMValueRef best);

// What to look for, and in what.
typedef struct ArgSearch {
    bool is_max;
    Root root;
    TermsPlan plan;
    LLVMValueRef neutral; // no value is worse
    // The terms [position, position + lanes).
    LLVMValueRef (*terms)(Gen *gen, const void *data, LLVMValueRef position, unsigned lanes);
    const void *data;
} ArgSearch;

// The position of the first of the best, as i32.
LLVMValueRef arg_in_lanes(Gen *gen, const ArgSearch *search);

#endif
