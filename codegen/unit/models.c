// An object of its own, since every other object of a host may have models too and must not clash.
#include "codegen/codegen.h"
#include "codegen/module.h"

#include <string.h>

// const tml_model *tml_models(size_t *count) { *count = 1; return &PREFIX_model; }
static void build(const CodegenModule *owner, LLVMModuleRef module) {
    LLVMTypeRef size = LLVMIntPtrTypeInContext(owner->llvm, owner->target.layout);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(owner->llvm, 0);
    LLVMValueRef model =
        LLVMAddGlobal(module, LLVMInt8TypeInContext(owner->llvm), owner->descriptor);
    LLVMTypeRef type = LLVMFunctionType(pointer, &pointer, 1, false);
    LLVMValueRef function = LLVMAddFunction(module, "tml_models", type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(owner->llvm);
    LLVMPositionBuilderAtEnd(builder,
                             LLVMAppendBasicBlockInContext(owner->llvm, function, "entry"));
    LLVMBuildStore(builder, LLVMConstInt(size, 1, false), LLVMGetParam(function, 0));
    LLVMBuildRet(builder, model);
    LLVMDisposeBuilder(builder);
}

bool codegen_models(CodegenModule *module, Buffer *out, const char **error) {
    LLVMModuleRef models = LLVMModuleCreateWithNameInContext("models", module->llvm);
    LLVMSetTarget(models, module->target.triple);
    LLVMSetModuleDataLayout(models, module->target.layout);
    build(module, models);
    LLVMMemoryBufferRef memory = module_machine_code(module, models, LLVMObjectFile, error);
    if (memory != NULL) {
        buffer_append(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
        LLVMDisposeMemoryBuffer(memory);
    }
    LLVMDisposeModule(models);
    return memory != NULL;
}
