// A walk is over the dims of the values, or over one row where every value and every destination
// knows its row-major positions. Lanes run along the last dim that is longer than 1, when every
// store can do that.
#include "codegen/plan/walk.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "codegen/plan/parted.h"
#include "codegen/plan/pieces.h"
#include "codegen/plan/rows.h"
#include "codegen/plan/terms.h"
#include "support/bug.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/memory.h"

typedef struct Stores {
    const PlanFacts *facts;
    const PlanStore *items;
    size_t count;
} Stores;

static bool all_linear(const Stores *stores) {
    for (size_t i = 0; i < stores->count; i++) {
        const PlanStore *store = &stores->items[i];
        if (store->value->type->flat_rank <= 1 || !destination_is_contiguous(store->to) ||
            !element_is_flat(store->value)) {
            return false;
        }
    }
    return true;
}

static bool all_unroll(const Stores *stores, uint64_t positions) {
    uint64_t cost = 0;
    for (size_t i = 0; i < stores->count; i++) {
        cost += element_cost(stores->items[i].value);
    }
    return cost_unrolls(stores->facts, cost, positions);
}

// How far apart neighbours may lie that lanes read.
typedef enum Distance { SIDE_BY_SIDE, NEAR, APART } Distance;

static bool value_has_lanes(const PlanFacts *facts, const TirExpr *value, const int64_t *steps,
                            Distance distance) {
    switch (distance) {
    case SIDE_BY_SIDE: return element_has_lanes(facts, value, steps);
    case NEAR: return element_has_lanes_near(facts, value, steps);
    case APART: return element_has_lanes_apart(facts, value, steps);
    }
    UNREACHABLE();
}

static bool store_has_lanes(const PlanFacts *facts, const PlanStore *store, const WalkPlan *walk,
                            Distance distance) {
    int64_t steps[TYPE_FLAT_LIMIT] = {0};
    steps[walk->along] = 1;
    if (walk->is_linear) {
        return element_has_flat_lanes(facts, store->value);
    }
    return value_has_lanes(facts, store->value, steps, distance) &&
           destination_has_lanes(facts, store->to, steps);
}

static bool all_have_lanes(const Stores *stores, const WalkPlan *walk, Distance distance) {
    for (size_t i = 0; i < stores->count; i++) {
        if (!store_has_lanes(stores->facts, &stores->items[i], walk, distance)) {
            return false;
        }
    }
    return true;
}

static bool any_value(const Stores *stores, bool (*test)(const TirExpr *value)) {
    for (size_t i = 0; i < stores->count; i++) {
        if (test(stores->items[i].value)) {
            return true;
        }
    }
    return false;
}

// Whether an expression in any value is what is looked for.
static bool any_expr(const Stores *stores, TirExprTest *is_one) {
    for (size_t i = 0; i < stores->count; i++) {
        if (tir_any_expr(stores->items[i].value, is_one, NULL)) {
            return true;
        }
    }
    return false;
}

static bool any_has_loop(const Stores *stores) {
    return any_value(stores, element_has_loop);
}

static bool any_has_function(const Stores *stores) {
    return any_value(stores, element_has_function);
}

static bool takes_rows(const Stores *stores) {
    for (size_t i = 0; i < stores->count; i++) {
        if (element_takes_rows(stores->facts, stores->items[i].value)) {
            return true;
        }
    }
    return false;
}

// Bytes of the widest scalar in any value.
static uint64_t widest_of_all(const Stores *stores) {
    uint64_t widest = 1;
    for (size_t i = 0; i < stores->count; i++) {
        uint64_t bytes = element_widest(stores->facts, stores->items[i].value);
        widest = bytes > widest ? bytes : widest;
    }
    return widest;
}

