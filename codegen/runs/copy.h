// One function being copied for runs side by side. A value of it is *uniform*, the same in all runs
// that compute it and copied as it is, or *varying*: the copy of a scalar has `lanes` elements,
// that of a vector as many for each of its elements, those of one element side by side.
//
// Where runs go different ways, the blocks up to where they meet again are *masked*. They are a
// chain, each visited in the order of the flow, and skipped if no run is there: a run is there
// whose bit is set in the mask of the block. Runs that trap are made one by one: the function is
// left.
#ifndef TMLC_CODEGEN_RUNS_COPY_H
#define TMLC_CODEGEN_RUNS_COPY_H

#include "codegen/gen.h"
#include "codegen/runs/flow.h"

// What a parameter or address is.
typedef enum RunKind {
    RUN_UNIFORM, // a value
    RUN_VARYING, // a value
    RUN_SHARED,  // the address of what all runs share: constants
    RUN_OWN,     // the address of memory with room for all runs
} RunKind;

enum { RUN_PARAMS = 24, RUN_LANES = 64 };

// What is known of a block of the flow.
typedef struct RunBlock {
    bool is_masked;
    bool joins;     // runs come from different blocks, or at different turns of a loop
    uint32_t chain; // of a masked one: another one of its chain, or itself
    uint32_t next;  // of a masked one: the next of its chain, or where runs meet; FLOW_NONE
} RunBlock;

// A function for parameters of these kinds.
typedef struct RunFunction {
    LLVMValueRef source;
    RunKind kinds[RUN_PARAMS];
    Flow flow;
    RunBlock *blocks;
    Table varying;       // values of the source that are
    Table pointers;      // of pointers that were asked for: RunKind + 1
    LLVMValueRef result; // the constant that it returns whenever it does, or NULL
    bool result_varies;
    bool is_entry;          // `init` or `step_n`: its first parameter is the state
    bool is_known;          // all of the above
    LLVMValueRef copies[2]; // for all runs; for some of them, whose mask comes last
    bool may_part;          // it may be left because a run traps
} RunFunction;

typedef struct Runs {
    Gen *gen;
    unsigned lanes;
    LIST_OF(RunFunction *) functions;
    LIST_OF(LLVMValueRef) copies;
    LLVMValueRef at;     // the instruction that is looked at
    const char *refused; // why and where it cannot be done; NULL: all could be copied so far
} Runs;

typedef struct RunCopy {
    Runs *runs;
    RunFunction *function;
    LLVMValueRef result; // the copy
    LLVMBuilderRef builder, at_entry;
    uint32_t block;            // of the flow, which is being copied
    LLVMValueRef mask;         // of the runs that are there; NULL: all
    Table values;              // to their copies
    Table homes;               // to where those are that other blocks use
    LLVMBasicBlockRef *starts; // of the copies of blocks
    LLVMValueRef *masks;       // homes of the masks of blocks
    LLVMBasicBlockRef parted;
} RunCopy;

// Says why it cannot be done, once.
void run_refuse(Runs *runs, const char *why);

// The function for these kinds, of which all is known but the copies; NULL for one that calls
// itself (uniform.c).
RunFunction *run_function(Runs *runs, LLVMValueRef source, const RunKind *kinds);
// That a call of the function gets.
RunFunction *run_callee(RunCopy *copy, LLVMValueRef call);
bool run_varies(const RunCopy *copy, LLVMValueRef value);
// Of a value or address.
RunKind run_kind(RunCopy *copy, LLVMValueRef value);

// Finds what is masked (diverge.c): notes what follows if runs go different ways at the end of the
// block; then, when all of these are known, the chains.
void run_diverge(RunCopy *copy, uint32_t block);
void run_find_chains(RunCopy *copy);

// The type of a varying value, and the vector that all runs have of a value (value.c).
LLVMTypeRef run_type(const Runs *runs, LLVMTypeRef type);
LLVMValueRef run_value(RunCopy *copy, LLVMValueRef value); // the copy as it is
LLVMValueRef run_wide(RunCopy *copy, LLVMValueRef value);  // a vector, if it is uniform too
void run_set_value(RunCopy *copy, LLVMValueRef source, LLVMValueRef value);
LLVMValueRef run_home(RunCopy *copy, LLVMValueRef source); // made when it is first asked for
// One run's part of a wide scalar.
LLVMValueRef run_lane(RunCopy *copy, LLVMValueRef wide, unsigned lane);
LLVMValueRef run_set_lane(RunCopy *copy, LLVMValueRef wide, LLVMValueRef value, unsigned lane);
// How many elements the type has, 1 for scalars; and its scalar type.
unsigned run_elements(LLVMTypeRef type);
LLVMTypeRef run_scalar(LLVMTypeRef type);

// Masks (mask.c). Of all runs; whether there are any.
LLVMTypeRef run_mask_type(const Runs *runs);
LLVMValueRef run_all(const Runs *runs);
LLVMValueRef run_any(RunCopy *copy, LLVMValueRef mask);
// `value` for the runs of the mask, `other` for the rest; both wide. A mask of NULL is all.
LLVMValueRef run_blend(RunCopy *copy, LLVMValueRef mask, LLVMValueRef value, LLVMValueRef other);
// The end of a block: where runs go from there.
void run_end_block(RunCopy *copy, LLVMValueRef terminator);

// An instruction that is no branch, phi or return; NULL for those without a value (instruction.c).
LLVMValueRef run_instruction(RunCopy *copy, LLVMValueRef source);
// Addresses, loads, stores, copies of memory (memory.c).
LLVMValueRef run_address(RunCopy *copy, LLVMValueRef source);
LLVMValueRef run_alloca(RunCopy *copy, LLVMValueRef source);
LLVMValueRef run_load(RunCopy *copy, LLVMValueRef source);
void run_store(RunCopy *copy, LLVMValueRef source);
void run_move(RunCopy *copy, LLVMValueRef source);
// A wide value, for the runs that are there, to an address that all have.
void run_store_wide(RunCopy *copy, LLVMValueRef wide, LLVMValueRef place, unsigned alignment);
// Integers that may be several scalars (word.c): whether they are wider than one, and whether the
// store of one has been made or refused, which it has not where it is an integer of its own.
bool run_is_wide_word(LLVMTypeRef type);
bool run_store_word(RunCopy *copy, LLVMValueRef store);
// Calls of functions (call.c).
LLVMValueRef run_call(RunCopy *copy, LLVMValueRef source);

// The copy of the function, made at once (copy.c); NULL if it cannot be made.
LLVMValueRef run_copy(Runs *runs, RunFunction *function, bool is_masked);
// Leaves the function where the i1 is set, which all runs have; NULL: always.
void run_part_if(RunCopy *copy, LLVMValueRef parts);
LLVMValueRef run_flag(const RunCopy *copy); // which the caller then finds set

#endif
