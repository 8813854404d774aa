// The order in which each adds up its terms is the same whether it is alone or not.
#include "codegen/emit/lane_fold.h"

#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"

typedef struct Folding {
    const LaneFold *folds;
    size_t count;
    uint64_t length; // of a round, in terms
    LLVMValueRef values[LOOP_CARRIED_LIMIT];
} Folding;

static bool takes_all(const Folding *folding, LaneWays ways) {
    return ways.count == folding->folds[0].plan->accumulators;
}

// What the loop for these accumulators carries, to or from `own`. Returns how much it is.
static size_t exchange(Folding *folding, LaneWays ways, LLVMValueRef *own, bool is_back) {
    LLVMValueRef *values = folding->values;
    size_t size = 0;
    for (size_t i = 0; i < folding->count; i++) {
        const LaneFold *fold = &folding->folds[i];
        CHECK(takes_all(folding, ways) || fold->carried == fold->plan->accumulators);
        size_t from = takes_all(folding, ways) ? 0 : ways.from;
        size_t count = takes_all(folding, ways) ? fold->carried : ways.count;
        for (size_t k = from; k < from + count; k++, size++) {
            LLVMValueRef *to = is_back ? &values[k] : &own[size];
            *to = is_back ? own[size] : values[k];
        }
        values += fold->carried;
    }
    return size;
}

static void add_ways(Gen *gen, Folding *folding, LLVMValueRef first, LaneWays ways) {
    LLVMValueRef *values = folding->values;
    for (size_t i = 0; i < folding->count; i++) {
        const LaneFold *fold = &folding->folds[i];
        fold->round(gen, fold->data, first, ways, values);
        values += fold->carried;
    }
}

// All folds have what two vectors give before the next ones are read.
static void one_round(Gen *gen, Folding *folding, LLVMValueRef first, LaneWays ways) {
    unsigned end = ways.from + ways.count;
    for (unsigned from = ways.from; from < end; from += 2) {
        add_ways(gen, folding, first, (LaneWays){from, end - from < 2 ? 1 : 2});
    }
}

static void some_rounds(Gen *gen, Folding *folding, LLVMValueRef first, LLVMValueRef rounds,
                        LaneWays ways) {
    LLVMValueRef own[LOOP_CARRIED_LIMIT];
    size_t carried = exchange(folding, ways, own, false);
    Loop loop;
    loop_begin(gen, &loop, rounds, own, carried);
    exchange(folding, ways, own, true);
    LLVMValueRef round = gen_index_add(gen, first, loop.index);
    one_round(gen, folding, gen_index_mul(gen, round, folding->length), ways);
    exchange(folding, ways, own, false);
    loop_end(gen, &loop, own);
    exchange(folding, ways, own, true);
}

// `rounds` from round `first` on, for some accumulators after the others.
static void all_ways(Gen *gen, Folding *folding, LLVMValueRef first, LLVMValueRef rounds,
                     unsigned at_once) {
    unsigned accumulators = folding->folds[0].plan->accumulators;
    for (unsigned from = 0; from < accumulators; from += at_once) {
        some_rounds(gen, folding, first, rounds, (LaneWays){from, at_once});
    }
}

// Block by block, so that what one loop reads is in the cache for the next.
static void in_blocks(Gen *gen, Folding *folding, uint64_t rounds, unsigned at_once) {
    LaneWays all = {0, folding->folds[0].plan->accumulators};
    LLVMValueRef own[LOOP_CARRIED_LIMIT];
    size_t carried = exchange(folding, all, own, false);
    uint64_t blocks = (rounds + TERMS_BLOCK_ROUNDS - 1) / TERMS_BLOCK_ROUNDS;
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, (int64_t)blocks), own, carried);
    exchange(folding, all, own, true);
    LLVMValueRef first = gen_index_mul(gen, loop.index, TERMS_BLOCK_ROUNDS);
    LLVMValueRef left = LLVMBuildSub(gen->builder, gen_i64(gen, (int64_t)rounds), first, "");
    LLVMValueRef full = gen_i64(gen, TERMS_BLOCK_ROUNDS);
    LLVMValueRef is_last = LLVMBuildICmp(gen->builder, LLVMIntSLT, left, full, "");
    LLVMValueRef some = LLVMBuildSelect(gen->builder, is_last, left, full, "");
    all_ways(gen, folding, first, some, at_once);
    exchange(folding, all, own, false);
    loop_end(gen, &loop, own);
    exchange(folding, all, own, true);
}

void lane_fold(Gen *gen, const LaneFold *folds, size_t count, unsigned ways,
               LLVMValueRef *results) {
    const TermsPlan *plan = folds[0].plan;
    CHECK(plan->lanes > 0 && ways > 0 && plan->accumulators % ways == 0);
    Folding folding = {folds, count, terms_round_length(plan), {NULL}};
    size_t carried = 0;
    for (size_t i = 0; i < count; i++) {
        CHECK(carried + folds[i].carried <= LOOP_CARRIED_LIMIT);
        folds[i].begin(gen, folds[i].data, folding.values + carried);
        carried += folds[i].carried;
    }
    uint64_t rounds = plan->count / folding.length;
    LLVMValueRef zero = gen_i64(gen, 0);
    if (rounds == 1) {
        one_round(gen, &folding, zero, (LaneWays){0, plan->accumulators});
    } else if (ways == plan->accumulators || rounds <= TERMS_BLOCK_ROUNDS) {
        all_ways(gen, &folding, zero, gen_i64(gen, (int64_t)rounds), ways);
    } else {
        in_blocks(gen, &folding, rounds, ways);
    }
    LLVMValueRef *own = folding.values;
    for (size_t i = 0; i < count; i++) {
        results[i] = folds[i].end(gen, folds[i].data, rounds * folding.length, own);
        own += folds[i].carried;
    }
}
