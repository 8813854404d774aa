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

// A status that all runs have, or TML_E_APART.
static LLVMValueRef one_status(Runs *runs, LLVMBuilderRef builder, LLVMValueRef statuses,
                               LLVMValueRef parted) {
    Gen *gen = runs->gen;
    LLVMValueRef zero = gen_i32(gen, 0), apart = gen_i32(gen, TML_E_APART);
    LLVMValueRef first = LLVMBuildExtractElement(builder, statuses, zero, "");
    for (unsigned lane = 1; lane < runs->lanes; lane++) {
        LLVMValueRef other = LLVMBuildExtractElement(builder, statuses, gen_i32(gen, lane), "");
        LLVMValueRef differs = LLVMBuildICmp(builder, LLVMIntNE, first, other, "");
        parted = LLVMBuildOr(builder, parted, differs, "");
    }
    return LLVMBuildSelect(builder, parted, apart, first, "");
}

static void define(Runs *runs, LLVMValueRef function, LLVMValueRef source) {
    Gen *gen = runs->gen;
    RunKind kinds[RUN_PARAMS];
    LLVMValueRef args[RUN_PARAMS + 1];
    unsigned count = LLVMCountParams(source);
    for (unsigned i = 0; i < count; i++) {
        args[i] = LLVMGetParam(function, i);
        kinds[i] = LLVMTypeOf(args[i]) == gen->pointer ? RUN_OWN : RUN_UNIFORM;
    }
    const RunFunction *copy = runs->refused ? NULL : run_function(runs, source, kinds);
    gen_own_function(gen, function);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(gen->llvm);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(gen->llvm, function, "entry"));
    if (copy == NULL || runs->refused) {
        LLVMBuildRet(builder, gen_i32(gen, TML_E_APART));
    } else {
        LLVMValueRef flag = LLVMBuildAlloca(builder, gen->i8, "parted");
        LLVMBuildStore(builder, LLVMConstNull(gen->i8), flag);
        args[count] = flag;
        LLVMValueRef statuses = LLVMBuildCall2(builder, LLVMGlobalGetValueType(copy->copy),
                                               copy->copy, args, count + 1, "");
        LLVMValueRef parted = LLVMBuildLoad2(builder, gen->i8, flag, "");
        parted = LLVMBuildICmp(builder, LLVMIntNE, parted, LLVMConstNull(gen->i8), "");
        LLVMBuildRet(builder, one_status(runs, builder, statuses, parted));
    }
    LLVMDisposeBuilder(builder);
}

// Copies that were begun before it was known that they cannot be made are of no use.
static void drop_copies(Runs *runs) {
    for (size_t i = 0; i < runs->functions.count; i++) {
        LLVMValueRef copy = runs->functions.items[i]->copy;
        for (LLVMBasicBlockRef block; copy && (block = LLVMGetFirstBasicBlock(copy)) != NULL;) {
            LLVMValueRef at;
            while ((at = LLVMGetLastInstruction(block)) != NULL) {
                LLVMReplaceAllUsesWith(at, LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVoidTypeKind
                                               ? at
                                               : LLVMGetUndef(LLVMTypeOf(at)));
                LLVMInstructionEraseFromParent(at);
            }
            LLVMDeleteBasicBlock(block);
        }
    }
    for (size_t i = 0; i < runs->functions.count; i++) {
        if (runs->functions.items[i]->copy != NULL) {
            LLVMDeleteFunction(runs->functions.items[i]->copy);
        }
    }
}

void runs_define(Gen *gen, const RunsEntries *entries, LLVMValueRef init, LLVMValueRef step_n,
                 const char **why) {
    Runs runs = {.gen = gen, .lanes = gen->options->batch};
    RunKind own[] = {RUN_OWN, RUN_OWN, RUN_UNIFORM, RUN_OWN, RUN_OWN};
    run_function(&runs, init, own); // whether both can be copied
    if (!runs.refused) {
        run_function(&runs, step_n, own);
    }
    define(&runs, entries->init, init);
    define(&runs, entries->step_n, step_n);
    if (runs.refused) {
        drop_copies(&runs);
    }
    *why = runs.refused;
}
