#include "codegen/emit/tile_read.h"

#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

// Turns a square by exchanging halves, quarters, ... of pairs of rows (Eklundh, 1972).
static void transpose(Gen *gen, LLVMValueRef *rows, unsigned size) {
    for (unsigned width = 1; width < size; width *= 2) {
        LLVMValueRef low[TILE_LIMIT];
        LLVMValueRef high[TILE_LIMIT];
        for (unsigned lane = 0; lane < size; lane++) {
            bool is_low = (lane & width) == 0;
            low[lane] = gen_i32(gen, is_low ? lane : size + lane - width);
            high[lane] = gen_i32(gen, is_low ? lane + width : size + lane);
        }
        LLVMValueRef take_low = LLVMConstVector(low, size);
        LLVMValueRef take_high = LLVMConstVector(high, size);
        for (unsigned i = 0; i < size; i++) {
            if ((i & width) == 0) {
                LLVMValueRef a = rows[i];
                LLVMValueRef b = rows[i | width];
                rows[i] = LLVMBuildShuffleVector(gen->builder, a, b, take_low, "");
                rows[i | width] = LLVMBuildShuffleVector(gen->builder, a, b, take_high, "");
            }
        }
    }
}

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
    transpose(gen, rows[0], tile->size);
    if (tile->reads.count == tile->reads.capacity) {
        tile->reads.capacity = 2 * tile->reads.capacity + 4;
        tile->reads.items = arena_grow(gen->arena, tile->reads.items, tile->reads.count,
                                       tile->reads.capacity, sizeof(rows[0]));
    }
    memcpy(tile->reads.items[tile->reads.count++], rows[0], sizeof(rows[0]));
    return rows[0][0];
}
