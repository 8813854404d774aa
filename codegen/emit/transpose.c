// By exchanging halves, quarters, ... of pairs of vectors (Eklundh, "A fast computer method for
// matrix transposing", 1972). What is not square is put into a square of a power of two, of which
// LLVM leaves out what nobody reads.
#include "codegen/emit/transpose.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"
#include "support/number.h"

#include <string.h>

enum { PART_BYTES = 16 }; // what memory moves as a whole into any part of a register

// The first `count` lanes of a vector of any length, or of a scalar; further ones are poison.
static LLVMValueRef resized(Gen *gen, LLVMValueRef value, unsigned count) {
    unsigned lanes = lanes_of(value);
    if (lanes == count) {
        return value;
    }
    if (count == 1) {
        return lanes_extract(gen, value, 0);
    }
    LLVMTypeRef scalar = lanes == 1 ? LLVMTypeOf(value) : LLVMGetElementType(LLVMTypeOf(value));
    if (lanes == 1) {
        LLVMValueRef all = LLVMGetPoison(LLVMVectorType(scalar, count));
        return LLVMBuildInsertElement(gen->builder, all, value, gen_i64(gen, 0), "");
    }
    LLVMValueRef numbers[TILE_LIMIT];
    for (unsigned i = 0; i < count; i++) {
        numbers[i] = i < lanes ? gen_i32(gen, i) : LLVMGetPoison(gen->i32);
    }
    return LLVMBuildShuffleVector(gen->builder, value, LLVMGetPoison(LLVMTypeOf(value)),
                                  LLVMConstVector(numbers, count), "");
}

// Squares of `size` rows and columns side by side, as many as the lanes hold: exchanges what is
// `width` apart.
static void exchange(Gen *gen, LLVMValueRef *rows, unsigned size, unsigned lanes, unsigned width) {
    LLVMValueRef low[TILE_LIMIT];
    LLVMValueRef high[TILE_LIMIT];
    for (unsigned lane = 0; lane < lanes; lane++) {
        bool is_low = (lane & width) == 0;
        low[lane] = gen_i32(gen, is_low ? lane : lanes + lane - width);
        high[lane] = gen_i32(gen, is_low ? lane + width : lanes + lane);
    }
    LLVMValueRef take_low = LLVMConstVector(low, lanes);
    LLVMValueRef take_high = LLVMConstVector(high, lanes);
    for (unsigned i = 0; i < size; i++) {
        if ((i & width) == 0) {
            LLVMValueRef a = rows[i];
            LLVMValueRef b = rows[i | width];
            rows[i] = LLVMBuildShuffleVector(gen->builder, a, b, take_low, "");
            rows[i | width] = LLVMBuildShuffleVector(gen->builder, a, b, take_high, "");
        }
    }
}

// The same squares, by weaving the halves of pairs of rows, log2(size) times: x86 has an
// instruction for that inside of 16 bytes, and for an exchange only of eight bytes.
static void weave_squares(Gen *gen, LLVMValueRef *rows, unsigned size, unsigned lanes) {
    LLVMValueRef low[TILE_LIMIT];
    LLVMValueRef high[TILE_LIMIT];
    for (unsigned lane = 0; lane < lanes; lane++) {
        unsigned from = lane / size * size + lane % size / 2 + (lane % 2 == 0 ? 0 : lanes);
        low[lane] = gen_i32(gen, from);
        high[lane] = gen_i32(gen, from + size / 2);
    }
    LLVMValueRef take_low = LLVMConstVector(low, lanes);
    LLVMValueRef take_high = LLVMConstVector(high, lanes);
    for (unsigned turn = 1; turn < size; turn *= 2) {
        LLVMValueRef woven[TILE_LIMIT];
        for (unsigned i = 0; i < size / 2; i++) {
            LLVMValueRef a = rows[i];
            LLVMValueRef b = rows[i + size / 2];
            woven[2 * i] = LLVMBuildShuffleVector(gen->builder, a, b, take_low, "");
            woven[2 * i + 1] = LLVMBuildShuffleVector(gen->builder, a, b, take_high, "");
        }
        memcpy(rows, woven, size * sizeof(*rows));
    }
}

static void turn_squares(Gen *gen, LLVMValueRef *rows, unsigned size, unsigned lanes) {
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(rows[0]));
    unsigned bytes = (unsigned)LLVMABISizeOfType(gen->target.layout, element);
    CHECK(bytes > 0);
    unsigned part = PART_BYTES / bytes < size ? PART_BYTES / bytes : size;
    CHECK(part > 0);
    for (unsigned first = 0; first < size; first += part) {
        weave_squares(gen, rows + first, part, lanes);
    }
    for (unsigned width = part; width < size; width *= 2) {
        exchange(gen, rows, size, lanes, width);
    }
}

