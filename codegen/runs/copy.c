// Functions, blocks, branches. A block's copy is several where runs vote in it, or where a function
// that it calls may be left: the first is where others come from, the ends where they go to.
#include "codegen/runs/copy.h"

#include "codegen/emit/calls.h"

#include <string.h>

void run_refuse(Runs *runs, const char *why) {
    runs->refused = runs->refused != NULL ? runs->refused : why;
}

static LLVMBasicBlockRef new_block(RunCopy *copy) {
    return LLVMAppendBasicBlockInContext(copy->runs->gen->llvm, copy->function->copy, "");
}

static LLVMBasicBlockRef first_block(const RunCopy *copy, LLVMBasicBlockRef source) {
    return table_get(&copy->blocks, source);
}

void run_part_if(RunCopy *copy, LLVMValueRef parts) {
    LLVMBasicBlockRef next = new_block(copy);
    LLVMBuildCondBr(copy->builder, parts, copy->parted, next);
    LLVMPositionBuilderAtEnd(copy->builder, next);
    ((RunFunction *)copy->function)->may_part = true;
}

// The votes of all runs as a number.
static LLVMValueRef votes(RunCopy *copy, LLVMValueRef condition) {
    LLVMTypeRef bits = LLVMIntTypeInContext(copy->runs->gen->llvm, copy->runs->lanes);
    return LLVMBuildBitCast(copy->builder, condition, bits, "");
}

// Leaves the function unless all runs have the same value there.
static void agree(RunCopy *copy, LLVMValueRef wide, LLVMValueRef first) {
    unsigned lanes = copy->runs->lanes;
    LLVMValueRef same = LLVMGetPoison(LLVMTypeOf(wide));
    for (unsigned l = 0; l < lanes; l++) {
        same = run_set_lane(copy, same, first, l);
    }
    LLVMValueRef differ = votes(copy, LLVMBuildICmp(copy->builder, LLVMIntNE, wide, same, ""));
    run_part_if(copy, LLVMBuildICmp(copy->builder, LLVMIntNE, differ,
                                    LLVMConstNull(LLVMTypeOf(differ)), ""));
}

static void copy_branch(RunCopy *copy, LLVMValueRef source) {
    Arena *arena = copy->runs->gen->arena;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(source);
    LLVMBasicBlockRef to = first_block(copy, LLVMGetSuccessor(source, 0));
    if (!LLVMIsConditional(source)) {
        LLVMBuildBr(copy->builder, to);
        return;
    }
    LLVMBasicBlockRef other = first_block(copy, LLVMGetSuccessor(source, 1));
    LLVMValueRef condition = run_value(copy, LLVMGetCondition(source));
    if (run_varies(copy, LLVMGetCondition(source))) {
        LLVMValueRef bits = votes(copy, condition);
        LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(bits));
        LLVMValueRef mixed = LLVMBuildAnd(
            copy->builder, LLVMBuildICmp(copy->builder, LLVMIntNE, bits, zero, ""),
            LLVMBuildICmp(copy->builder, LLVMIntNE, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), ""),
            "");
        run_part_if(copy, mixed);
        condition = LLVMBuildICmp(copy->builder, LLVMIntNE, bits, zero, "");
    }
    LLVMBuildCondBr(copy->builder, condition, to, other);
    table_set(arena, &copy->ends, block, LLVMGetInsertBlock(copy->builder));
}

static void copy_switch(RunCopy *copy, LLVMValueRef source) {
    LLVMValueRef condition = LLVMGetOperand(source, 0);
    LLVMValueRef value = run_value(copy, condition);
    if (run_varies(copy, condition)) {
        LLVMValueRef first = run_lane(copy, value, 0);
        agree(copy, value, first);
        value = first;
    }
    unsigned count = LLVMGetNumSuccessors(source);
    LLVMValueRef made = LLVMBuildSwitch(copy->builder, value,
                                        first_block(copy, LLVMGetSuccessor(source, 0)), count - 1);
    for (unsigned i = 1; i < count; i++) {
        LLVMAddCase(made, LLVMGetOperand(source, 2 * i),
                    first_block(copy, LLVMGetSuccessor(source, i)));
    }
}

