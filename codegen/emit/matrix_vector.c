// A matrix has its rows side by side, but lanes of the result run from row to row. Terms that are
// added in order come in squares of the matrix, which are transposed: one lane for each row. Terms
// that are added in lanes give each row a vector of partial sums, as in lane_sum.c; these vectors
// are joined by the same tree as there, all rows at once: two vectors of partial sums become one of
// as many lanes with twice the rows and half the sums of each, until one vector has one sum of
// each row.
#include "codegen/emit/matrix_vector.h"

#include "codegen/emit/chains.h"
#include "codegen/emit/element.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/transpose.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/number.h"

#include <string.h>

typedef struct Rows {
    const TirExpr *dot;
    Root root;
    LLVMValueRef first; // row
    int64_t step;       // from row to row
    unsigned count;
    const TermsPlan *plan;
} Rows;

// Terms [term, term + lanes) of a row.
static LLVMValueRef left_terms(Gen *gen, const Rows *rows, unsigned row, LLVMValueRef term,
                               unsigned lanes) {
    static const int64_t steps[] = {0, 1};
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, 2);
    at[0] = gen_index_add(gen, rows->first, gen_i64(gen, rows->step * row));
    at[1] = term;
    Index index = {.at = at, .lanes = lanes, .steps = steps};
    return lanes_splat(gen, element(gen, rows->dot->dot.left, index), lanes);
}

static LLVMValueRef right_terms(Gen *gen, const Rows *rows, LLVMValueRef term, unsigned lanes) {
    static const int64_t steps[] = {1};
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, 1);
    at[0] = term;
    return element(gen, rows->dot->dot.right, (Index){.at = at, .lanes = lanes, .steps = steps});
}

// Lanes of half a vector. Shuffles of these have more units, and squares of other lengths than a
// power of two are best taken apart: 6 rows are 4 and 2.
static unsigned half_lanes(Gen *gen, Root root) {
    return LANES_BYTES / (unsigned)gen_root_bytes(gen, root) / 2;
}

// Some terms of all rows, transposed.
typedef struct Block {
    const Rows *rows;
    uint64_t first;
    LLVMValueRef vectors[TILE_LIMIT]; // one for each term
} Block;

// The lanes of two vectors or scalars behind each other.
static LLVMValueRef concatenated(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef scalars[TILE_LIMIT];
    unsigned count = 0;
    for (unsigned i = 0; i < lanes_of(a); i++) {
        scalars[count++] = lanes_extract(gen, a, i);
    }
    for (unsigned i = 0; i < lanes_of(b); i++) {
        scalars[count++] = lanes_of(b) == 1 ? b : lanes_extract(gen, b, i);
    }
    return lanes_collect(gen, scalars, count);
}

// The rows up to the greatest power of two apart from the others; joined term by term, or where
// they fill more than a register, their sums.
static void turn_block(Gen *gen, const Rows *rows, LLVMValueRef *vectors, unsigned terms) {
    unsigned half = half_lanes(gen, rows->root);
    unsigned rest =
        rows->count > half && !number_is_power_of_two(rows->count) ? rows->count - half : 0;
    LLVMValueRef others[TILE_LIMIT];
    memcpy(others, vectors + rows->count - rest, rest * sizeof(*others));
    transpose_vectors(gen, vectors, rows->count - rest, terms);
    if (rest > 0) {
        transpose_vectors(gen, others, rest, terms);
    }
    for (unsigned k = 0; k < terms && rest > 0; k++) {
        vectors[k] = concatenated(gen, vectors[k], others[k]);
    }
}

static void add_block_term(Gen *gen, const Block *block, uint64_t term, LLVMValueRef *sums) {
    const Rows *rows = block->rows;
    LLVMValueRef right = right_terms(gen, rows, gen_i64(gen, (int64_t)term), 1);
    *sums = op_multiply_add(gen, rows->root, block->vectors[term - block->first],
                            lanes_splat(gen, right, rows->count), *sums);
}

