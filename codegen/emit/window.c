// Rows are walked upwards, as the product takes them. Where they go down, each is carried in
// registers to the next turn, which stores it in the place of the row that it has read. Terms are
// grouped as emit/op_dot.c and emit/chains.c group them: that decides bits.
#include "codegen/emit/window.h"

#include "codegen/emit/chains.h"
#include "codegen/emit/debug_info.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"
#include "support/table.h"

#include <string.h>

typedef struct Window {
    const WindowPlan *plan;
    LLVMValueRef column; // the first of the pieces at hand
} Window;

// What goes from row to row: the pieces of the row that moves, and then the sums of each chain.
enum { CARRIED_LIMIT = 3 * WINDOW_PIECES };

static LLVMValueRef column_of(Gen *gen, const Window *window, unsigned piece) {
    return gen_index_add(gen, window->column, gen_i64(gen, (int64_t)piece * window->plan->lanes));
}

static Address address_of(Gen *gen, const TirVar *var, LLVMValueRef position) {
    Address address = index_element(gen, ROOT_REAL, frame_var_address(gen, var),
                                    (Position){.first = position, .step = 1});
    address.var = var;
    return address;
}

static Address in_row(Gen *gen, const Window *window, LLVMValueRef row, unsigned piece) {
    LLVMValueRef first = gen_index_mul(gen, row, window->plan->columns);
    return address_of(gen, window->plan->window,
                      gen_index_add(gen, first, column_of(gen, window, piece)));
}

// The row that moves comes to its place, where it is a term of all sums of its chain.
static void place_row(Gen *gen, const Window *window, LLVMValueRef row, unsigned chain,
                      LLVMValueRef *carried) {
    const WindowPlan *plan = window->plan;
    LLVMValueRef factor = element(gen, plan->product->set.value->dot.left, index_at(&row));
    LLVMValueRef *sums = carried + (1 + chain) * plan->pieces;
    for (unsigned p = 0; p < plan->pieces; p++) {
        index_store(gen, ROOT_REAL, carried[p], in_row(gen, window, row, p), plan->lanes);
        LLVMValueRef values[] = {factor, carried[p], sums[p]};
        lanes_match(gen, values, 3);
        sums[p] = op_multiply_add(gen, ROOT_REAL, values[0], values[1], values[2]);
    }
}

static void load_row(Gen *gen, const Window *window, LLVMValueRef row, LLVMValueRef *pieces) {
    for (unsigned p = 0; p < window->plan->pieces; p++) {
        pieces[p] = index_load(gen, ROOT_REAL, in_row(gen, window, row, p), window->plan->lanes);
    }
}

static void move_row(Gen *gen, const Window *window, LLVMValueRef row, unsigned chain,
                     LLVMValueRef *carried) {
    const WindowPlan *plan = window->plan;
    if (!plan->goes_down) {
        load_row(gen, window, gen_index_add(gen, row, gen_i64(gen, 1)), carried);
        place_row(gen, window, row, chain, carried);
        return;
    }
    LLVMValueRef next[WINDOW_PIECES];
    load_row(gen, window, row, next);
    place_row(gen, window, row, chain, carried);
    memcpy(carried, next, plan->pieces * sizeof(*next));
}

// All rows but the last one, which is the new one where rows go up.
static void walk_rows(Gen *gen, const Window *window, LLVMValueRef *carried) {
    const WindowPlan *plan = window->plan;
    uint64_t count = plan->goes_down ? plan->rows : plan->rows - 1;
    CHECK(plan->chains > 0);
    uint64_t rounds = count / plan->chains;
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, (int64_t)rounds), carried,
               (size_t)(1 + plan->chains) * plan->pieces);
    LLVMValueRef first = gen_index_mul(gen, loop.index, plan->chains);
    for (unsigned k = 0; k < plan->chains; k++) {
        move_row(gen, window, gen_index_add(gen, first, gen_i64(gen, k)), k, carried);
    }
    loop_end(gen, &loop, carried);
    for (uint64_t row = rounds * plan->chains; row < count; row++) {
        move_row(gen, window, gen_i64(gen, (int64_t)row), (unsigned)(row % plan->chains), carried);
    }
}

static void fresh_row(Gen *gen, const Window *window, LLVMValueRef *pieces) {
    static const int64_t steps[] = {1};
    const WindowPlan *plan = window->plan;
    for (unsigned p = 0; p < plan->pieces; p++) {
        LLVMValueRef at = column_of(gen, window, p);
        Index index = {.at = &at, .lanes = plan->lanes, .steps = steps};
        pieces[p] = lanes_splat(gen, element(gen, plan->fresh->set.value, index), plan->lanes);
    }
}

static void walk_pieces(Gen *gen, const Window *window) {
    const WindowPlan *plan = window->plan;
    LLVMValueRef carried[CARRIED_LIMIT], fresh[WINDOW_PIECES];
    fresh_row(gen, window, fresh);
    memcpy(carried, fresh, plan->pieces * sizeof(*fresh));
    LLVMValueRef *sums = carried + plan->pieces;
    for (unsigned i = 0; i < plan->chains * plan->pieces; i++) {
        sums[i] = lanes_splat(gen, op_no_sum(gen, ROOT_REAL), plan->lanes);
    }
    walk_rows(gen, window, carried);
    if (!plan->goes_down) {
        memcpy(carried, fresh, plan->pieces * sizeof(*fresh));
        unsigned last = plan->rows - 1;
        place_row(gen, window, gen_i64(gen, last), last % plan->chains, carried);
    }
    for (unsigned p = 0; p < plan->pieces; p++) {
        LLVMValueRef sum =
            plan->chains == 2 ? chains_join(gen, sums[p], sums[plan->pieces + p]) : sums[p];
        index_store(gen, ROOT_REAL, sum,
                    address_of(gen, plan->product->set.place->var, column_of(gen, window, p)),
                    plan->lanes);
    }
}

void window_emit(Gen *gen, const WindowPlan *plan) {
    table_clear(&gen->indices);
    debug_place(gen, plan->product->span);
    index_prepare(gen, plan->fresh->set.value);
    index_prepare(gen, plan->product->set.value->dot.left);
    uint64_t width = (uint64_t)plan->lanes * plan->pieces;
    Window window = {.plan = plan};
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, (int64_t)(plan->columns / width)), NULL, 0);
    window.column = gen_index_mul(gen, loop.index, width);
    walk_pieces(gen, &window);
    loop_end(gen, &loop, NULL);
}
