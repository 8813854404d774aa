// What lane_sum.c has at once is computed branch by branch here, so that few values are held.
#include "codegen/emit/term_tree.h"

#include "codegen/emit/lanes.h"
#include "support/bug.h"

static LLVMValueRef join(Gen *gen, const TermTree *tree, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef values[] = {a, b};
    lanes_match(gen, values, 2);
    return tree->join(gen, tree->data, values[0], values[1]);
}

// Every `step`-th term from number `first` on, one after the other.
static LLVMValueRef chain(Gen *gen, const TermTree *tree, uint64_t first, uint64_t step,
                          uint64_t end) {
    LLVMValueRef so_far = NULL;
    for (uint64_t number = first; number < end; number += step) {
        so_far = tree->add(gen, tree->data, number, so_far);
    }
    return so_far;
}

// What a lane has in the accumulators first, first + step and so on.
static LLVMValueRef accumulators(Gen *gen, const TermTree *tree, unsigned lane, unsigned first,
                                 unsigned step) {
    const TermsPlan *plan = tree->plan;
    if (step == plan->accumulators) {
        uint64_t whole = plan->count - plan->count % plan->lanes;
        return chain(gen, tree, (uint64_t)first * plan->lanes + lane, (uint64_t)step * plan->lanes,
                     whole);
    }
    LLVMValueRef even = accumulators(gen, tree, lane, first, 2 * step);
    LLVMValueRef odd = accumulators(gen, tree, lane, first + step, 2 * step);
    return join(gen, tree, even, odd);
}

// What lane `lane` has when `width` of them are left, of what is joined by halves.
static LLVMValueRef lane_of(Gen *gen, const TermTree *tree, unsigned lane, unsigned width) {
    uint64_t count = tree->plan->count;
    if (width == tree->plan->lanes) {
        return accumulators(gen, tree, lane, 0, 1);
    }
    LLVMValueRef low = lane_of(gen, tree, lane, 2 * width);
    LLVMValueRef high = lane_of(gen, tree, lane + width, 2 * width);
    LLVMValueRef both = join(gen, tree, low, high);
    bool has_rest = (count & width) != 0; // terms that fill such a part of a vector
    return has_rest ? tree->add(gen, tree->data, count - count % (2 * width) + lane, both) : both;
}

static LLVMValueRef all_terms(Gen *gen, const TermTree *tree) {
    const TermsPlan *plan = tree->plan;
    CHECK(plan->count > 1);
    if (plan->in_lanes) {
        return lane_of(gen, tree, 0, 1);
    }
    LLVMValueRef first = chain(gen, tree, 0, plan->chains, plan->count);
    if (plan->chains == 1) {
        return first;
    }
    LLVMValueRef second = chain(gen, tree, 1, plan->chains, plan->count);
    return join(gen, tree, first, second);
}

// With --fp=fast LLVM would make one chain of the tree, in which each term waits for all before.
LLVMValueRef term_tree(Gen *gen, const TermTree *tree) {
    bool regroups = gen->regroups;
    gen->regroups = false;
    LLVMValueRef sum = all_terms(gen, tree);
    gen->regroups = regroups;
    return sum;
}
