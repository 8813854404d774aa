// One register tile of a product of matrices, and the panels that tiles read.
#ifndef TMLC_CODEGEN_EMIT_PRODUCT_TILE_H
#define TMLC_CODEGEN_EMIT_PRODUCT_TILE_H

#include "codegen/emit/destination.h"
#include "codegen/gen.h"
#include "codegen/plan/product.h"

enum { PIECES_LIMIT = PRODUCT_PIECES + 1 };

// The result or an operand: a destination, an expression, or else memory.
typedef struct Matrix {
    const Destination *to;
    const TirExpr *expr;
    LLVMValueRef base;
    ProductStrides strides;
} Matrix;

typedef struct Product {
    const ProductPlan *plan;
    Matrix result, left, right;
    Root root;
    uint32_t rows, columns, terms;
    LLVMValueRef panel; // block_terms rows of a tile's width; NULL where the right one is in place
} Product;

// One shape of tile: as many rows, and pieces of these lanes side by side; of packed rows, all of
// which are the columns, the pieces are those of as many rows together.
typedef struct Tile {
    uint32_t rows;
    uint32_t packed; // 1: rows have pieces of their own
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

// A tile of these columns, yet without rows.
Tile tile_of_width(unsigned full, uint32_t width);
// One of all columns of packed rows.
Tile tile_of_packed(const Product *product);
// Whether the result takes the terms in several blocks, each of which goes on from what is there.
bool tile_goes_on(const Product *product);
// Fills the panel with the terms at hand of the tile's columns.
void tile_copy_panel(Gen *gen, const Product *product, const Tile *tile, TilePlace place);
void tile_emit(Gen *gen, const Product *product, const Tile *tile, TilePlace place);
// Gives a scalar of the result its neutral first value.
void tile_clear(Gen *gen, const Product *product, LLVMValueRef row, LLVMValueRef column);

#endif
