// Each sum of a row waits for the one before, so several rows go side by side where there are
// vectors: a square of as many elements of each row is turned, so that a vector has one element of
// each row, summed up vector by vector, turned back and stored. Every row is summed up in its
// order.
#include "codegen/emit/running.h"

#include "codegen/emit/destination.h"
#include "codegen/emit/element.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/transpose.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

typedef struct Running {
    const Destination *to;
    const TirExpr *value;
    unsigned rows;    // side by side
    LLVMValueRef *at; // of the element at hand, or of the first of a square
} Running;

static size_t last_dim(const Running *running) {
    return running->value->type->flat_rank - 1u;
}

static void store_sum(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    Running *running = data;
    Root root = running->value->type->root;
    running->at[last_dim(running)] = at[0];
    Index index = index_at(running->at);
    carried[0] = op_add(gen, root, carried[0], element(gen, running->value->operand, index));
    index_store(gen, root, carried[0], destination_address(gen, running->to, index), 1);
}

static void run_row(Gen *gen, Running *running) {
    const Type *type = running->value->type;
    LLVMValueRef sum = op_no_sum(gen, type->root);
    LoopSpace row = {.dims = &type->dims[last_dim(running)], .rank = 1};
    loop_nest(gen, row, &sum, 1, store_sum, running);
}

// `lanes` neighbours in row number `row` of the square.
static Index row_index(Gen *gen, const Running *running, LLVMValueRef column, unsigned row,
                       unsigned lanes) {
    const Type *type = running->value->type;
    size_t last = last_dim(running);
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, type->flat_rank);
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, type->flat_rank);
    memcpy(at, running->at, type->flat_rank * sizeof(*at));
    at[last - 1] = gen_index_add(gen, at[last - 1], gen_i64(gen, row));
    at[last] = column;
    steps[last] = 1;
    return (Index){.at = at, .lanes = lanes, .steps = steps};
}

// The sums of `lanes` columns.
static LLVMValueRef run_columns(Gen *gen, const Running *running, LLVMValueRef column,
                                unsigned lanes, LLVMValueRef sums) {
    Root root = running->value->type->root;
    LLVMValueRef vectors[TILE_LIMIT];
    for (unsigned row = 0; row < running->rows; row++) {
        Index index = row_index(gen, running, column, row, lanes);
        vectors[row] = lanes_splat(gen, element(gen, running->value->operand, index), lanes);
    }
    transpose_vectors(gen, vectors, running->rows, lanes);
    for (unsigned k = 0; k < lanes; k++) {
        sums = op_add(gen, root, sums, vectors[k]);
        vectors[k] = sums;
    }
    transpose_vectors(gen, vectors, lanes, running->rows);
    for (unsigned row = 0; row < running->rows; row++) {
        Address address =
            destination_address(gen, running->to, row_index(gen, running, column, row, lanes));
        index_store(gen, root, vectors[row], address, lanes);
    }
    return sums;
}

static void run_rows(Gen *gen, Running *running) {
    const Type *type = running->value->type;
    uint32_t length = type->dims[last_dim(running)];
    unsigned size = running->rows;
    LLVMValueRef sums = lanes_splat(gen, op_no_sum(gen, type->root), size);
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, length / size), &sums, 1);
    sums = run_columns(gen, running, gen_index_mul(gen, loop.index, size), size, sums);
    loop_end(gen, &loop, &sums);
    uint32_t done = length - length % size;
    for (unsigned lanes = size / 2; lanes >= 1; lanes /= 2) {
        for (; done + lanes <= length; done += lanes) {
            sums = run_columns(gen, running, gen_i64(gen, done), lanes, sums);
        }
    }
}

// All rows of the last dim but one.
static void run_plane(Gen *gen, void *data, const LLVMValueRef *outer, LLVMValueRef *carried) {
    (void)carried;
    Running *running = data;
    size_t last = last_dim(running);
    uint32_t count = running->value->type->dims[last - 1];
    memcpy(running->at, outer, (last - 1) * sizeof(*outer));
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, count / running->rows), NULL, 0);
    running->at[last - 1] = gen_index_mul(gen, loop.index, running->rows);
    run_rows(gen, running);
    loop_end(gen, &loop, NULL);
    uint32_t done = count - count % running->rows;
    if (done == count) {
        return;
    }
    loop_begin(gen, &loop, gen_i64(gen, count - done), NULL, 0);
    running->at[last - 1] = gen_index_add(gen, loop.index, gen_i64(gen, done));
    run_row(gen, running);
    loop_end(gen, &loop, NULL);
}

static void run_any_row(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    (void)carried;
    Running *running = data;
    memcpy(running->at, at, last_dim(running) * sizeof(*at));
    run_row(gen, running);
}

void running_set(Gen *gen, const Destination *to, const TirExpr *value, const RunningPlan *plan) {
    const Type *type = value->type;
    Running running = {to, value, plan->rows,
                       ARENA_ARRAY(gen->arena, LLVMValueRef, type->flat_rank)};
    bool is_single = plan->rows == 1;
    LoopSpace outer = {.dims = type->dims, .rank = type->flat_rank - (is_single ? 1u : 2u)};
    loop_nest(gen, outer, NULL, 0, is_single ? run_any_row : run_plane, &running);
}
