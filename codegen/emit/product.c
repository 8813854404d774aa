// Matrix products by register tiles (product_tile.h), as plan/product.h says.
//
// Big products go through the right operand in panels, as wide as a tile and as deep as the first
// cache allows, which are copied so that they lie side by side (Goto and van de Geijn, "Anatomy of
// high-performance matrix multiplication", TOMS 2008). Where there is more than one block of terms,
// the result takes them block by block: it starts as -0.0, the neutral sum, and each block goes on
// from what is there.
//
// What has loops becomes a function of its own where operands and result are plain memory: one for
// all products of the same sizes and strides, as their code is the same and long.
#include "codegen/emit/product.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/parallel.h"
#include "codegen/emit/product_tile.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

static LLVMValueRef plus(Gen *gen, LLVMValueRef value, uint64_t offset) {
    return gen_index_add(gen, value, gen_i64(gen, (int64_t)offset));
}

// Runs `count` turns of something; straight when it is only one.
typedef struct Turns {
    bool is_loop;
    Loop loop;
    LLVMValueRef first; // index of the turn times its length
} Turns;

// Turns [first, first + count).
typedef struct Stretch {
    LLVMValueRef first, count;
} Stretch;

static Turns turns_begin(Gen *gen, Stretch stretch, uint64_t length) {
    Turns turns = {.first = stretch.first};
    LLVMValueRef count = stretch.count;
    turns.is_loop = LLVMIsAConstantInt(count) == NULL || LLVMConstIntGetZExtValue(count) != 1;
    if (turns.is_loop) {
        loop_begin(gen, &turns.loop, count, NULL, 0);
        turns.first = gen_index_add(gen, turns.loop.index, stretch.first);
    }
    turns.first = gen_index_mul(gen, turns.first, length);
    return turns;
}

static Stretch all_turns(Gen *gen, uint64_t count) {
    return (Stretch){gen_i64(gen, 0), gen_i64(gen, (int64_t)count)};
}

static void turns_end(Gen *gen, Turns *turns) {
    if (turns->is_loop) {
        loop_end(gen, &turns->loop, NULL);
    }
}

// A rectangle of the result whose sides are multiples of the tile's.
typedef struct Region {
    uint32_t row, rows;
    uint32_t column, columns;
} Region;

// The turns of its rows, tiles or blocks of them, and of its columns, that are done here.
typedef struct Share {
    Stretch rows, columns;
} Share;

static TilePlace place_of_all_terms(Gen *gen, const Product *product, Region region) {
    return (TilePlace){
        .row = gen_i64(gen, region.row),
        .column = gen_i64(gen, region.column),
        .first_term = gen_i64(gen, 0),
        .term_count = gen_i64(gen, product->terms),
    };
}

static void emit_tiles_direct(Gen *gen, const Product *product, const Tile *tile, Region region,
                              Share share) {
    TilePlace place = place_of_all_terms(gen, product, region);
    Turns columns = turns_begin(gen, share.columns, tile->width);
    Turns rows = turns_begin(gen, share.rows, tile->rows);
    place.row = plus(gen, rows.first, region.row);
    place.column = plus(gen, columns.first, region.column);
    tile_emit(gen, product, tile, place);
    turns_end(gen, &rows);
    turns_end(gen, &columns);
}

static LLVMValueRef smaller(Gen *gen, uint64_t limit, LLVMValueRef value) {
    LLVMValueRef bound = gen_i64(gen, (int64_t)limit);
    LLVMValueRef is_below = LLVMBuildICmp(gen->builder, LLVMIntULT, value, bound, "");
    return LLVMBuildSelect(gen->builder, is_below, value, bound, "");
}

static uint64_t turns_for(uint64_t count, uint64_t length) {
    return (count + length - 1) / length;
}

static uint64_t block_rows_of(const Tile *tile) {
    return PRODUCT_BLOCK_ROWS / tile->rows * tile->rows;
}

