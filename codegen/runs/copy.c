// Functions and blocks. A block's copy begins with a question whether any run is there, if it is
// masked, and is several where a function that it calls may be left. What other blocks use has a
// home on the stack, which LLVM makes a register: so phis take their values wherever runs come
// from.
#include "codegen/runs/copy.h"

#include "codegen/emit/calls.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

// The next place that LLVM knows, for what it moved has none; else the function's.
static const char *place_of(Runs *runs) {
    LLVMValueRef at = runs->at;
    unsigned line = 0, len = 0;
    const char *file = "";
    while (at != NULL && line == 0) {
        line = LLVMGetDebugLocLine(at);
        file = line != 0 ? LLVMGetDebugLocFilename(at, &len) : file;
        at = LLVMGetNextInstruction(at);
    }
    LLVMMetadataRef function = NULL;
    if (runs->at != NULL && line == 0) {
        function = LLVMGetSubprogram(LLVMGetBasicBlockParent(LLVMGetInstructionParent(runs->at)));
    }
    if (function != NULL) {
        line = LLVMDISubprogramGetLine(function);
        file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(function), &len);
    }
    return line == 0 ? NULL : arena_format(runs->gen->arena, "%.*s:%u", (int)len, file, line);
}

void run_refuse(Runs *runs, const char *why) {
    if (runs->refused == NULL) {
        const char *place = place_of(runs);
        runs->refused = place == NULL ? why : arena_format(runs->gen->arena, "%s (%s)", why, place);
    }
}

static LLVMBasicBlockRef new_block(const RunCopy *copy) {
    return LLVMAppendBasicBlockInContext(copy->runs->gen->llvm, copy->result, "");
}

void run_part_if(RunCopy *copy, LLVMValueRef parts) {
    LLVMBasicBlockRef next = new_block(copy);
    parts = parts != NULL ? parts : LLVMConstAllOnes(copy->runs->gen->i1);
    LLVMBuildCondBr(copy->builder, parts, copy->parted, next);
    LLVMPositionBuilderAtEnd(copy->builder, next);
    copy->function->may_part = true;
}

static void copy_return(RunCopy *copy, LLVMValueRef source) {
    const RunFunction *function = copy->function;
    if (LLVMGetNumOperands(source) == 0) {
        LLVMBuildRetVoid(copy->builder);
        return;
    }
    LLVMValueRef value = LLVMGetOperand(source, 0);
    LLVMBuildRet(copy->builder, function->result          ? function->result
                                : function->result_varies ? run_wide(copy, value)
                                                          : run_value(copy, value));
}

// Skips the block where no run is.
static void enter(RunCopy *copy) {
    const RunBlock *block = &copy->function->blocks[copy->block];
    LLVMTypeRef type = run_mask_type(copy->runs);
    LLVMValueRef home = copy->masks[copy->block];
    LLVMBasicBlockRef body = new_block(copy);
    copy->mask = LLVMBuildLoad2(copy->builder, type, home, "");
    LLVMBuildCondBr(copy->builder, run_any(copy, copy->mask), body, copy->starts[block->next]);
    LLVMPositionBuilderAtEnd(copy->builder, body);
    LLVMBuildStore(copy->builder, LLVMConstNull(type), home);
}

static void copy_block(RunCopy *copy) {
    LLVMValueRef mask = copy->mask; // of the function
    LLVMPositionBuilderAtEnd(copy->builder, copy->starts[copy->block]);
    if (copy->function->blocks[copy->block].is_masked) {
        enter(copy);
    }
    LLVMBasicBlockRef source = copy->function->flow.blocks[copy->block].source;
    for (LLVMValueRef at = LLVMGetFirstInstruction(source); at != NULL && !copy->runs->refused;
         at = LLVMGetNextInstruction(at)) {
        copy->runs->at = at;
        if (LLVMIsAReturnInst(at)) {
            copy_return(copy, at);
        } else if (LLVMIsATerminatorInst(at)) {
            run_end_block(copy, at);
        } else if (LLVMIsAPHINode(at)) {
            LLVMValueRef home = run_home(copy, at);
            run_set_value(copy, at,
                          LLVMBuildLoad2(copy->builder, LLVMGetAllocatedType(home), home, ""));
        } else {
            LLVMValueRef value = run_instruction(copy, at);
            if (value != NULL) {
                run_set_value(copy, at, value);
            }
        }
    }
    copy->mask = mask;
}

