// Dominators by going over the blocks until nothing changes (Cooper, Harvey, Kennedy); the same
// backwards, which finds who has no way to the return; loops from edges back to a dominator; then
// the order.
#include "codegen/runs/flow.h"

#include <string.h>

typedef struct Builder {
    Arena *arena;
    const FlowKnown *known;
    Flow flow;      // numbered as they are found
    FlowList post;  // those behind a block come before it
    uint32_t *rank; // of each block, in the order the other way round
    uint32_t end;   // the block that returns; FLOW_NONE
} Builder;

static bool ends_in_trap(const FlowKnown *known, LLVMBasicBlockRef block) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (known->is_trap(at)) {
            return true;
        }
    }
    return false;
}

// Where it may go, each once; room for all successors.
static unsigned successors(const FlowKnown *known, LLVMBasicBlockRef block, LLVMBasicBlockRef *to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (ends_in_trap(known, block)) {
        return 0;
    }
    to[0] = known->only != NULL ? known->only(known->data, end) : NULL;
    if (to[0] != NULL) {
        return 1;
    }
    unsigned count = 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        unsigned k = 0;
        while (k < count && to[k] != next) {
            k++;
        }
        to[k] = next;
        count += k == count;
    }
    return count;
}

// A block on the way from the entry, and which of its successors have been looked at.
typedef struct Place {
    uint32_t block;
    unsigned next, count;
    LLVMBasicBlockRef *to;
} Place;

static Place number_block(Builder *builder, LLVMBasicBlockRef source) {
    Flow *flow = &builder->flow;
    unsigned most = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(source));
    Place place = {.block = flow->count++,
                   .to = ARENA_ARRAY(builder->arena, LLVMBasicBlockRef, most + 1)};
    place.count = successors(builder->known, source, place.to);
    flow->blocks[place.block] = (FlowBlock){.source = source,
                                            .dominator = FLOW_NONE,
                                            .exit = FLOW_NONE,
                                            .loop = FLOW_NONE,
                                            .around = FLOW_NONE};
    table_set(builder->arena, &flow->numbers, source, (void *)((uintptr_t)place.block + 1));
    return place;
}

// Depth first.
static void find_blocks(Builder *builder, LLVMValueRef function) {
    Arena *arena = builder->arena;
    Flow *flow = &builder->flow;
    LIST_OF(Place) path = {0};
    flow->blocks = ARENA_ARRAY(arena, FlowBlock, LLVMCountBasicBlocks(function));
    LIST_PUSH(arena, &path, number_block(builder, LLVMGetEntryBasicBlock(function)));
    while (path.count > 0) {
        Place *place = &path.items[path.count - 1];
        if (place->next == place->count) {
            LIST_PUSH(arena, &builder->post, place->block);
            path.count--;
            continue;
        }
        LLVMBasicBlockRef to = place->to[place->next++];
        bool is_new = flow_number(flow, to) == FLOW_NONE;
        Place found = is_new ? number_block(builder, to) : (Place){.block = flow_number(flow, to)};
        LIST_PUSH(arena, &flow->blocks[place->block].to, found.block);
        LIST_PUSH(arena, &flow->blocks[found.block].from, place->block);
        if (is_new) {
            LIST_PUSH(arena, &path, found);
        }
    }
}

// Dominators.

typedef struct Tree {
    uint32_t *parent; // itself at the root; FLOW_NONE: no way there
    const uint32_t *rank;
} Tree;

static uint32_t common(const Tree *tree, uint32_t a, uint32_t b) {
    while (a != b) {
        while (tree->rank[a] > tree->rank[b]) {
            a = tree->parent[a];
        }
        while (tree->rank[b] > tree->rank[a]) {
            b = tree->parent[b];
        }
    }
    return a;
}

// One block, by those before it. Whether that changed something.
static bool update(Tree *tree, uint32_t block, const FlowList *before) {
    uint32_t best = FLOW_NONE;
    for (size_t i = 0; i < before->count; i++) {
        uint32_t from = before->items[i];
        if (tree->parent[from] != FLOW_NONE) {
            best = best == FLOW_NONE ? from : common(tree, from, best);
        }
    }
    bool changed = best != tree->parent[block];
    tree->parent[block] = best;
    return changed;
}