// Blocks of terms, then of rows, then of columns; the rows innermost.
static void emit_tiles_by_panels(Gen *gen, const Product *product, const Tile *tile, Region region,
                                 Share share) {
    uint64_t block_rows = block_rows_of(tile);
    uint64_t block_terms = product->plan->block_terms;
    Turns terms =
        turns_begin(gen, all_turns(gen, turns_for(product->terms, block_terms)), block_terms);
    Turns blocks = turns_begin(gen, share.rows, block_rows);
    Turns columns = turns_begin(gen, share.columns, tile->width);
    LLVMValueRef terms_left =
        LLVMBuildNSWSub(gen->builder, gen_i64(gen, product->terms), terms.first, "");
    TilePlace place = {
        .column = plus(gen, columns.first, region.column),
        .first_term = terms.first,
        .term_count = smaller(gen, block_terms, terms_left),
    };
    tile_copy_panel(gen, product, tile, place);

    LLVMValueRef rows_left =
        LLVMBuildNSWSub(gen->builder, gen_i64(gen, region.rows), blocks.first, "");
    LLVMValueRef tiles = LLVMBuildUDiv(gen->builder, smaller(gen, block_rows, rows_left),
                                       gen_i64(gen, tile->rows), "");
    Turns rows = turns_begin(gen, (Stretch){gen_i64(gen, 0), tiles}, tile->rows);
    place.row = plus(gen, gen_index_add(gen, blocks.first, rows.first), region.row);
    tile_emit(gen, product, tile, place);
    turns_end(gen, &rows);
    turns_end(gen, &columns);
    turns_end(gen, &blocks);
    turns_end(gen, &terms);
}

// How many rows of such a tile fit into the registers. More than at full width do not pay; of
// packed ones, whose terms are written out, no more sums.
static uint32_t tile_rows(const Product *product, const Tile *tile) {
    uint32_t most = product->plan->registers / tile->pieces;
    uint32_t wanted = product->plan->registers / PRODUCT_PIECES;
    if (tile->packed > 1) {
        return tile->pieces < wanted ? wanted / tile->pieces * tile->packed : tile->packed;
    }
    return most < wanted ? most : wanted;
}

static LLVMValueRef create_panel(Gen *gen, const Product *product) {
    uint32_t width =
        product->columns < product->plan->width ? product->columns : product->plan->width;
    return frame_elements(gen, product->root, product->plan->block_terms * width);
}

static void emit_share(Gen *gen, const Product *product, const Tile *tile, Region region,
                       Share share) {
    if (product->panel != NULL) {
        emit_tiles_by_panels(gen, product, tile, region, share);
    } else {
        emit_tiles_direct(gen, product, tile, region, share);
    }
}

// A rectangle that threads share, each with a panel of its own.
typedef struct SplitRegion {
    const Product *product;
    const Tile *tile;
    Region region;
    Share all;
    SplitKind kind;
} SplitRegion;

static void emit_split(Gen *gen, void *data, LLVMValueRef first, LLVMValueRef end) {
    const SplitRegion *split = data;
    Product product = *split->product;
    if (product.panel != NULL) {
        product.panel = create_panel(gen, &product);
    }
    Share share = split->all;
    Stretch part = {first, LLVMBuildNSWSub(gen->builder, end, first, "")};
    *(split->kind == SPLIT_OUTER ? &share.rows : &share.columns) = part;
    emit_share(gen, &product, split->tile, split->region, share);
}

static void emit_region(Gen *gen, const Product *product, const Tile *tile, Region region) {
    uint64_t length = product->panel != NULL ? block_rows_of(tile) : tile->rows;
    uint64_t rows = turns_for(region.rows, length);
    uint64_t columns = region.columns / tile->width;
    uint64_t multiplications = (uint64_t)region.rows * region.columns * product->terms;
    SplitPlan split = {.kind = SPLIT_NONE};
    if (product->plan->split.kind != SPLIT_NONE) {
        split = product_split(&gen->facts, product->plan, multiplications, rows, columns);
    }
    Share all = {all_turns(gen, rows), all_turns(gen, columns)};
    if (split.kind == SPLIT_NONE) {
        emit_share(gen, product, tile, region, all);
    } else {
        parallel_turns(gen, &split, emit_split,
                       &(SplitRegion){product, tile, region, all, split.kind});
    }
}

