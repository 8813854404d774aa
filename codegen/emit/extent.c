// `v > best ? v : best` is one instruction where the greatest of two is several, but it drops a
// nan, which wins, and takes either of two zeros, of which one is greater (L11). So two things more
// are remembered, beside the best value: whether there was a nan, asked of two values at a time,
// and one sign bit, which is that of all values for max and that of any for min. They matter only
// in the end, and the sign only when the best is a zero.
#include "codegen/emit/extent.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"

#include <math.h>

enum { BEST, NANS, SIGNS };

static LLVMTypeRef bits_type(Gen *gen, unsigned lanes) {
    return lanes_type(gen->program->single ? gen->i32 : gen->i64, lanes);
}

// Masks of vectors are carried as the machine has them: registers of bits, or lanes all of ones.
LLVMTypeRef extent_mask_type(Gen *gen, unsigned lanes) {
    bool has_masks = gen->facts.vector_bytes == LANES_BYTES || lanes == 1;
    return has_masks ? lanes_type(gen->i1, lanes) : bits_type(gen, lanes);
}

// With --fp=fast signs of zeros mean nothing.
static bool keeps_zeros(Gen *gen) {
    return gen->options->fp != FP_FAST;
}

static LLVMValueRef better(Gen *gen, Extent extent, LLVMValueRef value, LLVMValueRef best) {
    LLVMRealPredicate beyond = extent.is_max ? LLVMRealOGT : LLVMRealOLT;
    LLVMValueRef is_better = LLVMBuildFCmp(gen->builder, beyond, value, best, "");
    return LLVMBuildSelect(gen->builder, is_better, value, best, "");
}

static LLVMValueRef join_signs(Gen *gen, Extent extent, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildBinOp(gen->builder, extent.is_max ? LLVMAnd : LLVMOr, a, b, "");
}

LLVMValueRef extent_note_nans(Gen *gen, LLVMValueRef a, LLVMValueRef b, LLVMValueRef nans) {
    LLVMValueRef has_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, b, "");
    LLVMTypeRef mask = LLVMTypeOf(nans);
    if (LLVMTypeOf(has_nan) != mask) {
        has_nan = LLVMBuildSExt(gen->builder, has_nan, mask, "");
    }
    return LLVMBuildOr(gen->builder, nans, has_nan, "");
}

// The signs so far, with those of two values, which may be the same one.
static LLVMValueRef noted_signs(Gen *gen, Extent extent, LLVMValueRef a, LLVMValueRef b,
                                LLVMValueRef signs) {
    if (!keeps_zeros(gen)) {
        return signs;
    }
    LLVMTypeRef bits = bits_type(gen, extent.lanes);
    LLVMValueRef both = LLVMBuildBitCast(gen->builder, a, bits, "");
    if (a != b) {
        both = join_signs(gen, extent, both, LLVMBuildBitCast(gen->builder, b, bits, ""));
    }
    return join_signs(gen, extent, signs, both);
}

static LLVMValueRef neutral(Gen *gen, Extent extent) {
    double beyond_all = extent.is_max ? -(double)INFINITY : (double)INFINITY;
    return lanes_splat(gen, gen_real(gen, beyond_all), extent.lanes);
}

void extent_begin(Gen *gen, Extent extent, LLVMValueRef *parts) {
    LLVMTypeRef bits = bits_type(gen, extent.lanes);
    parts[BEST] = neutral(gen, extent);
    parts[NANS] = LLVMConstNull(extent_mask_type(gen, extent.lanes));
    parts[SIGNS] = extent.is_max ? LLVMConstAllOnes(bits) : LLVMConstNull(bits);
}

void extent_add(Gen *gen, Extent extent, LLVMValueRef value, LLVMValueRef *parts) {
    parts[BEST] = better(gen, extent, value, parts[BEST]);
    parts[NANS] = extent_note_nans(gen, value, value, parts[NANS]);
    parts[SIGNS] = noted_signs(gen, extent, value, value, parts[SIGNS]);
}

// The best value with the sign that a zero has.
static LLVMValueRef with_sign(Gen *gen, Extent extent, const LLVMValueRef *parts) {
    LLVMTypeRef bits = bits_type(gen, extent.lanes);
    LLVMValueRef sign = LLVMBuildBitCast(
        gen->builder, lanes_splat(gen, gen_real(gen, -0.0), extent.lanes), bits, "");
    LLVMValueRef zero =
        LLVMBuildBitCast(gen->builder, LLVMBuildAnd(gen->builder, parts[SIGNS], sign, ""),
                         LLVMTypeOf(parts[BEST]), "");
    LLVMValueRef is_zero = LLVMBuildFCmp(gen->builder, LLVMRealOEQ, parts[BEST],
                                         LLVMConstNull(LLVMTypeOf(parts[BEST])), "");
    return LLVMBuildSelect(gen->builder, is_zero, zero, parts[BEST], "");
}

LLVMValueRef extent_end(Gen *gen, Extent extent, const LLVMValueRef *parts) {
    LLVMValueRef value = keeps_zeros(gen) ? with_sign(gen, extent, parts) : parts[BEST];
    LLVMValueRef had_nan = LLVMBuildICmp(gen->builder, LLVMIntNE, parts[NANS],
                                         LLVMConstNull(LLVMTypeOf(parts[NANS])), "");
    LLVMValueRef nan = lanes_splat(gen, gen_real(gen, (double)NAN), extent.lanes);
    return LLVMBuildSelect(gen->builder, had_nan, nan, value, "");
}