static unsigned lanes_of_all(const Stores *stores) {
    uint64_t widest = widest_of_all(stores);
    uint64_t lanes = LANES_BYTES / widest;
    bool are_bytes = widest == 1 && stores->facts->vector_bytes > LANES_FULL_LIMIT;
    unsigned most = are_bytes ? stores->facts->vector_bytes : LANES_FULL_LIMIT;
    lanes = lanes < most ? lanes : most;
    if (any_has_loop(stores) && !takes_rows(stores)) {
        bool is_longest = stores->facts->vector_bytes == LANES_BYTES;
        lanes *= is_longest ? LANES_SUMS_LONGEST : LANES_SUMS;
    }
    return (unsigned)(lanes < LANES_LIMIT ? lanes : LANES_LIMIT);
}

static bool is_in_parts(const TirExpr *expr, const void *data) {
    (void)data;
    return expr->kind == EXPR_VAR && expr->var->has_parts;
}

// Whether all arrays that are read and written are moved by whole rows wherever they are.
static bool moves_rows(const Stores *stores) {
    for (size_t i = 0; i < stores->count; i++) {
        if (destination_var(stores->items[i].to)->has_parts) {
            return false;
        }
    }
    return !any_expr(stores, is_in_parts);
}

// A step reads what the step before wrote. Single elements can stay in registers from one to the
// next; vectors would be read from memory that was written in other pieces, which takes long. A
// matrix times a vector reads the vector one by one in any case, and rows of a large array are in
// memory between steps.
static bool stay_in_registers(const Stores *stores) {
    for (size_t i = 0; i < stores->count; i++) {
        if (destination_var(stores->items[i].to)->type->numel > KEPT_LIMIT) {
            return false;
        }
    }
    return stores->facts->embedded && !takes_rows(stores) && !moves_rows(stores) &&
           all_unroll(stores, stores->items[0].value->type->numel);
}

// Where what lanes read lies apart, it costs less to put it together than to take elementary
// functions of one element after the other; without them LLVM does better.
static bool may_be_apart(const Stores *stores) {
    return any_has_function(stores) && stores->facts->fp != FP_STRICT;
}

static bool may_be_near(const Stores *stores, const WalkPlan *walk) {
    bool is_long = walk->dims[walk->along] >= NEAR_LANES_FROM;
    return is_long && !takes_rows(stores) && !any_has_loop(stores) &&
           all_have_lanes(stores, walk, NEAR);
}

// Chooses the dim for lanes, if any, and how many. Whether what they read is near.
static bool choose_lanes(const Stores *stores, WalkPlan *walk) {
    size_t along = walk->rank;
    while (along > 0 && walk->dims[along - 1] == 1) {
        along--;
    }
    if (along == 0 || stay_in_registers(stores) || !stores->facts->vectors) {
        return false;
    }
    walk->along = along - 1;
    bool side_by_side = all_have_lanes(stores, walk, SIDE_BY_SIDE);
    bool is_near = !side_by_side && may_be_near(stores, walk);
    bool is_apart =
        !side_by_side && !is_near && may_be_apart(stores) && all_have_lanes(stores, walk, APART);
    walk->is_apart = is_near || is_apart;
    if (side_by_side || walk->is_apart) {
        walk->lanes = lanes_of_all(stores);
        uint32_t length = walk->dims[walk->along];
        if (takes_rows(stores) && length < walk->lanes) {
            walk->lanes = length; // one piece
        }
    }
    return is_near;
}

static bool is_extent(const TirExpr *expr, const void *data) {
    (void)data;
    return terms_seek_extent(expr);
}

// Sums of neighbours wait for nothing but their own terms, so that as many as registers hold take
// the time of one: a row is cut into as few pieces as possible, all of them about as long.
static void balance(const Stores *stores, WalkPlan *walk) {
    const PlanFacts *facts = stores->facts;
    uint64_t full = facts->vector_bytes / widest_of_all(stores);
    unsigned share = any_expr(stores, is_extent) ? EXTENT_SHARE : SUMS_SHARE;
    uint64_t most = facts->vector_registers * share / SUMS_WHOLE * full;
    most = most < LANES_LIMIT ? most : LANES_LIMIT;
    uint64_t length = walk->dims[walk->along];
    uint64_t pieces = (length + most - 1) / most;
    uint64_t lanes = (length + pieces - 1) / pieces;
    walk->lanes = (unsigned)(pieces == 1 ? length : (lanes + full - 1) / full * full);
    walk->is_balanced = true;
}

