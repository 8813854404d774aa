// A store past the caches writes an aligned vector, and squares of a result whose rows are no
// multiple of a cache line have other columns aligned in each row. So a block of squares is turned
// into a buffer, which has one square more than is stored at once, and from there each row takes
// what is aligned in it: from its own first aligned column on, which is in the first square.
#include "codegen/emit/tile_skew.h"

#include "codegen/emit/destination.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/tile_rows.h"
#include "codegen/emit/types.h"

typedef struct Skew {
    const Destination *to;
    const TirExpr *value;
    const TilesPlan *plan;
    Root root;
    LLVMValueRef *at;
    LLVMValueRef buffer;
    uint32_t length, width;     // columns of a block, and of the buffer
    uint32_t blocks;            // of columns
    LLVMValueRef buffer_column; // of the square at hand
} Skew;

static LLVMValueRef in_buffer(Gen *gen, const Skew *skew, LLVMValueRef row, LLVMValueRef column) {
    LLVMValueRef position = gen_index_add(gen, gen_index_mul(gen, row, skew->width), column);
    return gen_offset(gen, skew->root, skew->buffer, position);
}

static void keep_row(Gen *gen, void *data, Index index, LLVMValueRef value, unsigned row) {
    (void)index;
    const Skew *skew = data;
    gen_store(gen, skew->root, value, in_buffer(gen, skew, gen_i64(gen, row), skew->buffer_column));
}

// Squares side by side, into the buffer.
static void fill_buffer(Gen *gen, Skew *skew, LLVMValueRef row, LLVMValueRef column) {
    Loop squares;
    loop_begin(gen, &squares, gen_i64(gen, skew->width / skew->plan->size), NULL, 0);
    skew->buffer_column = gen_index_mul(gen, squares.index, skew->plan->size);
    skew->at[skew->plan->across] = row;
    skew->at[skew->plan->along] = gen_index_add(gen, column, skew->buffer_column);
    tile_rows(gen, skew->plan, skew->value, skew->at, keep_row, skew);
    loop_end(gen, &squares, NULL);
}

// The first column that is aligned in a row of the result.
static LLVMValueRef first_aligned(Gen *gen, const Skew *skew, LLVMValueRef row) {
    skew->at[skew->plan->across] = row;
    skew->at[skew->plan->along] = gen_i64(gen, 0);
    Address address = destination_address(gen, skew->to, index_at(skew->at));
    return index_until_aligned(gen, skew->root, address, skew->plan->size);
}

// What is aligned of the buffer's rows, to the result.
static void store_buffer(Gen *gen, const Skew *skew, LLVMValueRef row, LLVMValueRef column) {
    unsigned size = skew->plan->size;
    Loop rows;
    loop_begin(gen, &rows, gen_i64(gen, size), NULL, 0);
    LLVMValueRef result_row = gen_index_add(gen, row, rows.index);
    LLVMValueRef first = first_aligned(gen, skew, result_row);
    for (uint32_t k = 0; k < skew->length; k += size) {
        LLVMValueRef place = gen_index_add(gen, first, gen_i64(gen, k));
        LLVMValueRef from = in_buffer(gen, skew, rows.index, place);
        skew->at[skew->plan->along] = gen_index_add(gen, column, place);
        Index index = tile_index(gen, skew->plan, skew->value, skew->at, size);
        index_stream(gen, skew->root, gen_load(gen, skew->root, from, size),
                     destination_address(gen, skew->to, index), size);
    }
    loop_end(gen, &rows, NULL);
}

// Columns [from, to) of the row at hand, one by one; perhaps none.
static void store_singles(Gen *gen, const Skew *skew, LLVMValueRef from, LLVMValueRef to) {
    Loop columns;
    loop_any_begin(gen, &columns, LLVMBuildNSWSub(gen->builder, to, from, ""));
    skew->at[skew->plan->along] = gen_index_add(gen, columns.index, from);
    Index index = index_at(skew->at);
    LLVMValueRef value = element(gen, skew->value, index);
    index_store(gen, skew->root, value, destination_address(gen, skew->to, index), 1);
    loop_any_end(gen, &columns);
}

// What blocks leave of `rows` rows from `first_row` on: both ends, or all.
static void store_ends(Gen *gen, const Skew *skew, uint32_t first_row, uint32_t rows, bool all) {
    if (rows == 0) {
        return;
    }
    LLVMValueRef zero = gen_i64(gen, 0);
    LLVMValueRef columns = gen_i64(gen, skew->value->type->dims[skew->plan->along]);
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, rows), NULL, 0);
    LLVMValueRef row = gen_index_add(gen, loop.index, gen_i64(gen, first_row));
    skew->at[skew->plan->across] = row;
    if (all) {
        store_singles(gen, skew, zero, columns);
    } else {
        LLVMValueRef first = first_aligned(gen, skew, row);
        uint64_t stored = (uint64_t)skew->blocks * skew->length;
        store_singles(gen, skew, zero, first);
        store_singles(gen, skew, gen_index_add(gen, first, gen_i64(gen, (int64_t)stored)), columns);
    }
    loop_end(gen, &loop, NULL);
}

static LLVMValueRef buffer_of(Gen *gen, const Skew *skew) {
    return frame_elements(gen, skew->root, skew->plan->size * skew->width);
}

void tile_skew_plane(Gen *gen, const Destination *to, const TirExpr *value, const TilesPlan *plan,
                     LLVMValueRef *at) {
    uint32_t rows = value->type->dims[plan->across];
    uint32_t tiled = rows - rows % plan->size;
    Skew skew = {.to = to, .value = value, .plan = plan, .root = value->type->root, .at = at};
    skew.length = plan->block_along * plan->size;
    skew.width = skew.length + plan->size;
    skew.blocks = (value->type->dims[plan->along] - plan->size) / skew.length;
    skew.buffer = buffer_of(gen, &skew);
    Loop blocks, squares;
    loop_begin(gen, &blocks, gen_i64(gen, skew.blocks), NULL, 0);
    LLVMValueRef column = gen_index_mul(gen, blocks.index, skew.length);
    loop_begin(gen, &squares, gen_i64(gen, tiled / plan->size), NULL, 0);
    LLVMValueRef row = gen_index_mul(gen, squares.index, plan->size);
    fill_buffer(gen, &skew, row, column);
    store_buffer(gen, &skew, row, column);
    loop_end(gen, &squares, NULL);
    loop_end(gen, &blocks, NULL);
    store_ends(gen, &skew, 0, tiled, false);
    store_ends(gen, &skew, tiled, rows - tiled, true);
}
