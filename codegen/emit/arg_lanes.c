// The terms go by in rounds of some vectors for each accumulator. Each lane of each accumulator
// keeps its best value and the round in which that came; so what a round costs beside its terms is
// paid once for all of its vectors. The best of all lanes came first in the earliest of their
// rounds, where it is looked for again. The last round may overlap the one before: no term counts
// more when it is seen twice. Whether there was a nan, which wins, is remembered beside them; if
// so, the first one is looked for from the beginning.
#include "codegen/emit/arg_lanes.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/extent.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <math.h>

LLVMValueRef arg_is_better(Gen *gen, bool is_max, Root root, LLVMValueRef value,
                           LLVMValueRef best) {
    LLVMBuilderRef builder = gen->builder;
    if (root != ROOT_REAL) {
        LLVMIntPredicate above = root == ROOT_INT ? LLVMIntSGT : LLVMIntUGT;
        LLVMIntPredicate below = root == ROOT_INT ? LLVMIntSLT : LLVMIntULT;
        return LLVMBuildICmp(builder, is_max ? above : below, value, best, "");
    }
    LLVMValueRef beyond =
        LLVMBuildFCmp(builder, is_max ? LLVMRealUGT : LLVMRealULT, value, best, "");
    LLVMValueRef best_is_number = LLVMBuildFCmp(builder, LLVMRealORD, best, best, "");
    return LLVMBuildAnd(builder, beyond, best_is_number, "");
}

// What is carried from round to round.
typedef struct Best {
    LLVMValueRef values[TERMS_ACCUMULATORS];
    LLVMValueRef rounds[TERMS_ACCUMULATORS];
    LLVMValueRef nans; // a mask
} Best;

enum { CARRIED_LIMIT = 2 * TERMS_ACCUMULATORS + 1 };

static bool notes_nans(const ArgSearch *search) {
    return search->root == ROOT_REAL;
}

static size_t best_to(const Best *best, unsigned count, LLVMValueRef *carried) {
    for (unsigned k = 0; k < count; k++) {
        carried[k] = best->values[k];
        carried[count + k] = best->rounds[k];
    }
    carried[2 * count] = best->nans;
    return 2 * (size_t)count + 1;
}

static void best_from(Best *best, unsigned count, const LLVMValueRef *carried) {
    for (unsigned k = 0; k < count; k++) {
        best->values[k] = carried[k];
        best->rounds[k] = carried[count + k];
    }
    best->nans = carried[2 * count];
}

static LLVMValueRef terms_from(Gen *gen, const ArgSearch *search, LLVMValueRef position) {
    unsigned lanes = search->plan.lanes;
    return lanes_splat(gen, search->terms(gen, search->data, position, lanes), lanes);
}

// No value is a nan.
static LLVMValueRef is_beyond(Gen *gen, const ArgSearch *search, LLVMValueRef value,
                              LLVMValueRef best) {
    if (search->root != ROOT_REAL) {
        return arg_is_better(gen, search->is_max, search->root, value, best);
    }
    LLVMRealPredicate beyond = search->is_max ? LLVMRealOGT : LLVMRealOLT;
    return LLVMBuildFCmp(gen->builder, beyond, value, best, "");
}

static LLVMValueRef better(Gen *gen, const ArgSearch *search, LLVMValueRef value,
                           LLVMValueRef best) {
    LLVMValueRef takes = is_beyond(gen, search, value, best);
    return LLVMBuildSelect(gen->builder, takes, value, best, "");
}

static LLVMValueRef are_equal(Gen *gen, const ArgSearch *search, LLVMValueRef a, LLVMValueRef b) {
    return search->root == ROOT_REAL ? LLVMBuildFCmp(gen->builder, LLVMRealOEQ, a, b, "")
                                     : LLVMBuildICmp(gen->builder, LLVMIntEQ, a, b, "");
}

static LLVMValueRef least(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef is_less = LLVMBuildICmp(gen->builder, LLVMIntSLT, a, b, "");
    return LLVMBuildSelect(gen->builder, is_less, a, b, "");
}

// The position where a round begins: the last one ends where the terms do.
static LLVMValueRef round_start(Gen *gen, const TermsPlan *plan, LLVMValueRef round) {
    uint64_t length = terms_round_length(plan);
    LLVMValueRef start = gen_index_mul(gen, round, length);
    return plan->count % length == 0
               ? start
               : least(gen, start, gen_i64(gen, (int64_t)(plan->count - length)));
}

