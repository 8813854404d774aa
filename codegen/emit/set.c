// Carries out what plan/plan.h decides: most sets walk the index space of their values and store
// through the place's index map; a literal or a concatenation is one walk per operand, each into
// its part of the place; whole variables are copied and filled by memcpy and memset.
#include "codegen/emit/set.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/destination.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/nest.h"
#include "codegen/emit/parallel.h"
#include "codegen/emit/product.h"
#include "codegen/emit/running.h"
#include "codegen/emit/tile.h"
#include "codegen/emit/types.h"
#include "codegen/emit/weave.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"
#include "codegen/plan/parts.h"
#include "codegen/plan/plan.h"
#include "support/number.h"

#include <string.h>

typedef struct Walk {
    const WalkPlan *plan;
    const PlanStore *stores;
    size_t count;
    const TirBlock *sets; // of a nest; else NULL
    SplitPlan split;
} Walk;

static Index walk_index(Gen *gen, const WalkPlan *plan, const LLVMValueRef *at, unsigned lanes) {
    if (plan->is_linear) {
        return (Index){.linear = at[0], .lanes = lanes, .step = 1};
    }
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, plan->rank + 1);
    steps[plan->along] = 1;
    return (Index){.at = at, .lanes = lanes, .steps = steps};
}

static void store_value(Gen *gen, const Walk *walk, size_t number, LLVMValueRef value, Index index,
                        bool streams) {
    const PlanStore *store = &walk->stores[number];
    Root root = store->value->type->root;
    Address address = destination_address(gen, store->to, index);
    if (streams && number == walk->plan->streamed) {
        index_stream(gen, root, value, address, index.lanes);
    } else {
        index_store(gen, root, value, address, index.lanes);
    }
}

static LLVMValueRef value_at(Gen *gen, const Walk *walk, size_t number, Index index) {
    const PlanStore *store = &walk->stores[number];
    if (gen->nest != NULL && number == 0) {
        nest_enter(gen->nest, index.at, index.linear);
    }
    LLVMValueRef value = element(gen, store->value, index);
    if (gen->nest != NULL) {
        nest_add(gen->nest, store->to->place, value);
    }
    return value;
}

static bool is_stored(const Walk *walk, size_t number) {
    return walk->sets == NULL || nest_stores(walk->sets, number);
}

// Each value at an index, one after the other; one of them past the caches where wanted.
static void store_index(Gen *gen, const Walk *walk, Index index, bool streams) {
    for (size_t i = 0; i < walk->count; i++) {
        LLVMValueRef value = value_at(gen, walk, i, index);
        if (is_stored(walk, i)) {
            store_value(gen, walk, i, value, index, streams);
        }
    }
}

// What is computed before any of it is stored: behind a store what is read from the same place of
// another page would wait for it, and so would arithmetic that LLVM leaves behind it.
typedef struct Group {
    Index indices[GROUP_LIMIT];
    size_t count;
} Group;

static void store_group(Gen *gen, const Walk *walk, const Group *group, bool streams) {
    LLVMValueRef values[GROUP_LIMIT][NEST_LIMIT];
    Weave weave;
    weave_begin(gen, &weave);
    for (size_t k = 0; k < group->count; k++) {
        for (size_t i = 0; i < walk->count; i++) {
            values[k][i] = value_at(gen, walk, i, group->indices[k]);
        }
        weave_next(gen, &weave);
    }
    if (walk->plan->pieces > 1) {
        weave_end(gen, &weave);
    }
    for (size_t k = 0; k < group->count; k++) {
        for (size_t i = 0; i < walk->count; i++) {
            if (is_stored(walk, i)) {
                store_value(gen, walk, i, values[k][i], group->indices[k], streams);
            }
        }
    }
}

