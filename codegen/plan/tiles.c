#include "codegen/plan/tiles.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"

bool tiles_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                TilesPlan *plan) {
    const Type *type = value->type;
    if (!facts->vectors || type->flat_rank < 2 || type->numel < TILE_NUMEL_FROM) {
        return false;
    }
    uint64_t size = LANES_BYTES / element_widest(facts, value);
    plan->size = size < TILE_LIMIT ? (unsigned)size : TILE_LIMIT;
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
