// A tile has as many rows as lanes. Reads of its first row load the whole square, lane by lane,
// where each lane's elements lie side by side, and turn it; reads of later rows take the next row
// of the same square. Every row reads in the same order, so reads are known by their number.
#include "codegen/emit/tile.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/destination.h"
#include "codegen/emit/element.h"
#include "codegen/emit/index.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/tile_rows.h"
#include "codegen/emit/tile_skew.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

typedef struct Tiling {
    const Destination *to;
    const TirExpr *value;
    const TilesPlan *plan;
} Tiling;

// As many elements or squares along one dim.
typedef struct Stretch {
    LLVMValueRef first, count;
    LLVMValueRef most; // where the last square begins, which overlaps; NULL: none does
} Stretch;

static void store_value(Gen *gen, void *data, Index index, LLVMValueRef value, unsigned row) {
    (void)row;
    const Tiling *tiling = data;
    Root root = tiling->value->type->root;
    Address address = destination_address(gen, tiling->to, index);
    if (tiling->plan->streams && index.lanes > 1) {
        index_stream(gen, root, value, address, index.lanes);
    } else {
        index_store(gen, root, value, address, index.lanes);
    }
}

static bool is_none(Stretch stretch) {
    return LLVMIsAConstantInt(stretch.count) != NULL &&
           LLVMConstIntGetZExtValue(stretch.count) == 0;
}

// The elements of a rectangle one by one; perhaps there are none.
static void store_rest(Gen *gen, Tiling *tiling, LLVMValueRef *at, Stretch across, Stretch along) {
    if (is_none(across) || is_none(along)) {
        return;
    }
    Loop outer, inner;
    loop_any_begin(gen, &outer, across.count);
    at[tiling->plan->across] = gen_index_add(gen, outer.index, across.first);
    loop_any_begin(gen, &inner, along.count);
    at[tiling->plan->along] = gen_index_add(gen, inner.index, along.first);
    Index index = index_at(at);
    store_value(gen, tiling, index, element(gen, tiling->value, index), 0);
    loop_any_end(gen, &inner);
    loop_any_end(gen, &outer);
}

static LLVMValueRef square_at(Gen *gen, Stretch stretch, LLVMValueRef number, unsigned size) {
    LLVMValueRef at = gen_index_add(gen, gen_index_mul(gen, number, size), stretch.first);
    LLVMValueRef args[] = {at, stretch.most};
    return stretch.most == NULL ? at : gen_intrinsic(gen, "llvm.umin", &gen->i64, 1, args, 2);
}

// Squares, as many as the counts say, at least one of them.
static void store_tiles(Gen *gen, Tiling *tiling, LLVMValueRef *at, Stretch across, Stretch along) {
    unsigned size = tiling->plan->size;
    Loop outer, inner;
    loop_begin(gen, &outer, across.count, NULL, 0);
    loop_begin(gen, &inner, along.count, NULL, 0);
    at[tiling->plan->across] = square_at(gen, across, outer.index, size);
    at[tiling->plan->along] = square_at(gen, along, inner.index, size);
    tile_rows(gen, tiling->plan, tiling->value, at, store_value, tiling);
    loop_end(gen, &inner, NULL);
    loop_end(gen, &outer, NULL);
}

// A loop over blocks of one dim.
typedef struct Blocks {
    Loop loop;
    Stretch stretch; // the squares of the block at hand
} Blocks;

static void blocks_begin(Gen *gen, Blocks *blocks, Stretch squares, unsigned length,
                         unsigned size) {
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef limit = gen_i64(gen, length);
    LLVMValueRef rounded = gen_index_add(gen, squares.count, gen_i64(gen, length - 1));
    loop_begin(gen, &blocks->loop, LLVMBuildUDiv(builder, rounded, limit, ""), NULL, 0);
    LLVMValueRef done = gen_index_mul(gen, blocks->loop.index, length);
    LLVMValueRef left = LLVMBuildNSWSub(builder, squares.count, done, "");
    LLVMValueRef is_last = LLVMBuildICmp(builder, LLVMIntULT, left, limit, "");
    blocks->stretch = (Stretch){
        .first = gen_index_add(gen, gen_index_mul(gen, done, size), squares.first),
        .count = LLVMBuildSelect(builder, is_last, left, limit, ""),
    };
}