// Storing an element twice is harmless where no value reads what is written.
static bool reads_nothing_written(const Stores *stores) {
    for (size_t i = 0; i < stores->count; i++) {
        for (size_t k = 0; k < stores->count; k++) {
            const TirVar *var = destination_var(stores->items[i].to);
            if (var->storage != STORAGE_ELEMENT &&
                tir_expr_reads(stores->items[k].value, var) > 0) {
                return false;
            }
        }
    }
    return true;
}

// Whether rows are stored past the caches: in full pieces, each aligned to itself or to the cache
// line. The two ends of a row are stored as usual, which is too much of short rows.
static bool row_streams(const Stores *stores, const PlanStore *store, const WalkPlan *walk) {
    uint64_t element = root_bytes(store->value->type->root, stores->facts->single);
    return destination_streams(store->to) && walk->lanes * element >= STREAM_PIECE_BYTES &&
           walk->dims[walk->along] * element >= STREAM_ROW_BYTES;
}

static void choose_streamed(const Stores *stores, WalkPlan *walk) {
    for (size_t i = 0; i < stores->count && !walk->streams; i++) {
        walk->streams = row_streams(stores, &stores->items[i], walk);
        walk->streamed = i;
    }
}

static bool lies_apart(const TirExpr *expr, const void *data) {
    (void)data;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        bool is_last = axis->axis >= 0 && axis->axis + 1 == expr->type->flat_rank;
        if (is_last && (axis->step > 1 || axis->step < -1)) {
            return true;
        }
    }
    return false;
}

// What lies a few elements apart is put together of vectors by the longest ones only, and by others
// where LLVM does it.
static bool any_apart(const Stores *stores) {
    return stores->facts->vector_bytes < LANES_BYTES && any_expr(stores, lies_apart);
}

static bool all_wrap(const Stores *stores, const WrapPlan *wrap) {
    for (size_t i = 0; i < stores->count; i++) {
        if (!destination_is_contiguous(stores->items[i].to) ||
            element_cost(stores->items[i].value) * wrap->vectors > WRAP_COST_LIMIT ||
            !element_wraps(stores->items[i].value, wrap->split, wrap->outer)) {
            return false;
        }
    }
    return true;
}

// Whether there are blocks enough of that many rows.
static bool fills_blocks(const Type *type, const WrapPlan *wrap, unsigned lanes) {
    if (wrap->period == 0) {
        return false;
    }
    return wrap->outer > 0 ? type->dims[wrap->split - 1] * wrap->period >= 2 * lanes
                           : type->numel / wrap->period >= 2 * wrap->rows;
}

// The shortest rows that all can run over the ends of, of all dims or of those inside of others.
static WrapPlan choose_wrap(const Stores *stores, const WalkPlan *walk) {
    const Type *type = stores->items[0].value->type;
    if (walk->is_linear || !stores->facts->vectors || any_apart(stores)) {
        return (WrapPlan){0};
    }
    unsigned lanes = lanes_of_all(stores);
    for (unsigned is_inside = 0; is_inside < 2; is_inside++) {
        for (size_t split = type->flat_rank; split-- > 1U + is_inside;) {
            size_t outer = is_inside ? split - 1 : 0;
            WrapPlan wrap = wrap_rows(type, split, outer, lanes);
            if (fills_blocks(type, &wrap, lanes) && all_wrap(stores, &wrap)) {
                return wrap;
            }
        }
    }
    return (WrapPlan){0};
}

static uint64_t count_pieces(const Type *type, const WalkPlan *walk) {
    if (walk->lanes == 1) {
        return type->numel;
    }
    uint32_t length = walk->dims[walk->along];
    return type->numel / length * ((length + walk->lanes - 1) / walk->lanes);
}