static void copy_return(RunCopy *copy, LLVMValueRef source) {
    if (LLVMGetNumOperands(source) == 0) {
        LLVMBuildRetVoid(copy->builder);
        return;
    }
    LLVMValueRef value = LLVMGetOperand(source, 0);
    LLVMBuildRet(copy->builder,
                 copy->function->result_varies ? run_wide(copy, value) : run_value(copy, value));
}

static void copy_terminator(RunCopy *copy, LLVMValueRef source) {
    switch (LLVMGetInstructionOpcode(source)) {
    case LLVMBr: copy_branch(copy, source); break;
    case LLVMSwitch: copy_switch(copy, source); break;
    case LLVMRet: copy_return(copy, source); break;
    case LLVMUnreachable: LLVMBuildUnreachable(copy->builder); break;
    default: run_refuse(copy->runs, "a branch is not known"); LLVMBuildUnreachable(copy->builder);
    }
}

static LLVMTypeRef copied_type(const RunCopy *copy, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return run_varies(copy, value) ? run_type(copy->runs, type) : type;
}

static void copy_block(RunCopy *copy, LLVMBasicBlockRef source) {
    Arena *arena = copy->runs->gen->arena;
    LLVMPositionBuilderAtEnd(copy->builder, first_block(copy, source));
    for (LLVMValueRef at = LLVMGetFirstInstruction(source); at != NULL && !copy->runs->refused;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMIsATerminatorInst(at)) {
            copy_terminator(copy, at);
            table_set(arena, &copy->ends, source, LLVMGetInsertBlock(copy->builder));
            return;
        }
        LLVMValueRef value = LLVMIsAPHINode(at)
                                 ? LLVMBuildPhi(copy->builder, copied_type(copy, at), "")
                                 : run_instruction(copy, at);
        if (value != NULL) {
            table_set(arena, &copy->values, at, value);
        }
    }
}

// When all blocks are there. Vectors of what is uniform are made where it comes from.
static void complete_phi(RunCopy *copy, LLVMValueRef source) {
    LLVMValueRef phi = run_value(copy, source);
    for (unsigned i = 0; i < LLVMCountIncoming(source); i++) {
        LLVMBasicBlockRef from = table_get(&copy->ends, LLVMGetIncomingBlock(source, i));
        LLVMValueRef value = LLVMGetIncomingValue(source, i);
        LLVMPositionBuilderBefore(copy->builder, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef made =
            run_varies(copy, source) ? run_wide(copy, value) : run_value(copy, value);
        LLVMAddIncoming(phi, &made, &from, 1);
    }
}

static void complete_phis(RunCopy *copy, LLVMValueRef function) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block);
             at != NULL && LLVMIsAPHINode(at) && !copy->runs->refused;
             at = LLVMGetNextInstruction(at)) {
            complete_phi(copy, at);
        }
    }
}

// Definitions come before their uses in this order.
static void copy_blocks(RunCopy *copy, LLVMBasicBlockRef source) {
    Arena *arena = copy->runs->gen->arena;
    LIST_OF(LLVMBasicBlockRef) order = {0};
    LIST_OF(LLVMBasicBlockRef) path = {0};
    Table seen = {0}, next = {0};
    LIST_PUSH(arena, &path, source);
    table_set(arena, &seen, source, source);
    while (path.count > 0) { // depth first; a block is put down after those behind it
        LLVMBasicBlockRef block = path.items[path.count - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        uintptr_t i = (uintptr_t)table_get(&next, block);
        if (i < LLVMGetNumSuccessors(end)) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, (unsigned)i);
            table_set(arena, &next, block, (void *)(i + 1));
            if (table_get(&seen, to) == NULL) {
                table_set(arena, &seen, to, to);
                LIST_PUSH(arena, &path, to);
            }
            continue;
        }
        LIST_PUSH(arena, &order, block);
        path.count--;
    }
    for (size_t i = order.count; i-- > 0;) {
        table_set(arena, &copy->blocks, order.items[i], new_block(copy));
    }
    copy->parted = new_block(copy);
    for (size_t i = order.count; i-- > 0 && !copy->runs->refused;) {
        copy_block(copy, order.items[i]);
    }
}