static void copy_blocks(RunCopy *copy) {
    Arena *arena = copy->runs->gen->arena;
    uint32_t count = copy->function->flow.count;
    LLVMTypeRef type = run_mask_type(copy->runs);
    copy->starts = ARENA_ARRAY(arena, LLVMBasicBlockRef, count);
    copy->masks = ARENA_ARRAY(arena, LLVMValueRef, count);
    for (uint32_t i = 0; i < count; i++) {
        copy->starts[i] = new_block(copy);
        if (copy->function->blocks[i].is_masked) {
            copy->masks[i] = LLVMBuildAlloca(copy->at_entry, type, "");
            LLVMBuildStore(copy->at_entry, LLVMConstNull(type), copy->masks[i]);
        }
    }
    for (copy->block = 0; copy->block < count && !copy->runs->refused; copy->block++) {
        copy_block(copy);
    }
    LLVMBuildBr(copy->at_entry, count > 0 ? copy->starts[0] : copy->parted);
    copy->function->may_part |= count == 0;
}

static LLVMTypeRef function_type(Runs *runs, const RunFunction *function, bool is_masked) {
    LLVMTypeRef params[RUN_PARAMS + 2];
    unsigned count = LLVMCountParams(function->source);
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function->source, i));
        params[i] = function->kinds[i] == RUN_VARYING ? run_type(runs, type) : type;
    }
    params[count++] = runs->gen->pointer;
    if (is_masked) {
        params[count++] = run_mask_type(runs);
    }
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function->source));
    result = function->result_varies ? run_type(runs, result) : result;
    return LLVMFunctionType(result, params, count, false);
}

// Where a run traps: the flag tells the caller.
static void define_parted(RunCopy *copy) {
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(copy->result));
    LLVMPositionBuilderAtEnd(copy->builder, copy->parted);
    LLVMBuildStore(copy->builder, LLVMConstInt(copy->runs->gen->i8, 1, false), run_flag(copy));
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind) {
        LLVMBuildRetVoid(copy->builder);
    } else {
        LLVMBuildRet(copy->builder, LLVMConstNull(result));
    }
}

static void take_params(RunCopy *copy, bool is_masked) {
    Gen *gen = copy->runs->gen;
    LLVMValueRef source = copy->function->source;
    unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
    for (unsigned i = 0; i < LLVMCountParams(source); i++) {
        if (LLVMGetEnumAttributeAtIndex(source, i + 1, noalias) != NULL) {
            gen_param_attribute(gen, copy->result, i, "noalias", 0);
        }
        table_set(gen->arena, &copy->values, LLVMGetParam(source, i),
                  LLVMGetParam(copy->result, i));
    }
    copy->mask = is_masked ? LLVMGetLastParam(copy->result) : NULL;
}

LLVMValueRef run_flag(const RunCopy *copy) {
    return LLVMGetParam(copy->result, LLVMCountParams(copy->function->source));
}

static LLVMValueRef make_copy(Runs *runs, RunFunction *function, bool is_masked) {
    Gen *gen = runs->gen;
    RunCopy copy = {.runs = runs, .function = function};
    size_t len;
    const char *name = LLVMGetValueName2(function->source, &len);
    name = arena_format(gen->arena, "%.*s.batch", (int)len, name);
    copy.result = LLVMAddFunction(gen->module, name, function_type(runs, function, is_masked));
    LIST_PUSH(gen->arena, &runs->copies, copy.result);
    LLVMSetLinkage(copy.result, LLVMInternalLinkage);
    gen_own_function(gen, copy.result);
    take_params(&copy, is_masked);
    copy.builder = LLVMCreateBuilderInContext(gen->llvm);
    copy.at_entry = LLVMCreateBuilderInContext(gen->llvm);
    LLVMPositionBuilderAtEnd(copy.at_entry, new_block(&copy));
    copy.parted = new_block(&copy);
    copy_blocks(&copy);
    if (function->may_part) {
        define_parted(&copy);
    } else {
        LLVMDeleteBasicBlock(copy.parted);
    }
    LLVMDisposeBuilder(copy.builder);
    LLVMDisposeBuilder(copy.at_entry);
    return copy.result;
}

LLVMValueRef run_copy(Runs *runs, RunFunction *function, bool is_masked) {
    LLVMValueRef at = runs->at;
    if (function->copies[is_masked] == NULL && runs->refused == NULL) {
        function->copies[is_masked] = make_copy(runs, function, is_masked);
    }
    runs->at = at;
    return runs->refused == NULL ? function->copies[is_masked] : NULL;
}
