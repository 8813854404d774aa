// Matrix products by register tiles.
//
// A tile of the result stays in vector registers while the terms run: for each term one row piece
// of the right operand is loaded and, for each row of the tile, multiplied by one scalar of the
// left operand. Terms are added in order whatever the tiling is, so tiles never show in the bits.
//
// Big products go through the right operand in panels, as wide as a tile and as deep as the first
// cache allows, which are copied so that they lie side by side (Goto and van de Geijn, "Anatomy of
// high-performance matrix multiplication", TOMS 2008). The result then takes the terms block by
// block: it starts as -0.0, the neutral sum, and each block goes on from what is there.
#include "codegen/emit/product.h"

#include "codegen/emit/destination.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"

enum { PIECES_LIMIT = 8 }; // two full ones and 8, 4, 2, 1 lanes at most

typedef struct Product {
    const Destination *to;
    const TirExpr *expr;
    Root root;
    uint32_t rows, columns, terms;
    bool uses_panel;
    LLVMValueRef panel; // PRODUCT_BLOCK_TERMS rows of a tile's width
    unsigned registers; // for the sums of a tile
} Product;

// One shape of tile: as many rows, and pieces of these lanes side by side.
typedef struct Tile {
    uint32_t rows;
    uint32_t width;
    unsigned pieces;
    unsigned lanes[PIECES_LIMIT];
    unsigned starts[PIECES_LIMIT];
} Tile;

// Where a tile stands: its first row and column, and the terms it adds.
typedef struct TilePlace {
    LLVMValueRef row, column;
    LLVMValueRef first_term, term_count;
} TilePlace;

static Index matrix_index(Gen *gen, LLVMValueRef row, LLVMValueRef column, unsigned lanes) {
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, 2);
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, 2);
    at[0] = row;
    at[1] = column;
    steps[1] = 1;
    return (Index){.at = at, .lanes = lanes, .steps = steps};
}

static LLVMValueRef plus(Gen *gen, LLVMValueRef value, uint64_t offset) {
    return gen_index_add(gen, value, gen_i64(gen, (int64_t)offset));
}

static Address result_address(Gen *gen, const Product *product, const Tile *tile, TilePlace place,
                              uint32_t row, unsigned piece) {
    Index index = matrix_index(gen, plus(gen, place.row, row),
                               plus(gen, place.column, tile->starts[piece]), tile->lanes[piece]);
    return destination_address(gen, product->to, index);
}

static LLVMValueRef panel_address(Gen *gen, const Product *product, const Tile *tile,
                                  LLVMValueRef term, unsigned column) {
    LLVMValueRef position = plus(gen, gen_index_mul(gen, term, tile->width), column);
    return gen_offset(gen, product->root, product->panel, position);
}

static LLVMValueRef right_piece(Gen *gen, const Product *product, const Tile *tile, TilePlace place,
                                LLVMValueRef term, unsigned piece) {
    unsigned lanes = tile->lanes[piece];
    if (product->uses_panel) {
        LLVMValueRef address = panel_address(gen, product, tile, term, tile->starts[piece]);
        return gen_load(gen, product->root, address, lanes);
    }
    Index index = matrix_index(gen, gen_index_add(gen, place.first_term, term),
                               plus(gen, place.column, tile->starts[piece]), lanes);
    return lanes_splat(gen, element(gen, product->expr->dot.right, index), lanes);
}

typedef struct TileTerms {
    const Product *product;
    const Tile *tile;
    TilePlace place;
} TileTerms;

static void add_term(Gen *gen, const TileTerms *terms, LLVMValueRef term, LLVMValueRef *sums) {
    const Tile *tile = terms->tile;
    LLVMValueRef right[PIECES_LIMIT];
    for (unsigned p = 0; p < tile->pieces; p++) {
        right[p] = right_piece(gen, terms->product, tile, terms->place, term, p);
    }
    LLVMValueRef column = gen_index_add(gen, terms->place.first_term, term);
    for (uint32_t r = 0; r < tile->rows; r++) {
        Index index = matrix_index(gen, plus(gen, terms->place.row, r), column, 1);
        LLVMValueRef left = element(gen, terms->product->expr->dot.left, index);
        for (unsigned p = 0; p < tile->pieces; p++) {
            LLVMValueRef *sum = &sums[r * tile->pieces + p];
            *sum = op_multiply_add(gen, terms->product->root,
                                   lanes_splat(gen, left, tile->lanes[p]), right[p], *sum);
        }
    }
}