// The position that lies `distance` behind `at` in one dim.
static Index index_behind(Gen *gen, const WalkPlan *plan, const LLVMValueRef *at, size_t dim,
                          unsigned distance, unsigned lanes) {
    LLVMValueRef *behind = ARENA_ARRAY(gen->arena, LLVMValueRef, plan->rank);
    memcpy(behind, at, plan->rank * sizeof(*at));
    behind[dim] = gen_index_add(gen, at[dim], gen_i64(gen, distance));
    return walk_index(gen, plan, behind, lanes);
}

static void store_rows(Gen *gen, const Walk *walk, const LLVMValueRef *at, unsigned lanes) {
    Group group = {.count = walk->plan->rows};
    for (unsigned row = 0; row < group.count; row++) {
        group.indices[row] = index_behind(gen, walk->plan, at, walk->plan->along - 1, row, lanes);
    }
    store_group(gen, walk, &group, false);
}

static void store_pieces_at(Gen *gen, const Walk *walk, const LLVMValueRef *at) {
    const WalkPlan *plan = walk->plan;
    Group group = {.count = plan->pieces};
    for (unsigned k = 0; k < group.count; k++) {
        group.indices[k] = index_behind(gen, plan, at, plan->along, k * plan->lanes, plan->lanes);
    }
    store_group(gen, walk, &group, plan->streams);
}

static void store_lanes(Gen *gen, const Walk *walk, const LLVMValueRef *at, unsigned lanes,
                        bool streams) {
    if (walk->plan->rows > 1) {
        store_rows(gen, walk, at, lanes);
    } else {
        store_index(gen, walk, walk_index(gen, walk->plan, at, lanes), streams);
    }
}

static void store_element(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    (void)carried;
    store_lanes(gen, data, at, 1, false);
}

// Full pieces from `first` on, at least one.
static void store_pieces(Gen *gen, const Walk *walk, LLVMValueRef *at, LLVMValueRef first,
                         LLVMValueRef count) {
    const WalkPlan *plan = walk->plan;
    Loop loop;
    loop_begin(gen, &loop, count, NULL, 0);
    at[plan->along] = gen_index_add(gen, gen_index_mul(gen, loop.index, plan->lanes), first);
    store_lanes(gen, walk, at, plan->lanes, plan->streams);
    loop_end(gen, &loop, NULL);
}

// Several full pieces of a row in each turn; `first` is a turn, too.
static void store_grouped_pieces(Gen *gen, const Walk *walk, LLVMValueRef *at, LLVMValueRef first,
                                 LLVMValueRef count) {
    const WalkPlan *plan = walk->plan;
    Loop loop;
    loop_begin(gen, &loop, count, NULL, 0);
    LLVMValueRef turn = gen_index_add(gen, loop.index, first);
    at[plan->along] = gen_index_mul(gen, turn, (uint64_t)plan->pieces * plan->lanes);
    store_pieces_at(gen, walk, at);
    loop_end(gen, &loop, NULL);
}

static void store_piece_at(Gen *gen, const Walk *walk, LLVMValueRef *at, uint32_t position,
                           unsigned lanes) {
    at[walk->plan->along] = gen_i64(gen, position);
    store_lanes(gen, walk, at, lanes, false);
}

// Elements one by one, perhaps none.
static void store_singles(Gen *gen, const Walk *walk, LLVMValueRef *at, LLVMValueRef first,
                          LLVMValueRef count) {
    Loop loop;
    loop_any_begin(gen, &loop, count);
    at[walk->plan->along] = gen_index_add(gen, loop.index, first);
    store_lanes(gen, walk, at, 1, false);
    loop_any_end(gen, &loop);
}

