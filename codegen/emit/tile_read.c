#include "codegen/emit/tile_read.h"

#include "codegen/emit/transpose.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

// The squares of a read in memory.
typedef struct Source {
    Root root;
    LLVMValueRef base;
    int64_t step; // from lane to lane
} Source;

static LLVMValueRef load_part(Gen *gen, void *data, unsigned row, unsigned first, unsigned count) {
    const Source *source = data;
    LLVMValueRef offset = gen_i64(gen, source->step * row + first);
    return gen_load(gen, source->root, gen_offset(gen, source->root, source->base, offset), count);
}

LLVMValueRef tile_read(Gen *gen, Root root, LLVMValueRef base, int64_t step) {
    GenTile *tile = gen->tile;
    CHECK(tile != NULL);
    unsigned number = tile->next++;
    if (tile->row > 0) {
        return tile->reads.items[number][tile->row];
    }
    LLVMValueRef rows[1][TILE_LIMIT] = {{NULL}};
    Source source = {root, base, step};
    TransposeLoads loads = {load_part, &source, tile->size, (unsigned)gen_root_bytes(gen, root)};
    transpose_loads(gen, rows[0], &loads, tile->size);
    if (tile->reads.count == tile->reads.capacity) {
        tile->reads.capacity = 2 * tile->reads.capacity + 4;
        tile->reads.items = arena_grow(gen->arena, tile->reads.items, tile->reads.count,
                                       tile->reads.capacity, sizeof(rows[0]));
    }
    memcpy(tile->reads.items[tile->reads.count++], rows[0], sizeof(rows[0]));
    return rows[0][0];
}