// What is in all lanes of a vector, as lanes_splat makes it; NULL: not known.
static LLVMValueRef splat_of(LLVMValueRef vector) {
    LLVMValueRef first =
        LLVMIsAShuffleVectorInst(vector) != NULL ? LLVMGetOperand(vector, 0) : NULL;
    if (first == NULL || LLVMIsAInsertElementInst(first) == NULL) {
        return NULL;
    }
    for (unsigned i = 0; i < LLVMGetNumMaskElements(vector); i++) {
        if (LLVMGetMaskValue(vector, i) != 0) {
            return NULL;
        }
    }
    return LLVMGetOperand(first, 1);
}

// Rows of a column that is stretched: all columns are the same. LLVM 19 is never done with shuffles
// of such rows at -O0.
static bool turn_stretched(Gen *gen, LLVMValueRef *vectors, unsigned count, unsigned lanes) {
    LLVMValueRef scalars[TILE_LIMIT] = {NULL};
    for (unsigned i = 0; i < count; i++) {
        scalars[i] = splat_of(vectors[i]);
        if (scalars[i] == NULL) {
            return false;
        }
    }
    LLVMValueRef column = count == 1 ? scalars[0] : lanes_collect(gen, scalars, count);
    for (unsigned i = 0; i < lanes; i++) {
        vectors[i] = column;
    }
    return true;
}

void transpose_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count, unsigned lanes) {
    unsigned most = count > lanes ? count : lanes;
    unsigned size = 1;
    while (size < most) {
        size *= 2;
    }
    CHECK(size <= TILE_LIMIT);
    if (turn_stretched(gen, vectors, count, lanes)) {
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        vectors[i] = resized(gen, vectors[i], size);
    }
    for (unsigned i = count; i < size; i++) {
        vectors[i] = LLVMGetPoison(LLVMTypeOf(vectors[0]));
    }
    if (size > 1) {
        turn_squares(gen, vectors, size, size);
    }
    for (unsigned i = 0; i < lanes; i++) {
        vectors[i] = resized(gen, vectors[i], count);
    }
}

// Columns [first, first + size) of all rows: each vector takes parts of several rows, which are
// loaded to where they belong, so that no shuffle has to move them from one half of a register to
// the other.
static void turn_parts(Gen *gen, LLVMValueRef *vectors, const TransposeLoads *loads, unsigned first,
                       unsigned size) {
    for (unsigned i = 0; i < size; i++) {
        LLVMValueRef parts[TILE_LIMIT];
        for (unsigned k = 0; k < loads->rows / size; k++) {
            parts[k] = loads->load(gen, loads->data, i + k * size, first, size);
        }
        vectors[i] = lanes_join(gen, parts, loads->rows / size);
    }
    turn_squares(gen, vectors, size, loads->rows);
}

void transpose_loads(Gen *gen, LLVMValueRef *vectors, const TransposeLoads *loads,
                     unsigned columns) {
    unsigned rows = loads->rows;
    unsigned half = gen->facts.vector_bytes / 2;
    unsigned size = half / loads->bytes;
    if (half >= PART_BYTES && size < rows && columns % size == 0 && number_is_power_of_two(rows)) {
        for (unsigned first = 0; first < columns; first += size) {
            turn_parts(gen, vectors + first, loads, first, size);
        }
        return;
    }
    for (unsigned i = 0; i < rows; i++) {
        vectors[i] = loads->load(gen, loads->data, i, 0, columns);
    }
    if (columns == 1) {
        vectors[0] = lanes_collect(gen, vectors, rows);
    } else {
        transpose_vectors(gen, vectors, rows, columns);
    }
}

static void reorder_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count, bool takes_apart) {
    unsigned lanes = lanes_of(vectors[0]);
    LLVMValueRef results[TILE_LIMIT];
    for (unsigned k = 0; k < count; k++) {
        unsigned from[LANES_LIMIT];
        for (unsigned i = 0; i < lanes; i++) {
            unsigned at = k * lanes + i;
            from[i] = takes_apart ? i * count + k : at % count * lanes + at / count;
        }
        results[k] = lanes_pick(gen, vectors, count, lanes, from);
    }
    memcpy(vectors, results, count * sizeof(*results));
}

void unweave_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count) {
    reorder_vectors(gen, vectors, count, true);
}

void weave_vectors(Gen *gen, LLVMValueRef *vectors, unsigned count) {
    reorder_vectors(gen, vectors, count, false);
}
