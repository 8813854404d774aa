// A tile of the result stays in vector registers while the terms run: for each term one row piece
// of the right operand is loaded and, for each row of the tile, multiplied by one scalar of the
// left operand. Terms are added in order whatever the tiling is, so tiles never show in the bits.
//
// A right operand whose columns lie side by side comes in squares, as many terms as a register has
// lanes, which are transposed on their way into the panel. In straight code LLVM keeps the panel in
// registers.
#include "codegen/emit/product_tile.h"

#include "codegen/emit/chains.h"
#include "codegen/emit/element.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/transpose.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

static LLVMValueRef plus(Gen *gen, LLVMValueRef value, uint64_t offset) {
    return gen_index_add(gen, value, gen_i64(gen, (int64_t)offset));
}

// Lanes that run along the rows or along the columns of a matrix, from one of its elements on.
typedef struct Run {
    LLVMValueRef row, column;
    unsigned lanes;
    bool is_down; // from row to row
} Run;

static Index index_of(Gen *gen, Run run) {
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, 2);
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, 2);
    at[0] = run.row;
    at[1] = run.column;
    steps[run.is_down ? 0 : 1] = 1;
    return (Index){.at = at, .lanes = run.lanes, .steps = steps};
}

static LLVMValueRef scaled(Gen *gen, LLVMValueRef position, int64_t stride) {
    return stride == 0 ? gen_i64(gen, 0) : gen_index_mul(gen, position, (uint64_t)stride);
}

static LLVMValueRef memory_address(Gen *gen, const Product *product, const Matrix *matrix,
                                   Run run) {
    LLVMValueRef row = scaled(gen, run.row, matrix->strides.row);
    LLVMValueRef column = scaled(gen, run.column, matrix->strides.column);
    return gen_offset(gen, product->root, matrix->base, gen_index_add(gen, row, column));
}

static LLVMValueRef matrix_load(Gen *gen, const Product *product, const Matrix *matrix, Run run) {
    if (matrix->to != NULL) {
        Address address = destination_address(gen, matrix->to, index_of(gen, run));
        return index_load(gen, product->root, address, run.lanes);
    }
    if (matrix->expr != NULL) {
        return lanes_splat(gen, element(gen, matrix->expr, index_of(gen, run)), run.lanes);
    }
    int64_t stride = run.is_down ? matrix->strides.row : matrix->strides.column;
    LLVMValueRef address = memory_address(gen, product, matrix, run);
    LLVMValueRef value = gen_load(gen, product->root, address, stride == 0 ? 1 : run.lanes);
    return lanes_splat(gen, value, run.lanes);
}

static void result_store(Gen *gen, const Product *product, Run run, LLVMValueRef value) {
    const Matrix *result = &product->result;
    if (result->to != NULL) {
        Address address = destination_address(gen, result->to, index_of(gen, run));
        index_store(gen, product->root, value, address, run.lanes);
        return;
    }
    gen_store(gen, product->root, value, memory_address(gen, product, result, run));
}

static LLVMValueRef panel_address(Gen *gen, const Product *product, const Tile *tile,
                                  LLVMValueRef term, unsigned column) {
    LLVMValueRef position = plus(gen, gen_index_mul(gen, term, tile->width), column);
    return gen_offset(gen, product->root, product->panel, position);
}

static void copy_rows(Gen *gen, const Product *product, const Tile *tile, TilePlace place) {
    Loop loop;
    loop_begin(gen, &loop, place.term_count, NULL, 0);
    LLVMValueRef row = gen_index_add(gen, place.first_term, loop.index);
    for (unsigned p = 0; p < tile->pieces; p++) {
        bool has_lanes = product->plan->right == RIGHT_COPIED;
        unsigned lanes = has_lanes ? tile->lanes[p] : 1;
        for (unsigned i = 0; i < tile->lanes[p]; i += lanes) {
            unsigned column = tile->starts[p] + i;
            Run run = {row, plus(gen, place.column, column), lanes, false};
            gen_store(gen, product->root, matrix_load(gen, product, &product->right, run),
                      panel_address(gen, product, tile, loop.index, column));
        }
    }
    loop_end(gen, &loop, NULL);
}

