// Rounds first, then full vectors, then what is left one by one. Vectors go to the accumulators in
// turn; in the end the accumulators are joined pair by pair, then the halves of the vector that
// remains. The caller says what a term is and how two are joined.
#include "codegen/emit/lane_sum.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"

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

static LLVMValueRef join_lanes(Gen *gen, const LaneSum *sum, LLVMValueRef vector) {
    for (unsigned half = sum->plan.lanes / 2; half > 1; half /= 2) {
        vector = sum->join(gen, sum->data, lanes_part(gen, vector, 0, half),
                           lanes_part(gen, vector, half, half));
    }
    return sum->join(gen, sum->data, lanes_extract(gen, vector, 0), lanes_extract(gen, vector, 1));
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
    LLVMValueRef total = join_lanes(gen, sum, accumulators[0]);
    for (; done < sum->plan.count; done++) {
        total = add(gen, sum, gen_i64(gen, (int64_t)done), 1, total);
    }
    return total;
}

LaneFold lane_sum(const LaneSum *sum) {
    return (LaneFold){&sum->plan, sum->plan.accumulators, begin, add_round, end, sum};
}