// Some rows of some columns whose number is a multiple of the tile's width.
static void emit_rows(Gen *gen, const Product *product, Tile tile, Region region) {
    uint32_t most = tile_rows(product, &tile);
    uint32_t rest = region.rows % most;
    Region regions[] = {region, region};
    regions[0].rows -= rest;
    regions[1].row += regions[0].rows;
    regions[1].rows = rest;
    for (size_t i = 0; i < 2; i++) {
        tile.rows = i == 0 ? most : rest;
        if (regions[i].rows == 0) {
            continue;
        }
        emit_region(gen, product, &tile, regions[i]);
    }
}

// Rows that are packed with others come first.
static uint32_t packed_rows(const Product *product) {
    uint32_t packed = product->plan->packed;
    return packed > 1 ? product->rows / packed * packed : 0;
}

static void emit_columns(Gen *gen, const Product *product, Tile tile, uint32_t column,
                         uint32_t columns) {
    uint32_t packed = packed_rows(product);
    if (packed > 0) {
        emit_rows(gen, product, tile_of_packed(product), (Region){0, packed, column, columns});
    }
    emit_rows(gen, product, tile, (Region){packed, product->rows - packed, column, columns});
}

static void clear_element(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    (void)carried;
    tile_clear(gen, data, at[0], at[1]);
}

static void clear_rows(Gen *gen, void *data, LLVMValueRef first, LLVMValueRef end) {
    const Product *product = data;
    uint32_t dims[] = {product->rows, product->columns};
    parallel_nest(gen, (LoopSpace){.dims = dims, .rank = 2, .left_to_llvm = true}, 1, first, end,
                  clear_element, data);
}

static void clear_result(Gen *gen, Product *product) {
    uint32_t dims[] = {product->rows, product->columns};
    SplitPlan split = {.kind = SPLIT_NONE};
    if (product->plan->split.kind != SPLIT_NONE) {
        split = split_turns(&gen->facts, SPLIT_OUTER, dims[0], (uint64_t)dims[0] * dims[1]);
    }
    if (split.kind == SPLIT_NONE) {
        loop_nest(gen, (LoopSpace){.dims = dims, .rank = 2, .left_to_llvm = true}, NULL, 0,
                  clear_element, product);
    } else {
        parallel_turns(gen, &split, clear_rows, product);
    }
}

static void emit_straight_rows(Gen *gen, const Product *product, Tile tile, uint32_t first,
                               uint32_t end) {
    TilePlace place = place_of_all_terms(gen, product, (Region){0});
    uint32_t most = tile_rows(product, &tile);
    for (uint32_t row = first; row < end; row += tile.rows) {
        tile.rows = end - row < most ? end - row : most;
        place.row = gen_i64(gen, row);
        tile_emit(gen, product, &tile, place);
    }
}

static void emit_straight(Gen *gen, const Product *product) {
    Tile tile = tile_of_width(product->plan->full, product->columns);
    if (product->panel != NULL) {
        tile_copy_panel(gen, product, &tile, place_of_all_terms(gen, product, (Region){0}));
    }
    uint32_t packed = packed_rows(product);
    if (packed > 0) {
        emit_straight_rows(gen, product, tile_of_packed(product), 0, packed);
    }
    emit_straight_rows(gen, product, tile, packed, product->rows);
}

static void emit_product(Gen *gen, Product *product) {
    const ProductPlan *plan = product->plan;
    product->panel = plan->right == RIGHT_IN_PLACE ? NULL : create_panel(gen, product);
    if (plan->straight) {
        emit_straight(gen, product);
        return;
    }
    if (tile_goes_on(product)) {
        clear_result(gen, product);
    }
    uint32_t width = plan->width;
    uint32_t rest = product->columns % width;
    if (product->columns >= width) {
        emit_columns(gen, product, tile_of_width(plan->full, width), 0, product->columns - rest);
    }
    if (rest != 0) {
        emit_columns(gen, product, tile_of_width(plan->full, rest), product->columns - rest, rest);
    }
}

static const char *shared_name(Gen *gen, const Product *product) {
    const char *name =
        arena_format(gen->arena, "product.%s.%ux%ux%u", root_text(product->root),
                     (unsigned)product->rows, (unsigned)product->terms, (unsigned)product->columns);
    for (size_t i = 0; i < 3; i++) {
        ProductStrides strides = product->plan->strides[i];
        name = arena_format(gen->arena, "%s.%lld_%lld", name, (long long)strides.row,
                            (long long)strides.column);
    }
    return name;
}

