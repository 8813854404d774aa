// Which of a component's entry points share code, and which have copies of their own. With a copy
// LLVM can keep the state in registers; it costs its bytes.
#ifndef TMLC_CODEGEN_UNIT_SHARING_H
#define TMLC_CODEGEN_UNIT_SHARING_H

#include "codegen/gen.h"

// Which functions of the source are copied to where they are called.
typedef enum Inlining {
    INLINE_BY_LLVM, // as LLVM likes, but, below -O3, no long ones
    INLINE_SHORT,   // all up to a limit
    INLINE_SHORTEST // none above a low limit
} Inlining;

// In `output`, `update` and, where it calls these functions itself, `step`.
Inlining sharing_in_part(const Gen *gen, bool is_step);
// In the loop of `step_n`, where it calls them itself.
Inlining sharing_in_loop(const Gen *gen);
// An attribute for the call of a function; NULL: none, LLVM decides.
const char *sharing_fact(const Gen *gen, LLVMValueRef function, Inlining inlining);

typedef enum StepSharing {
    STEPS_APART,   // `step` and `step_n` share nothing
    STEP_OF_ONE,   // `step` is `step_n` of one
    STEPS_OF_STEP, // `step_n` is a loop of `step`
    STEPS_WITHIN   // the same, with a loop of its own before it for the steps of TirInvariants
} StepSharing;

// Whether the loop of `step_n` works on a copy of the state, which becomes registers before LLVM
// chooses between branches and selects: then it is scalars alone, and no function fails.
bool sharing_copies_state(const Gen *gen);
// Whether `step_n` has a loop of its own for the steps of TirPasts.
bool sharing_reads_past(const Gen *gen);
// Whether it has one whose steps are TirProgram.side.
bool sharing_takes_side(const Gen *gen);

// Of a component whose functions are emitted.
StepSharing sharing_of_steps(const Gen *gen);

#endif
