// Masks, a bit for each run, and where runs go at the end of a block. Of a block without a mask
// that all runs leave on one way, that is a branch. Else each way gets a mask, the phis behind it
// take the values of its runs, and the next block of the chain has its turn. Those that were
// visited before are loops, which go on while there is a run.
#include "codegen/runs/copy.h"

LLVMTypeRef run_mask_type(const Runs *runs) {
    return LLVMVectorType(runs->gen->i1, runs->lanes);
}

LLVMValueRef run_all(const Runs *runs) {
    return LLVMConstAllOnes(run_mask_type(runs));
}

// Of those of both, where others may be poison.
static LLVMValueRef mask_and(RunCopy *copy, LLVMValueRef mask, LLVMValueRef condition) {
    LLVMValueRef none = LLVMConstNull(run_mask_type(copy->runs));
    return mask == NULL ? condition : LLVMBuildSelect(copy->builder, mask, condition, none, "");
}

LLVMValueRef run_any(RunCopy *copy, LLVMValueRef mask) {
    LLVMTypeRef bits = LLVMIntTypeInContext(copy->runs->gen->llvm, copy->runs->lanes);
    LLVMValueRef votes = LLVMBuildBitCast(copy->builder, mask, bits, "");
    return LLVMBuildICmp(copy->builder, LLVMIntNE, votes, LLVMConstNull(bits), "");
}

LLVMValueRef run_blend(RunCopy *copy, LLVMValueRef mask, LLVMValueRef value, LLVMValueRef other) {
    unsigned lanes = copy->runs->lanes, count = run_elements(LLVMTypeOf(value));
    if (mask == NULL) {
        return value;
    }
    LLVMValueRef *from = ARENA_ARRAY(copy->runs->gen->arena, LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++) {
        from[i] = LLVMConstInt(copy->runs->gen->i32, i % lanes, false);
    }
    if (count > lanes) {
        mask = LLVMBuildShuffleVector(copy->builder, mask, LLVMGetPoison(LLVMTypeOf(mask)),
                                      LLVMConstVector(from, count), "");
    }
    return LLVMBuildSelect(copy->builder, mask, value, other, "");
}

// Ways.

// To one block, by one or more edges.
typedef struct Way {
    LLVMBasicBlockRef source;
    uint32_t to;          // FLOW_NONE: to a trap
    LLVMValueRef taken;   // whether any run goes there; NULL: yes
    LLVMValueRef mask;    // of the runs that do; NULL: all that there are
    LLVMValueRef *values; // for the phis there
} Way;

typedef struct Ways {
    Way *items;
    unsigned count;
} Ways;

// Their values are read before any is written.
static void read_values(RunCopy *copy, LLVMBasicBlockRef from, Way *way) {
    unsigned count = 0;
    LLVMValueRef phi = LLVMGetFirstInstruction(way->source);
    for (LLVMValueRef at = phi; LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at)) {
        count++;
    }
    way->values = ARENA_ARRAY(copy->runs->gen->arena, LLVMValueRef, count + 1);
    for (unsigned i = 0; i < count; i++, phi = LLVMGetNextInstruction(phi)) {
        unsigned k = 0;
        while (LLVMGetIncomingBlock(phi, k) != from) {
            k++;
        }
        LLVMValueRef value = LLVMGetIncomingValue(phi, k);
        way->values[i] = run_varies(copy, phi) ? run_wide(copy, value) : run_value(copy, value);
    }
}

// Sets the phis behind it and the mask there.
static void go(RunCopy *copy, const Way *way) {
    const RunBlock *to = &copy->function->blocks[way->to];
    LLVMBuilderRef builder = copy->builder;
    LLVMValueRef phi = LLVMGetFirstInstruction(way->source);
    for (unsigned i = 0; LLVMIsAPHINode(phi); i++, phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef home = run_home(copy, phi), value = way->values[i];
        bool varies = run_varies(copy, phi);
        LLVMValueRef old = varies ? way->mask : way->taken;
        if (old != NULL) {
            old = LLVMBuildLoad2(builder, LLVMGetAllocatedType(home), home, "");
            value = varies ? run_blend(copy, way->mask, value, old)
                           : LLVMBuildSelect(builder, way->taken, value, old, "");
        }
        LLVMBuildStore(builder, value, home);
    }
    if (to->is_masked) {
        LLVMValueRef home = copy->masks[way->to];
        LLVMValueRef mask = way->mask != NULL    ? way->mask
                            : copy->mask != NULL ? copy->mask
                                                 : run_all(copy->runs);
        LLVMValueRef others = LLVMBuildLoad2(builder, run_mask_type(copy->runs), home, "");
        LLVMBuildStore(builder, LLVMBuildOr(builder, mask, others, ""), home);
    }
}

// The i1, of one run or all, that leads to successor `i`; NULL if it is the only one.
static LLVMValueRef condition_for(RunCopy *copy, LLVMValueRef end, unsigned i) {
    LLVMBuilderRef builder = copy->builder;
    if (LLVMGetNumSuccessors(end) == 1) {
        return NULL;
    }
    LLVMValueRef condition = LLVMGetOperand(end, 0), value = run_value(copy, condition);
    if (LLVMIsABranchInst(end)) {
        return i == 0 ? value : LLVMBuildNot(builder, value, "");
    }
    bool varies = run_varies(copy, condition);
    LLVMValueRef any = NULL; // of the cases, the others being the default
    for (unsigned k = i == 0 ? 1 : i; k < (i == 0 ? LLVMGetNumSuccessors(end) : i + 1); k++) {
        LLVMValueRef number = LLVMGetOperand(end, 2 * k);
        number = varies ? run_wide(copy, number) : number;
        LLVMValueRef is = LLVMBuildICmp(builder, LLVMIntEQ, value, number, "");
        any = any == NULL ? is : LLVMBuildOr(builder, any, is, "");
    }
    LLVMTypeRef type = varies ? run_mask_type(copy->runs) : copy->runs->gen->i1;
    any = any == NULL ? LLVMConstNull(type) : any;
    return i == 0 ? LLVMBuildNot(builder, any, "") : any;
}