// Terms [first, end), one after the other, onto the sums of all rows, or the two of each.
static void add_in_order(Gen *gen, const Rows *rows, uint64_t first, uint64_t end,
                         LLVMValueRef *sums) {
    unsigned half = half_lanes(gen, rows->root);
    unsigned most = rows->count <= half ? half : 2 * half;
    while (first < end) {
        unsigned count = end - first < most ? (unsigned)(end - first) : most;
        Block block = {.rows = rows, .first = first};
        for (unsigned i = 0; i < rows->count; i++) {
            block.vectors[i] = left_terms(gen, rows, i, gen_i64(gen, (int64_t)first), count);
        }
        turn_block(gen, rows, block.vectors, count);
        for (unsigned k = 0; k < count; k++, first++) {
            add_block_term(gen, &block, first, &sums[first % rows->plan->chains]);
        }
    }
}

// Some of the rows, whose partial sums stay in registers together.
typedef struct Group {
    const Rows *rows;
    unsigned first, count;
} Group;

static void add_vector(Gen *gen, const Group *group, LLVMValueRef term, LLVMValueRef *sums,
                       unsigned accumulator) {
    const TermsPlan *plan = group->rows->plan;
    LLVMValueRef right =
        lanes_splat(gen, right_terms(gen, group->rows, term, plan->lanes), plan->lanes);
    for (unsigned i = 0; i < group->count; i++) {
        LLVMValueRef *sum = &sums[i * plan->accumulators + accumulator];
        LLVMValueRef left = left_terms(gen, group->rows, group->first + i, term, plan->lanes);
        *sum = op_multiply_add(gen, group->rows->root, left, right, *sum);
    }
}

static void add_all_vectors(Gen *gen, const Group *group, LLVMValueRef *sums) {
    const TermsPlan *plan = group->rows->plan;
    unsigned accumulators = plan->accumulators;
    CHECK(plan->lanes > 0 && accumulators > 0);
    uint64_t vectors = plan->count / plan->lanes;
    uint64_t rounds = vectors / accumulators;
    uint64_t done = 0;
    if (rounds > 1) {
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, (int64_t)rounds), sums,
                   (size_t)group->count * accumulators);
        LLVMValueRef first = gen_index_mul(gen, loop.index, (uint64_t)accumulators * plan->lanes);
        for (unsigned k = 0; k < accumulators; k++) {
            LLVMValueRef offset = gen_i64(gen, (int64_t)k * plan->lanes);
            add_vector(gen, group, gen_index_add(gen, first, offset), sums, k);
        }
        loop_end(gen, &loop, sums);
        done = rounds * accumulators;
    }
    for (; done < vectors; done++) {
        LLVMValueRef term = gen_i64(gen, (int64_t)(done * plan->lanes));
        add_vector(gen, group, term, sums, (unsigned)(done % accumulators));
    }
}

// One vector of partial sums for each row of the group.
static void partial_sums(Gen *gen, const Group *group, LLVMValueRef zero, LLVMValueRef *vectors) {
    const TermsPlan *plan = group->rows->plan;
    LLVMValueRef sums[LOOP_CARRIED_LIMIT] = {NULL};
    for (unsigned k = 0; k < group->count * plan->accumulators; k++) {
        sums[k] = lanes_splat(gen, zero, plan->lanes);
    }
    add_all_vectors(gen, group, sums);
    for (unsigned i = 0; i < group->count; i++) {
        LLVMValueRef *own = &sums[i * plan->accumulators];
        for (unsigned half = plan->accumulators / 2; half >= 1; half /= 2) {
            for (unsigned k = 0; k < half; k++) {
                own[k] = op_add(gen, group->rows->root, own[k], own[k + half]);
            }
        }
        vectors[group->first + i] = own[0];
    }
}

// The lower or the upper half of the `sums` partial sums of each row in two vectors, or, without
// `b`, in one.
static LLVMValueRef half_of(Gen *gen, LLVMValueRef a, LLVMValueRef b, unsigned sums, bool upper) {
    LLVMValueRef vectors[] = {a, b};
    unsigned from[2 * LANES_FULL_LIMIT];
    unsigned sources = b == NULL ? 1 : 2;
    unsigned count = 0;
    for (unsigned lane = 0; lane < lanes_of(a) * sources; lane++) {
        if ((lane % sums >= sums / 2) == upper) {
            from[count++] = lane;
        }
    }
    return lanes_pick(gen, vectors, sources, count, from);
}

