// Faults: the one place where generated code fills in the state's fault and returns.
#ifndef TMLC_CODEGEN_EMIT_TRAP_H
#define TMLC_CODEGEN_EMIT_TRAP_H

#include "codegen/gen.h"
#include "runtime/abi/abi.h"

typedef struct TrapSite {
    tml_status code;
    Span span;
    LLVMValueRef index;  // i64; NULL: 0
    LLVMValueRef length; // i64; NULL: 0
} TrapSite;

// Stores the fault and returns its code from the function unless `condition` (i1) holds.
void trap_unless(Gen *gen, LLVMValueRef condition, TrapSite site);
// The same in two parts, between which code can stand that runs where it does not hold: the first
// returns the block where it does, or NULL where it always does and there is no second part.
LLVMBasicBlockRef trap_begin(Gen *gen, LLVMValueRef condition);
void trap_end(Gen *gen, LLVMBasicBlockRef pass, TrapSite site);
// Returns `status` from the function unless it is TML_OK.
void trap_propagate(Gen *gen, LLVMValueRef status);
// The same for the status of a call of `callee`, which may be one that never returns a fault.
void trap_propagate_call(Gen *gen, LLVMValueRef callee, LLVMValueRef status);
// Completes the blocks through which the function that is being generated leaves with a fault.
void trap_end_function(Gen *gen);

#endif
