// The finished module as text, assembly or an object.
#include "codegen/module.h"

#include <string.h>

static bool emit_machine_code(CodegenModule *module, LLVMCodeGenFileType type, Buffer *out,
                              const char **error) {
    char *message = NULL;
    LLVMMemoryBufferRef memory = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(module->target.machine, module->module, type, &message,
                                            &memory)) {
        *error = arena_copy_text(module->arena, message, strlen(message));
        LLVMDisposeMessage(message);
        return false;
    }
    buffer_append(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
    LLVMDisposeMemoryBuffer(memory);
    return true;
}

bool codegen_emit(CodegenModule *module, CodegenOutput kind, Buffer *out, const char **error) {
    switch (kind) {
    case CODEGEN_LLVM: {
        char *text = LLVMPrintModuleToString(module->module);
        buffer_text(out, text);
        LLVMDisposeMessage(text);
        return true;
    }
    case CODEGEN_ASM: return emit_machine_code(module, LLVMAssemblyFile, out, error);
    case CODEGEN_OBJECT: return emit_machine_code(module, LLVMObjectFile, out, error);
    }
    UNREACHABLE();
}

const char *codegen_triple(const CodegenModule *module) {
    return module->target.triple;
}

const char *codegen_cpu(const CodegenModule *module) {
    char *name = LLVMGetTargetMachineCPU(module->target.machine);
    const char *copy = arena_copy_text(module->arena, name, strlen(name));
    LLVMDisposeMessage(name);
    return copy;
}