// Elements [start, start + length) of a row past the caches. No line of the aligned pieces may be
// written through them, too: that is twice as slow as without any.
static void stream_row(Gen *gen, const Walk *walk, LLVMValueRef *at, LLVMValueRef start,
                       LLVMValueRef length) {
    const WalkPlan *plan = walk->plan;
    const PlanStore *store = &walk->stores[walk->plan->streamed];
    at[plan->along] = start;
    Address row = destination_address(gen, store->to, walk_index(gen, plan, at, 1));
    LLVMValueRef first = index_until_aligned(gen, store->value->type->root, row, plan->lanes);
    store_singles(gen, walk, at, start, first);
    LLVMValueRef left = LLVMBuildNSWSub(gen->builder, length, first, "");
    LLVMValueRef count = LLVMBuildUDiv(gen->builder, left, gen_i64(gen, plan->lanes), "");
    store_pieces(gen, walk, at, gen_index_add(gen, start, first), count);
    LLVMValueRef done = gen_index_add(gen, first, gen_index_mul(gen, count, plan->lanes));
    store_singles(gen, walk, at, gen_index_add(gen, start, done),
                  LLVMBuildNSWSub(gen->builder, length, done, ""));
}

static void fence(Gen *gen, const WalkPlan *plan) {
    if (plan->streams) {
        gen_intrinsic(gen, gen->target.has->fence, NULL, 0, NULL, 0);
    }
}

// A row whose pieces threads share.
typedef struct SplitRow {
    const Walk *walk;
    const LLVMValueRef *at;
} SplitRow;

// Of a row that streams, a turn is several pieces, and the last one has what is left.
static void store_split_pieces(Gen *gen, void *data, LLVMValueRef first, LLVMValueRef end) {
    const SplitRow *row = data;
    const WalkPlan *plan = row->walk->plan;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, plan->rank);
    memcpy(at, row->at, plan->rank * sizeof(*at));
    LLVMValueRef count = LLVMBuildNSWSub(gen->builder, end, first, "");
    if (!plan->streams && plan->pieces > 1) {
        store_grouped_pieces(gen, row->walk, at, first, count);
        return;
    }
    if (!plan->streams) {
        store_pieces(gen, row->walk, at, gen_index_mul(gen, first, plan->lanes), count);
        return;
    }
    uint64_t turn = plan->lanes * split_stream_pieces();
    LLVMValueRef turns = gen_i64(gen, (int64_t)row->walk->split.turns);
    LLVMValueRef is_last = LLVMBuildICmp(gen->builder, LLVMIntEQ, end, turns, "");
    LLVMValueRef start = gen_index_mul(gen, first, turn);
    LLVMValueRef stop =
        LLVMBuildSelect(gen->builder, is_last, gen_i64(gen, plan->dims[plan->along]),
                        gen_index_mul(gen, end, turn), "");
    stream_row(gen, row->walk, at, start, LLVMBuildNSWSub(gen->builder, stop, start, ""));
    fence(gen, plan);
}

// Whether what is left of a row is stored best by one piece that overlaps.
static bool reaches_back(const WalkPlan *plan, uint64_t done, uint64_t length) {
    uint64_t rest = length - done;
    return plan->overlaps && done > 0 && rest > 0 && !number_is_power_of_two(rest);
}

// What full pieces have left of a row: one more that overlaps, or halves, quarters, ...
static void store_rest(Gen *gen, const Walk *walk, LLVMValueRef *at, uint32_t done) {
    const WalkPlan *plan = walk->plan;
    uint32_t length = plan->dims[plan->along];
    if (plan->is_balanced) {
        for (; done < length; done += plan->lanes) {
            uint32_t rest = length - done;
            store_piece_at(gen, walk, at, done, rest < plan->lanes ? rest : plan->lanes);
        }
        return;
    }
    for (unsigned lanes = plan->lanes; lanes >= 1; lanes /= 2) {
        for (; done + lanes <= length; done += lanes) {
            store_piece_at(gen, walk, at, done, lanes);
        }
        if (reaches_back(plan, done, length)) {
            store_piece_at(gen, walk, at, length - lanes, lanes);
            return;
        }
    }
}

// Of those that are computed at once; the last ones may be stored twice.
static LLVMValueRef first_row(Gen *gen, const WalkPlan *plan, LLVMValueRef number) {
    LLVMValueRef row = gen_index_mul(gen, number, plan->rows);
    LLVMValueRef args[] = {row, gen_i64(gen, plan->dims[plan->along - 1] - plan->rows)};
    bool is_even = plan->dims[plan->along - 1] % plan->rows == 0;
    return is_even ? row : gen_intrinsic(gen, "llvm.umin", &gen->i64, 1, args, 2);
}