static LLVMTypeRef function_type(Runs *runs, const RunFunction *function) {
    LLVMTypeRef params[RUN_PARAMS + 1];
    unsigned count = LLVMCountParams(function->source);
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function->source, i));
        params[i] = function->kinds[i] == RUN_VARYING ? run_type(runs, type) : type;
    }
    params[count] = runs->gen->pointer;
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function->source));
    result = function->result_varies ? run_type(runs, result) : result;
    return LLVMFunctionType(result, params, count + 1, false);
}

// Where runs do not agree: the flag tells the caller.
static void define_parted(RunCopy *copy) {
    const RunFunction *function = copy->function;
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function->copy));
    LLVMPositionBuilderAtEnd(copy->builder, copy->parted);
    LLVMBuildStore(copy->builder, LLVMConstInt(copy->runs->gen->i8, 1, false),
                   LLVMGetLastParam(function->copy));
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind) {
        LLVMBuildRetVoid(copy->builder);
    } else {
        LLVMBuildRet(copy->builder, LLVMConstNull(result));
    }
}

static void define_copy(Runs *runs, RunFunction *function) {
    Gen *gen = runs->gen;
    RunCopy copy = {.runs = runs, .function = function};
    run_find_varying(&copy);
    if (runs->refused) {
        return;
    }
    size_t len;
    const char *name = LLVMGetValueName2(function->source, &len);
    name = arena_format(gen->arena, "%.*s.batch", (int)len, name);
    function->copy = LLVMAddFunction(gen->module, name, function_type(runs, function));
    LLVMSetLinkage(function->copy, LLVMInternalLinkage);
    gen_own_function(gen, function->copy);
    unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
    for (unsigned i = 0; i < LLVMCountParams(function->source); i++) {
        if (LLVMGetEnumAttributeAtIndex(function->source, i + 1, noalias) != NULL) {
            gen_param_attribute(gen, function->copy, i, "noalias", 0);
        }
        table_set(gen->arena, &copy.values, LLVMGetParam(function->source, i),
                  LLVMGetParam(function->copy, i));
    }
    copy.builder = LLVMCreateBuilderInContext(gen->llvm);
    LLVMBasicBlockRef source = LLVMGetEntryBasicBlock(function->source);
    copy_blocks(&copy, source);
    complete_phis(&copy, function->source);
    if (function->may_part && !runs->refused) {
        define_parted(&copy);
    } else if (!runs->refused) {
        LLVMDeleteBasicBlock(copy.parted);
    }
    LLVMDisposeBuilder(copy.builder);
}

static bool same_kinds(const RunFunction *function, const RunKind *kinds) {
    return memcmp(function->kinds, kinds, LLVMCountParams(function->source) * sizeof *kinds) == 0;
}

const RunFunction *run_function(Runs *runs, LLVMValueRef source, const RunKind *kinds) {
    for (size_t i = 0; i < runs->functions.count; i++) {
        const RunFunction *function = runs->functions.items[i];
        if (function->source == source && same_kinds(function, kinds)) {
            return function->copy != NULL ? function : NULL;
        }
    }
    RunFunction *function = ARENA_NEW(runs->gen->arena, RunFunction);
    *function = (RunFunction){.source = source};
    memcpy(function->kinds, kinds, LLVMCountParams(source) * sizeof *kinds);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(source));
    function->result_varies = LLVMGetTypeKind(result) != LLVMVoidTypeKind;
    LIST_PUSH(runs->gen->arena, &runs->functions, function);
    define_copy(runs, function);
    return function->copy != NULL ? function : NULL;
}