static void find_dominators(Builder *builder) {
    Flow *flow = &builder->flow;
    uint32_t count = flow->count;
    builder->rank = ARENA_ARRAY(builder->arena, uint32_t, count);
    Tree tree = {.parent = ARENA_ARRAY(builder->arena, uint32_t, count), .rank = builder->rank};
    for (uint32_t i = 0; i < count; i++) {
        builder->rank[builder->post.items[i]] = count - 1 - i;
        tree.parent[i] = FLOW_NONE;
    }
    tree.parent[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count - 1; i-- > 0;) { // all but the entry, which is the last one
            uint32_t block = builder->post.items[i];
            changed |= update(&tree, block, &flow->blocks[block].from);
        }
    }
    for (uint32_t i = 1; i < count; i++) {
        flow->blocks[i].dominator = tree.parent[i];
    }
}

static uint32_t find_end(const Flow *flow) {
    for (uint32_t i = 0; i < flow->count; i++) {
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(flow->blocks[i].source)) &&
            flow->blocks[i].to.count == 0) {
            return i;
        }
    }
    return FLOW_NONE;
}

// The blocks from which the end is reached, that one last.
static FlowList behind(Builder *builder, uint32_t end) {
    Arena *arena = builder->arena;
    LIST_OF(Place) path = {0};
    FlowList post = {0};
    bool *seen = ARENA_ARRAY(arena, bool, builder->flow.count);
    memset(seen, 0, builder->flow.count * sizeof *seen);
    seen[end] = true;
    LIST_PUSH(arena, &path, (Place){.block = end});
    while (path.count > 0) {
        Place *place = &path.items[path.count - 1];
        const FlowList *from = &builder->flow.blocks[place->block].from;
        if (place->next == from->count) {
            LIST_PUSH(arena, &post, place->block);
            path.count--;
            continue;
        }
        uint32_t next = from->items[place->next++];
        if (!seen[next]) {
            seen[next] = true;
            LIST_PUSH(arena, &path, (Place){.block = next});
        }
    }
    return post;
}

// The same backwards, from the only return.
static void find_exits(Builder *builder) {
    Flow *flow = &builder->flow;
    uint32_t end = builder->end = find_end(flow);
    if (end == FLOW_NONE) {
        return;
    }
    FlowList post = behind(builder, end);
    uint32_t *rank = ARENA_ARRAY(builder->arena, uint32_t, flow->count);
    Tree tree = {.parent = ARENA_ARRAY(builder->arena, uint32_t, flow->count), .rank = rank};
    for (uint32_t i = 0; i < flow->count; i++) {
        tree.parent[i] = FLOW_NONE;
    }
    for (size_t i = 0; i < post.count; i++) {
        rank[post.items[i]] = (uint32_t)(post.count - 1 - i);
    }
    tree.parent[end] = end;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = post.count - 1; i-- > 0;) {
            changed |= update(&tree, post.items[i], &flow->blocks[post.items[i]].to);
        }
    }
    for (uint32_t i = 0; i < flow->count; i++) {
        flow->blocks[i].exit = i == end ? FLOW_NONE : tree.parent[i];
    }
}

// Loops and the order.

static bool dominates(const Flow *flow, uint32_t a, uint32_t b) {
    while (b != FLOW_NONE && b != a) {
        b = flow->blocks[b].dominator;
    }
    return b == a;
}

// Whether the edge goes from a loop to its header.
static bool is_back(const Flow *flow, uint32_t from, uint32_t to) {
    return flow->blocks[to].is_header && dominates(flow, to, from);
}

// Puts all blocks from which an edge goes back to the header into its loop. Inner loops come later,
// and take what is theirs.
static void fill_loop(Builder *builder, uint32_t header) {
    Flow *flow = &builder->flow;
    FlowList todo = {0};
    flow->blocks[header].around = flow->blocks[header].loop;
    flow->blocks[header].is_header = true;
    LIST_PUSH(builder->arena, &todo, header);
    while (todo.count > 0) {
        uint32_t block = todo.items[--todo.count];
        const FlowList *from = &flow->blocks[block].from;
        flow->blocks[block].loop = header;
        for (size_t i = 0; i < from->count; i++) {
            uint32_t before = from->items[i];
            bool is_inside = block != header || is_back(flow, before, header);
            if (is_inside && flow->blocks[before].loop != header) {
                LIST_PUSH(builder->arena, &todo, before);
            }
        }
    }
}

static void find_loops(Builder *builder) {
    Flow *flow = &builder->flow;
    for (uint32_t i = flow->count; i-- > 0;) { // outer headers before inner ones
        uint32_t block = builder->post.items[i];
        unsigned ends = 0;
        const FlowList *from = &flow->blocks[block].from;
        for (size_t k = 0; k < from->count; k++) {
            bool goes_back = builder->rank[from->items[k]] >= builder->rank[block];
            ends += goes_back;
            if (ends > 1 || (goes_back && !dominates(flow, block, from->items[k]))) {
                flow->no_at = flow->blocks[block].source;
                flow->no = ends > 1 ? "a loop has two ends" : "a loop has two entries";
                return;
            }
        }
        if (ends > 0) {
            fill_loop(builder, block);
        }
    }
}