// Terms [term, term + sums) of the rows from `first` on, onto that many partial sums of each.
static LLVMValueRef add_rest(Gen *gen, const Rows *rows, unsigned first, uint64_t term,
                             unsigned sums, LLVMValueRef vector) {
    LLVMValueRef at = gen_i64(gen, (int64_t)term);
    LLVMValueRef right = lanes_splat(gen, right_terms(gen, rows, at, sums), sums);
    LLVMValueRef left[TILE_LIMIT], rights[TILE_LIMIT];
    unsigned count = lanes_of(vector) / sums;
    for (unsigned i = 0; i < count; i++) {
        left[i] = first + i < rows->count ? left_terms(gen, rows, first + i, at, sums)
                                          : LLVMGetPoison(LLVMTypeOf(right));
        rights[i] = right;
    }
    return op_multiply_add(gen, rows->root, lanes_join(gen, left, count),
                           lanes_join(gen, rights, count), vector);
}

// Vectors of partial sums, one for each of the rows, to one of sums. Of the terms that fill no
// vector, those that fill half of one go to the halves, and so on.
static LLVMValueRef join_rows(Gen *gen, const Rows *rows, LLVMValueRef *vectors) {
    unsigned count = rows->count;
    uint64_t terms = rows->plan->count;
    for (unsigned sums = rows->plan->lanes; sums > 1; sums /= 2) {
        unsigned joined = 0;
        for (unsigned i = 0; i < count; i += 2) {
            LLVMValueRef other = i + 1 < count ? vectors[i + 1]
                                 : count == 1  ? NULL
                                               : LLVMGetPoison(LLVMTypeOf(vectors[0]));
            LLVMValueRef low = half_of(gen, vectors[i], other, sums, false);
            LLVMValueRef high = half_of(gen, vectors[i], other, sums, true);
            LLVMValueRef both = op_add(gen, rows->root, low, high);
            if ((terms & sums / 2) != 0) {
                unsigned first = joined * (lanes_of(both) / (sums / 2));
                both = add_rest(gen, rows, first, terms - terms % sums, sums / 2, both);
            }
            vectors[joined++] = both;
        }
        count = joined;
    }
    CHECK(count == 1);
    unsigned found = lanes_of(vectors[0]);
    return found == rows->count ? vectors[0] : lanes_part(gen, vectors[0], 0, rows->count);
}

// How many rows share the loads of the right operand.
static unsigned group_size(Gen *gen, const Rows *rows) {
    unsigned parts = LANES_BYTES / gen->facts.vector_bytes;
    unsigned registers = 3 * gen->facts.vector_registers / 4;
    unsigned size = 1;
    while (2 * size <= rows->count && 2 * size * rows->plan->accumulators * parts <= registers) {
        size *= 2;
    }
    return size;
}

static LLVMValueRef rows_in_order(Gen *gen, const Rows *rows) {
    LLVMValueRef zero = op_no_sum(gen, rows->root);
    LLVMValueRef sums[2] = {lanes_splat(gen, zero, rows->count), NULL};
    sums[1] = sums[0];
    add_in_order(gen, rows, 0, rows->plan->count, sums);
    return rows->plan->chains == 1 ? sums[0] : chains_join(gen, sums[0], sums[1]);
}

static LLVMValueRef rows_in_lanes(Gen *gen, const Rows *rows) {
    LLVMValueRef zero = op_no_sum(gen, rows->root);
    LLVMValueRef vectors[TILE_LIMIT];
    unsigned size = group_size(gen, rows);
    for (unsigned first = 0; first < rows->count; first += size) {
        unsigned left = rows->count - first;
        partial_sums(gen, &(Group){rows, first, left < size ? left : size}, zero, vectors);
    }
    return join_rows(gen, rows, vectors);
}

LLVMValueRef matrix_vector(Gen *gen, const TirExpr *dot, Index index, const TermsPlan *plan) {
    CHECK(index.lanes <= TILE_LIMIT);
    Root root = dot->type->root;
    Rows rows = {dot, root, index.at[0], index.steps[0], index.lanes, plan};
    if (plan->in_lanes) {
        return rows_in_lanes(gen, &rows);
    }
    unsigned half = half_lanes(gen, root);
    bool fits = rows.count * gen_root_bytes(gen, root) <= gen->facts.vector_bytes;
    if (rows.count < half || number_is_power_of_two(rows.count) || fits) {
        return rows_in_order(gen, &rows);
    }
    Rows rest = rows;
    rows.count = half;
    rest.first = gen_index_add(gen, rows.first, gen_i64(gen, rows.step * half));
    rest.count -= half;
    return concatenated(gen, rows_in_order(gen, &rows), rows_in_order(gen, &rest));
}
