// Some rows at once: elements of the first statement, as it walks them alone; then what the rows
// add to each sum of the second, row by row.
#include "codegen/emit/both_ways.h"

#include "codegen/emit/debug_info.h"
#include "codegen/emit/element.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/both_ways.h"
#include "codegen/plan/limits.h"
#include "support/table.h"

typedef struct BothWays {
    BothWaysPlan plan;
    LLVMValueRef first; // of the rows at hand
    unsigned rows, lanes;
} BothWays;

static Index vector_index(Gen *gen, LLVMValueRef position, unsigned lanes) {
    static const int64_t steps[] = {1};
    LLVMValueRef *at = ARENA_NEW(gen->arena, LLVMValueRef);
    *at = position;
    return (Index){.at = at, .lanes = lanes, .steps = steps};
}

static void set_across(Gen *gen, const BothWays *both) {
    const TirStmt *set = both->plan.across;
    Index index = vector_index(gen, both->first, both->rows);
    LLVMValueRef value = element(gen, set->set.value, index);
    index_store(gen, ROOT_REAL, value, index_address(gen, set->set.place, index), both->rows);
}

static LLVMValueRef matrix_terms(Gen *gen, const BothWays *both, unsigned row, LLVMValueRef column,
                                 unsigned lanes) {
    static const int64_t steps[] = {0, 1};
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, 2);
    at[0] = gen_index_add(gen, both->first, gen_i64(gen, row));
    at[1] = column;
    return element(gen, both->plan.down->set.value->dot.right,
                   (Index){.at = at, .lanes = lanes, .steps = steps});
}

// Some full vectors of sums, or one shorter one.
static void add_down(Gen *gen, const BothWays *both, LLVMValueRef column, unsigned vectors,
                     unsigned lanes) {
    const TirStmt *set = both->plan.down;
    LLVMValueRef sums[BOTH_WAYS_VECTORS];
    Address places[BOTH_WAYS_VECTORS];
    for (unsigned k = 0; k < vectors; k++) {
        LLVMValueRef at = gen_index_add(gen, column, gen_i64(gen, (int64_t)k * lanes));
        places[k] = index_address(gen, set->set.place, vector_index(gen, at, lanes));
        sums[k] = index_load(gen, ROOT_REAL, places[k], lanes);
    }
    for (unsigned row = 0; row < both->rows; row++) {
        LLVMValueRef at = gen_index_add(gen, both->first, gen_i64(gen, row));
        LLVMValueRef left = element(gen, set->set.value->dot.left, vector_index(gen, at, 1));
        for (unsigned k = 0; k < vectors; k++) {
            LLVMValueRef from = gen_index_add(gen, column, gen_i64(gen, (int64_t)k * lanes));
            LLVMValueRef right = matrix_terms(gen, both, row, from, lanes);
            sums[k] =
                op_multiply_add(gen, ROOT_REAL, lanes_splat(gen, left, lanes), right, sums[k]);
        }
    }
    for (unsigned k = 0; k < vectors; k++) {
        index_store(gen, ROOT_REAL, sums[k], places[k], lanes);
    }
}

static void clear_down(Gen *gen, const BothWays *both, LLVMValueRef column, unsigned vectors,
                       unsigned lanes) {
    for (unsigned k = 0; k < vectors; k++) {
        LLVMValueRef at = gen_index_add(gen, column, gen_i64(gen, (int64_t)k * lanes));
        Address place =
            index_address(gen, both->plan.down->set.place, vector_index(gen, at, lanes));
        index_store(gen, ROOT_REAL, lanes_splat(gen, op_no_sum(gen, ROOT_REAL), lanes), place,
                    lanes);
    }
}

typedef void OnColumns(Gen *gen, const BothWays *both, LLVMValueRef column, unsigned vectors,
                       unsigned lanes);

static void on_all_columns(Gen *gen, const BothWays *both, OnColumns *act) {
    uint64_t columns = both->plan.down->set.value->type->numel;
    uint64_t length = (uint64_t)BOTH_WAYS_VECTORS * both->lanes;
    uint64_t done = columns / length * length;
    if (done > 0) {
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, (int64_t)(done / length)), NULL, 0);
        act(gen, both, gen_index_mul(gen, loop.index, length), BOTH_WAYS_VECTORS, both->lanes);
        loop_end(gen, &loop, NULL);
    }
    for (unsigned lanes = both->lanes; lanes >= 1; lanes /= 2) {
        for (; done + lanes <= columns; done += lanes) {
            act(gen, both, gen_i64(gen, (int64_t)done), 1, lanes);
        }
    }
}

static void take_rows(Gen *gen, BothWays *both, LLVMValueRef first, unsigned rows) {
    both->first = first;
    both->rows = rows;
    set_across(gen, both);
    on_all_columns(gen, both, add_down);
}

bool both_ways_set(Gen *gen, const TirBlock *block, size_t number) {
    BothWays both = {.plan =
                         both_ways_plan(&gen->facts, &gen->scope, gen->function, block, number)};
    unsigned most = both.plan.rows;
    if (most == 0 || gen->masked != NULL) {
        return false;
    }
    debug_place(gen, both.plan.across->span);
    table_clear(&gen->indices);
    index_prepare(gen, both.plan.across->set.value);
    both.lanes = LANES_BYTES / (unsigned)gen_root_bytes(gen, ROOT_REAL);
    on_all_columns(gen, &both, clear_down);
    uint64_t rows = both.plan.across->set.value->type->numel;
    uint64_t done = rows / most * most;
    if (done > 0) {
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, (int64_t)(done / most)), NULL, 0);
        take_rows(gen, &both, gen_index_mul(gen, loop.index, most), most);
        loop_end(gen, &loop, NULL);
    }
    for (unsigned count = most; count >= 1; count /= 2) {
        for (; done + count <= rows; done += count) {
            take_rows(gen, &both, gen_i64(gen, (int64_t)done), count);
        }
    }
    return true;
}
