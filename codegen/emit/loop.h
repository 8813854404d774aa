// Loop nests over index spaces.
#ifndef TMLC_CODEGEN_EMIT_LOOP_H
#define TMLC_CODEGEN_EMIT_LOOP_H

#include "codegen/gen.h"

enum { LOOP_CARRIED_LIMIT = 32 };

// One loop: index = 0, 1, ... count - 1, at least once, with values carried from turn to turn.
typedef struct Loop {
    LLVMBasicBlockRef before, body;
    LLVMValueRef index; // i64
    LLVMValueRef at;    // the same as what is counted: no array has more elements than addresses
    LLVMValueRef count; // i64
    LLVMValueRef phis[LOOP_CARRIED_LIMIT];
    size_t carried_count;
    LLVMBasicBlockRef none; // of loop_any_begin
    bool left_to_llvm;      // it may make vectors; false unless the body says otherwise
    bool is_short;          // not worth unrolling
    size_t long_before;     // loops of the function that ended before it began
} Loop;

// Enters the body. carried[] holds the first values and then those of the turn at hand.
void loop_begin(Gen *gen, Loop *loop, LLVMValueRef count, LLVMValueRef *carried,
                size_t carried_count);
// carried[] holds the next turn's values, which are those after the loop as well.
void loop_end(Gen *gen, Loop *loop, LLVMValueRef *carried);

// Of any loop that ends with this branch: its turns are not written out.
void loop_keep_turns(Gen *gen, LLVMValueRef branch);
// The same of one that LLVM is to make no vectors of.
void loop_keep_scalars(Gen *gen, LLVMValueRef branch);
// Both.
void loop_keep_as_it_is(Gen *gen, LLVMValueRef branch);

// So many of them are, unless it has been said how many.
void loop_write_turns(Gen *gen, LLVMValueRef branch, unsigned count);

// The same for a count that may be 0, without values that are carried.
void loop_any_begin(Gen *gen, Loop *loop, LLVMValueRef count);
void loop_any_end(Gen *gen, Loop *loop);

// Emits what happens at one position; `at` has one i64 per dim. Updates carried[].
typedef void LoopBody(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried);

typedef struct LoopSpace {
    const uint32_t *dims;
    size_t rank;
    bool unrolled;     // straight code instead of loops
    bool left_to_llvm; // single elements side by side, of which it may make vectors
    bool keeps_turns;  // not worth unrolling by LLVM
} LoopSpace;

// Emits `body` for every position in row-major order, the last dim innermost. Dims of length 1
// make no loop. carried[] is as in loop_begin and loop_end.
void loop_nest(Gen *gen, LoopSpace space, LLVMValueRef *carried, size_t carried_count,
               LoopBody *body, void *data);

#endif