// One vector that statements before or behind do not see as elements of something larger.
static bool stays_whole(const TirVar *var) {
    return var->storage == STORAGE_STACK || var->storage == STORAGE_ELEMENT;
}

// Whether so many rows, each in registers of its own, are in three quarters of them at most.
static bool rows_fit(const PlanFacts *facts, uint64_t rows, uint64_t row_bytes) {
    uint64_t each = (row_bytes + facts->vector_bytes - 1) / facts->vector_bytes;
    return rows * each <= 3 * facts->vector_registers / 4;
}

// Whether what is written is whole rows of a small array, each of which fits into one vector, and
// all of them into the registers. What lies in memory and is read or written in parts elsewhere
// stays as it is.
static bool writes_short_rows(const Stores *stores, const PlanStore *store) {
    const PlanFacts *facts = stores->facts;
    const TirExpr *place = destination_rows(store->to);
    while (place != NULL && place->kind != EXPR_VAR) {
        place = place->kind == EXPR_VIEW ? place->view.operand : place->operand;
    }
    if (place == NULL || place->type->flat_rank == 0 || place->type->root == ROOT_BOOL) {
        return false;
    }
    const Type *array = place->type;
    const Type *type = store->value->type;
    uint32_t row = array->dims[array->flat_rank - 1];
    uint64_t registers = (uint64_t)facts->vector_bytes * facts->vector_registers;
    return row > 1 && type->flat_rank > 0 && type->dims[type->flat_rank - 1] == row &&
           row * element_widest(facts, store->value) <= LANES_BYTES && row <= LANES_FULL_LIMIT &&
           type_bytes(array, facts->single) <= SHORT_ROWS_BYTES &&
           type_bytes(type, facts->single) <= registers / SHORT_ROWS_SHARE &&
           rows_fit(facts, type->numel / row, row * element_widest(facts, store->value)) &&
           (array->flat_rank > 1 || stays_whole(place->var) || moves_rows(stores));
}

// Rows of small arrays are one vector each, whatever their length: what one statement writes the
// next one reads in the same pieces, so that all of it stays in registers. Beside such a row one of
// a longer array may be written.
static bool plan_short_rows(const Stores *stores, WalkPlan *walk) {
    if (!stores->facts->vectors) {
        return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < stores->count; i++) {
        bool is_short = writes_short_rows(stores, &stores->items[i]);
        if (!is_short && stores->items[i].value->type->flat_rank != 1) {
            return false;
        }
        count += is_short;
    }
    if (count == 0) {
        return false;
    }
    walk->along = walk->rank - 1;
    if (!all_have_lanes(stores, walk, SIDE_BY_SIDE)) {
        return false;
    }
    walk->lanes = walk->dims[walk->along];
    return true;
}

// Two elements alone are no vector: each would wait for the other, and to put them together takes
// as long as to compute them.
static bool are_pairs(const Stores *stores) {
    bool all = true;
    for (size_t i = 0; i < stores->count; i++) {
        const PlanStore *store = &stores->items[i];
        all = all && destination_var(store->to)->type->numel == 2 &&
              store->value->type->numel == 2 && !element_has_function(store->value);
    }
    return all;
}

// The first value of a small array: stored as elements, it may become scalars where what follows
// takes its elements apart, and a vector where that takes all of it.
static bool is_first_value(const Stores *stores) {
    const PlanStore *store = &stores->items[0];
    const TirVar *var = destination_var(store->to);
    return stores->count == 1 && tir_bottom(store->value)->kind == EXPR_CONST &&
           var->storage == STORAGE_STACK && var->type->flat_rank == 1 &&
           var->type->numel == store->value->type->numel && var->type->numel <= FIRST_VALUE_NUMEL;
}

// What a value takes of small arrays that are put together of scalars or taken apart.
typedef struct Taken {
    uint64_t operations; // on an element
    uint64_t made;       // arrays that are made of scalars
    bool has_rows;       // one is walked along the rows of others, too
    bool is_possible;
} Taken;

