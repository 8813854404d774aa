// A nan wins, and -0.0 is below 0.0: on x86 that takes three instructions for the lesser of two
// values and four or five for the greater one, while `a < b ? a : b` is one. Where no value is a
// nan, that one is right but for which of two zeros it takes. So a network of them, each of which
// reads others, is made of such, with a question behind it whether something that went in is a nan
// or what comes out is zero. Then it is asked whether one of the zeros that went in could be -0.0,
// and if so, all is done strictly.
//
// Where the turn before is waited for, only what is there sooner is asked: see make_chain.
//
// A network is what stands in one block before anything else reads one of it. LLVM's passes know
// the two functions by their names, so this comes behind them.
#include "codegen/target/extremes.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/op_min_max.h"
#include "codegen/options.h"
#include "codegen/target/hoist.h"
#include "codegen/target/target.h"
#include "codegen/target/values.h"
#include "support/table.h"

#include <string.h>

enum { MEMBERS_LIMIT = 128 };

// Instructions: of a question about an output, and of a branch.
enum { OUTPUT = 2, BRANCH = 2 };

typedef struct Values {
    LLVMValueRef *items;
    size_t count, capacity;
} Values;

typedef struct Network {
    Gen *gen;
    LLVMTypeRef type;
    Values members;
    Table is_member;
    Values leaves; // what they read beside each other
    Table is_leaf;
    Table late; // leaves and others that wait for the turn before
    bool has_constant;
    bool has_odd_constant; // a nan or -0.0
} Network;

static bool is_called(LLVMValueRef at, const char *name) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef called = LLVMIsACallInst(at) != NULL ? LLVMGetCalledValue(at) : NULL;
    return called != NULL && LLVMIsAFunction(called) != NULL && LLVMGetIntrinsicID(called) == id;
}

bool extremes_is_max(LLVMValueRef at) {
    return is_called(at, "llvm.maximum");
}

bool extremes_is_one(LLVMValueRef at) {
    return extremes_is_max(at) || is_called(at, "llvm.minimum");
}

LLVMValueRef extremes_again(Gen *gen, LLVMValueRef at, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    return gen_intrinsic(gen, extremes_is_max(at) ? "llvm.maximum" : "llvm.minimum", &type, 1, args,
                         2);
}

static bool is_member(const Network *network, LLVMValueRef value) {
    return table_get(&network->is_member, value) != NULL;
}

static bool reads_member(const Network *network, LLVMValueRef at) {
    for (int i = 0; i < LLVMGetNumOperands(at); i++) {
        if (is_member(network, LLVMGetOperand(at, (unsigned)i))) {
            return true;
        }
    }
    return false;
}

static void add_leaf(Network *network, LLVMValueRef leaf) {
    if (is_member(network, leaf) || table_get(&network->is_leaf, leaf) != NULL) {
        return;
    }
    if (LLVMIsConstant(leaf)) {
        network->has_constant = true;
        network->has_odd_constant = network->has_odd_constant || !op_min_max_is_plain(leaf);
        return;
    }
    table_set(network->gen->arena, &network->is_leaf, leaf, leaf);
    LIST_PUSH(network->gen->arena, &network->leaves, leaf);
}

static void add_member(Network *network, LLVMValueRef at) {
    add_leaf(network, LLVMGetOperand(at, 0));
    add_leaf(network, LLVMGetOperand(at, 1));
    table_set(network->gen->arena, &network->is_member, at, at);
    LIST_PUSH(network->gen->arena, &network->members, at);
    network->type = LLVMTypeOf(at);
}

// Members that others read.
static Values outputs_of(const Network *network) {
    Values outputs = {0};
    for (size_t i = 0; i < network->members.count; i++) {
        LLVMValueRef member = network->members.items[i];
        bool is_output = false;
        for (LLVMUseRef use = LLVMGetFirstUse(member); use != NULL; use = LLVMGetNextUse(use)) {
            is_output = is_output || !is_member(network, LLVMGetUser(use));
        }
        if (is_output) {
            LIST_PUSH(network->gen->arena, &outputs, member);
        }
    }
    return outputs;
}