// Block by block: what is read of the source in lines is used up while it is in the first caches.
static void store_blocks(Gen *gen, Tiling *tiling, LLVMValueRef *at, Stretch across,
                         Stretch along) {
    const TilesPlan *plan = tiling->plan;
    Blocks columns, rows;
    blocks_begin(gen, &columns, along, plan->block_along, plan->size);
    blocks_begin(gen, &rows, across, plan->block_across, plan->size);
    store_tiles(gen, tiling, at, rows.stretch, columns.stretch);
    loop_end(gen, &rows.loop, NULL);
    loop_end(gen, &columns.loop, NULL);
}

// How many elements of each row are in front of the squares.
static LLVMValueRef first_column(Gen *gen, const Tiling *tiling, LLVMValueRef *at) {
    if (!tiling->plan->streams) {
        return gen_i64(gen, 0);
    }
    at[tiling->plan->across] = at[tiling->plan->along] = gen_i64(gen, 0);
    Address address = destination_address(gen, tiling->to, index_at(at));
    return index_until_aligned(gen, tiling->value->type->root, address, tiling->plan->size);
}

// All squares of a dim: what they leave is one more that overlaps, or, where it is little or may
// not be stored twice, single elements.
static Stretch squares_of(Gen *gen, const TilesPlan *plan, uint32_t length) {
    uint32_t rest = length % plan->size;
    bool overlaps = plan->overlaps && rest >= plan->size / TILE_REST_SHARE;
    return (Stretch){gen_i64(gen, 0), gen_i64(gen, length / plan->size + overlaps),
                     overlaps ? gen_i64(gen, length - plan->size) : NULL};
}

// What squares leave of so many elements.
static Stretch rest_of(Gen *gen, Stretch squares, LLVMValueRef length, unsigned size) {
    LLVMValueRef end = gen_index_add(gen, squares.first, gen_index_mul(gen, squares.count, size));
    return squares.most != NULL
               ? (Stretch){length, gen_i64(gen, 0), NULL}
               : (Stretch){end, LLVMBuildNSWSub(gen->builder, length, end, ""), NULL};
}

// One plane of the two dims: tiles, and what they leave at the sides.
static void store_plane(Gen *gen, void *data, const LLVMValueRef *outer, LLVMValueRef *carried) {
    (void)carried;
    Tiling *tiling = data;
    const TilesPlan *plan = tiling->plan;
    const Type *type = tiling->value->type;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, type->flat_rank);
    memcpy(at, outer, type->flat_rank * sizeof(*at));
    if (plan->streams && plan->is_skewed) {
        tile_skew_plane(gen, tiling->to, tiling->value, plan, at);
        return;
    }
    LLVMValueRef zero = gen_i64(gen, 0);
    LLVMValueRef rows = gen_i64(gen, type->dims[plan->across]);
    LLVMValueRef columns = gen_i64(gen, type->dims[plan->along]);
    Stretch across = squares_of(gen, plan, type->dims[plan->across]);
    Stretch along = squares_of(gen, plan, type->dims[plan->along]);
    if (plan->streams) {
        along.first = first_column(gen, tiling, at);
        LLVMValueRef left = LLVMBuildNSWSub(gen->builder, columns, along.first, "");
        along.count = LLVMBuildUDiv(gen->builder, left, gen_i64(gen, plan->size), "");
        store_blocks(gen, tiling, at, across, along);
    } else {
        store_tiles(gen, tiling, at, across, along);
    }

    Stretch below = rest_of(gen, across, rows, plan->size);
    Stretch tiled = {zero, below.first, NULL};
    store_rest(gen, tiling, at, tiled, (Stretch){zero, along.first, NULL});
    store_rest(gen, tiling, at, tiled, rest_of(gen, along, columns, plan->size));
    store_rest(gen, tiling, at, below, (Stretch){zero, columns, NULL});
}

void tile_set(Gen *gen, const Destination *to, const TirExpr *value, const TilesPlan *plan) {
    Tiling tiling = {to, value, plan};
    const Type *type = value->type;
    uint32_t *dims = ARENA_ARRAY(gen->arena, uint32_t, type->flat_rank);
    memcpy(dims, type->dims, type->flat_rank * sizeof(*dims));
    dims[plan->along] = dims[plan->across] = 1;
    LoopSpace planes = {.dims = dims, .rank = type->flat_rank};
    loop_nest(gen, planes, NULL, 0, store_plane, &tiling);
    if (plan->streams) {
        gen_intrinsic(gen, gen->target.has->fence, NULL, 0, NULL, 0);
    }
}