static void see_taken(const TirExpr *expr, void *data) {
    Taken *taken = data;
    bool is_array = expr->kind == EXPR_VAR && !type_is_scalar(expr->type);
    taken->is_possible &= !is_array || !expr->var->has_wholes;
    taken->made += is_array && expr->var->has_elements;
    taken->has_rows = taken->has_rows || (is_array && expr->var->has_rows);
    taken->operations += expr->kind == EXPR_MAP && !type_is_scalar(expr->type);
    tir_read_operands(expr, see_taken, data);
}

// Scalars are put together as vectors, or these taken apart, in as many instructions as there are
// elements less one, and about one operation on vectors is saved for each.
static bool are_elements(const Stores *stores) {
    Taken taken = {.is_possible = true};
    for (size_t i = 0; i < stores->count; i++) {
        const PlanStore *store = &stores->items[i];
        const TirVar *var = destination_var(store->to);
        taken.is_possible =
            taken.is_possible && !var->has_wholes && var->type->numel <= ELEMENTS_NUMEL &&
            var->type->numel == store->value->type->numel && !element_has_function(store->value);
        taken.made += var->has_elements;
        see_taken(store->value, &taken);
    }
    return taken.is_possible && taken.made > 0 && 2 * taken.operations <= 3 * taken.made;
}

// Whether all elements are one row, in fewer vectors than there are rows: nothing takes rows of the
// arrays or single elements.
static bool is_one_row(const Stores *stores) {
    Taken taken = {.is_possible = all_linear(stores)};
    for (size_t i = 0; i < stores->count; i++) {
        const TirVar *var = destination_var(stores->items[i].to);
        taken.is_possible = taken.is_possible && !var->has_wholes;
        taken.made += var->has_elements;
        taken.has_rows = taken.has_rows || var->has_rows;
        see_taken(stores->items[i].value, &taken);
    }
    const Type *type = stores->items[0].value->type;
    unsigned lanes = lanes_of_all(stores);
    return taken.is_possible && taken.made == 0 && !taken.has_rows &&
           (type->numel + lanes - 1) / lanes < type->numel / type->dims[type->flat_rank - 1];
}

WalkPlan walk_plan(const PlanFacts *facts, const PlanStore *stores, size_t count) {
    Stores all = {facts, stores, count};
    const Type *type = stores[0].value->type;
    WalkPlan walk = {.dims = type->dims, .rank = type->flat_rank, .lanes = 1};
    bool is_apart = are_pairs(&all) || is_first_value(&all) || are_elements(&all);
    bool has_short_rows = !is_apart && !is_one_row(&all) && plan_short_rows(&all, &walk);
    if (!has_short_rows) {
        walk.is_linear = all_linear(&all);
        walk.dims = walk.is_linear ? &type->numel : type->dims;
        walk.rank = walk.is_linear ? 1 : type->flat_rank;
    }
    bool is_near = !has_short_rows && !is_apart && choose_lanes(&all, &walk);
    walk.unrolled = all_unroll(&all, count_pieces(type, &walk));
    if (has_short_rows && walk.unrolled && !any_has_function(&all)) {
        walk.lanes = parted_lanes(facts, walk.lanes, widest_of_all(&all));
    }
    if (!walk.unrolled && !has_short_rows && !is_near) {
        walk.wrap = choose_wrap(&all, &walk);
        if (walk.wrap.period != 0) {
            walk.lanes = lanes_of_all(&all);
            walk.is_apart = false;
        }
    }
    // Of short values what follows reads pieces as they were written.
    walk.overlaps = walk.lanes > 1 && !walk.unrolled && reads_nothing_written(&all);
    if (walk.overlaps && walk.wrap.period == 0) {
        choose_streamed(&all, &walk);
    }
    if (walk.lanes > 1 && !has_short_rows && !walk.streams && !walk.is_apart &&
        walk.wrap.period == 0 && any_has_loop(&all) && !takes_rows(&all)) {
        balance(&all, &walk);
    }
    walk.rows = rows_at_once(facts, stores, count, &walk);
    walk.pieces = pieces_at_once(facts, stores, count, &walk);
    return walk;
}