// One zero is as good as the other.
static bool has_free_zeros(const Gen *gen) {
    return gen->options->fp == FP_FAST;
}

// How many instructions a member takes strictly; beside a constant LLVM makes one of it.
static size_t strict_cost(const Gen *gen, LLVMValueRef member) {
    bool is_simple =
        LLVMIsConstant(LLVMGetOperand(member, 0)) || LLVMIsConstant(LLVMGetOperand(member, 1));
    return is_simple ? 1 : op_min_max_cost(gen, extremes_is_max(member));
}

static size_t strict_cost_of_all(const Network *network) {
    size_t strict = 0;
    for (size_t i = 0; i < network->members.count; i++) {
        strict += strict_cost(network->gen, network->members.items[i]);
    }
    return strict;
}

static bool pays(const Network *network, size_t outputs) {
    size_t strict = strict_cost_of_all(network);
    size_t fast = network->members.count + network->leaves.count + BRANCH;
    fast += has_free_zeros(network->gen) ? 0 : OUTPUT * outputs;
    return outputs > 0 && network->leaves.count > 0 && !network->has_odd_constant &&
           network->gen->options->size == SIZE_ANY && 5 * strict >= 7 * fast;
}

// What waits for a real of the turn before: a phi of the block, and what is made of it there.
static Table late_values(Gen *gen, LLVMBasicBlockRef block) {
    Table late = {0};
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        bool is_phi = LLVMIsAPHINode(at) != NULL;
        if (!is_phi && late.count == 0) {
            return late; // nothing is carried
        }
        bool is_late = is_phi && value_is_vector(at);
        for (int i = 0; i < LLVMGetNumOperands(at) && !is_phi; i++) {
            is_late = is_late || table_get(&late, LLVMGetOperand(at, (unsigned)i)) != NULL;
        }
        if (is_late) {
            table_set(gen->arena, &late, at, at);
        }
    }
    return late;
}

static bool is_soon(const Network *network, LLVMValueRef value) {
    return table_get(&network->is_leaf, value) != NULL && table_get(&network->late, value) == NULL;
}

// Whether each member takes one value that is there soon, and another that the turn before or the
// member before makes: such a chain is what the next turn waits for.
static bool is_chain(Network *network) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(network->members.items[0]);
    if (network->has_constant || has_free_zeros(network->gen) ||
        network->gen->options->size != SIZE_ANY) {
        return false;
    }
    network->late = late_values(network->gen, block);
    size_t soon = 0;
    for (size_t i = 0; i < network->members.count; i++) {
        LLVMValueRef member = network->members.items[i];
        bool first = is_soon(network, LLVMGetOperand(member, 0));
        if (first == is_soon(network, LLVMGetOperand(member, 1))) {
            return false;
        }
    }
    for (size_t i = 0; i < network->leaves.count; i++) {
        soon += is_soon(network, network->leaves.items[i]);
    }
    return strict_cost_of_all(network) >= network->members.count + soon + BRANCH;
}

// What stands for an operand, by a table of what stands for members or leaves.
static LLVMValueRef stand_in(const Table *values, LLVMValueRef operand) {
    LLVMValueRef value = table_get(values, operand);
    return value != NULL ? value : operand;
}

// The operand of a member that stays as it is in a loop; NULL: none does.
static LLVMValueRef limit_of(LLVMValueRef at) {
    LLVMValueRef a = LLVMGetOperand(at, 0), b = LLVMGetOperand(at, 1);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
    return hoist_can(block, a, a) ? a : hoist_can(block, b, b) ? b : NULL;
}

static LLVMValueRef other_of(LLVMValueRef at, LLVMValueRef operand) {
    LLVMValueRef first = LLVMGetOperand(at, 0);
    return first == operand ? LLVMGetOperand(at, 1) : first;
}