// The parts of one lane from those of several, half by half.
static void join_lanes(Gen *gen, Extent extent, LLVMValueRef *parts) {
    for (unsigned half = extent.lanes / 2; half >= 1; half /= 2) {
        LLVMValueRef low[EXTENT_PARTS], high[EXTENT_PARTS];
        for (unsigned k = 0; k < EXTENT_PARTS; k++) {
            low[k] =
                half > 1 ? lanes_part(gen, parts[k], 0, half) : lanes_extract(gen, parts[k], 0);
            high[k] =
                half > 1 ? lanes_part(gen, parts[k], half, half) : lanes_extract(gen, parts[k], 1);
        }
        parts[BEST] = better(gen, extent, low[BEST], high[BEST]);
        parts[NANS] = LLVMBuildOr(gen->builder, low[NANS], high[NANS], "");
        parts[SIGNS] = join_signs(gen, extent, low[SIGNS], high[SIGNS]);
    }
}

static Extent extent_of(const ExtentLanes *lanes) {
    return (Extent){lanes->is_max, lanes->plan.lanes};
}

// The best of each accumulator, then nans and signs of all.
static void begin(Gen *gen, const void *data, LLVMValueRef *values) {
    const ExtentLanes *lanes = data;
    unsigned count = lanes->plan.accumulators;
    LLVMValueRef parts[EXTENT_PARTS];
    extent_begin(gen, extent_of(lanes), parts);
    for (unsigned k = 0; k < count; k++) {
        values[k] = parts[BEST];
    }
    values[count] = parts[NANS];
    values[count + 1] = parts[SIGNS];
}

static LLVMValueRef terms_from(Gen *gen, const ExtentLanes *lanes, LLVMValueRef position) {
    unsigned count = lanes->plan.lanes;
    return lanes_splat(gen, lanes->terms(gen, lanes->data, position, count), count);
}

static void note(Gen *gen, const ExtentLanes *lanes, LLVMValueRef a, LLVMValueRef b,
                 LLVMValueRef *values) {
    LLVMValueRef *nans = &values[lanes->plan.accumulators];
    LLVMValueRef *signs = nans + 1;
    if (lanes->notes_nans) {
        *nans = extent_note_nans(gen, a, b, *nans);
    }
    *signs = noted_signs(gen, extent_of(lanes), a, b, *signs);
}

static void add_round(Gen *gen, const void *data, LLVMValueRef first, LaneWays ways,
                      LLVMValueRef *values) {
    const ExtentLanes *lanes = data;
    const TermsPlan *plan = &lanes->plan;
    Extent extent = extent_of(lanes);
    CHECK(plan->depth > 0 && ways.count <= TERMS_ACCUMULATORS);
    LLVMValueRef best[TERMS_ACCUMULATORS] = {NULL}, vectors[TERMS_ACCUMULATORS];
    for (unsigned row = 0; row < plan->depth; row++) {
        for (unsigned k = 0; k < ways.count; k++) {
            uint64_t vector = (uint64_t)row * plan->accumulators + ways.from + k;
            LLVMValueRef offset = gen_i64(gen, (int64_t)(vector * plan->lanes));
            vectors[k] = terms_from(gen, lanes, gen_index_add(gen, first, offset));
            best[k] = row == 0 ? vectors[k] : better(gen, extent, vectors[k], best[k]);
        }
        for (unsigned k = 0; k < ways.count; k += 2) {
            note(gen, lanes, vectors[k], vectors[k + 1 < ways.count ? k + 1 : k], values);
        }
    }
    for (unsigned k = 0; k < ways.count; k++) {
        LLVMValueRef *so_far = &values[ways.from + k];
        *so_far = better(gen, extent, best[k], *so_far);
    }
}

// Vector by vector; the last one overlaps, for no term counts more when it is seen twice.
static LLVMValueRef end(Gen *gen, const void *data, uint64_t done, LLVMValueRef *values) {
    const ExtentLanes *lanes = data;
    Extent extent = extent_of(lanes);
    uint64_t count = lanes->plan.count;
    for (; done < count; done += extent.lanes) {
        uint64_t first = done + extent.lanes <= count ? done : count - extent.lanes;
        LLVMValueRef vector = terms_from(gen, lanes, gen_i64(gen, (int64_t)first));
        values[0] = better(gen, extent, vector, values[0]);
        note(gen, lanes, vector, vector, values);
    }
    unsigned accumulators = lanes->plan.accumulators;
    for (unsigned half = accumulators / 2; half >= 1; half /= 2) {
        for (unsigned k = 0; k < half; k++) {
            values[k] = better(gen, extent, values[k], values[k + half]);
        }
    }
    if (lanes->notes_nans) {
        *lanes->nans = values[accumulators];
    }
    LLVMValueRef parts[] = {values[0], *lanes->nans, values[accumulators + 1]};
    join_lanes(gen, extent, parts);
    extent.lanes = 1;
    return extent_end(gen, extent, parts);
}

LaneFold extent_lanes(const ExtentLanes *lanes) {
    return (LaneFold){&lanes->plan, lanes->plan.accumulators + 2, begin, add_round, end, lanes};
}
