// Loops run at least once, because no dim is zero: the test stands at the end. Only where machine
// code counts what is left there may be none.
#include "codegen/emit/loop.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <string.h>

// A loop around one that has more turns is not written out: 64 columns at once of 256 by 256 reals
// would be four times the code, for nothing.
enum { FEW_TURNS = 16 };

void loop_begin(Gen *gen, Loop *loop, LLVMValueRef count, LLVMValueRef *carried,
                size_t carried_count) {
    CHECK(carried_count <= LOOP_CARRIED_LIMIT);
    loop->before = LLVMGetInsertBlock(gen->builder);
    loop->body = gen_block(gen, "loop");
    loop->count = count;
    loop->carried_count = carried_count;
    loop->left_to_llvm = loop->is_short = false;
    loop->long_before = gen->long_loops;
    LLVMBuildBr(gen->builder, loop->body);
    gen_enter(gen, loop->body);
    loop->at = LLVMBuildPhi(gen->builder, gen->size, "i");
    LLVMValueRef zero = LLVMConstNull(gen->size);
    LLVMAddIncoming(loop->at, &zero, &loop->before, 1);
    for (size_t k = 0; k < carried_count; k++) {
        loop->phis[k] = LLVMBuildPhi(gen->builder, LLVMTypeOf(carried[k]), "carried");
        LLVMAddIncoming(loop->phis[k], &carried[k], &loop->before, 1);
        carried[k] = loop->phis[k];
    }
    bool is_wide = gen->size == gen->i64;
    loop->index = is_wide ? loop->at : LLVMBuildZExt(gen->builder, loop->at, gen->i64, "");
}

static LLVMMetadataRef loop_fact(Gen *gen, const char *name, LLVMValueRef value) {
    LLVMMetadataRef items[2] = {LLVMMDStringInContext2(gen->llvm, name, strlen(name))};
    if (value != NULL) {
        items[1] = LLVMValueAsMetadata(value);
    }
    return LLVMMDNodeInContext2(gen->llvm, items, value != NULL ? 2 : 1);
}

// The list of a loop's facts begins with itself, which tells it from other lists; the first of
// `facts` is room for that.
static void set_facts(Gen *gen, LLVMValueRef branch, LLVMMetadataRef *facts, size_t count) {
    LLVMMetadataRef itself = LLVMTemporaryMDNode(gen->llvm, NULL, 0);
    facts[0] = itself;
    LLVMMetadataRef list = LLVMMDNodeInContext2(gen->llvm, facts, count);
    LLVMMetadataReplaceAllUsesWith(itself, list);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(gen->llvm, "llvm.loop", 9),
                    LLVMMetadataAsValue(gen->llvm, list));
}

// Loops over vectors, sums and ends of rows are as they are meant to be: LLVM would make further
// vectors of what is left beside vectors. Of single elements side by side it finds some that are
// not known here, such as squares of the three columns of a matrix summed up (1.6 times faster).
static void mark_loop(Gen *gen, LLVMValueRef branch, bool has_vectors, bool is_short) {
    if (gen->options->opt_level == 0 || (!has_vectors && !is_short)) {
        return;
    }
    LLVMMetadataRef facts[3];
    size_t count = 1;
    if (has_vectors) {
        facts[count++] = loop_fact(gen, "llvm.loop.vectorize.enable", gen_i1(gen, false));
    }
    if (is_short) {
        facts[count++] = loop_fact(gen, "llvm.loop.unroll.disable", NULL);
    }
    set_facts(gen, branch, facts, count);
}

void loop_keep_turns(Gen *gen, LLVMValueRef branch) {
    mark_loop(gen, branch, false, true);
}

void loop_keep_scalars(Gen *gen, LLVMValueRef branch) {
    mark_loop(gen, branch, true, false);
}

void loop_keep_as_it_is(Gen *gen, LLVMValueRef branch) {
    mark_loop(gen, branch, true, true);
}