static bool has_one_use(LLVMValueRef value) {
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use != NULL && LLVMGetNextUse(use) == NULL;
}

// What a value is limited by before `outer` limits it to the other side, where both limits stay as
// they are in a loop; NULL: nothing.
static LLVMValueRef inner_of(LLVMValueRef outer) {
    LLVMValueRef outer_limit = limit_of(outer);
    LLVMValueRef inner = outer_limit == NULL ? NULL : other_of(outer, outer_limit);
    if (inner == NULL || !extremes_is_one(inner) || !has_one_use(inner) ||
        extremes_is_max(inner) == extremes_is_max(outer)) {
        return NULL;
    }
    LLVMValueRef inner_limit = limit_of(inner);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(outer);
    bool is_pair = inner_limit != NULL && LLVMGetInstructionParent(inner) == block &&
                   hoist_can(block, outer_limit, inner_limit);
    return is_pair ? inner : NULL;
}

static bool is_inner(LLVMValueRef at) {
    LLVMValueRef user = has_one_use(at) ? LLVMGetUser(LLVMGetFirstUse(at)) : NULL;
    return user != NULL && extremes_is_one(user) && inner_of(user) == at;
}

static LLVMValueRef limited(Gen *gen, LLVMValueRef outer, LLVMValueRef inner) {
    LLVMValueRef outer_limit = other_of(outer, inner);
    LLVMValueRef inner_limit = limit_of(inner);
    LLVMValueRef value = other_of(inner, inner_limit);
    bool is_max_first = extremes_is_max(inner);
    hoist_enter(gen, outer_limit, inner_limit);
    OpLimits limits = is_max_first ? op_min_max_limits(gen, inner_limit, outer_limit)
                                   : op_min_max_limits(gen, outer_limit, inner_limit);
    LLVMPositionBuilderBefore(gen->builder, outer);
    return op_min_max_between(gen, &limits, is_max_first, value);
}

// What takes the other extreme of the same two values, later in the block; NULL: nothing does.
static LLVMValueRef opposite_of(LLVMValueRef at) {
    LLVMValueRef a = LLVMGetOperand(at, 0), b = LLVMGetOperand(at, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(a); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef other = LLVMGetUser(use);
        if (other != at && extremes_is_one(other) &&
            extremes_is_max(other) != extremes_is_max(at) && other_of(other, a) == b &&
            LLVMGetInstructionParent(other) == LLVMGetInstructionParent(at)) {
            return other;
        }
    }
    return NULL;
}

// The greater and the lesser of the same two values. The other one is without use then.
static LLVMValueRef one_of_pair(Gen *gen, LLVMValueRef at, LLVMValueRef opposite) {
    LLVMPositionBuilderBefore(gen->builder, at);
    OpBoth both = op_min_max_both(gen, LLVMGetOperand(at, 0), LLVMGetOperand(at, 1));
    bool is_max = extremes_is_max(at);
    LLVMReplaceAllUsesWith(opposite, is_max ? both.least : both.greatest);
    return is_max ? both.greatest : both.least;
}

static LLVMValueRef strict_value(Gen *gen, LLVMValueRef at) {
    bool is_max = extremes_is_max(at);
    LLVMValueRef limit = limit_of(at);
    bool is_alone = limit != NULL || gen->options->fp == FP_FAST;
    LLVMValueRef opposite = is_alone ? NULL : opposite_of(at);
    if (opposite != NULL) {
        return one_of_pair(gen, at, opposite);
    }
    if (limit == NULL) {
        LLVMPositionBuilderBefore(gen->builder, at);
        return op_min_max_of_reals(gen, is_max, LLVMGetOperand(at, 0), LLVMGetOperand(at, 1));
    }
    hoist_enter(gen, limit, limit);
    LLVMValueRef mark = op_min_max_mark(gen, is_max, limit);
    LLVMPositionBuilderBefore(gen->builder, at);
    return op_min_max_marked(gen, is_max, limit, mark, other_of(at, limit));
}

