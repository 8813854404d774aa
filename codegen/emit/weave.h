// Instructions of several values one by one in turn: a first of each, a second of each, and so on.
#ifndef TMLC_CODEGEN_EMIT_WEAVE_H
#define TMLC_CODEGEN_EMIT_WEAVE_H

#include "codegen/gen.h"
#include "codegen/plan/limits.h"

// Strands of instructions, emitted one after the other.
typedef struct Weave {
    LLVMBasicBlockRef block;
    LLVMValueRef before; // the first strand; NULL: nothing is
    LLVMValueRef last[GROUP_LIMIT];
    size_t count;
} Weave;

void weave_begin(Gen *gen, Weave *weave);
// What was emitted since is a strand.
void weave_next(Gen *gen, Weave *weave);
// Moves the instructions, unless there are branches among them or strands use each other's values.
void weave_end(Gen *gen, const Weave *weave);

#endif
