// Each lane of each accumulator keeps its best value and the round in which that came, which is the
// same number for all that come at once. In the end rounds become positions, and of two candidates
// that are equally good the one with the lower position wins; so the last terms may be looked at
// twice.
#include "codegen/emit/arg_lanes.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

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

typedef struct Search {
    bool is_max;
    Root root;
    const TermsPlan *plan;
    ArgTerms *terms;
    void *data;
    LLVMTypeRef number; // as wide as a term: of rounds and positions
} Search;

// The best so far in each lane, and where it is.
typedef struct Candidate {
    LLVMValueRef value, place;
} Candidate;

static LLVMValueRef number_at(Gen *gen, const Search *search, LLVMValueRef number) {
    LLVMValueRef narrow = LLVMBuildTruncOrBitCast(gen->builder, number, search->number, "");
    return lanes_splat(gen, narrow, search->plan->lanes);
}

// first, first + 1, ...
static LLVMValueRef positions_from(Gen *gen, const Search *search, LLVMValueRef first) {
    LLVMValueRef offsets[LANES_LIMIT];
    for (unsigned i = 0; i < search->plan->lanes; i++) {
        offsets[i] = LLVMConstInt(search->number, i, false);
    }
    return LLVMBuildAdd(gen->builder, number_at(gen, search, first),
                        LLVMConstVector(offsets, search->plan->lanes), "");
}

static LLVMValueRef terms_from(Gen *gen, const Search *search, LLVMValueRef position) {
    unsigned lanes = search->plan->lanes;
    return lanes_splat(gen, search->terms(gen, search->data, position, lanes), lanes);
}

static LLVMValueRef are_equal(Gen *gen, const Search *search, LLVMValueRef a, LLVMValueRef b) {
    if (search->root != ROOT_REAL) {
        return LLVMBuildICmp(gen->builder, LLVMIntEQ, a, b, "");
    }
    LLVMValueRef a_is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, a, "");
    LLVMValueRef b_is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, b, b, "");
    return LLVMBuildOr(gen->builder, LLVMBuildFCmp(gen->builder, LLVMRealOEQ, a, b, ""),
                       LLVMBuildAnd(gen->builder, a_is_nan, b_is_nan, ""), "");
}

static Candidate join(Gen *gen, const Search *search, Candidate a, Candidate b) {
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef better = arg_is_better(gen, search->is_max, search->root, b.value, a.value);
    LLVMValueRef is_before = LLVMBuildICmp(builder, LLVMIntULT, b.place, a.place, "");
    LLVMValueRef first_of_equals =
        LLVMBuildAnd(builder, are_equal(gen, search, a.value, b.value), is_before, "");
    LLVMValueRef takes_b = LLVMBuildOr(builder, better, first_of_equals, "");
    return (Candidate){LLVMBuildSelect(builder, takes_b, b.value, a.value, ""),
                       LLVMBuildSelect(builder, takes_b, b.place, a.place, "")};
}

// One vector for each accumulator. carried[] has the values, then the rounds.
static void add_round(Gen *gen, const Search *search, LLVMValueRef round, LLVMValueRef *carried) {
    unsigned count = search->plan->accumulators;
    unsigned lanes = search->plan->lanes;
    LLVMValueRef first = gen_index_mul(gen, round, (uint64_t)count * lanes);
    LLVMValueRef number = number_at(gen, search, round);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef position = gen_index_add(gen, first, gen_i64(gen, (int64_t)k * lanes));
        LLVMValueRef value = terms_from(gen, search, position);
        LLVMValueRef better = arg_is_better(gen, search->is_max, search->root, value, carried[k]);
        carried[k] = LLVMBuildSelect(gen->builder, better, value, carried[k], "");
        carried[count + k] = LLVMBuildSelect(gen->builder, better, number, carried[count + k], "");
    }
}

// All full rounds; the first one is what the accumulators begin with.
static void add_rounds(Gen *gen, const Search *search, uint64_t rounds, LLVMValueRef *carried) {
    unsigned count = search->plan->accumulators;
    for (unsigned k = 0; k < count; k++) {
        carried[k] = terms_from(gen, search, gen_i64(gen, (int64_t)k * search->plan->lanes));
        carried[count + k] = number_at(gen, search, gen_i64(gen, 0));
    }
    if (rounds > 1) {
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, (int64_t)rounds - 1), carried, 2 * count);
        add_round(gen, search, gen_index_add(gen, loop.index, gen_i64(gen, 1)), carried);
        loop_end(gen, &loop, carried);
    }
}

// The place of accumulator k: its rounds as positions.
static LLVMValueRef places_of(Gen *gen, const Search *search, unsigned k, LLVMValueRef rounds) {
    unsigned lanes = search->plan->lanes;
    LLVMValueRef length = gen_i64(gen, (int64_t)search->plan->accumulators * lanes);
    return LLVMBuildAdd(gen->builder,
                        LLVMBuildMul(gen->builder, rounds, number_at(gen, search, length), ""),
                        positions_from(gen, search, gen_i64(gen, (int64_t)k * lanes)), "");
}

static LLVMValueRef join_lanes(Gen *gen, const Search *search, Candidate best) {
    for (unsigned half = search->plan->lanes / 2; half >= 1; half /= 2) {
        Candidate low, high;
        if (half > 1) {
            low = (Candidate){lanes_part(gen, best.value, 0, half),
                              lanes_part(gen, best.place, 0, half)};
            high = (Candidate){lanes_part(gen, best.value, half, half),
                               lanes_part(gen, best.place, half, half)};
        } else {
            low = (Candidate){lanes_extract(gen, best.value, 0), lanes_extract(gen, best.place, 0)};
            high =
                (Candidate){lanes_extract(gen, best.value, 1), lanes_extract(gen, best.place, 1)};
        }
        best = join(gen, search, low, high);
    }
    return LLVMBuildTruncOrBitCast(gen->builder, best.place, gen->i32, "");
}

LLVMValueRef arg_in_lanes(Gen *gen, bool is_max, Root root, const TermsPlan *plan, ArgTerms *terms,
                          void *data) {
    bool is_wide = root == ROOT_REAL && !gen->program->single;
    Search search = {is_max, root, plan, terms, data, is_wide ? gen->i64 : gen->i32};
    unsigned count = plan->accumulators;
    LLVMValueRef carried[2 * TERMS_ACCUMULATORS];
    uint64_t rounds = plan->count / plan->lanes / count;
    add_rounds(gen, &search, rounds, carried);
    Candidate best = {carried[0], places_of(gen, &search, 0, carried[count])};
    for (unsigned k = 1; k < count; k++) {
        Candidate other = {carried[k], places_of(gen, &search, k, carried[count + k])};
        best = join(gen, &search, best, other);
    }
    for (uint64_t done = rounds * count * plan->lanes; done < plan->count; done += plan->lanes) {
        uint64_t first = done + plan->lanes <= plan->count ? done : plan->count - plan->lanes;
        LLVMValueRef position = gen_i64(gen, (int64_t)first);
        Candidate last = {terms_from(gen, &search, position),
                          positions_from(gen, &search, position)};
        best = join(gen, &search, best, last);
    }
    return join_lanes(gen, &search, best);
}