// Whether it has a way to the return.
static bool returns(const Builder *builder, uint32_t block) {
    return block == builder->end || builder->flow.blocks[block].exit != FLOW_NONE;
}

// The next one whose predecessors have a place, right in the loop.
static uint32_t next_block(const Builder *builder, const uint32_t *waits, uint32_t loop) {
    for (uint32_t i = builder->flow.count; i-- > 0;) {
        uint32_t number = builder->post.items[i];
        const FlowBlock *block = &builder->flow.blocks[number];
        if (waits[number] == 0 && returns(builder, number) &&
            (block->is_header ? block->around : block->loop) == loop) {
            return number;
        }
    }
    return FLOW_NONE;
}

// Places of the blocks. Those of a loop stand together, which the order in which they were found
// does not give; FLOW_NONE for those that are left out.
static uint32_t *find_order(Builder *builder, uint32_t *count) {
    Flow *flow = &builder->flow;
    uint32_t *waits = ARENA_ARRAY(builder->arena, uint32_t, flow->count);
    uint32_t *place = ARENA_ARRAY(builder->arena, uint32_t, flow->count);
    for (uint32_t i = 0; i < flow->count; i++) {
        waits[i] = 0;
        place[i] = FLOW_NONE;
        for (size_t k = 0; k < flow->blocks[i].from.count; k++) {
            waits[i] += !is_back(flow, flow->blocks[i].from.items[k], i);
        }
    }
    for (uint32_t i = 0, loop = FLOW_NONE;;) {
        uint32_t block = next_block(builder, waits, loop);
        if (block == FLOW_NONE && loop == FLOW_NONE) {
            *count = i;
            break;
        }
        if (block == FLOW_NONE) {
            loop = flow->blocks[loop].around;
            continue;
        }
        place[block] = i++;
        waits[block] = UINT32_MAX;
        loop = flow->blocks[block].is_header ? block : loop;
        const FlowList *to = &flow->blocks[block].to;
        for (size_t k = 0; k < to->count; k++) {
            waits[to->items[k]] -= !is_back(flow, block, to->items[k]);
        }
    }
    return place;
}

static void rename_list(FlowList *list, const uint32_t *place) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        list->items[kept] = place[list->items[i]];
        kept += list->items[kept] != FLOW_NONE;
    }
    list->count = kept;
}

static void put_in_order(Builder *builder) {
    Flow *flow = &builder->flow;
    uint32_t count, *place = find_order(builder, &count);
    FlowBlock *blocks = ARENA_ARRAY(builder->arena, FlowBlock, count);
    for (uint32_t i = 0; i < flow->count; i++) {
        FlowBlock block = flow->blocks[i];
        table_set(builder->arena, &flow->numbers, block.source,
                  place[i] == FLOW_NONE ? NULL : (void *)((uintptr_t)place[i] + 1));
        if (place[i] == FLOW_NONE) {
            continue;
        }
        rename_list(&block.to, place);
        rename_list(&block.from, place);
        uint32_t *others[] = {&block.dominator, &block.exit, &block.loop, &block.around};
        for (size_t k = 0; k < 4; k++) {
            *others[k] = *others[k] == FLOW_NONE ? FLOW_NONE : place[*others[k]];
        }
        blocks[place[i]] = block;
    }
    flow->blocks = blocks;
    flow->count = count;
}

Flow flow_of(Arena *arena, LLVMValueRef function, const FlowKnown *known) {
    Builder builder = {.arena = arena, .known = known};
    find_blocks(&builder, function);
    find_dominators(&builder);
    find_exits(&builder);
    find_loops(&builder);
    if (builder.flow.no == NULL) {
        put_in_order(&builder);
    }
    return builder.flow;
}

uint32_t flow_number(const Flow *flow, LLVMBasicBlockRef block) {
    uintptr_t number = (uintptr_t)table_get(&flow->numbers, block);
    return number == 0 ? FLOW_NONE : (uint32_t)(number - 1);
}

bool flow_is_in(const Flow *flow, uint32_t block, uint32_t header) {
    uint32_t loop = flow->blocks[block].loop;
    while (loop != FLOW_NONE && loop != header) {
        loop = flow->blocks[loop].around;
    }
    return loop == header;
}