void loop_write_turns(Gen *gen, LLVMValueRef branch, unsigned count) {
    LLVMValueRef list =
        LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(gen->llvm, "llvm.loop", 9));
    unsigned old = list != NULL ? LLVMGetMDNodeNumOperands(list) : 1;
    LLVMValueRef *items = ARENA_ARRAY(gen->arena, LLVMValueRef, old);
    LLVMMetadataRef *facts = ARENA_ARRAY(gen->arena, LLVMMetadataRef, old + 1);
    if (list != NULL) {
        LLVMGetMDNodeOperands(list, items);
    }
    for (unsigned k = 1; k < old; k++) {
        facts[k] = LLVMValueAsMetadata(items[k]);
    }
    facts[old] = loop_fact(gen, "llvm.loop.unroll.count", gen_i32(gen, (int32_t)count));
    set_facts(gen, branch, facts, old + 1);
}

// Whether LLVM may find it worth writing out, with the loops around it.
static bool has_few_turns(LLVMValueRef count) {
    return LLVMIsAConstantInt(count) != NULL && LLVMConstIntGetZExtValue(count) <= FEW_TURNS;
}

void loop_end(Gen *gen, Loop *loop, LLVMValueRef *carried) {
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef after = gen_block(gen, "after");
    LLVMValueRef one = gen_size(gen, 1);
    LLVMValueRef next = LLVMBuildNSWAdd(gen->builder, loop->at, one, "");
    LLVMSetNUW(next, true);
    LLVMAddIncoming(loop->at, &next, &latch, 1);
    for (size_t k = 0; k < loop->carried_count; k++) {
        LLVMAddIncoming(loop->phis[k], &carried[k], &latch, 1);
    }
    LLVMValueRef count = gen->size == gen->i64
                             ? loop->count
                             : LLVMBuildTrunc(gen->builder, loop->count, gen->size, "");
    LLVMValueRef again = LLVMBuildICmp(gen->builder, LLVMIntULT, next, count, "");
    LLVMValueRef branch = LLVMBuildCondBr(gen->builder, again, loop->body, after);
    bool is_outer = gen->long_loops != loop->long_before;
    mark_loop(gen, branch, !loop->left_to_llvm, loop->is_short || is_outer);
    gen->long_loops += !has_few_turns(loop->count);
    gen_enter(gen, after);
}

void loop_any_begin(Gen *gen, Loop *loop, LLVMValueRef count) {
    LLVMBasicBlockRef some = gen_block(gen, "some");
    loop->none = gen_block(gen, "none");
    LLVMValueRef is_any = LLVMBuildICmp(gen->builder, LLVMIntNE, count, gen_i64(gen, 0), "");
    LLVMBuildCondBr(gen->builder, is_any, some, loop->none);
    gen_enter(gen, some);
    loop_begin(gen, loop, count, NULL, 0);
    loop->is_short = true;
}

void loop_any_end(Gen *gen, Loop *loop) {
    loop_end(gen, loop, NULL);
    LLVMBuildBr(gen->builder, loop->none);
    gen_enter(gen, loop->none);
}

typedef struct Nest {
    Gen *gen;
    LoopSpace space;
    LLVMValueRef *at;
    LLVMValueRef *carried;
    size_t carried_count;
    LoopBody *body;
    void *data;
} Nest;

static void nest_from(Nest *nest, size_t level) {
    Gen *gen = nest->gen;
    if (level == nest->space.rank) {
        nest->body(gen, nest->data, nest->at, nest->carried);
        return;
    }
    uint32_t length = nest->space.dims[level];
    if (length == 1 || nest->space.unrolled) {
        for (uint32_t i = 0; i < length; i++) {
            nest->at[level] = gen_i64(gen, i);
            nest_from(nest, level + 1);
        }
        return;
    }
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, length), nest->carried, nest->carried_count);
    loop.left_to_llvm = nest->space.left_to_llvm;
    loop.is_short = nest->space.keeps_turns;
    nest->at[level] = loop.index;
    nest_from(nest, level + 1);
    loop_end(gen, &loop, nest->carried);
}

void loop_nest(Gen *gen, LoopSpace space, LLVMValueRef *carried, size_t carried_count,
               LoopBody *body, void *data) {
    Nest nest = {
        .gen = gen,
        .space = space,
        .at = ARENA_ARRAY(gen->arena, LLVMValueRef, space.rank + 1),
        .carried = carried,
        .carried_count = carried_count,
        .body = body,
        .data = data,
    };
    nest_from(&nest, 0);
}
