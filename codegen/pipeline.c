// The choice of LLVM passes for each level of optimisation.
#include "codegen/pipeline.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

// At -O0 scalars still become registers, unless a debugger wants to find them in memory.
static const char *passes_of(const CodegenOptions *options) {
    switch (options->opt_level) {
    case 0: return options->debug ? NULL : "function(mem2reg)";
    case 1: return "default<O1>";
    case 2: return "default<O2>";
    default: return "default<O3>";
    }
}

void pipeline_run(Gen *gen) {
    char *message = NULL;
    if (LLVMVerifyModule(gen->module, LLVMReturnStatusAction, &message)) {
        BUG("invalid LLVM IR: %s", message);
    }
    LLVMDisposeMessage(message);
    const char *passes = passes_of(gen->options);
    if (passes == NULL) {
        return;
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(gen->module, passes, gen->target.machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error != NULL) {
        BUG("LLVM passes: %s", LLVMGetErrorMessage(error));
    }
}
