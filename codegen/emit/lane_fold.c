// The order in which each adds up its terms is the same whether it is alone or not.
#include "codegen/emit/lane_fold.h"

#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

static void one_round(Gen *gen, const LaneFold *folds, size_t count, LLVMValueRef first,
                      LLVMValueRef *values) {
    for (size_t i = 0; i < count; i++) {
        folds[i].round(gen, folds[i].data, first, values);
        values += folds[i].carried;
    }
}

void lane_fold(Gen *gen, const LaneFold *folds, size_t count, LLVMValueRef *results) {
    LLVMValueRef values[LOOP_CARRIED_LIMIT];
    size_t carried = 0;
    for (size_t i = 0; i < count; i++) {
        CHECK(carried + folds[i].carried <= LOOP_CARRIED_LIMIT);
        folds[i].begin(gen, folds[i].data, values + carried);
        carried += folds[i].carried;
    }
    const TermsPlan *plan = folds[0].plan;
    CHECK(plan->lanes > 0 && plan->accumulators > 0);
    uint64_t length = (uint64_t)plan->lanes * plan->accumulators;
    uint64_t rounds = plan->count / length;
    if (rounds == 1) {
        one_round(gen, folds, count, gen_i64(gen, 0), values);
    } else {
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, (int64_t)rounds), values, carried);
        one_round(gen, folds, count, gen_index_mul(gen, loop.index, length), values);
        loop_end(gen, &loop, values);
    }
    LLVMValueRef *own = values;
    for (size_t i = 0; i < count; i++) {
        results[i] = folds[i].end(gen, folds[i].data, rounds * length, own);
        own += folds[i].carried;
    }
}
