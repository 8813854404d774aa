// A tile has as many rows as lanes. Reads of its first row load the whole square, lane by lane,
// where each lane's elements lie side by side, and turn it; reads of later rows take the next row
// of the same square. Every row reads in the same order, so reads are known by their number.
#include "codegen/emit/tile.h"

#include "codegen/emit/destination.h"
#include "codegen/emit/element.h"
#include "codegen/emit/index.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

typedef struct Tiling {
    const Destination *to;
    const TirExpr *value;
    unsigned size;
    size_t along, across; // the dims of lanes and of rows
} Tiling;

static void store_at(Gen *gen, const Tiling *tiling, const LLVMValueRef *at, unsigned lanes) {
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, tiling->value->type->flat_rank);
    steps[tiling->along] = 1;
    Index index = {.at = at, .lanes = lanes, .steps = steps};
    LLVMValueRef value = element(gen, tiling->value, index);
    index_store(gen, tiling->value->type->root, value, destination_address(gen, tiling->to, index),
                lanes);
}

static void store_tile(Gen *gen, const Tiling *tiling, LLVMValueRef *at) {
    GenTile tile = {.size = tiling->size};
    gen->tile = &tile;
    LLVMValueRef first = at[tiling->across];
    for (; tile.row < tile.size; tile.row++) {
        at[tiling->across] = gen_index_add(gen, first, gen_i64(gen, tile.row));
        tile.next = 0;
        store_at(gen, tiling, at, tile.size);
    }
    gen->tile = NULL;
}

// The elements of a rectangle, `rows` and `columns` of them from `row`, `column` on, one by one.
static void store_rest(Gen *gen, const Tiling *tiling, LLVMValueRef *at, uint32_t row,
                       uint32_t rows, uint32_t column, uint32_t columns) {
    if (rows == 0 || columns == 0) {
        return;
    }
    Loop outer, inner;
    loop_begin(gen, &outer, gen_i64(gen, rows), NULL, 0);
    at[tiling->across] = gen_index_add(gen, outer.index, gen_i64(gen, row));
    loop_begin(gen, &inner, gen_i64(gen, columns), NULL, 0);
    at[tiling->along] = gen_index_add(gen, inner.index, gen_i64(gen, column));
    store_at(gen, tiling, at, 1);
    loop_end(gen, &inner, NULL);
    loop_end(gen, &outer, NULL);
}

// One plane of the two dims: tiles, and what they leave at two sides.
static void store_plane(Gen *gen, void *data, const LLVMValueRef *outer, LLVMValueRef *carried) {
    (void)carried;
    const Tiling *tiling = data;
    const Type *type = tiling->value->type;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, type->flat_rank);
    memcpy(at, outer, type->flat_rank * sizeof(*at));
    uint32_t rows = type->dims[tiling->across];
    uint32_t columns = type->dims[tiling->along];
    uint32_t tiled_rows = rows - rows % tiling->size;
    uint32_t tiled_columns = columns - columns % tiling->size;
    Loop row_tiles, column_tiles;
    loop_begin(gen, &row_tiles, gen_i64(gen, tiled_rows / tiling->size), NULL, 0);
    loop_begin(gen, &column_tiles, gen_i64(gen, tiled_columns / tiling->size), NULL, 0);
    at[tiling->across] = gen_index_mul(gen, row_tiles.index, tiling->size);
    at[tiling->along] = gen_index_mul(gen, column_tiles.index, tiling->size);
    store_tile(gen, tiling, at);
    loop_end(gen, &column_tiles, NULL);
    loop_end(gen, &row_tiles, NULL);
    store_rest(gen, tiling, at, 0, tiled_rows, tiled_columns, columns - tiled_columns);
    store_rest(gen, tiling, at, tiled_rows, rows - tiled_rows, 0, columns);
}

void tile_set(Gen *gen, const Destination *to, const TirExpr *value, const TilesPlan *plan) {
    Tiling tiling = {to, value, plan->size, plan->along, plan->across};
    const Type *type = value->type;
    uint32_t *dims = ARENA_ARRAY(gen->arena, uint32_t, type->flat_rank);
    memcpy(dims, type->dims, type->flat_rank * sizeof(*dims));
    dims[tiling.along] = dims[tiling.across] = 1;
    LoopSpace planes = {.dims = dims, .rank = type->flat_rank};
    loop_nest(gen, planes, NULL, 0, store_plane, &tiling);
}
