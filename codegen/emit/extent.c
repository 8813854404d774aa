// `v > best ? v : best` is one instruction where the greatest of two is several, but it drops a
// nan, which wins, and takes either of two zeros, of which one is greater (L11). So two things more
// are remembered, beside the best value: whether there was a nan, asked of two values at a time,
// and one sign bit, which is that of all values for max and that of any for min. They matter only
// in the end, and the sign only when the best is a zero.
#include "codegen/emit/extent.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/op_min_max.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"

#include <math.h>
#include <string.h>

enum { BEST, NANS, SIGNS, PARTS };
enum { TREE_MOST = 8 }; // scalars that are compared pair by pair

static LLVMTypeRef bits_type(Gen *gen, unsigned lanes) {
    return lanes_type(gen->real_bits, lanes);
}

// Masks of vectors are carried as the machine has them: registers of bits, or lanes all of ones.
LLVMTypeRef extent_mask_type(Gen *gen, unsigned lanes) {
    bool has_masks = gen->facts.mask_registers || lanes == 1;
    return has_masks ? lanes_type(gen->i1, lanes) : bits_type(gen, lanes);
}

bool extent_has_signs(Gen *gen, const TirExpr *operand) {
    bool is_plus =
        operand->kind == EXPR_MAP && (operand->map.op == OP_ABS || operand->map.op == OP_EXP);
    return gen->options->fp != FP_FAST && !is_plus && operand->kind != EXPR_CONVERT;
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
    if (!extent.has_signs) {
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

// Nothing seen.
static void begin_parts(Gen *gen, Extent extent, LLVMValueRef *parts) {
    LLVMTypeRef bits = bits_type(gen, extent.lanes);
    parts[BEST] = neutral(gen, extent);
    parts[NANS] = LLVMConstNull(extent_mask_type(gen, extent.lanes));
    parts[SIGNS] = extent.is_max ? LLVMConstAllOnes(bits) : LLVMConstNull(bits);
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

static LLVMValueRef end_parts(Gen *gen, Extent extent, const LLVMValueRef *parts) {
    LLVMValueRef value = extent.has_signs ? with_sign(gen, extent, parts) : parts[BEST];
    LLVMValueRef had_nan = LLVMBuildICmp(gen->builder, LLVMIntNE, parts[NANS],
                                         LLVMConstNull(LLVMTypeOf(parts[NANS])), "");
    LLVMValueRef nan = lanes_splat(gen, gen_real(gen, (double)NAN), extent.lanes);
    return LLVMBuildSelect(gen->builder, had_nan, nan, value, "");
}

// The parts of one lane from those of several, half by half.
static void join_lanes(Gen *gen, Extent extent, LLVMValueRef *parts) {
    for (unsigned half = extent.lanes / 2; half >= 1; half /= 2) {
        LLVMValueRef low[PARTS], high[PARTS];
        for (unsigned k = 0; k < PARTS; k++) {
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
    return (Extent){lanes->is_max, lanes->has_signs, lanes->plan.lanes};
}

// The best of each accumulator, then nans and signs of all.
static void begin(Gen *gen, const void *data, LLVMValueRef *values) {
    const ExtentLanes *lanes = data;
    unsigned count = lanes->plan.accumulators;
    LLVMValueRef parts[PARTS];
    begin_parts(gen, extent_of(lanes), parts);
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
    return end_parts(gen, extent, parts);
}

LaneFold extent_lanes(const ExtentLanes *lanes) {
    return (LaneFold){&lanes->plan, lanes->plan.accumulators + 2, begin, add_round, end, lanes};
}

// Terms in order.
typedef struct InOrder {
    const ExtentOrder *order;
    bool is_exact; // nans and signs of each lane are remembered; else, whether any is a nan
    bool pairs;    // two of them at a time: nans are asked for in both at once
    bool keeps_turns;
    uint32_t from; // in the last dim, up to its end
} InOrder;

static LLVMValueRef term_at(Gen *gen, const InOrder *in, const LLVMValueRef *at,
                            LLVMValueRef last) {
    size_t rank = in->order->space.rank;
    LLVMValueRef *position = ARENA_ARRAY(gen->arena, LLVMValueRef, rank);
    memcpy(position, at, rank * sizeof(*position));
    position[rank - 1] = last;
    LLVMValueRef term = in->order->term(gen, in->order->data, position);
    return lanes_splat(gen, term, in->order->extent.lanes);
}

// Masks are flags of one register, where masks are vectors: which lanes it was does not matter.
static LLVMTypeRef flags_type(Gen *gen, unsigned lanes) {
    unsigned full = gen->facts.vector_bytes / (unsigned)gen_root_bytes(gen, ROOT_REAL);
    bool has_masks = gen->facts.mask_registers;
    return extent_mask_type(gen, has_masks || lanes < full ? lanes : full);
}

static LLVMValueRef with_flags(Gen *gen, LLVMValueRef mask, LLVMValueRef flags) {
    unsigned lanes = lanes_of(mask), each = lanes_of(flags);
    if (each != lanes || LLVMTypeOf(flags) != LLVMTypeOf(mask)) {
        mask = LLVMBuildSExt(gen->builder, mask, bits_type(gen, lanes), "");
    }
    for (unsigned first = 0; first < lanes; first += each) {
        unsigned count = lanes - first < each ? lanes - first : each;
        LLVMValueRef part = each == lanes ? mask : lanes_part(gen, mask, first, count);
        flags = LLVMBuildOr(gen->builder, flags, lanes_with_zeros(gen, part, each), "");
    }
    return flags;
}

static void see_terms(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *parts) {
    const InOrder *in = data;
    Extent extent = in->order->extent;
    LLVMValueRef last = at[in->order->space.rank - 1];
    LLVMValueRef first =
        gen_index_add(gen, gen_index_mul(gen, last, in->pairs ? 2 : 1), gen_i64(gen, in->from));
    LLVMValueRef a = term_at(gen, in, at, first);
    LLVMValueRef b = a;
    if (in->pairs) {
        b = term_at(gen, in, at, gen_index_add(gen, first, gen_i64(gen, 1)));
    }
    LLVMValueRef best = a == b ? a : better(gen, extent, b, a);
    parts[BEST] = better(gen, extent, best, parts[BEST]);
    if (in->is_exact) {
        parts[NANS] = extent_note_nans(gen, a, b, parts[NANS]);
        parts[SIGNS] = noted_signs(gen, extent, a, b, parts[SIGNS]);
    } else {
        LLVMValueRef nans = LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, b, "");
        parts[NANS] = with_flags(gen, nans, parts[NANS]);
    }
}

static void see(Gen *gen, InOrder in, bool unrolled, LLVMValueRef *parts) {
    const LoopSpace *space = &in.order->space;
    uint32_t *dims = ARENA_ARRAY(gen->arena, uint32_t, space->rank);
    memcpy(dims, space->dims, space->rank * sizeof(*dims));
    dims[space->rank - 1] = (space->dims[space->rank - 1] - in.from) / (in.pairs ? 2 : 1);
    LoopSpace part = {
        .dims = dims, .rank = space->rank, .unrolled = unrolled, .keeps_turns = in.keeps_turns};
    if (dims[space->rank - 1] > 0) {
        loop_nest(gen, part, parts, in.is_exact ? PARTS : SIGNS, see_terms, &in);
    }
}

// All pairs, and what is left of an odd number.
static void see_pairs(Gen *gen, InOrder in, bool unrolled, LLVMValueRef *parts) {
    in.pairs = true;
    see(gen, in, unrolled, parts);
    in.pairs = false;
    in.from = in.order->space.dims[in.order->space.rank - 1] / 2 * 2;
    see(gen, in, unrolled, parts);
}

static LLVMValueRef exact_pairs(Gen *gen, const ExtentOrder *order) {
    LLVMValueRef parts[PARTS];
    begin_parts(gen, order->extent, parts);
    see_pairs(gen, (InOrder){.order = order, .is_exact = true}, order->space.unrolled, parts);
    return end_parts(gen, order->extent, parts);
}

// The same in little code, which LLVM does not mix with what was done before.
static LLVMValueRef exact_again(Gen *gen, const ExtentOrder *order) {
    LLVMValueRef parts[PARTS];
    begin_parts(gen, order->extent, parts);
    see(gen, (InOrder){.order = order, .is_exact = true, .keeps_turns = true}, false, parts);
    return end_parts(gen, order->extent, parts);
}

// Nans and zeros are rare: where there is one, all terms are seen once more.
static LLVMValueRef is_exact_needed(Gen *gen, Extent extent, const LLVMValueRef *parts) {
    LLVMValueRef flags = parts[NANS];
    if (extent.has_signs) {
        LLVMValueRef zeros = LLVMBuildFCmp(gen->builder, LLVMRealOEQ, parts[BEST],
                                           LLVMConstNull(LLVMTypeOf(parts[BEST])), "");
        flags = with_flags(gen, zeros, flags);
    }
    LLVMValueRef any = lanes_any(gen, flags);
    return LLVMBuildICmp(gen->builder, LLVMIntNE, any, LLVMConstNull(LLVMTypeOf(any)), "");
}

// Of the terms [first, end), of a vector, pair by pair: none waits for all others.
static LLVMValueRef tree_of(Gen *gen, const ExtentOrder *order, uint32_t first, uint32_t end) {
    if (end - first == 1) {
        LLVMValueRef at = gen_i64(gen, first);
        return order->term(gen, order->data, &at);
    }
    uint32_t middle = first + (end - first + 1) / 2;
    LLVMValueRef a = tree_of(gen, order, first, middle);
    LLVMValueRef b = tree_of(gen, order, middle, end);
    return op_min_max_pair(gen, order->extent.is_max, ROOT_REAL, a, b);
}

LLVMValueRef extent_in_order(Gen *gen, const ExtentOrder *order) {
    Extent extent = order->extent;
    const LoopSpace *space = &order->space;
    if (extent.lanes == 1 && space->unrolled && space->rank == 1 && space->dims[0] <= TREE_MOST) {
        return tree_of(gen, order, 0, space->dims[0]);
    }
    if (extent.lanes == 1 || gen->facts.small) {
        return exact_pairs(gen, order);
    }
    LLVMValueRef none = LLVMConstNull(flags_type(gen, extent.lanes));
    LLVMValueRef parts[] = {neutral(gen, extent), none};
    see_pairs(gen, (InOrder){.order = order}, order->space.unrolled, parts);
    LLVMValueRef needed = is_exact_needed(gen, extent, parts);
    LLVMValueRef fast = parts[BEST];
    LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef again = gen_block(gen, "again");
    LLVMBasicBlockRef done = gen_block(gen, "best");
    LLVMBuildCondBr(gen->builder, needed, again, done);
    gen_enter(gen, again);
    LLVMValueRef exact = order->is_straight ? exact_pairs(gen, order) : exact_again(gen, order);
    LLVMBasicBlockRef last = LLVMGetInsertBlock(gen->builder);
    LLVMBuildBr(gen->builder, done);
    gen_enter(gen, done);
    LLVMValueRef value = LLVMBuildPhi(gen->builder, LLVMTypeOf(fast), "");
    LLVMAddIncoming(value, &fast, &before, 1);
    LLVMAddIncoming(value, &exact, &last, 1);
    return value;
}
