// See runs.h. What is exported calls the copy, and makes one status of all.
#include "codegen/runs/runs.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/types.h"
#include "codegen/runs/copy.h"
#include "codegen/unit/link_name.h"
#include "runtime/abi/model.h"

static LLVMValueRef declare(Gen *gen, const char *name, unsigned count, unsigned number) {
    LLVMTypeRef params[5];
    for (unsigned i = 0; i < count; i++) {
        params[i] = i == number ? gen->size : gen->pointer;
    }
    const char *host_name = arena_format(gen->arena, "%s_%s", gen->prefix, name);
    LLVMTypeRef type = LLVMFunctionType(gen->i32, params, count, false);
    return LLVMAddFunction(gen->module, link_name(gen->arena, host_name, gen->hash), type);
}

RunsEntries runs_declare(Gen *gen) {
    if (gen->options->batch == 0) {
        return (RunsEntries){LLVMConstNull(gen->pointer), LLVMConstNull(gen->pointer)};
    }
    return (RunsEntries){.init = declare(gen, "init_batch", 2, UINT32_MAX),
                         .step_n = declare(gen, "step_n_batch", 5, 2)};
}

// The status that all runs have, or TML_E_APART.
static LLVMValueRef one_status(const Runs *runs, LLVMBuilderRef builder, LLVMValueRef statuses) {
    Gen *gen = runs->gen;
    if (LLVMTypeOf(statuses) == gen->i32) {
        return statuses;
    }
    LLVMValueRef first = LLVMBuildExtractElement(builder, statuses, gen_i32(gen, 0), "");
    LLVMValueRef status = first;
    for (unsigned lane = 1; lane < runs->lanes; lane++) {
        LLVMValueRef other = LLVMBuildExtractElement(builder, statuses, gen_i32(gen, lane), "");
        LLVMValueRef same = LLVMBuildICmp(builder, LLVMIntEQ, first, other, "");
        status = LLVMBuildSelect(builder, same, status, gen_i32(gen, TML_E_APART), "");
    }
    return status;
}

static void define(Runs *runs, LLVMValueRef function, LLVMValueRef copy) {
    Gen *gen = runs->gen;
    LLVMValueRef args[RUN_PARAMS + 1];
    unsigned count = LLVMCountParams(function);
    gen_own_function(gen, function);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(gen->llvm);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(gen->llvm, function, "entry"));
    LLVMValueRef apart = gen_i32(gen, TML_E_APART);
    if (copy == NULL) {
        LLVMBuildRet(builder, apart);
    } else {
        for (unsigned i = 0; i < count; i++) {
            args[i] = LLVMGetParam(function, i);
        }
        args[count] = LLVMBuildAlloca(builder, gen->i8, "parted");
        LLVMBuildStore(builder, LLVMConstNull(gen->i8), args[count]);
        LLVMValueRef status =
            LLVMBuildCall2(builder, LLVMGlobalGetValueType(copy), copy, args, count + 1, "");
        status = one_status(runs, builder, status);
        LLVMValueRef parted = LLVMBuildLoad2(builder, gen->i8, args[count], "");
        parted = LLVMBuildICmp(builder, LLVMIntNE, parted, LLVMConstNull(gen->i8), "");
        LLVMBuildRet(builder, LLVMBuildSelect(builder, parted, apart, status, ""));
    }
    LLVMDisposeBuilder(builder);
}

// The copy for instances in memory of runs, or NULL.
static LLVMValueRef copy_entry(Runs *runs, LLVMValueRef source) {
    RunKind kinds[RUN_PARAMS];
    for (unsigned i = 0; i < LLVMCountParams(source); i++) {
        bool is_address = LLVMTypeOf(LLVMGetParam(source, i)) == runs->gen->pointer;
        kinds[i] = is_address ? RUN_OWN : RUN_UNIFORM;
    }
    RunFunction *function = run_function(runs, source, kinds);
    function->is_entry = true;
    return runs->refused ? NULL : run_copy(runs, function, false);
}

static void empty_block(LLVMBasicBlockRef block) {
    LLVMValueRef at;
    while ((at = LLVMGetLastInstruction(block)) != NULL) {
        bool is_void = LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVoidTypeKind;
        LLVMReplaceAllUsesWith(at, is_void ? at : LLVMGetUndef(LLVMTypeOf(at)));
        LLVMInstructionEraseFromParent(at);
    }
}

// Copies that were begun before it was known that they cannot be made are of no use.
static void drop_copies(const Runs *runs) {
    for (size_t i = 0; i < runs->copies.count; i++) {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(runs->copies.items[i]);
        for (; block != NULL; block = LLVMGetNextBasicBlock(block)) {
            empty_block(block);
        }
    }
    for (size_t i = runs->copies.count; i-- > 0;) {
        LLVMDeleteFunction(runs->copies.items[i]);
    }
}

void runs_define(Gen *gen, const RunsEntries *entries, LLVMValueRef init, LLVMValueRef step_n,
                 const char **why) {
    Runs runs = {.gen = gen, .lanes = gen->options->batch};
    LLVMValueRef copies[] = {copy_entry(&runs, init), NULL};
    copies[1] = runs.refused ? NULL : copy_entry(&runs, step_n);
    define(&runs, entries->init, runs.refused ? NULL : copies[0]);
    define(&runs, entries->step_n, copies[1]);
    if (runs.refused) {
        drop_copies(&runs);
    }
    *why = runs.refused;
}