static void make_strict(Gen *gen, LLVMValueRef at) {
    if (LLVMIsConstant(LLVMGetOperand(at, 0)) || LLVMIsConstant(LLVMGetOperand(at, 1)) ||
        is_inner(at)) {
        return; // LLVM knows better, or the outer one is done with it
    }
    LLVMValueRef inner = inner_of(at);
    LLVMReplaceAllUsesWith(at, inner == NULL ? strict_value(gen, at) : limited(gen, at, inner));
    LLVMInstructionEraseFromParent(at);
    if (inner != NULL) {
        LLVMInstructionEraseFromParent(inner);
    }
}

static void turn_to(LLVMValueRef terminator, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
        if (LLVMGetSuccessor(terminator, i) == from) {
            LLVMSetSuccessor(terminator, i, to);
        }
    }
}

// A block before the one of `at`, with what stands before it.
static LLVMBasicBlockRef split_before(Gen *gen, LLVMValueRef at) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(gen->llvm, block, "network");
    Values jumps = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use != NULL;
         use = LLVMGetNextUse(use)) {
        LIST_PUSH(gen->arena, &jumps, LLVMGetUser(use));
    }
    for (size_t i = 0; i < jumps.count; i++) {
        turn_to(jumps.items[i], block, head);
    }
    LLVMPositionBuilderAtEnd(gen->builder, head);
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    for (LLVMValueRef first; (first = LLVMGetFirstInstruction(block)) != at;) {
        LLVMInstructionRemoveFromParent(first);
        LLVMInsertIntoBuilder(gen->builder, first);
    }
    return head;
}

// Where a comparison holds, beside what is known of others; NULL: nothing is.
static LLVMValueRef or_where(Gen *gen, LLVMValueRef flags, LLVMRealPredicate predicate,
                             LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef holds = LLVMBuildFCmp(gen->builder, predicate, a, b, "");
    return flags == NULL ? holds : LLVMBuildOr(gen->builder, flags, holds, "");
}

static LLVMValueRef or_nan(Gen *gen, LLVMValueRef flags, LLVMValueRef a, LLVMValueRef b) {
    return or_where(gen, flags, LLVMRealUNO, a, b);
}

// Each member by one instruction in its place. In which lanes something that goes in is a nan.
static LLVMValueRef make_fast(Network *network, Table *fast) {
    Gen *gen = network->gen;
    LLVMValueRef flags = NULL;
    LLVMValueRef waiting = NULL; // a leaf
    Table asked = {0};
    for (size_t i = 0; i < network->members.count; i++) {
        LLVMValueRef member = network->members.items[i];
        LLVMPositionBuilderBefore(gen->builder, member);
        LLVMValueRef args[2];
        for (unsigned k = 0; k < 2; k++) {
            LLVMValueRef operand = LLVMGetOperand(member, k);
            args[k] = stand_in(fast, operand);
            if (table_get(&network->is_leaf, operand) == NULL ||
                table_get(&asked, operand) != NULL) {
                continue;
            }
            table_set(gen->arena, &asked, operand, operand);
            flags = waiting == NULL ? flags : or_nan(gen, flags, waiting, operand);
            waiting = waiting == NULL ? operand : NULL;
        }
        table_set(gen->arena, fast, member,
                  op_min_max_one(gen, extremes_is_max(member), args[0], args[1]));
    }
    return waiting == NULL ? flags : or_nan(gen, flags, waiting, waiting);
}

// In which lanes something that comes out is zero.
static LLVMValueRef find_zeros(Gen *gen, const Values *outputs, const Table *fast) {
    LLVMValueRef flags = NULL;
    for (size_t i = 0; i < outputs->count; i++) {
        LLVMValueRef value = table_get(fast, outputs->items[i]);
        flags = or_where(gen, flags, LLVMRealOEQ, value, LLVMConstNull(LLVMTypeOf(value)));
    }
    return flags;
}