// Where code goes while another function is made.
typedef struct Interrupted {
    LLVMValueRef value;
    LLVMBasicBlockRef block, entry;
    LLVMMetadataRef location;
} Interrupted;

static Interrupted interrupt(Gen *gen) {
    Interrupted was = {gen->value, LLVMGetInsertBlock(gen->builder),
                       LLVMGetInsertBlock(gen->at_entry),
                       LLVMGetCurrentDebugLocation2(gen->builder)};
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    return was;
}

static void go_on(Gen *gen, Interrupted was) {
    gen->value = was.value;
    LLVMPositionBuilderAtEnd(gen->builder, was.block);
    LLVMPositionBuilderAtEnd(gen->at_entry, was.entry);
    LLVMSetCurrentDebugLocation2(gen->builder, was.location);
}

static LLVMValueRef declare_shared(Gen *gen, const Product *product, const char *name) {
    LLVMTypeRef params[] = {gen->pointer, gen->pointer, gen->pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(gen->llvm), params, 3, false);
    LLVMValueRef function = LLVMAddFunction(gen->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gen_own_function(gen, function);
    gen_function_attribute(gen, function, "noinline", 0);
    for (unsigned i = 0; i < 3; i++) {
        gen_param_attribute(gen, function, i, "noalias", 0);
        gen_param_attribute(gen, function, i, "nocapture", 0);
        gen_param_attribute(gen, function, i, "align", gen_root_bytes(gen, product->root));
        if (i > 0) {
            gen_param_attribute(gen, function, i, "readonly", 0);
        }
    }
    return function;
}

static void define_shared(Gen *gen, Product product, LLVMValueRef function) {
    Interrupted was = interrupt(gen);
    gen->value = function;
    LLVMBasicBlockRef entry = gen_block(gen, "entry");
    LLVMBasicBlockRef body = gen_block(gen, "body");
    LLVMPositionBuilderAtEnd(gen->at_entry, entry);
    gen_enter(gen, body);
    Matrix *matrices[] = {&product.result, &product.left, &product.right};
    for (unsigned i = 0; i < 3; i++) {
        *matrices[i] =
            (Matrix){.base = LLVMGetParam(function, i), .strides = product.plan->strides[i]};
    }
    emit_product(gen, &product);
    LLVMBuildRetVoid(gen->builder);
    LLVMBuildBr(gen->at_entry, body);
    go_on(gen, was);
}

static LLVMValueRef first_of(Gen *gen, const TirExpr *operand) {
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, 2);
    at[0] = at[1] = gen_i64(gen, 0);
    return index_address(gen, operand, index_at(at)).pointer;
}

static void call_shared(Gen *gen, const Product *product) {
    const char *name = shared_name(gen, product);
    LLVMValueRef function = LLVMGetNamedFunction(gen->module, name);
    if (function == NULL) {
        function = declare_shared(gen, product, name);
        define_shared(gen, *product, function);
    }
    LLVMValueRef args[] = {first_of(gen, product->result.to->place),
                           first_of(gen, product->left.expr), first_of(gen, product->right.expr)};
    LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(function), function, args, 3, "");
}

static Matrix in_memory(Gen *gen, const TirExpr *matrix, ProductStrides strides) {
    return (Matrix){.base = first_of(gen, matrix), .strides = strides};
}

void product_set(Gen *gen, const Destination *to, const TirExpr *value, const ProductPlan *plan) {
    Product product = {
        .plan = plan,
        .result = {.to = to},
        .left = {.expr = value->dot.left},
        .right = {.expr = value->dot.right},
        .root = value->type->root,
        .rows = value->type->dims[0],
        .columns = value->type->dims[1],
        .terms = value->dot.right->type->dims[0],
    };
    if (plan->is_shared) {
        call_shared(gen, &product);
    } else {
        if (plan->packed > 1) {
            product.result = in_memory(gen, to->place, plan->strides[0]);
            product.left = in_memory(gen, value->dot.left, plan->strides[1]);
        }
        if (plan->split.kind != SPLIT_NONE) {
            parallel_prepare(gen, to, value);
        }
        emit_product(gen, &product);
    }
}
