#include "codegen/plan/tiles.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "tir/uses.h"
#include "types/memory.h"

// Every row of squares has to begin at the same distance from a cache line.
static bool tiles_stream(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                         const TilesPlan *plan) {
    uint64_t element = root_bytes(value->type->root, facts->single);
    uint64_t row = value->type->dims[plan->along] * element;
    return destination_streams(to) && destination_is_contiguous(to) &&
           plan->size * element >= STREAM_PIECE_BYTES && row >= STREAM_ROW_BYTES;
}

static void choose_blocks(const PlanFacts *facts, const TirExpr *value, TilesPlan *plan) {
    unsigned element = root_bytes(value->type->root, facts->single);
    unsigned row = TILE_BLOCK_ROW_BYTES / element;
    plan->is_skewed = value->type->dims[plan->along] * (uint64_t)element % CACHE_LINE != 0;
    plan->block_along = row / plan->size;
    plan->block_across = TILE_BLOCK_BYTES / TILE_BLOCK_ROW_BYTES / plan->size;
}

// The dims of lanes and rows; false when there are none.
static bool choose_dims(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                        TilesPlan *plan) {
    const Type *type = value->type;
    plan->along = type->flat_rank - 1u;
    if (type->dims[plan->along] < plan->size) {
        return false;
    }
    int64_t steps[TYPE_FLAT_LIMIT] = {0};
    steps[plan->along] = 1;
    for (size_t k = 0; k < plan->along; k++) {
        int64_t across[TYPE_FLAT_LIMIT] = {0};
        across[k] = 1;
        if (type->dims[k] >= plan->size && element_has_tiles(facts, value, steps, across)) {
            plan->across = k;
            return destination_has_lanes(facts, to, steps);
        }
    }
    return false;
}

// Few elements are squares, if need be of fewer lanes than are in a vector; without a rest, unless
// that is taken in by squares that overlap.
static bool choose_squares(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                           TilesPlan *plan) {
    const Type *type = value->type;
    if (type->numel >= TILE_NUMEL_FROM) {
        return choose_dims(facts, to, value, plan);
    }
    while (plan->size > TILE_LEAST && !choose_dims(facts, to, value, plan)) {
        plan->size /= 2;
    }
    if (plan->size < TILE_LEAST || !choose_dims(facts, to, value, plan)) {
        return false;
    }
    bool has_rest =
        type->dims[plan->along] % plan->size != 0 || type->dims[plan->across] % plan->size != 0;
    return !has_rest || (plan->overlaps && type->numel >= TILE_NUMEL_LEAST);
}

bool tiles_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                TilesPlan *plan) {
    const Type *type = value->type;
    if (!facts->vectors || type->flat_rank < 2) {
        return false;
    }
    uint64_t size = LANES_BYTES / element_widest(facts, value);
    *plan = (TilesPlan){.size = size < TILE_LIMIT ? (unsigned)size : TILE_LIMIT};
    plan->overlaps = tir_expr_reads(value, destination_var(to)) == 0;
    if (!choose_squares(facts, to, value, plan)) {
        return false;
    }
    plan->streams = tiles_stream(facts, to, value, plan);
    plan->overlaps = plan->overlaps && !plan->streams;
    if (plan->streams) {
        choose_blocks(facts, value, plan);
    }
    return true;
}
