// The control flow of a function that is copied for runs side by side: its blocks in an order in
// which those of a loop stand together, who comes before whom, and its loops. Blocks from which all
// ways lead to a trap, or into a loop without an end, are not in it: a run that goes there is made
// alone.
#ifndef TMLC_CODEGEN_RUNS_FLOW_H
#define TMLC_CODEGEN_RUNS_FLOW_H

#include "support/arena.h"
#include "support/table.h"

#include <llvm-c/Core.h>

typedef LIST_OF(uint32_t) FlowList;

enum { FLOW_NONE = UINT32_MAX };

// Blocks are numbered by the order, and go by these numbers.
typedef struct FlowBlock {
    LLVMBasicBlockRef source;
    FlowList to, from;
    uint32_t dominator; // the nearest other one that all ways to it have; FLOW_NONE at block 0
    uint32_t exit;      // the nearest other one that all ways to the return have; FLOW_NONE at it
    uint32_t loop;      // header of the innermost loop that it is in; FLOW_NONE
    uint32_t around;    // of a header: that of the loop around its own; FLOW_NONE
    bool is_header;
} FlowBlock;

typedef struct Flow {
    FlowBlock *blocks;
    uint32_t count;
    Table numbers;           // of blocks, from 1 on
    const char *no;          // why it cannot be followed, or NULL
    LLVMBasicBlockRef no_at; // and where
} Flow;

typedef struct FlowKnown {
    LLVMBasicBlockRef (*only)(void *data,
                              LLVMValueRef branch); // where it always goes, or NULL; may be NULL
    bool (*is_trap)(LLVMValueRef instruction);      // whether it is a call of a trap
    void *data;
} FlowKnown;

Flow flow_of(Arena *arena, LLVMValueRef function, const FlowKnown *known);
uint32_t flow_number(const Flow *flow, LLVMBasicBlockRef block); // FLOW_NONE: it is not in it
// Whether the block is in the loop with this header, however deep.
bool flow_is_in(const Flow *flow, uint32_t block, uint32_t header);

#endif