// Terms [first, first + count) of the panel.
static void copy_squares(Gen *gen, const Product *product, const Tile *tile, TilePlace place,
                         LLVMValueRef first, unsigned count) {
    LLVMValueRef row = gen_index_add(gen, place.first_term, first);
    for (unsigned p = 0; p < tile->pieces; p++) {
        LLVMValueRef vectors[TILE_LIMIT];
        for (unsigned i = 0; i < tile->lanes[p]; i++) {
            Run run = {row, plus(gen, place.column, tile->starts[p] + i), count, true};
            vectors[i] = matrix_load(gen, product, &product->right, run);
        }
        transpose_vectors(gen, vectors, tile->lanes[p], count);
        for (unsigned k = 0; k < count; k++) {
            gen_store(gen, product->root, vectors[k],
                      panel_address(gen, product, tile, plus(gen, first, k), tile->starts[p]));
        }
    }
}

// Squares, and the terms that they leave. A block that is not the last one leaves none; it takes
// the last ones twice.
static void turn_panel(Gen *gen, const Product *product, const Tile *tile, TilePlace place) {
    unsigned size = product->plan->full < product->terms ? product->plan->full : product->terms;
    if (product->plan->straight) {
        uint32_t first = 0;
        for (; first + size <= product->terms; first += size) {
            copy_squares(gen, product, tile, place, gen_i64(gen, first), size);
        }
        if (first < product->terms) {
            copy_squares(gen, product, tile, place, gen_i64(gen, first), product->terms - first);
        }
        return;
    }
    Loop loop;
    LLVMValueRef squares =
        LLVMBuildUDiv(gen->builder, place.term_count, gen_i64(gen, size), "squares");
    loop_begin(gen, &loop, squares, NULL, 0);
    copy_squares(gen, product, tile, place, gen_index_mul(gen, loop.index, size), size);
    loop_end(gen, &loop, NULL);
    uint32_t last = product->terms % product->plan->block_terms; // block; 0: a whole one
    unsigned rest = (last == 0 ? product->plan->block_terms : last) % size;
    if (rest > 0) {
        LLVMValueRef first =
            LLVMBuildNSWSub(gen->builder, place.term_count, gen_i64(gen, rest), "");
        copy_squares(gen, product, tile, place, first, rest);
    }
}

static void copy_singles(Gen *gen, const Product *product, const Tile *tile, TilePlace place) {
    for (uint32_t k = 0; k < product->terms; k++) {
        LLVMValueRef row = gen_i64(gen, k);
        for (uint32_t i = 0; i < tile->width; i++) {
            Run run = {row, plus(gen, place.column, i), 1, false};
            gen_store(gen, product->root, matrix_load(gen, product, &product->right, run),
                      panel_address(gen, product, tile, row, i));
        }
    }
}

void tile_copy_panel(Gen *gen, const Product *product, const Tile *tile, TilePlace place) {
    // A panel has its columns once, also where tiles pack rows.
    Tile own = tile_of_width(product->plan->full, tile->width);
    tile = &own;
    if (product->plan->right == RIGHT_TURNED) {
        turn_panel(gen, product, tile, place);
    } else if (product->plan->straight) {
        copy_singles(gen, product, tile, place);
    } else {
        copy_rows(gen, product, tile, place);
    }
}

static LLVMValueRef right_lanes(Gen *gen, const Product *product, const Tile *tile, TilePlace place,
                                LLVMValueRef term, unsigned start, unsigned lanes) {
    if (product->panel != NULL) {
        LLVMValueRef address = panel_address(gen, product, tile, term, start);
        return gen_load(gen, product->root, address, lanes);
    }
    Run run = {gen_index_add(gen, place.first_term, term), plus(gen, place.column, start), lanes,
               false};
    return matrix_load(gen, product, &product->right, run);
}