// Where an edge of the flow leads; FLOW_NONE to a trap.
static uint32_t target_of(const RunCopy *copy, LLVMBasicBlockRef source) {
    uint32_t to = flow_number(&copy->function->flow, source);
    const FlowList *edges = &copy->function->flow.blocks[copy->block].to;
    size_t k = 0;
    while (k < edges->count && edges->items[k] != to) {
        k++;
    }
    return k < edges->count ? to : FLOW_NONE;
}

// Adds the edge to the way to the same block.
static void add_edge(RunCopy *copy, Ways *ways, LLVMBasicBlockRef source, LLVMValueRef condition) {
    uint32_t to = target_of(copy, source);
    unsigned i = 0;
    while (i < ways->count && ways->items[i].to != to) {
        i++;
    }
    Way *way = &ways->items[i];
    if (i == ways->count) {
        ways->count++;
        *way = (Way){.source = source, .to = to, .taken = condition};
    } else if (condition != NULL) {
        way->taken = LLVMBuildOr(copy->builder, way->taken, condition, "");
    }
}

static Ways find_ways(RunCopy *copy, LLVMValueRef end) {
    unsigned count = LLVMGetNumSuccessors(end);
    Ways ways = {.items = ARENA_ARRAY(copy->runs->gen->arena, Way, count)};
    for (unsigned i = 0; i < count; i++) {
        add_edge(copy, &ways, LLVMGetSuccessor(end, i), condition_for(copy, end, i));
    }
    return ways;
}

// Runs that trap leave; the ways of the others stay.
static void leave_traps(RunCopy *copy, Ways *ways, bool varies) {
    unsigned kept = 0;
    for (unsigned i = 0; i < ways->count; i++) {
        Way *way = &ways->items[i];
        if (varies) {
            way->mask = mask_and(copy, copy->mask, way->taken);
            way->taken = run_any(copy, way->mask);
        }
        if (way->to == FLOW_NONE) {
            run_part_if(copy, way->taken);
        } else {
            ways->items[kept++] = *way;
        }
    }
    ways->count = kept;
    if (kept == 1) {
        ways->items[0].taken = ways->items[0].mask = NULL;
    }
}

// All runs take the same way.
static void branch(RunCopy *copy, const Ways *ways) {
    for (unsigned i = 0; i < ways->count; i++) {
        bool is_last = i + 1 == ways->count;
        LLVMBasicBlockRef other = NULL;
        if (!is_last) {
            LLVMContextRef llvm = copy->runs->gen->llvm;
            LLVMBasicBlockRef here = LLVMAppendBasicBlockInContext(llvm, copy->result, "");
            other = LLVMAppendBasicBlockInContext(llvm, copy->result, "");
            LLVMBuildCondBr(copy->builder, ways->items[i].taken, here, other);
            LLVMPositionBuilderAtEnd(copy->builder, here);
        }
        Way way = ways->items[i];
        way.taken = NULL;
        go(copy, &way);
        LLVMBuildBr(copy->builder, copy->starts[way.to]);
        if (!is_last) {
            LLVMPositionBuilderAtEnd(copy->builder, other);
        }
    }
}

// Each run takes its own. A chain begins at the first of its blocks where there may be one.
static void spread(RunCopy *copy, Ways *ways) {
    const RunBlock *here = &copy->function->blocks[copy->block];
    uint32_t first = FLOW_NONE, behind = FLOW_NONE, back = FLOW_NONE;
    for (unsigned i = 0; i < ways->count; i++) {
        Way *way = &ways->items[i];
        if (here->is_masked && way->mask == NULL) {
            way->mask = copy->mask;
            if (way->taken != NULL) {
                LLVMValueRef none = LLVMConstNull(run_mask_type(copy->runs));
                way->mask = LLVMBuildSelect(copy->builder, way->taken, copy->mask, none, "");
            }
        }
        go(copy, way);
        bool is_masked = copy->function->blocks[way->to].is_masked;
        behind = is_masked ? behind : way->to;
        first = is_masked && way->to < first ? way->to : first;
        back = is_masked && way->to <= copy->block ? way->to : back;
    }
    uint32_t next = here->is_masked ? here->next : first != FLOW_NONE ? first : behind;
    if (!here->is_masked || back == FLOW_NONE) {
        LLVMBuildBr(copy->builder, copy->starts[next]);
        return;
    }
    LLVMTypeRef type = run_mask_type(copy->runs);
    LLVMValueRef mask = LLVMBuildLoad2(copy->builder, type, copy->masks[back], "");
    LLVMBuildCondBr(copy->builder, run_any(copy, mask), copy->starts[back], copy->starts[next]);
}

void run_end_block(RunCopy *copy, LLVMValueRef end) {
    if (LLVMGetNumSuccessors(end) == 0) {
        LLVMBuildUnreachable(copy->builder);
        return;
    }
    bool varies = LLVMGetNumSuccessors(end) > 1 && run_varies(copy, LLVMGetOperand(end, 0));
    Ways ways = find_ways(copy, end);
    leave_traps(copy, &ways, varies);
    for (unsigned i = 0; i < ways.count; i++) {
        read_values(copy, LLVMGetInstructionParent(end), &ways.items[i]);
    }
    bool is_masked = copy->function->blocks[copy->block].is_masked;
    if (is_masked || (varies && ways.count > 1)) {
        spread(copy, &ways);
    } else {
        branch(copy, &ways);
    }
}
