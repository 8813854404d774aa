// Rounds first, then full vectors. Vectors go to the accumulators in turn; in the end the
// accumulators are joined pair by pair, then the halves of the vector that remains. The caller says
// what a term is and how two are joined.
#include "codegen/emit/lane_sum.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

static LLVMValueRef add(Gen *gen, const LaneSum *sum, LLVMValueRef position, unsigned lanes,
                        LLVMValueRef so_far) {
    return sum->add(gen, sum->data, position, lanes, so_far);
}

static void begin(Gen *gen, const void *data, LLVMValueRef *accumulators) {
    const LaneSum *sum = data;
    for (unsigned k = 0; k < sum->plan.accumulators; k++) {
        accumulators[k] = lanes_splat(gen, sum->neutral, sum->plan.lanes);
    }
}

static void add_round(Gen *gen, const void *data, LLVMValueRef first, LaneWays ways,
                      LLVMValueRef *accumulators) {
    const LaneSum *sum = data;
    unsigned lanes = sum->plan.lanes;
    for (unsigned k = ways.from; k < ways.from + ways.count; k++) {
        LLVMValueRef position = gen_index_add(gen, first, gen_i64(gen, (int64_t)k * lanes));
        accumulators[k] = add(gen, sum, position, lanes, accumulators[k]);
    }
}

// Joins the halves of a vector until one lane is left; of the terms that fill no vector, those that
// fill half of one go to the half, and so on.
static LLVMValueRef join_lanes(Gen *gen, const LaneSum *sum, LLVMValueRef vector, uint64_t done) {
    for (unsigned half = sum->plan.lanes / 2; half >= 1; half /= 2) {
        LLVMValueRef low =
            half > 1 ? lanes_part(gen, vector, 0, half) : lanes_extract(gen, vector, 0);
        LLVMValueRef high =
            half > 1 ? lanes_part(gen, vector, half, half) : lanes_extract(gen, vector, 1);
        vector = sum->join(gen, sum->data, low, high);
        if (done + half <= sum->plan.count) {
            vector = add(gen, sum, gen_i64(gen, (int64_t)done), half, vector);
            done += half;
        }
    }
    return vector;
}

static LLVMValueRef end(Gen *gen, const void *data, uint64_t done, LLVMValueRef *accumulators) {
    const LaneSum *sum = data;
    unsigned lanes = sum->plan.lanes;
    unsigned count = sum->plan.accumulators;
    CHECK(lanes > 0 && count > 0);
    for (unsigned k = 0; done + lanes <= sum->plan.count; done += lanes, k++) {
        accumulators[k] = add(gen, sum, gen_i64(gen, (int64_t)done), lanes, accumulators[k]);
    }
    for (unsigned half = count / 2; half >= 1; half /= 2) {
        for (unsigned k = 0; k < half; k++) {
            accumulators[k] = sum->join(gen, sum->data, accumulators[k], accumulators[k + half]);
        }
    }
    return join_lanes(gen, sum, accumulators[0], done);
}

LaneFold lane_sum(const LaneSum *sum) {
    return (LaneFold){&sum->plan, sum->plan.accumulators, begin, add_round, end, sum};
}