// Vector `row` of each accumulator.
static void read_row(Gen *gen, const ArgSearch *search, LLVMValueRef start, unsigned row,
                     LLVMValueRef *values) {
    const TermsPlan *plan = &search->plan;
    for (unsigned k = 0; k < plan->accumulators; k++) {
        uint64_t offset = (uint64_t)(row * plan->accumulators + k) * plan->lanes;
        values[k] =
            terms_from(gen, search, gen_index_add(gen, start, gen_i64(gen, (int64_t)offset)));
    }
}

static void add_round(Gen *gen, const ArgSearch *search, LLVMValueRef round, Best *best) {
    const TermsPlan *plan = &search->plan;
    unsigned count = plan->accumulators;
    CHECK(plan->depth > 0 && count <= TERMS_ACCUMULATORS);
    LLVMValueRef start = round_start(gen, plan, round);
    LLVMValueRef own[TERMS_ACCUMULATORS], values[TERMS_ACCUMULATORS];
    for (unsigned row = 0; row < plan->depth; row++) {
        read_row(gen, search, start, row, values);
        for (unsigned k = 0; k < count; k++) {
            own[k] = row == 0 ? values[k] : better(gen, search, values[k], own[k]);
        }
        for (unsigned k = 0; notes_nans(search) && k < count; k += 2) {
            LLVMValueRef other = values[k + 1 < count ? k + 1 : k];
            best->nans = extent_note_nans(gen, values[k], other, best->nans);
        }
    }
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef takes = is_beyond(gen, search, own[k], best->values[k]);
        LLVMTypeRef number = LLVMGetElementType(LLVMTypeOf(best->rounds[k]));
        LLVMValueRef now = LLVMBuildTruncOrBitCast(gen->builder, round, number, "");
        now = lanes_splat(gen, now, plan->lanes);
        best->values[k] = LLVMBuildSelect(gen->builder, takes, own[k], best->values[k], "");
        best->rounds[k] = LLVMBuildSelect(gen->builder, takes, now, best->rounds[k], "");
    }
}

static Best best_of_rounds(Gen *gen, const ArgSearch *search) {
    const TermsPlan *plan = &search->plan;
    bool is_wide = search->root == ROOT_REAL && !gen->program->single;
    LLVMTypeRef number = lanes_type(is_wide ? gen->i64 : gen->i32, plan->lanes);
    Best best = {.nans = LLVMConstNull(extent_mask_type(gen, plan->lanes))};
    for (unsigned k = 0; k < plan->accumulators; k++) {
        best.values[k] = lanes_splat(gen, search->neutral, plan->lanes);
        best.rounds[k] = LLVMConstNull(number);
    }
    uint64_t length = terms_round_length(plan);
    uint64_t rounds = (plan->count + length - 1) / length;
    if (rounds == 1) {
        add_round(gen, search, gen_i64(gen, 0), &best);
        return best;
    }
    LLVMValueRef carried[CARRIED_LIMIT];
    size_t carried_count = best_to(&best, plan->accumulators, carried);
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, (int64_t)rounds), carried, carried_count);
    best_from(&best, plan->accumulators, carried);
    add_round(gen, search, loop.index, &best);
    best_to(&best, plan->accumulators, carried);
    loop_end(gen, &loop, carried);
    best_from(&best, plan->accumulators, carried);
    return best;
}

typedef LLVMValueRef Join(Gen *gen, const ArgSearch *search, LLVMValueRef a, LLVMValueRef b);

static LLVMValueRef earlier(Gen *gen, const ArgSearch *search, LLVMValueRef a, LLVMValueRef b) {
    (void)search;
    return least(gen, a, b);
}

// One value of all lanes of all accumulators.
static LLVMValueRef join_all(Gen *gen, const ArgSearch *search, Join *join,
                             const LLVMValueRef *values) {
    LLVMValueRef all = values[0];
    for (unsigned k = 1; k < search->plan.accumulators; k++) {
        all = join(gen, search, values[k], all);
    }
    for (unsigned half = search->plan.lanes / 2; half > 1; half /= 2) {
        all = join(gen, search, lanes_part(gen, all, 0, half), lanes_part(gen, all, half, half));
    }
    return join(gen, search, lanes_extract(gen, all, 0), lanes_extract(gen, all, 1));
}

