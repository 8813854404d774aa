#include "codegen/emit/tile_read.h"

#include "codegen/emit/transpose.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

LLVMValueRef tile_read(Gen *gen, Root root, LLVMValueRef base, int64_t step) {
    GenTile *tile = gen->tile;
    CHECK(tile != NULL);
    unsigned number = tile->next++;
    if (tile->row > 0) {
        return tile->reads.items[number][tile->row];
    }
    LLVMValueRef rows[1][TILE_LIMIT] = {{NULL}};
    for (unsigned lane = 0; lane < tile->size; lane++) {
        LLVMValueRef offset = gen_i64(gen, step * lane);
        LLVMValueRef start = gen_offset(gen, root, base, offset);
        rows[0][lane] = gen_load(gen, root, start, tile->size);
    }
    transpose_vectors(gen, rows[0], tile->size, tile->size);
    if (tile->reads.count == tile->reads.capacity) {
        tile->reads.capacity = 2 * tile->reads.capacity + 4;
        tile->reads.items = arena_grow(gen->arena, tile->reads.items, tile->reads.count,
                                       tile->reads.capacity, sizeof(rows[0]));
    }
    memcpy(tile->reads.items[tile->reads.count++], rows[0], sizeof(rows[0]));
    return rows[0][0];
}