// Whether nothing from a load in the block of `last` up to that writes.
static bool can_load_again(LLVMValueRef leaf, LLVMValueRef last) {
    if (LLVMIsALoadInst(leaf) == NULL || LLVMGetVolatile(leaf) ||
        LLVMGetInstructionParent(leaf) != LLVMGetInstructionParent(last)) {
        return false;
    }
    for (LLVMValueRef at = leaf; at != last; at = LLVMGetNextInstruction(at)) {
        bool calls = LLVMIsACallInst(at) != NULL && !extremes_is_one(at);
        if (LLVMIsAStoreInst(at) != NULL || calls) {
            return false;
        }
    }
    return true;
}

// Leaves as they are read behind `last`; those that are loaded need no register up to here.
static Table read_again(Network *network, LLVMValueRef last) {
    Table again = {0};
    for (size_t i = 0; i < network->leaves.count; i++) {
        LLVMValueRef leaf = network->leaves.items[i];
        if (can_load_again(leaf, last)) {
            LLVMValueRef load = LLVMInstructionClone(leaf);
            LLVMInsertIntoBuilder(network->gen->builder, load);
            table_set(network->gen->arena, &again, leaf, load);
        }
    }
    return again;
}

// In which lanes a leaf is -0.0, beside those of the flags.
static LLVMValueRef or_minus_zero(Network *network, LLVMValueRef flags, const Table *again) {
    Gen *gen = network->gen;
    unsigned width = LLVMGetIntTypeWidth(gen->real_bits);
    LLVMValueRef sign = LLVMConstInt(gen->real_bits, UINT64_C(1) << (width - 1), false);
    LLVMValueRef minus_zero = lanes_splat(gen, sign, LLVMGetVectorSize(network->type));
    for (size_t i = 0; i < network->leaves.count; i++) {
        LLVMValueRef leaf = stand_in(again, network->leaves.items[i]);
        leaf = LLVMBuildBitCast(gen->builder, leaf, LLVMTypeOf(minus_zero), "");
        LLVMValueRef is_zero = LLVMBuildICmp(gen->builder, LLVMIntEQ, leaf, minus_zero, "");
        flags = LLVMBuildOr(gen->builder, flags, is_zero, "");
    }
    return flags;
}

// Members, by the leaves.
static void make_again(Network *network, Table *strict) {
    Gen *gen = network->gen;
    for (size_t i = 0; i < network->members.count; i++) {
        LLVMValueRef member = network->members.items[i];
        LLVMValueRef a = stand_in(strict, LLVMGetOperand(member, 0));
        LLVMValueRef b = stand_in(strict, LLVMGetOperand(member, 1));
        bool is_plain = !LLVMIsConstant(a) && !LLVMIsConstant(b);
        LLVMValueRef value = is_plain ? op_min_max_of_reals(gen, extremes_is_max(member), a, b)
                                      : extremes_again(gen, member, a, b);
        table_set(gen->arena, strict, member, value);
    }
}

// Each member of a chain by one instruction in its place, which is right where none of those that
// are there soon is a nan or zero, whatever the other is. In which lanes one is.
static LLVMValueRef make_chain(Network *network, Table *fast) {
    Gen *gen = network->gen;
    LLVMValueRef flags = NULL;
    for (size_t i = 0; i < network->members.count; i++) {
        LLVMValueRef member = network->members.items[i];
        LLVMValueRef soon = LLVMGetOperand(member, 0);
        soon = is_soon(network, soon) ? soon : LLVMGetOperand(member, 1);
        LLVMPositionBuilderBefore(gen->builder, member);
        flags = or_where(gen, flags, LLVMRealUEQ, soon, LLVMConstNull(network->type));
        LLVMValueRef other = stand_in(fast, other_of(member, soon));
        table_set(gen->arena, fast, member,
                  op_min_max_one(gen, extremes_is_max(member), soon, other));
    }
    return flags;
}