static void first_sums(Gen *gen, const Product *product, const Tile *tile, TilePlace place,
                       LLVMValueRef *sums) {
    LLVMValueRef zero = product->root == ROOT_REAL ? gen_real(gen, -0.0) : gen_i32(gen, 0);
    for (uint32_t r = 0; r < tile->rows; r++) {
        for (unsigned p = 0; p < tile->pieces; p++) {
            LLVMValueRef sum = lanes_splat(gen, zero, tile->lanes[p]);
            if (product->uses_panel) {
                Address address = result_address(gen, product, tile, place, r, p);
                sum = gen_load(gen, product->root, address.pointer, tile->lanes[p]);
            }
            sums[r * tile->pieces + p] = sum;
        }
    }
}

static void emit_tile(Gen *gen, const Product *product, const Tile *tile, TilePlace place) {
    LLVMValueRef sums[LOOP_CARRIED_LIMIT];
    unsigned sum_count = tile->rows * tile->pieces;
    TileTerms terms = {product, tile, place};
    first_sums(gen, product, tile, place, sums);
    if (!product->uses_panel && (uint64_t)sum_count * product->terms <= PRODUCT_STRAIGHT_LIMIT) {
        for (uint32_t k = 0; k < product->terms; k++) {
            add_term(gen, &terms, gen_i64(gen, k), sums);
        }
    } else {
        Loop loop;
        loop_begin(gen, &loop, place.term_count, sums, sum_count);
        add_term(gen, &terms, loop.index, sums);
        loop_end(gen, &loop, sums);
    }
    for (uint32_t r = 0; r < tile->rows; r++) {
        for (unsigned p = 0; p < tile->pieces; p++) {
            Address address = result_address(gen, product, tile, place, r, p);
            index_store(gen, product->root, sums[r * tile->pieces + p], address, tile->lanes[p]);
        }
    }
}

// Runs `count` turns of something; straight when it is only one.
typedef struct Turns {
    bool is_loop;
    Loop loop;
    LLVMValueRef first; // index of the turn times its length
} Turns;

