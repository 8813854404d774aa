// See guards.h. LLVM 19 (InstCombine, foldSPFofSPF) makes one limit of `v = u > 5 ? 5 : u` and of a
// second one behind it, `v <= 5 ? v : 5`, once it knows the limit as a number: of the two it takes
// the first. A nan passes that, and not the second; so it is with the sign of a zero. What catches
// such a value is not to be seen through:
//
//     v = phi [u, ...], [5, ...]              v may be the limit by a merge before
//     c = v <= 5                              with what it is compared is hidden
//     r = phi [v, ...], [5, ...]              and both are merged again
//
// Where `v` comes from elsewhere, by a call or from memory, the merge before may come into sight
// later: then it is enough that another limit of the program has the same number.
#include "codegen/target/guards.h"

#include "codegen/emit/calls.h"
#include "codegen/options.h"
#include "codegen/target/instructions.h"
#include "codegen/target/values.h"
#include "support/table.h"

enum {
    MERGES_MOST = 32, // that are looked through
    BOUND_DEPTH = 4,  // of what a limit is computed from
};

// One comparison, of which one side is a value and the other its limit.
typedef struct Limit {
    LLVMValueRef comparison, value, bound;
    bool is_limited; // both are merged again behind it
} Limit;

typedef struct Merges {
    LLVMValueRef items[MERGES_MOST];
    unsigned count;
    bool is_all; // none is left out
} Merges;

static bool is_merge(LLVMValueRef value) {
    return LLVMIsAPHINode(value) != NULL || LLVMIsASelectInst(value) != NULL;
}

static unsigned merged_count(LLVMValueRef merge) {
    return LLVMIsAPHINode(merge) != NULL ? LLVMCountIncoming(merge) : 2;
}

static LLVMValueRef merged(LLVMValueRef merge, unsigned k) {
    return LLVMIsAPHINode(merge) != NULL ? LLVMGetIncomingValue(merge, k)
                                         : LLVMGetOperand(merge, k + 1);
}

static void add_merge(Merges *merges, LLVMValueRef value) {
    for (unsigned i = 0; i < merges->count; i++) {
        if (merges->items[i] == value) {
            return;
        }
    }
    merges->is_all = merges->is_all && merges->count < MERGES_MOST;
    if (merges->count < MERGES_MOST) {
        merges->items[merges->count++] = value;
    }
}

// What is in all lanes of a vector that is made of one scalar; else the value.
static LLVMValueRef in_all_lanes(LLVMValueRef value) {
    LLVMValueRef one = LLVMIsAShuffleVectorInst(value) != NULL ? LLVMGetOperand(value, 0) : value;
    return LLVMIsAInsertElementInst(one) != NULL ? LLVMGetOperand(one, 1) : one;
}

static bool is_number(LLVMValueRef value) {
    return LLVMIsConstant(in_all_lanes(value));
}

// A table of the object, or the result of a call, which is given by its address.
static bool is_table_or_result(LLVMValueRef load) {
    LLVMValueRef address = LLVMGetOperand(load, 0);
    if (LLVMIsAAllocaInst(address) != NULL) {
        return LLVMGetAllocatedType(address) == LLVMTypeOf(load);
    }
    return LLVMIsAGlobalVariable(value_array(address)) != NULL;
}

// Whether LLVM may know it as a number, now or when it has taken in what is called, or who calls:
// what is computed of numbers, parameters, results and tables of the object.
static bool may_be_known(LLVMValueRef value, unsigned depth) {
    value = in_all_lanes(value);
    if (LLVMIsAInstruction(value) == NULL || LLVMIsACallInst(value) != NULL) {
        return true;
    }
    if (LLVMIsALoadInst(value) != NULL) {
        return is_table_or_result(value);
    }
    bool is_known = depth > 0 && !is_merge(value);
    for (int k = 0; k < LLVMGetNumOperands(value) && is_known; k++) {
        is_known = may_be_known(LLVMGetOperand(value, (unsigned)k), depth - 1);
    }
    return is_known;
}

