// Each lane of each accumulator keeps its best value and the round in which that came, which is the
// same number for all that come at once. In the end rounds become positions, and of two candidates
// that are equally good the one with the lower position wins; so the last terms may be looked at
// twice. Whether there was a nan, which wins, is remembered beside them; where the first one is, is
// looked for when there was one.
#include "codegen/emit/arg_lanes.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/extent.h"
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
    bool has_nans; // that matter: they are noted
    Root root;
    const TermsPlan *plan;
    ArgTerms *terms;
    const void *data;
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

// No value is a nan.
static LLVMValueRef is_beyond(Gen *gen, const Search *search, LLVMValueRef value,
                              LLVMValueRef best) {
    if (search->root != ROOT_REAL) {
        return arg_is_better(gen, search->is_max, search->root, value, best);
    }
    LLVMRealPredicate beyond = search->is_max ? LLVMRealOGT : LLVMRealOLT;
    return LLVMBuildFCmp(gen->builder, beyond, value, best, "");
}

static LLVMValueRef are_equal(Gen *gen, const Search *search, LLVMValueRef a, LLVMValueRef b) {
    return search->root == ROOT_REAL ? LLVMBuildFCmp(gen->builder, LLVMRealOEQ, a, b, "")
                                     : LLVMBuildICmp(gen->builder, LLVMIntEQ, a, b, "");
}

static Candidate join(Gen *gen, const Search *search, Candidate a, Candidate b) {
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef better = is_beyond(gen, search, b.value, a.value);
    LLVMValueRef is_before = LLVMBuildICmp(builder, LLVMIntULT, b.place, a.place, "");
    LLVMValueRef first_of_equals =
        LLVMBuildAnd(builder, are_equal(gen, search, a.value, b.value), is_before, "");
    LLVMValueRef takes_b = LLVMBuildOr(builder, better, first_of_equals, "");
    return (Candidate){LLVMBuildSelect(builder, takes_b, b.value, a.value, ""),
                       LLVMBuildSelect(builder, takes_b, b.place, a.place, "")};
}

// carried[] has the values, then their rounds, then the nans.
enum { CARRIED_MOST = 2 * TERMS_ACCUMULATORS + 1 };

static unsigned carried_count(const Search *search) {
    return 2 * search->plan->accumulators + search->has_nans;
}

static void note_nans(Gen *gen, const Search *search, const LLVMValueRef *values, unsigned count,
                      LLVMValueRef *nans) {
    for (unsigned k = 0; search->has_nans && k < count; k += 2) {
        *nans = extent_note_nans(gen, values[k], values[k + 1 < count ? k + 1 : k], *nans);
    }
}

// One vector for each accumulator.
static void add_round(Gen *gen, const Search *search, LLVMValueRef round, LLVMValueRef *carried) {
    unsigned count = search->plan->accumulators;
    unsigned lanes = search->plan->lanes;
    LLVMValueRef first = gen_index_mul(gen, round, (uint64_t)count * lanes);
    LLVMValueRef number = number_at(gen, search, round);
    LLVMValueRef values[TERMS_ACCUMULATORS];
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef position = gen_index_add(gen, first, gen_i64(gen, (int64_t)k * lanes));
        values[k] = terms_from(gen, search, position);
        LLVMValueRef better = is_beyond(gen, search, values[k], carried[k]);
        carried[k] = LLVMBuildSelect(gen->builder, better, values[k], carried[k], "");
        carried[count + k] = LLVMBuildSelect(gen->builder, better, number, carried[count + k], "");
    }
    note_nans(gen, search, values, count, &carried[2 * count]);
}

// All full rounds; the first one is what the accumulators begin with.
static void add_rounds(Gen *gen, const Search *search, uint64_t rounds, LLVMValueRef *carried) {
    unsigned count = search->plan->accumulators;
    for (unsigned k = 0; k < count; k++) {
        carried[k] = terms_from(gen, search, gen_i64(gen, (int64_t)k * search->plan->lanes));
        carried[count + k] = number_at(gen, search, gen_i64(gen, 0));
    }
    carried[2 * count] = LLVMConstNull(extent_mask_type(gen, search->plan->lanes));
    note_nans(gen, search, carried, count, &carried[2 * count]);
    if (rounds > 1) {
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, (int64_t)rounds - 1), carried, carried_count(search));
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

// Of which there is one.
static LLVMValueRef first_nan(Gen *gen, const Search *search) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef test = gen_block(gen, "nan");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildBr(gen->builder, test);
    gen_enter(gen, test);
    LLVMValueRef position = LLVMBuildPhi(gen->builder, gen->i64, "");
    LLVMValueRef zero = gen_i64(gen, 0);
    LLVMAddIncoming(position, &zero, &before, 1);
    LLVMValueRef value = search->terms(gen, search->data, position, 1);
    LLVMValueRef is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, value, value, "");
    LLVMValueRef next = gen_index_add(gen, position, gen_i64(gen, 1));
    LLVMBasicBlockRef end = LLVMGetInsertBlock(gen->builder);
    LLVMAddIncoming(position, &next, &end, 1);
    LLVMBuildCondBr(gen->builder, is_nan, after, test);
    gen_enter(gen, after);
    return LLVMBuildTrunc(gen->builder, position, gen->i32, "");
}

// The place of the best, or that of the first nan where there was one.
static LLVMValueRef place_with_nans(Gen *gen, const Search *search, LLVMValueRef best,
                                    LLVMValueRef nans) {
    LLVMTypeRef type = LLVMTypeOf(nans);
    LLVMValueRef any = gen_intrinsic(gen, "llvm.vector.reduce.or", &type, 1, &nans, 1);
    any = LLVMBuildICmp(gen->builder, LLVMIntNE, any, LLVMConstNull(LLVMTypeOf(any)), "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef search_block = gen_block(gen, "nans");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildCondBr(gen->builder, any, search_block, after);
    gen_enter(gen, search_block);
    LLVMValueRef first = first_nan(gen, search);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(gen->builder);
    gen_jump(gen, after);
    gen_enter(gen, after);
    LLVMValueRef place = LLVMBuildPhi(gen->builder, gen->i32, "");
    LLVMAddIncoming(place, &best, &before, 1);
    LLVMAddIncoming(place, &first, &end, 1);
    return place;
}

LLVMValueRef arg_in_lanes(Gen *gen, bool is_max, Root root, const TermsPlan *plan, ArgTerms *terms,
                          const void *data) {
    bool is_wide = root == ROOT_REAL && !gen->program->single;
    bool has_nans = root == ROOT_REAL && gen->options->fp != FP_FAST;
    Search search = {is_max, has_nans, root, plan, terms, data, is_wide ? gen->i64 : gen->i32};
    unsigned count = plan->accumulators;
    LLVMValueRef carried[CARRIED_MOST];
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
        note_nans(gen, &search, &last.value, 1, &carried[2 * count]);
        best = join(gen, &search, best, last);
    }
    LLVMValueRef place = join_lanes(gen, &search, best);
    return has_nans ? place_with_nans(gen, &search, place, carried[2 * count]) : place;
}
