// Where runs go different ways, and what that makes of the blocks between there and where they meet
// again.
//
// Note [Ways]
// Each way from a branch has a label, which its blocks get; where two labels meet, runs join that
// came from different blocks, and what follows has a label of its own. So a phi at a join varies
// though its values may not, and one on a single way does not. A loop that runs leave at different
// turns is masked as a whole: those that stay are at the same turn, so its own phis need not vary,
// but those behind it do. Loops have closed values (LCSSA): nothing else of them is used outside.
#include "codegen/runs/copy.h"

#include <string.h>

typedef struct Ways {
    RunCopy *copy;
    uint32_t exit; // where runs meet
    uint32_t *labels;
    FlowList todo;
} Ways;

static void arrive(Ways *ways, uint32_t block, uint32_t label) {
    RunBlock *known = &ways->copy->function->blocks[block];
    uint32_t *own = &ways->labels[block];
    if (*own == label || *own == block) {
        return;
    }
    known->joins |= *own != FLOW_NONE;
    *own = *own == FLOW_NONE ? label : block;
    if (block != ways->exit) {
        known->is_masked = true;
        LIST_PUSH(ways->copy->runs->gen->arena, &ways->todo, block);
    }
}

static uint32_t chain_of(RunBlock *blocks, uint32_t block) {
    while (blocks[block].chain != block) {
        block = blocks[block].chain = blocks[blocks[block].chain].chain;
    }
    return block;
}

static void join_chains(RunBlock *blocks, uint32_t a, uint32_t b) {
    blocks[chain_of(blocks, a)].chain = chain_of(blocks, b);
}

// What leads out of a loop in which the branch is, if runs may stay in it.
static void leave_loops(const Ways *ways, uint32_t branch) {
    const RunFunction *function = ways->copy->function;
    const FlowBlock *blocks = function->flow.blocks;
    for (uint32_t loop = blocks[branch].loop; loop != FLOW_NONE; loop = blocks[loop].around) {
        for (uint32_t i = 0; i < function->flow.count && ways->labels[loop] != FLOW_NONE; i++) {
            for (size_t k = 0; k < blocks[i].from.count; k++) {
                function->blocks[i].joins |=
                    !flow_is_in(&function->flow, i, loop) &&
                    flow_is_in(&function->flow, blocks[i].from.items[k], loop);
            }
        }
    }
}

void run_diverge(RunCopy *copy, uint32_t block) {
    const Flow *flow = &copy->function->flow;
    RunBlock *blocks = copy->function->blocks;
    Ways ways = {.copy = copy,
                 .exit = flow->blocks[block].exit,
                 .labels = ARENA_ARRAY(copy->runs->gen->arena, uint32_t, flow->count)};
    memset(ways.labels, 0xff, flow->count * sizeof *ways.labels);
    const FlowList *to = &flow->blocks[block].to;
    for (size_t i = 0; i < to->count; i++) {
        arrive(&ways, to->items[i], flow->count + (uint32_t)i);
    }
    for (size_t i = 0; i < ways.todo.count; i++) {
        uint32_t at = ways.todo.items[i];
        const FlowList *next = &flow->blocks[at].to;
        for (size_t k = 0; k < next->count && at != block; k++) {
            arrive(&ways, next->items[k], ways.labels[at]);
        }
        join_chains(blocks, at, ways.todo.items[0]);
    }
    leave_loops(&ways, block);
}

void run_find_chains(RunCopy *copy) {
    const Flow *flow = &copy->function->flow;
    RunBlock *blocks = copy->function->blocks;
    uint32_t *next = ARENA_ARRAY(copy->runs->gen->arena, uint32_t, flow->count);
    for (uint32_t i = 0; i < flow->count; i++) {
        const FlowList *to = &flow->blocks[i].to;
        for (size_t k = 0; k < to->count; k++) {
            if (blocks[i].is_masked && blocks[to->items[k]].is_masked) {
                join_chains(blocks, i, to->items[k]);
            }
        }
        next[i] = FLOW_NONE;
    }
    for (uint32_t i = 0; i < flow->count; i++) {
        const FlowList *to = &flow->blocks[i].to;
        for (size_t k = 0; k < to->count && blocks[i].is_masked; k++) {
            uint32_t *exit = &next[chain_of(blocks, i)];
            if (blocks[to->items[k]].is_masked) {
                continue;
            }
            if (*exit != FLOW_NONE && *exit != to->items[k]) {
                run_refuse(copy->runs, "branches cross each other");
            }
            *exit = to->items[k];
        }
    }
    for (uint32_t i = flow->count; i-- > 0;) {
        if (blocks[i].is_masked) {
            blocks[i].next = next[chain_of(blocks, i)];
            next[chain_of(blocks, i)] = i;
        }
    }
}
