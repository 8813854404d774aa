// Full vectors first, then what is left one by one. Vectors go to the accumulators in turn, one
// accumulator where the target has no vectors; in the end the accumulators are joined pair by pair,
// then the halves of the vector that remains. The caller says what a term is and how two are
// joined, and has asked lane_sum_pays.
#include "codegen/emit/lane_sum.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

enum { ACCUMULATORS = 4 }; // enough additions in flight to hide how long each takes

bool lane_sum_pays(Gen *gen, uint64_t count, Root root) {
    return count >= 2 * (uint64_t)lanes_full(gen, root);
}

static LLVMValueRef position_of(Gen *gen, uint64_t vector, const LaneSum *sum) {
    return gen_i64(gen, (int64_t)(vector * sum->lanes));
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
            gen_index_mul(gen, loop.index, (uint64_t)accumulator_count * sum->lanes);
        for (unsigned k = 0; k < accumulator_count; k++) {
            LLVMValueRef position = gen_index_add(gen, first, position_of(gen, k, sum));
            accumulators[k] = sum->add(gen, sum->data, position, sum->lanes, accumulators[k]);
        }
        loop_end(gen, &loop, accumulators);
        done = rounds * accumulator_count;
    }
    for (; done < vectors; done++) {
        LLVMValueRef *accumulator = &accumulators[done % accumulator_count];
        *accumulator =
            sum->add(gen, sum->data, position_of(gen, done, sum), sum->lanes, *accumulator);
    }
}

static LLVMValueRef join_lanes(Gen *gen, const LaneSum *sum, LLVMValueRef vector) {
    for (unsigned half = sum->lanes / 2; half > 1; half /= 2) {
        vector = sum->join(gen, sum->data, lanes_part(gen, vector, 0, half),
                           lanes_part(gen, vector, half, half));
    }
    return sum->join(gen, sum->data, lanes_extract(gen, vector, 0), lanes_extract(gen, vector, 1));
}

LLVMValueRef lane_sum(Gen *gen, const LaneSum *sum) {
    uint64_t vectors = sum->count / sum->lanes;
    CHECK(vectors > 0);
    unsigned accumulator_count = gen->target.has->vectors ? ACCUMULATORS : 1;
    while (accumulator_count > vectors) {
        accumulator_count /= 2;
    }
    LLVMValueRef accumulators[ACCUMULATORS];
    for (unsigned k = 0; k < accumulator_count; k++) {
        accumulators[k] = lanes_splat(gen, sum->neutral, sum->lanes);
    }
    add_vectors(gen, sum, vectors, accumulators, accumulator_count);
    for (unsigned half = accumulator_count / 2; half >= 1; half /= 2) {
        for (unsigned k = 0; k < half; k++) {
            accumulators[k] = sum->join(gen, sum->data, accumulators[k], accumulators[k + half]);
        }
    }
    LLVMValueRef total = join_lanes(gen, sum, accumulators[0]);
    for (uint64_t i = vectors * sum->lanes; i < sum->count; i++) {
        total = sum->add(gen, sum->data, gen_i64(gen, (int64_t)i), 1, total);
    }
    return total;
}
