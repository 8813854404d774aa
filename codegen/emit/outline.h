// Makes a function of code while it is generated, which another thread can call: what it uses of
// the function around it comes in as parameters.
#ifndef TMLC_CODEGEN_EMIT_OUTLINE_H
#define TMLC_CODEGEN_EMIT_OUTLINE_H

#include "codegen/gen.h"

typedef struct Outline {
    LLVMValueRef draft;      // where the code grows
    LLVMValueRef first, end; // i64: what it does of the turns
    LLVMValueRef value;      // of the function around, as are the others
    LLVMBasicBlockRef block, entry;
    LLVMMetadataRef location;
    GenExit exit;
    unsigned threads; // of the facts; in a part there are no others
} Outline;

// What the code has to call: void function(context, first, end).
typedef struct Outlined {
    LLVMValueRef function;
    LLVMValueRef context; // in the frame of the function around, filled; or null
} Outlined;

// From here on code is that of the new function. It may not leave the function around it, and the
// addresses of all variables in it must be known (outline_prepare). Scalars that it sets keep their
// values outside of it.
void outline_begin(Gen *gen, Outline *outline);
// Goes on behind the code before it.
Outlined outline_end(Gen *gen, Outline *outline);
// Makes the addresses of the variables of an expression known.
void outline_prepare(Gen *gen, const TirExpr *expr);
// The same of all statements of a block.
void outline_prepare_block(Gen *gen, const TirBlock *block);

#endif