static bool is_zero(LLVMValueRef value) {
    LLVMBool loses;
    return LLVMIsNull(value) ||
           (LLVMIsAConstantFP(value) != NULL && LLVMConstRealGetDouble(value, &loses) == 0);
}

// Whether two values may be the same number.
static bool may_agree(LLVMValueRef a, LLVMValueRef b) {
    if (is_number(a) && is_number(b)) {
        return a == b || (is_zero(a) && is_zero(b));
    }
    return a == b || (may_be_known(a, BOUND_DEPTH) && may_be_known(b, BOUND_DEPTH));
}

static bool merges_bound(LLVMValueRef merge, LLVMValueRef bound) {
    for (unsigned k = 0; k < merged_count(merge); k++) {
        if (may_agree(merged(merge, k), bound)) {
            return true;
        }
    }
    return false;
}

// What the value may be: whether the limit is among it, and whether something that is not known
// yet.
static bool is_limited_before(const Limit *limit, bool *is_unknown) {
    Merges merges = {.is_all = true};
    bool found = false;
    *is_unknown = false;
    add_merge(&merges, limit->value);
    for (unsigned i = 0; i < merges.count; i++) {
        LLVMValueRef at = merges.items[i];
        if (!is_merge(at)) {
            *is_unknown = *is_unknown || LLVMIsAArgument(at) != NULL ||
                          LLVMIsALoadInst(at) != NULL || LLVMIsACallInst(at) != NULL ||
                          LLVMIsAExtractValueInst(at) != NULL;
            continue;
        }
        found = found || merges_bound(at, limit->bound);
        for (unsigned k = 0; k < merged_count(at); k++) {
            add_merge(&merges, merged(at, k));
        }
    }
    return found || !merges.is_all;
}

// The predecessor by which a merge is reached from a branch; NULL: there may be several.
static LLVMBasicBlockRef way_from(LLVMValueRef branch, unsigned successor, LLVMBasicBlockRef to) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(branch, successor);
    if (next == to) {
        return LLVMGetSuccessor(branch, 1 - successor) == to ? NULL
                                                             : LLVMGetInstructionParent(branch);
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(next);
    bool leads_on =
        LLVMIsABranchInst(end) != NULL && !LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) == to;
    return leads_on ? next : NULL;
}

static bool is_ordered(LLVMRealPredicate predicate) {
    return predicate == LLVMRealOLT || predicate == LLVMRealOLE || predicate == LLVMRealOGT ||
           predicate == LLVMRealOGE;
}

static bool is_order(LLVMRealPredicate predicate) {
    return is_ordered(predicate) || predicate == LLVMRealULT || predicate == LLVMRealULE ||
           predicate == LLVMRealUGT || predicate == LLVMRealUGE;
}

// Whether the side for nans is that for the limit itself.
static bool joins_equal(LLVMRealPredicate predicate) {
    return predicate == LLVMRealOLT || predicate == LLVMRealOGT || predicate == LLVMRealULE ||
           predicate == LLVMRealUGE;
}

// What a merge is where the comparison finds a nan; NULL: it depends on more.
static LLVMValueRef for_nan(LLVMValueRef comparison, LLVMValueRef merge) {
    unsigned side = is_ordered(LLVMGetFCmpPredicate(comparison)) ? 1 : 0;
    if (LLVMIsASelectInst(merge) != NULL) {
        return LLVMGetOperand(merge, 0) == comparison ? merged(merge, side) : NULL;
    }
    LLVMValueRef found = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(comparison); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef branch = LLVMGetUser(use);
        if (LLVMIsABranchInst(branch) == NULL) {
            continue;
        }
        LLVMBasicBlockRef from = way_from(branch, side, LLVMGetInstructionParent(merge));
        for (unsigned k = 0; from != NULL && k < LLVMCountIncoming(merge); k++) {
            found = LLVMGetIncomingBlock(merge, k) == from ? merged(merge, k) : found;
        }
    }
    return found;
}

// Whether a nan, and a zero of either sign, is itself behind the merge.
static bool lets_pass(const Limit *limit, LLVMValueRef merge) {
    bool may_be_zero = !LLVMIsConstant(limit->bound) || is_zero(limit->bound);
    return for_nan(limit->comparison, merge) == limit->value &&
           (!may_be_zero || joins_equal(LLVMGetFCmpPredicate(limit->comparison)));
}