typedef struct TileTerms {
    const Product *product;
    const Tile *tile;
    TilePlace place;
    LLVMValueRef left[TILE_LIMIT]; // the left operand's part of packed rows, group by group
    unsigned left_count;           // of a group
} TileTerms;

// The part of the left operand that packed rows take, in whole registers, or all in one.
static void load_left(Gen *gen, TileTerms *terms) {
    const Product *product = terms->product;
    const Tile *tile = terms->tile;
    uint32_t numel = tile->packed * product->terms;
    unsigned lanes = numel < product->plan->full ? numel : product->plan->full;
    terms->left_count = numel / lanes;
    CHECK(tile->rows / tile->packed * terms->left_count <= TILE_LIMIT);
    for (uint32_t i = 0; i < tile->rows / tile->packed * terms->left_count; i++) {
        Run run = {terms->place.row, gen_i64(gen, (int64_t)i * lanes), lanes, false};
        terms->left[i] = matrix_load(gen, product, &product->left, run);
    }
}

// Onto all pieces of packed rows. The columns of the right operand's row come in each of them, and
// so does its element of the left operand's row.
static void add_packed_term(Gen *gen, const TileTerms *terms, uint32_t term, LLVMValueRef *sums) {
    const Product *product = terms->product;
    const Tile *tile = terms->tile;
    LLVMValueRef row =
        right_lanes(gen, product, tile, terms->place, gen_i64(gen, term), 0, product->columns);
    for (unsigned p = 0; p < tile->pieces; p++) {
        unsigned columns[LANES_FULL_LIMIT], elements[LANES_FULL_LIMIT];
        for (unsigned i = 0; i < tile->lanes[p]; i++) {
            unsigned at = tile->starts[p] + i;
            columns[i] = at % product->columns;
            elements[i] = at / product->columns * product->terms + term;
        }
        LLVMValueRef right = lanes_pick(gen, &row, 1, tile->lanes[p], columns);
        for (uint32_t group = 0; group < tile->rows / tile->packed; group++) {
            LLVMValueRef left = lanes_pick(gen, terms->left + group * terms->left_count,
                                           terms->left_count, tile->lanes[p], elements);
            LLVMValueRef *sum = &sums[group * tile->pieces + p];
            *sum = op_multiply_add(gen, product->root, left, right, *sum);
        }
    }
}

static void add_term(Gen *gen, void *data, LLVMValueRef term, LLVMValueRef *sums) {
    const TileTerms *terms = data;
    const Product *product = terms->product;
    const Tile *tile = terms->tile;
    if (tile->packed > 1) {
        add_packed_term(gen, terms, (uint32_t)LLVMConstIntGetZExtValue(term), sums);
        return;
    }
    LLVMValueRef right[PIECES_LIMIT];
    for (unsigned p = 0; p < tile->pieces; p++) {
        right[p] =
            right_lanes(gen, product, tile, terms->place, term, tile->starts[p], tile->lanes[p]);
    }
    LLVMValueRef column = gen_index_add(gen, terms->place.first_term, term);
    for (uint32_t r = 0; r < tile->rows; r++) {
        Run run = {plus(gen, terms->place.row, r), column, 1, false};
        LLVMValueRef left = matrix_load(gen, product, &product->left, run);
        for (unsigned p = 0; p < tile->pieces; p++) {
            LLVMValueRef *sum = &sums[r * tile->pieces + p];
            *sum = op_multiply_add(gen, product->root, lanes_splat(gen, left, tile->lanes[p]),
                                   right[p], *sum);
        }
    }
}

// Of a row, or of the rows that are packed with each other.
static Run result_run(Gen *gen, const Tile *tile, TilePlace place, uint32_t row, unsigned piece) {
    return (Run){plus(gen, place.row, (uint64_t)row * tile->packed),
                 plus(gen, place.column, tile->starts[piece]), tile->lanes[piece], false};
}