// One row in full pieces, and what is left.
static void store_row(Gen *gen, void *data, const LLVMValueRef *outer, LLVMValueRef *carried) {
    (void)carried;
    const Walk *walk = data;
    const WalkPlan *plan = walk->plan;
    uint32_t pieces = plan->dims[plan->along] / plan->lanes;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, plan->rank);
    for (size_t k = 0; k < plan->rank; k++) {
        at[k] = k < plan->along ? outer[k] : gen_i64(gen, 0);
    }
    if (plan->rows > 1) {
        at[plan->along - 1] = first_row(gen, plan, outer[plan->along - 1]);
    }
    if (walk->split.kind == SPLIT_PIECES) {
        parallel_turns(gen, &walk->split, store_split_pieces, &(SplitRow){walk, at});
        if (!plan->streams) {
            store_rest(gen, walk, at, (uint32_t)walk->split.turns * plan->pieces * plan->lanes);
        }
    } else if (plan->streams) {
        stream_row(gen, walk, at, gen_i64(gen, 0), gen_i64(gen, plan->dims[plan->along]));
    } else if (plan->pieces > 1) {
        uint32_t length = plan->pieces * plan->lanes;
        uint32_t count = plan->dims[plan->along] / length;
        store_grouped_pieces(gen, walk, at, gen_i64(gen, 0), gen_i64(gen, count));
        store_rest(gen, walk, at, count * length);
    } else if (!plan->unrolled && pieces > 1) {
        store_pieces(gen, walk, at, gen_i64(gen, 0), gen_i64(gen, pieces));
        store_rest(gen, walk, at, pieces * plan->lanes);
    } else {
        store_rest(gen, walk, at, 0);
    }
}

// Rows whose blocks follow each other: all of them, or those at one position of the dims around.
typedef struct Wrapped {
    const Walk *walk;
    const LLVMValueRef *outer; // the position
    LLVMValueRef start;        // their first element
} Wrapped;

// One piece of a block of rows; `block` is the block's first element, `first` the piece's in the
// block.
static void store_wrapped_piece(Gen *gen, const Wrapped *rows, LLVMValueRef row, LLVMValueRef block,
                                uint64_t first, unsigned lanes) {
    IndexWrap wrap = {&rows->walk->plan->wrap, rows->outer, row, first};
    LLVMValueRef linear = gen_index_add(gen, block, gen_i64(gen, (int64_t)first));
    store_index(gen, rows->walk,
                (Index){.linear = linear, .lanes = lanes, .step = 1, .wrap = &wrap}, false);
}

static void store_wrapped_blocks(Gen *gen, const Wrapped *rows, LLVMValueRef from,
                                 LLVMValueRef count) {
    const WalkPlan *plan = rows->walk->plan;
    const WrapPlan *wrap = &plan->wrap;
    Loop loop;
    loop_begin(gen, &loop, count, NULL, 0);
    LLVMValueRef number = gen_index_add(gen, from, loop.index);
    LLVMValueRef row = gen_index_mul(gen, number, wrap->rows);
    LLVMValueRef block = gen_index_mul(gen, number, (uint64_t)wrap->rows * wrap->period);
    block = gen_index_add(gen, rows->start, block);
    for (uint32_t k = 0; k < wrap->vectors; k++) {
        store_wrapped_piece(gen, rows, row, block, (uint64_t)k * plan->lanes, plan->lanes);
    }
    loop_end(gen, &loop, NULL);
}

static void store_split_blocks(Gen *gen, void *data, LLVMValueRef first, LLVMValueRef end) {
    store_wrapped_blocks(gen, data, first, LLVMBuildNSWSub(gen->builder, end, first, ""));
}

