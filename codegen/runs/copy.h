// One function being copied for runs side by side. A value of it is *uniform*, the same in all runs
// and copied as it is, or *varying*: the copy of a scalar has `lanes` elements, that of a vector as
// many for each of its elements, those of one element side by side. Control flow is uniform: where
// a condition varies, runs vote, and the function is left if they do not agree.
#ifndef TMLC_CODEGEN_RUNS_COPY_H
#define TMLC_CODEGEN_RUNS_COPY_H

#include "codegen/gen.h"

// What a parameter or address is.
typedef enum RunKind {
    RUN_UNIFORM, // a value
    RUN_VARYING, // a value
    RUN_SHARED,  // the address of what all runs share: constants
    RUN_OWN,     // the address of memory with room for all runs
} RunKind;

enum { RUN_PARAMS = 24, RUN_LANES = 64 };

// A copy of a function for parameters of these kinds.
typedef struct RunFunction {
    LLVMValueRef source, copy;
    RunKind kinds[RUN_PARAMS];
    bool result_varies;
    bool may_part; // runs may not agree in it
} RunFunction;

typedef struct Runs {
    Gen *gen;
    unsigned lanes;
    LIST_OF(RunFunction *) functions;
    const char *refused; // NULL: all could be copied so far
} Runs;

typedef struct RunCopy {
    Runs *runs;
    const RunFunction *function;
    LLVMBuilderRef builder;
    Table varying; // values of the source that are
    Table kinds;   // of pointers that were asked for: RunKind + 1
    Table values;  // to their copies
    Table blocks;  // to the first blocks of their copies
    Table ends;    // to the last ones: where the terminator is, or where it goes if false
    Table agreed;  // to the one from where it goes if runs agree on true
    LLVMBasicBlockRef parted;
} RunCopy;

// Says why it cannot be done, once.
void run_refuse(Runs *runs, const char *why);

// Finds what varies in the function (uniform.c). False when it varies in a way that is refused.
void run_find_varying(RunCopy *copy);
bool run_varies(const RunCopy *copy, LLVMValueRef value);
// Of a value or address.
RunKind run_kind(RunCopy *copy, LLVMValueRef value);

// The type of a varying value, and the vector that all runs have of a value (value.c).
LLVMTypeRef run_type(const Runs *runs, LLVMTypeRef type);
LLVMValueRef run_value(RunCopy *copy, LLVMValueRef value); // the copy as it is
LLVMValueRef run_wide(RunCopy *copy, LLVMValueRef value);  // a vector, if it is uniform too
// One run's part of a wide scalar.
LLVMValueRef run_lane(RunCopy *copy, LLVMValueRef wide, unsigned lane);
LLVMValueRef run_set_lane(RunCopy *copy, LLVMValueRef wide, LLVMValueRef value, unsigned lane);
// How many elements the type has, 1 for scalars; and its scalar type.
unsigned run_elements(LLVMTypeRef type);
LLVMTypeRef run_scalar(LLVMTypeRef type);

// An instruction that is no branch, phi or return; NULL for those without a value (instruction.c).
LLVMValueRef run_instruction(RunCopy *copy, LLVMValueRef source);
// Addresses, loads, stores, copies of memory (memory.c).
LLVMValueRef run_address(RunCopy *copy, LLVMValueRef source);
LLVMValueRef run_alloca(RunCopy *copy, LLVMValueRef source);
LLVMValueRef run_load(RunCopy *copy, LLVMValueRef source);
void run_store(RunCopy *copy, LLVMValueRef source);
void run_move(RunCopy *copy, LLVMValueRef source);
// Calls of functions (call.c).
LLVMValueRef run_call(RunCopy *copy, LLVMValueRef source);

// The copy of the function for these kinds, made at once (copy.c).
const RunFunction *run_function(Runs *runs, LLVMValueRef source, const RunKind *kinds);
// Leaves the function where the i1 is set, which all runs have.
void run_part_if(RunCopy *copy, LLVMValueRef parts);

#endif
