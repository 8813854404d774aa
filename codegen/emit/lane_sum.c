// Full vectors first, then what is left one by one. Vectors go to the accumulators in turn; in the
// end the accumulators are joined pair by pair,
// then the halves of the vector that remains. The caller says what a term is and how two are
// joined.
#include "codegen/emit/lane_sum.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"

static LLVMValueRef position_of(Gen *gen, uint64_t vector, const LaneSum *sum) {
    return gen_i64(gen, (int64_t)(vector * sum->plan->lanes));
}

// Combines vectors [0, vectors) into accumulators, round by round.
static void add_vectors(Gen *gen, const LaneSum *sum, uint64_t vectors, LLVMValueRef *accumulators,
                        unsigned accumulator_count) {
    uint64_t rounds = vectors / accumulator_count;
    uint64_t done = 0;
    if (rounds > 1) {
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, (int64_t)rounds), accumulators, accumulator_count);
        LLVMValueRef first =
            gen_index_mul(gen, loop.index, (uint64_t)accumulator_count * sum->plan->lanes);
        for (unsigned k = 0; k < accumulator_count; k++) {
            LLVMValueRef position = gen_index_add(gen, first, position_of(gen, k, sum));
            accumulators[k] = sum->add(gen, sum->data, position, sum->plan->lanes, accumulators[k]);
        }
        loop_end(gen, &loop, accumulators);
        done = rounds * accumulator_count;
    }
    for (; done < vectors; done++) {
        LLVMValueRef *accumulator = &accumulators[done % accumulator_count];
        *accumulator =
            sum->add(gen, sum->data, position_of(gen, done, sum), sum->plan->lanes, *accumulator);
    }
}

static LLVMValueRef join_lanes(Gen *gen, const LaneSum *sum, LLVMValueRef vector) {
    for (unsigned half = sum->plan->lanes / 2; half > 1; half /= 2) {
        vector = sum->join(gen, sum->data, lanes_part(gen, vector, 0, half),
                           lanes_part(gen, vector, half, half));
    }
    return sum->join(gen, sum->data, lanes_extract(gen, vector, 0), lanes_extract(gen, vector, 1));
}

LLVMValueRef lane_sum(Gen *gen, const LaneSum *sum) {
    uint64_t vectors = sum->plan->count / sum->plan->lanes;
    unsigned accumulator_count = sum->plan->accumulators;
    CHECK(accumulator_count > 0 && accumulator_count <= vectors);
    LLVMValueRef accumulators[TERMS_ACCUMULATORS];
    for (unsigned k = 0; k < accumulator_count; k++) {
        accumulators[k] = lanes_splat(gen, sum->neutral, sum->plan->lanes);
    }
    add_vectors(gen, sum, vectors, accumulators, accumulator_count);
    for (unsigned half = accumulator_count / 2; half >= 1; half /= 2) {
        for (unsigned k = 0; k < half; k++) {
            accumulators[k] = sum->join(gen, sum->data, accumulators[k], accumulators[k + half]);
        }
    }
    LLVMValueRef total = join_lanes(gen, sum, accumulators[0]);
    for (uint64_t i = vectors * sum->plan->lanes; i < sum->plan->count; i++) {
        total = sum->add(gen, sum->data, gen_i64(gen, (int64_t)i), 1, total);
    }
    return total;
}