// Blocks of rows that fill vectors, and what is left as the rest of one long row.
static void store_wrapped(Gen *gen, void *data, const LLVMValueRef *outer, LLVMValueRef *carried) {
    (void)carried;
    const Walk *walk = data;
    const WalkPlan *plan = walk->plan;
    const WrapPlan *wrap = &plan->wrap;
    uint64_t numel = walk->stores[0].value->type->numel;
    Wrapped rows = {walk, outer, gen_i64(gen, 0)};
    for (size_t k = 0; k < wrap->outer; k++) {
        numel /= plan->dims[k];
        rows.start = gen_index_add(gen, gen_index_mul(gen, rows.start, plan->dims[k]), outer[k]);
    }
    rows.start = gen_index_mul(gen, rows.start, numel);
    uint64_t length = (uint64_t)wrap->rows * wrap->period;
    if (walk->split.kind == SPLIT_PIECES) {
        parallel_turns(gen, &walk->split, store_split_blocks, &rows);
    } else if (numel >= length) {
        LLVMValueRef count = gen_i64(gen, (int64_t)(numel / length));
        store_wrapped_blocks(gen, &rows, gen_i64(gen, 0), count);
    }
    uint64_t done = numel / length * length;
    for (unsigned lanes = plan->lanes; lanes >= 1; lanes /= 2) {
        for (; done + lanes <= numel; done += lanes) {
            store_wrapped_piece(gen, &rows, gen_i64(gen, 0), rows.start, done, lanes);
        }
        if (reaches_back(plan, done, numel)) {
            store_wrapped_piece(gen, &rows, gen_i64(gen, 0), rows.start, numel - lanes, lanes);
            return;
        }
    }
}

// The loops around the elements or rows of a walk.
typedef struct Around {
    Walk *walk;
    LoopSpace space;
    LoopBody *body;
} Around;

static void walk_part(Gen *gen, void *data, LLVMValueRef first, LLVMValueRef end) {
    const Around *around = data;
    const WalkPlan *plan = around->walk->plan;
    parallel_nest(gen, around->space, around->walk->split.dims, first, end, around->body,
                  around->walk);
    fence(gen, plan);
}

static void walk_around(Gen *gen, Around around) {
    const SplitPlan *split = &around.walk->split;
    if (split->kind == SPLIT_OUTER) {
        parallel_turns(gen, split, walk_part, &around);
    } else {
        loop_nest(gen, around.space, NULL, 0, around.body, around.walk);
    }
}

static void set_walk(Gen *gen, const WalkPlan *plan, const PlanStore *stores, size_t count,
                     const TirBlock *sets) {
    Walk walk = {plan, stores, count, sets, split_walk(&gen->facts, stores, count, plan)};
    for (size_t i = 0; i < count && walk.split.kind != SPLIT_NONE; i++) {
        parallel_prepare(gen, stores[i].to, stores[i].value);
    }
    if (plan->wrap.period != 0) {
        LoopSpace outer = {.dims = plan->dims, .rank = plan->wrap.outer};
        walk_around(gen, (Around){&walk, outer, store_wrapped});
    } else if (plan->lanes == 1) {
        LoopSpace space = {.dims = plan->dims,
                           .rank = plan->rank,
                           .unrolled = plan->unrolled,
                           .left_to_llvm = true};
        walk_around(gen, (Around){&walk, space, store_element});
    } else {
        uint32_t *dims = ARENA_ARRAY(gen->arena, uint32_t, plan->along + 1);
        memcpy(dims, plan->dims, plan->along * sizeof(*dims));
        if (plan->rows > 1) {
            dims[plan->along - 1] = (dims[plan->along - 1] + plan->rows - 1) / plan->rows;
        }
        LoopSpace outer = {.dims = dims, .rank = plan->along, .unrolled = plan->unrolled};
        walk_around(gen, (Around){&walk, outer, store_row});
    }
    fence(gen, plan);
}