static Turns turns_begin(Gen *gen, LLVMValueRef count, uint64_t length) {
    Turns turns = {.first = gen_i64(gen, 0)};
    turns.is_loop = LLVMIsAConstantInt(count) == NULL || LLVMConstIntGetZExtValue(count) != 1;
    if (turns.is_loop) {
        loop_begin(gen, &turns.loop, count, NULL, 0);
        turns.first = gen_index_mul(gen, turns.loop.index, length);
    }
    return turns;
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

static void emit_tiles_direct(Gen *gen, const Product *product, const Tile *tile, Region region) {
    Turns columns = turns_begin(gen, gen_i64(gen, region.columns / tile->width), tile->width);
    Turns rows = turns_begin(gen, gen_i64(gen, region.rows / tile->rows), tile->rows);
    TilePlace place = {
        .row = plus(gen, rows.first, region.row),
        .column = plus(gen, columns.first, region.column),
        .first_term = gen_i64(gen, 0),
        .term_count = gen_i64(gen, product->terms),
    };
    emit_tile(gen, product, tile, place);
    turns_end(gen, &rows);
    turns_end(gen, &columns);
}

// Copies the terms of one tile's columns side by side.
static void emit_panel_copy(Gen *gen, const Product *product, const Tile *tile, TilePlace place,
                            bool has_lanes) {
    Loop loop;
    loop_begin(gen, &loop, place.term_count, NULL, 0);
    LLVMValueRef row = gen_index_add(gen, place.first_term, loop.index);
    for (unsigned p = 0; p < tile->pieces; p++) {
        unsigned lanes = has_lanes ? tile->lanes[p] : 1;
        for (unsigned i = 0; i < tile->lanes[p]; i += lanes) {
            unsigned column = tile->starts[p] + i;
            Index index = matrix_index(gen, row, plus(gen, place.column, column), lanes);
            LLVMValueRef value = element(gen, product->expr->dot.right, index);
            gen_store(gen, product->root, lanes_splat(gen, value, lanes),
                      panel_address(gen, product, tile, loop.index, column));
        }
    }
    loop_end(gen, &loop, NULL);
}

static LLVMValueRef smaller(Gen *gen, uint64_t limit, LLVMValueRef value) {
    LLVMValueRef bound = gen_i64(gen, (int64_t)limit);
    LLVMValueRef is_below = LLVMBuildICmp(gen->builder, LLVMIntULT, value, bound, "");
    return LLVMBuildSelect(gen->builder, is_below, value, bound, "");
}

static uint64_t turns_for(uint64_t count, uint64_t length) {
    return (count + length - 1) / length;
}

// Blocks of terms, then of rows, then of columns; the rows innermost.
static void emit_tiles_by_panels(Gen *gen, const Product *product, const Tile *tile, Region region,
                                 bool right_has_lanes) {
    uint64_t block_rows = PRODUCT_BLOCK_ROWS / tile->rows * tile->rows;
    Turns terms =
        turns_begin(gen, gen_i64(gen, (int64_t)turns_for(product->terms, PRODUCT_BLOCK_TERMS)),
                    PRODUCT_BLOCK_TERMS);
    Turns blocks =
        turns_begin(gen, gen_i64(gen, (int64_t)turns_for(region.rows, block_rows)), block_rows);
    Turns columns = turns_begin(gen, gen_i64(gen, region.columns / tile->width), tile->width);
    LLVMValueRef terms_left =
        LLVMBuildNSWSub(gen->builder, gen_i64(gen, product->terms), terms.first, "");
    TilePlace place = {
        .column = plus(gen, columns.first, region.column),
        .first_term = terms.first,
        .term_count = smaller(gen, PRODUCT_BLOCK_TERMS, terms_left),
    };
    emit_panel_copy(gen, product, tile, place, right_has_lanes);

    LLVMValueRef rows_left =
        LLVMBuildNSWSub(gen->builder, gen_i64(gen, region.rows), blocks.first, "");
    LLVMValueRef tiles = LLVMBuildUDiv(gen->builder, smaller(gen, block_rows, rows_left),
                                       gen_i64(gen, tile->rows), "");
    Turns rows = turns_begin(gen, tiles, tile->rows);
    place.row = plus(gen, gen_index_add(gen, blocks.first, rows.first), region.row);
    emit_tile(gen, product, tile, place);
    turns_end(gen, &rows);
    turns_end(gen, &columns);
    turns_end(gen, &blocks);
    turns_end(gen, &terms);
}

static Tile tile_of_width(unsigned full, uint32_t width) {
    Tile tile = {.width = width};
    for (unsigned lanes = full; lanes >= 1; lanes /= 2) {
        for (; tile.starts[tile.pieces] + lanes <= width; tile.pieces++) {
            CHECK(tile.pieces < PIECES_LIMIT - 1);
            tile.lanes[tile.pieces] = lanes;
            tile.starts[tile.pieces + 1] = tile.starts[tile.pieces] + lanes;
        }
    }
    return tile;
}

// All rows of some columns whose number is a multiple of the tile's width.
static void emit_columns(Gen *gen, const Product *product, Tile tile, uint32_t column,
                         uint32_t columns, bool right_has_lanes) {
    CHECK(tile.pieces > 0);
    uint32_t most = product->registers / tile.pieces;
    uint32_t wanted = product->registers / PRODUCT_PIECES;
    most = most < wanted ? most : wanted;
    uint32_t rest = product->rows % most;
    Region regions[] = {{0, product->rows - rest, column, columns},
                        {product->rows - rest, rest, column, columns}};
    for (size_t i = 0; i < 2; i++) {
        tile.rows = i == 0 ? most : rest;
        if (regions[i].rows == 0) {
            continue;
        }
        if (product->uses_panel) {
            emit_tiles_by_panels(gen, product, &tile, regions[i], right_has_lanes);
        } else {
            emit_tiles_direct(gen, product, &tile, regions[i]);
        }
    }
}

static void fill_result(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    (void)carried;
    const Product *product = data;
    LLVMValueRef zero = product->root == ROOT_REAL ? gen_real(gen, -0.0) : gen_i32(gen, 0);
    Address address = destination_address(gen, product->to, index_at(at));
    index_store(gen, product->root, zero, address, 1);
}

void product_set(Gen *gen, const Destination *to, const TirExpr *value, const ProductPlan *plan) {
    Product product = {
        .to = to,
        .expr = value,
        .root = value->type->root,
        .rows = value->type->dims[0],
        .columns = value->type->dims[1],
        .terms = value->dot.right->type->dims[0],
        .registers = plan->registers,
        .uses_panel = plan->uses_panel,
    };
    uint32_t width = plan->width;
    if (product.uses_panel) {
        uint32_t dims[] = {PRODUCT_BLOCK_TERMS * width};
        const Type panel = {.kind = TYPE_TENSOR,
                            .root = product.root,
                            .numel = dims[0],
                            .flat_rank = 1,
                            .dims = dims};
        product.panel = frame_slot(gen, &panel);
        LoopSpace all = {value->type->dims, 2, false};
        loop_nest(gen, all, NULL, 0, fill_result, &product);
    }
    uint32_t rest = product.columns % width;
    if (product.columns >= width) {
        emit_columns(gen, &product, tile_of_width(plan->full, width), 0, product.columns - rest,
                     plan->right_has_lanes);
    }
    if (rest != 0) {
        emit_columns(gen, &product, tile_of_width(plan->full, rest), product.columns - rest, rest,
                     plan->right_has_lanes);
    }
}
