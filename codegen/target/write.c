// The finished module as text, assembly or an object, appended to a buffer. The object is made once
// and kept by the module, because the report and the linker want it too. What LLVM's back end
// cannot make is an error with its text, not a bug.
#include "codegen/codegen.h"
#include "codegen/module.h"

#include <string.h>

LLVMMemoryBufferRef module_machine_code(CodegenModule *module, LLVMModuleRef code,
                                        LLVMCodeGenFileType type, const char **error) {
    char *message = NULL;
    LLVMMemoryBufferRef memory = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(module->target.machine, code, type, &message,
                                            &memory)) {
        *error = arena_copy_text(module->arena, message, strlen(message));
        LLVMDisposeMessage(message);
        return NULL;
    }
    return memory;
}

LLVMMemoryBufferRef module_object(CodegenModule *module, const char **error) {
    if (module->object == NULL) {
        module->object = module_machine_code(module, module->module, LLVMObjectFile, error);
    }
    return module->object;
}

static bool append(Buffer *out, LLVMMemoryBufferRef memory) {
    if (memory != NULL) {
        buffer_append(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
    }
    return memory != NULL;
}

bool codegen_emit(CodegenModule *module, CodegenOutput kind, Buffer *out, const char **error) {
    switch (kind) {
    case CODEGEN_LLVM: {
        char *text = LLVMPrintModuleToString(module->module);
        buffer_text(out, text);
        LLVMDisposeMessage(text);
        return true;
    }
    case CODEGEN_ASM: {
        LLVMMemoryBufferRef text =
            module_machine_code(module, module->module, LLVMAssemblyFile, error);
        bool done = append(out, text);
        if (done) {
            LLVMDisposeMemoryBuffer(text);
        }
        return done;
    }
    case CODEGEN_OBJECT: return append(out, module_object(module, error));
    }
    UNREACHABLE();
}

bool codegen_has_target(Arena *arena, const CodegenOptions *options, const char **error) {
    Target target;
    bool known = target_create(arena, options, &target, error);
    if (known) {
        target_destroy(&target);
    }
    return known;
}

const char *codegen_triple(const CodegenModule *module) {
    return module->target.triple;
}

bool codegen_is_host(const CodegenModule *module) {
    return module->target.is_host;
}

const char *codegen_cpu(const CodegenModule *module) {
    char *name = LLVMGetTargetMachineCPU(module->target.machine);
    const char *copy = arena_copy_text(module->arena, name, strlen(name));
    LLVMDisposeMessage(name);
    return copy;
}