// How a value is merged with its limit behind the comparison.
typedef struct Use {
    bool is_limited, is_caught;
    bool leaves; // for memory, a result, or a call
} Use;

static Use use_of(const Limit *limit) {
    Use found = {0};
    Merges merges = {.is_all = true};
    add_merge(&merges, limit->value);
    for (unsigned i = 0; i < merges.count; i++) {
        for (LLVMUseRef use = LLVMGetFirstUse(merges.items[i]); use != NULL;
             use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            found.leaves = found.leaves || LLVMIsAStoreInst(user) != NULL ||
                           LLVMIsAReturnInst(user) != NULL || LLVMIsACallInst(user) != NULL;
            if (!is_merge(user)) {
                continue;
            }
            add_merge(&merges, user);
            if (merges_bound(user, limit->bound)) {
                found.is_limited = true;
                found.is_caught = found.is_caught || !lets_pass(limit, user);
            }
        }
    }
    return found;
}

typedef struct Guards {
    Gen *gen;
    Table limits;     // by their bounds a comparison that is one, or `several`
    bool has_unknown; // one whose bound is no number yet
    LIST_OF(Limit) caught;
} Guards;

static char several;

static const void *key_of(LLVMValueRef bound) {
    return is_zero(bound) ? LLVMConstNull(LLVMTypeOf(bound)) : bound;
}

static void note(Guards *guards, Limit *limit) {
    Arena *arena = guards->gen->arena;
    Use use = use_of(limit);
    if (use.is_limited) {
        guards->has_unknown = guards->has_unknown || !is_number(limit->bound);
        const void *key = key_of(limit->bound);
        const void *before = table_get(&guards->limits, key);
        bool is_first = before == NULL || before == limit->comparison;
        table_set(arena, &guards->limits, key,
                  is_first ? (void *)limit->comparison : (void *)&several);
    }
    if (use.is_caught || (!use.is_limited && use.leaves)) {
        limit->is_limited = use.is_limited;
        LIST_PUSH(arena, &guards->caught, *limit);
    }
}

static void note_comparison(Gen *gen, LLVMValueRef comparison, void *data) {
    (void)gen;
    for (unsigned side = 0; side < 2 && is_order(LLVMGetFCmpPredicate(comparison)); side++) {
        Limit limit = {.comparison = comparison,
                       .value = LLVMGetOperand(comparison, 1 - side),
                       .bound = LLVMGetOperand(comparison, side)};
        if (may_be_known(limit.bound, BOUND_DEPTH) && !is_number(limit.value)) {
            note(data, &limit);
        }
    }
}

static bool is_limited_elsewhere(const Guards *guards, const Limit *limit) {
    const void *other = table_get(&guards->limits, key_of(limit->bound));
    return !is_number(limit->bound) || other == &several || guards->has_unknown;
}

static void hide(Gen *gen, const Limit *limit) {
    unsigned side = LLVMGetOperand(limit->comparison, 0) == limit->bound ? 0 : 1;
    LLVMValueRef bound = limit->bound;
    LLVMTypeRef type = LLVMTypeOf(bound);
    LLVMPositionBuilderBefore(gen->builder, limit->comparison);
    LLVMValueRef hidden = gen_intrinsic(gen, "llvm.arithmetic.fence", &type, 1, &bound, 1);
    LLVMSetOperand(limit->comparison, side, hidden);
}

void guards_hide(Gen *gen) {
    Guards guards = {.gen = gen};
    instructions_visit(gen, LLVMFCmp, note_comparison, &guards);
    for (size_t i = 0; i < guards.caught.count; i++) {
        const Limit *limit = &guards.caught.items[i];
        bool is_unknown;
        bool is_before = is_limited_before(limit, &is_unknown);
        bool may_be_later = limit->is_limited && is_unknown;
        if (is_before || (may_be_later && is_limited_elsewhere(&guards, limit))) {
            hide(gen, limit);
        }
    }
}