// The first round in which some lane found the best of all.
static LLVMValueRef first_round(Gen *gen, const ArgSearch *search, const Best *best,
                                LLVMValueRef value) {
    LLVMValueRef candidates[TERMS_ACCUMULATORS] = {NULL};
    LLVMTypeRef number = LLVMTypeOf(best->rounds[0]);
    LLVMValueRef none = lanes_splat(gen, LLVMConstInt(LLVMGetElementType(number), INT32_MAX, false),
                                    search->plan.lanes);
    for (unsigned k = 0; k < search->plan.accumulators; k++) {
        LLVMValueRef has_it =
            are_equal(gen, search, best->values[k], lanes_like(gen, value, best->values[k]));
        candidates[k] = LLVMBuildSelect(gen->builder, has_it, best->rounds[k], none, "");
    }
    return join_all(gen, search, earlier, candidates);
}

// A bit for each lane that is wanted, the first one lowest: it is equal to `value`, or a nan, of
// which there are some only where no number is wanted.
static LLVMValueRef wanted_lanes(Gen *gen, const ArgSearch *search, LLVMValueRef position,
                                 LLVMValueRef value) {
    LLVMValueRef terms = terms_from(gen, search, position);
    LLVMValueRef wanted = are_equal(gen, search, terms, lanes_like(gen, value, terms));
    if (notes_nans(search)) {
        LLVMValueRef is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, terms, terms, "");
        wanted = LLVMBuildOr(gen->builder, wanted, is_nan, "");
    }
    LLVMTypeRef bits = LLVMIntTypeInContext(gen->llvm, search->plan.lanes);
    wanted = LLVMBuildBitCast(gen->builder, wanted, bits, "");
    return LLVMBuildZExtOrBitCast(gen->builder, wanted, gen->i32, "");
}

// The first position from `start` on that is wanted. The last vector may overlap the one before.
static LLVMValueRef find(Gen *gen, const ArgSearch *search, LLVMValueRef start,
                         LLVMValueRef value) {
    LLVMBuilderRef builder = gen->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef body = gen_block(gen, "find");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildBr(builder, body);
    gen_enter(gen, body);
    LLVMValueRef position = LLVMBuildPhi(builder, gen->i64, "");
    LLVMAddIncoming(position, &start, &before, 1);
    LLVMValueRef wanted = wanted_lanes(gen, search, position, value);
    LLVMValueRef last = gen_i64(gen, (int64_t)(search->plan.count - search->plan.lanes));
    LLVMValueRef next =
        least(gen, gen_index_add(gen, position, gen_i64(gen, search->plan.lanes)), last);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
    LLVMAddIncoming(position, &next, &end, 1);
    LLVMValueRef is_found = LLVMBuildICmp(builder, LLVMIntNE, wanted, gen_i32(gen, 0), "");
    LLVMValueRef is_last = LLVMBuildICmp(builder, LLVMIntEQ, position, last, "");
    LLVMValueRef ends = LLVMBuildOr(builder, is_found, is_last, "");
    loop_keep_scalars(gen, LLVMBuildCondBr(builder, ends, after, body));
    gen_enter(gen, after);
    LLVMTypeRef type = gen->i32;
    LLVMValueRef arguments[] = {wanted, gen_i1(gen, false)};
    LLVMValueRef lane = gen_intrinsic(gen, "llvm.cttz", &type, 1, arguments, 2);
    // None is found where nans are said not to be, but are.
    lane = LLVMBuildAnd(builder, lane, gen_i32(gen, search->plan.lanes - 1), "");
    return LLVMBuildAdd(builder, LLVMBuildTrunc(builder, position, gen->i32, ""), lane, "");
}

LLVMValueRef arg_in_lanes(Gen *gen, const ArgSearch *search) {
    CHECK(search->plan.lanes > 1 && search->plan.count >= terms_round_length(&search->plan));
    Best best = best_of_rounds(gen, search);
    LLVMValueRef value = join_all(gen, search, better, best.values);
    LLVMValueRef round = first_round(gen, search, &best, value);
    round = LLVMBuildZExtOrBitCast(gen->builder, round, gen->i64, "");
    LLVMValueRef start = round_start(gen, &search->plan, round);
    if (notes_nans(search)) {
        LLVMValueRef any = lanes_any(gen, best.nans);
        any = LLVMBuildICmp(gen->builder, LLVMIntNE, any, LLVMConstNull(LLVMTypeOf(any)), "");
        start = LLVMBuildSelect(gen->builder, any, gen_i64(gen, 0), start, "");
        value = LLVMBuildSelect(gen->builder, any, gen_real(gen, (double)NAN), value, "");
    }
    return find(gen, search, start, value);
}