static void first_sums(Gen *gen, const Product *product, const Tile *tile, TilePlace place,
                       LLVMValueRef *sums) {
    for (uint32_t r = 0; r < tile->rows / tile->packed; r++) {
        for (unsigned p = 0; p < tile->pieces; p++) {
            sums[r * tile->pieces + p] =
                tile_goes_on(product)
                    ? matrix_load(gen, product, &product->result,
                                  result_run(gen, tile, place, r, p))
                    : lanes_splat(gen, op_no_sum(gen, product->root), tile->lanes[p]);
        }
    }
}

// Whether the next row follows each one at once, whose place a store may write as well before it is
// written itself.
static bool rows_follow(const Product *product, const Tile *tile) {
    const Matrix *result = &product->result;
    return result->to == NULL && tile->packed == 1 && tile->pieces == 1 &&
           tile->width == product->columns && result->strides.column == 1 &&
           result->strides.row == (int64_t)product->columns;
}

static LLVMValueRef filled_up(Gen *gen, LLVMValueRef value) {
    unsigned lanes = 1;
    while (lanes < lanes_of(value)) {
        lanes *= 2;
    }
    return lanes == lanes_of(value) ? value : lanes_part(gen, value, 0, lanes);
}

// One row of 3 reals takes two stores, of 4 one.
static void store_rows(Gen *gen, const Product *product, const Tile *tile, TilePlace place,
                       const LLVMValueRef *sums) {
    uint32_t rows = tile->rows / tile->packed;
    for (uint32_t r = 0; r < rows; r++) {
        bool fills_up = r + 1 < rows && rows_follow(product, tile);
        for (unsigned p = 0; p < tile->pieces; p++) {
            LLVMValueRef value = sums[r * tile->pieces + p];
            result_store(gen, product, result_run(gen, tile, place, r, p),
                         fills_up ? filled_up(gen, value) : value);
        }
    }
}

void tile_emit(Gen *gen, const Product *product, const Tile *tile, TilePlace place) {
    LLVMValueRef sums[LOOP_CARRIED_LIMIT];
    unsigned sum_count = tile->rows / tile->packed * tile->pieces;
    CHECK(sum_count * product->plan->chains <= LOOP_CARRIED_LIMIT);
    TileTerms terms = {.product = product, .tile = tile, .place = place};
    if (tile->packed > 1) {
        load_left(gen, &terms);
    }
    first_sums(gen, product, tile, place, sums);
    bool unrolls =
        tile->packed > 1 || (!tile_goes_on(product) && product->panel == NULL &&
                             (uint64_t)sum_count * product->terms <= PRODUCT_STRAIGHT_LIMIT);
    if (tile_goes_on(product)) {
        Loop loop;
        loop_begin(gen, &loop, place.term_count, sums, sum_count);
        add_term(gen, &terms, loop.index, sums);
        loop_end(gen, &loop, sums);
    } else {
        Chains chains = {product->plan->chains, product->terms, unrolls || product->plan->straight,
                         add_term, &terms};
        chains_sum(gen, &chains, sums, sum_count);
    }
    store_rows(gen, product, tile, place, sums);
}

void tile_clear(Gen *gen, const Product *product, LLVMValueRef row, LLVMValueRef column) {
    result_store(gen, product, (Run){row, column, 1, false}, op_no_sum(gen, product->root));
}

bool tile_goes_on(const Product *product) {
    return product->plan->block_terms < product->terms;
}

Tile tile_of_packed(const Product *product) {
    unsigned full = product->plan->full;
    Tile tile = {.packed = product->plan->packed, .width = product->columns};
    for (; tile.pieces * full < tile.packed * tile.width; tile.pieces++) {
        CHECK(tile.pieces < PIECES_LIMIT);
        tile.starts[tile.pieces] = tile.pieces * full;
        tile.lanes[tile.pieces] = full;
    }
    return tile;
}

Tile tile_of_width(unsigned full, uint32_t width) {
    Tile tile = {.packed = 1, .width = width};
    for (uint32_t start = 0; start < width; start += tile.lanes[tile.pieces - 1]) {
        CHECK(tile.pieces < PIECES_LIMIT);
        tile.starts[tile.pieces] = start;
        tile.lanes[tile.pieces++] = width - start < full ? width - start : full;
    }
    return tile;
}