// The memory that holds the value already, row-major.
static LLVMValueRef memory_of(Gen *gen, const TirExpr *value) {
    switch (value->kind) {
    case EXPR_VAR: return frame_var_address(gen, value->var);
    case EXPR_CONST: return element_const_table(gen, value);
    case EXPR_RESHAPE: return memory_of(gen, value->operand);
    case EXPR_MAP:
    case EXPR_CONVERT:
    case EXPR_VIEW:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT:
    case EXPR_IOTA: BUG("a value that is not in memory");
    }
    UNREACHABLE();
}

// The whole of a contiguous destination, by bytes.
static void set_bytes(Gen *gen, const Destination *to, const TirExpr *value, bool is_fill) {
    LLVMValueRef bytes = gen_i64(gen, (int64_t)gen_type_bytes(gen, value->type));
    unsigned align = (unsigned)gen_root_bytes(gen, value->type->root);
    LLVMValueRef from = is_fill ? NULL : memory_of(gen, value);
    Address address = destination_address(gen, to, index_scalar(gen));
    if (is_fill) {
        LLVMBuildMemSet(gen->builder, address.pointer, LLVMConstInt(gen->i8, 0, false), bytes,
                        align);
    } else {
        LLVMBuildMemCpy(gen->builder, address.pointer, align, from, align, bytes);
    }
}

static void set_destination(Gen *gen, const Destination *to, const TirExpr *value);

static void set_parts(Gen *gen, const Destination *to, const TirExpr *value) {
    PartsPlan plan;
    parts_plan(&gen->facts, to, value, &plan);
    if (plan.count > 0) {
        set_walk(gen, &plan.walk, plan.stores, plan.count, NULL);
        return;
    }
    Destination part;
    for (size_t i = 0; i < destination_part_count(value); i++) {
        part = destination_part(to, value, i, i == 0 ? NULL : &part);
        set_destination(gen, &part, destination_part_value(value, i));
    }
}

static void set_destination(Gen *gen, const Destination *to, const TirExpr *value) {
    Plan plan = plan_set(&gen->facts, to, value);
    switch (plan.kind) {
    case PLAN_FILL: set_bytes(gen, to, value, true); return;
    case PLAN_COPY: set_bytes(gen, to, value, false); return;
    case PLAN_PRODUCT: product_set(gen, to, value, &plan.product); return;
    case PLAN_PARTS: set_parts(gen, to, value); return;
    case PLAN_RUNNING: running_set(gen, to, value, &plan.running); return;
    case PLAN_TILES: tile_set(gen, to, value, &plan.tiles); return;
    case PLAN_ROWS:
    case PLAN_ELEMENTS: set_walk(gen, &plan.walk, &(PlanStore){to, value}, 1, NULL); return;
    }
    UNREACHABLE();
}

void set_place(Gen *gen, const TirStmt *set) {
    const TirExpr *value = set->set.value;
    index_prepare(gen, value);
    index_prepare(gen, set->set.place);
    Destination to = plan_place(&gen->facts, &gen->scope, gen->function, set);
    set_destination(gen, &to, value);
}

void set_nest(Gen *gen, const TirStmt *stmt) {
    const TirBlock *sets = &stmt->nest;
    PlanStore *stores = ARENA_ARRAY(gen->arena, PlanStore, sets->count);
    Destination *places = ARENA_ARRAY(gen->arena, Destination, sets->count);
    for (size_t i = 0; i < sets->count; i++) {
        const TirStmt *set = sets->items[i];
        index_prepare(gen, set->set.value);
        index_prepare(gen, set->set.place);
        places[i] = plan_place(&gen->facts, &gen->scope, gen->function, set);
        stores[i] = (PlanStore){&places[i], set->set.value};
    }
    WalkPlan plan = walk_plan(&gen->facts, stores, sets->count);
    GenNest nest = {.count = 0};
    gen->nest = &nest;
    set_walk(gen, &plan, stores, sets->count, sets);
    gen->nest = NULL;
}