// Before `end`, which is the first that reads a member, or what ends the block.
static void make_both(Network *network, LLVMValueRef end, const Values *outputs, bool is_chain) {
    Gen *gen = network->gen;
    LLVMBuilderRef builder = gen->builder;
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(end);
    LLVMValueRef before = LLVMGetPreviousInstruction(end);
    LLVMBasicBlockRef from[3] = {split_before(gen, end)};
    bool asks_zeros = !is_chain && !has_free_zeros(gen);
    unsigned last = asks_zeros ? 2 : 1;
    for (unsigned i = 1; i <= last; i++) {
        from[i] = LLVMInsertBasicBlockInContext(gen->llvm, rest, "odd");
    }
    Table fast = {0};
    LLVMValueRef odd = is_chain ? make_chain(network, &fast) : make_fast(network, &fast);
    LLVMPositionBuilderAtEnd(builder, from[0]);
    LLVMValueRef flags = odd;
    if (asks_zeros) {
        flags = LLVMBuildOr(builder, odd, find_zeros(gen, outputs, &fast), "");
    }
    gen_expect_no(gen, LLVMBuildCondBr(builder, lanes_any(gen, flags), from[1], rest));
    LLVMPositionBuilderAtEnd(builder, from[1]);
    Table strict = read_again(network, before);
    if (asks_zeros) {
        flags = or_minus_zero(network, odd, &strict);
        gen_expect_no(gen, LLVMBuildCondBr(builder, lanes_any(gen, flags), from[last], rest));
        LLVMPositionBuilderAtEnd(builder, from[last]);
    }
    make_again(network, &strict);
    LLVMBuildBr(builder, rest);
    LLVMPositionBuilderBefore(builder, end);
    for (size_t i = 0; i < outputs->count; i++) {
        LLVMValueRef member = outputs->items[i];
        LLVMValueRef values[3] = {table_get(&fast, member), table_get(&fast, member)};
        values[last] = table_get(&strict, member);
        LLVMValueRef chosen = LLVMBuildPhi(builder, network->type, "");
        LLVMAddIncoming(chosen, values, from, last + 1);
        LLVMReplaceAllUsesWith(member, chosen);
    }
    for (size_t i = network->members.count; i-- > 0;) {
        LLVMInstructionEraseFromParent(network->members.items[i]);
    }
}

static void end_network(Network *network, LLVMValueRef end) {
    if (network->members.count > 0) {
        Values outputs = outputs_of(network);
        bool is_network = pays(network, outputs.count);
        if (is_network || is_chain(network)) {
            make_both(network, end, &outputs, !is_network);
        } else {
            for (size_t i = 0; i < network->members.count; i++) {
                make_strict(network->gen, network->members.items[i]);
            }
        }
    }
    *network = (Network){.gen = network->gen};
}

static bool can_take(const Network *network, LLVMValueRef at) {
    return network->members.count == 0 ||
           (network->type == LLVMTypeOf(at) && network->members.count < MEMBERS_LIMIT);
}

static void search_block(Gen *gen, LLVMBasicBlockRef block) {
    Network network = {.gen = gen};
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        if (extremes_is_one(at) && LLVMGetFirstUse(at) == NULL) {
            LLVMInstructionEraseFromParent(at); // see one_of_pair
            continue;
        }
        if (extremes_is_one(at) && !value_is_vector(at)) {
            make_strict(gen, at);
            continue;
        }
        bool is_next = extremes_is_one(at);
        bool goes_on = is_next ? can_take(&network, at)
                               : LLVMIsATerminatorInst(at) == NULL && !reads_member(&network, at);
        if (!goes_on) {
            end_network(&network, at);
        }
        if (is_next) {
            add_member(&network, at);
        }
    }
}

void extremes_late(Gen *gen) {
    if (!gen->target.has->select_of_reals) {
        return; // LLVM makes the instruction that there is
    }
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        LLVMBasicBlockRef next;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(at); block != NULL; block = next) {
            next = LLVMGetNextBasicBlock(block);
            search_block(gen, block);
        }
    }
}
