#include "codegen/emit/tile_rows.h"

#include "codegen/emit/element.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

Index tile_index(Gen *gen, const TilesPlan *plan, const TirExpr *value, const LLVMValueRef *at,
                 unsigned lanes) {
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, value->type->flat_rank);
    steps[plan->along] = 1;
    return (Index){.at = at, .lanes = lanes, .steps = steps};
}

void tile_rows(Gen *gen, const TilesPlan *plan, const TirExpr *value, LLVMValueRef *at,
               TileRow *take, void *data) {
    GenTile tile = {.size = plan->size};
    gen->tile = &tile;
    LLVMValueRef first = at[plan->across];
    for (; tile.row < tile.size; tile.row++) {
        at[plan->across] = gen_index_add(gen, first, gen_i64(gen, tile.row));
        tile.next = 0;
        Index index = tile_index(gen, plan, value, at, tile.size);
        take(gen, data, index, element(gen, value, index), tile.row);
    }
    gen->tile = NULL;
}
