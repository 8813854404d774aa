#include "codegen/emit/parallel.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/outline.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

// void tml_parallel(part, context, count, grain, threads). The runtime keeps no pointer.
static LLVMValueRef runtime_function(Gen *gen) {
    static const char name[] = "tml_parallel";
    LLVMValueRef function = LLVMGetNamedFunction(gen->module, name);
    if (function == NULL) {
        LLVMTypeRef params[] = {gen->pointer, gen->pointer, gen->i64, gen->i64, gen->i32};
        function =
            LLVMAddFunction(gen->module, name,
                            LLVMFunctionType(LLVMVoidTypeInContext(gen->llvm), params, 5, false));
        gen_function_attribute(gen, function, "nounwind", 0);
        gen_param_attribute(gen, function, 1, "nocapture", 0);
    }
    return function;
}

void parallel_turns_of(Gen *gen, LLVMValueRef count, uint64_t grain, PartBody *body, void *data) {
    CHECK(gen->masked == NULL && gen->tile == NULL);
    size_t known = gen->vars.count;
    Outline outline;
    outline_begin(gen, &outline);
    body(gen, data, outline.first, outline.end);
    Outlined outlined = outline_end(gen, &outline);
    CHECK(gen->vars.count == known);
    LLVMValueRef args[] = {outlined.function, outlined.context, count, gen_i64(gen, (int64_t)grain),
                           gen_i32(gen, gen->options->threads)};
    LLVMValueRef function = runtime_function(gen);
    LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(function), function, args, 5, "");
}

void parallel_turns(Gen *gen, const SplitPlan *plan, PartBody *body, void *data) {
    CHECK(plan->kind != SPLIT_NONE);
    parallel_turns_of(gen, gen_i64(gen, (int64_t)plan->turns), plan->grain, body, data);
}

void parallel_prepare(Gen *gen, const Destination *to, const TirExpr *value) {
    while (to->kind != INTO_PLACE) {
        to = to->outer;
    }
    outline_prepare(gen, to->place);
    outline_prepare(gen, value);
}

// The loops inside of one turn, which know the dims of the turn already.
typedef struct Inner {
    LLVMValueRef *at;
    size_t dims;
    size_t rank;
    LoopBody *body;
    void *data;
} Inner;

static void inner_body(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    const Inner *inner = data;
    LLVMValueRef *all = ARENA_ARRAY(gen->arena, LLVMValueRef, inner->rank + 1);
    memcpy(all, inner->at, inner->dims * sizeof(*all));
    memcpy(all + inner->dims, at, (inner->rank - inner->dims) * sizeof(*all));
    inner->body(gen, inner->data, all, carried);
}

// The positions of turn `turn`; a division less where one dim is all there is.
static void find_position(Gen *gen, LoopSpace space, size_t dims, LLVMValueRef turn,
                          LLVMValueRef *at) {
    size_t first = 0;
    while (first + 1 < dims && space.dims[first] == 1) {
        at[first++] = gen_i64(gen, 0);
    }
    for (size_t k = dims; k-- > first;) {
        LLVMValueRef length = gen_i64(gen, space.dims[k]);
        bool divides = k != first && space.dims[k] != 1;
        at[k] = k == first ? turn
                : divides  ? LLVMBuildURem(gen->builder, turn, length, "")
                           : gen_i64(gen, 0);
        turn = divides ? LLVMBuildUDiv(gen->builder, turn, length, "") : turn;
    }
}

void parallel_nest(Gen *gen, LoopSpace space, size_t dims, LLVMValueRef first, LLVMValueRef end,
                   LoopBody *body, void *data) {
    Inner inner = {.at = ARENA_ARRAY(gen->arena, LLVMValueRef, space.rank + 1),
                   .dims = dims,
                   .rank = space.rank,
                   .body = body,
                   .data = data};
    Loop loop;
    loop_begin(gen, &loop, LLVMBuildNSWSub(gen->builder, end, first, ""), NULL, 0);
    loop.left_to_llvm = space.left_to_llvm;
    find_position(gen, space, dims, gen_index_add(gen, first, loop.index), inner.at);
    LoopSpace rest = space;
    rest.dims += dims;
    rest.rank -= dims;
    loop_nest(gen, rest, NULL, 0, inner_body, &inner);
    loop_end(gen, &loop, NULL);
}
