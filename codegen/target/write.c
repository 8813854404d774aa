// The finished module as text, assembly or an object, appended to a buffer. The object is made once
// and kept by the module, because the report and the linker want it too. What LLVM's back end
// cannot make is an error with its text, not a bug.
#include "codegen/codegen.h"
#include "codegen/module.h"
#include "codegen/target/target_name.h"
#include "codegen/unit/link_name.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

static LLVMMemoryBufferRef machine_code(CodegenModule *module, LLVMModuleRef code,
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
        module->object = machine_code(module, module->module, LLVMObjectFile, error);
    }
    return module->object;
}

static bool append(Buffer *out, LLVMMemoryBufferRef memory) {
    if (memory != NULL) {
        buffer_append(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
    }
    return memory != NULL;
}

static bool append_code(CodegenModule *module, LLVMModuleRef code, LLVMCodeGenFileType type,
                        Buffer *out, const char **error) {
    LLVMMemoryBufferRef memory = machine_code(module, code, type, error);
    bool done = append(out, memory);
    if (done) {
        LLVMDisposeMemoryBuffer(memory);
    }
    return done;
}

bool codegen_emit(CodegenModule *module, CodegenOutput kind, Buffer *out, const char **error) {
    switch (kind) {
    case CODEGEN_LLVM: {
        char *text = LLVMPrintModuleToString(module->module);
        buffer_text(out, text);
        LLVMDisposeMessage(text);
        return true;
    }
    case CODEGEN_ASM: return append_code(module, module->module, LLVMAssemblyFile, out, error);
    case CODEGEN_OBJECT: return append(out, module_object(module, error));
    }
    UNREACHABLE();
}

void codegen_strip(CodegenModule *module) {
    LLVMStripModuleDebugInfo(module->module);
}

// An object of its own, since every other object of a host may have models too and must not clash:
// const tml_model *tml_models(size_t *count) { *count = 1; return &PREFIX_model; }
static void build_models(const CodegenModule *owner, LLVMModuleRef module) {
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

static void add_constant(LLVMModuleRef module, const char *name, LLVMValueRef value) {
    LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
}

// runtime/fmi/instance.h
static void build_fmi(const CodegenModule *owner, const CodegenFmi *fmi, LLVMModuleRef module) {
    LLVMTypeRef real = LLVMDoubleTypeInContext(owner->llvm);
    add_constant(module, "tml_fmi_step", LLVMConstReal(real, fmi->step));
    add_constant(module, "tml_fmi_token",
                 LLVMConstStringInContext2(owner->llvm, fmi->token, strlen(fmi->token), false));
}

bool codegen_models(CodegenModule *module, const CodegenFmi *fmi, Buffer *out, const char **error) {
    LLVMModuleRef models = LLVMModuleCreateWithNameInContext("models", module->llvm);
    LLVMSetTarget(models, module->target.triple);
    LLVMSetModuleDataLayout(models, module->target.layout);
    build_models(module, models);
    if (fmi != NULL) {
        build_fmi(module, fmi, models);
    }
    bool done = append_code(module, models, LLVMObjectFile, out, error);
    LLVMDisposeModule(models);
    return done;
}

bool codegen_has_target(Arena *arena, const CodegenOptions *options, const char **error) {
    Target target;
    bool known = target_create(arena, options, &target, error);
    if (known) {
        target_destroy(&target);
    }
    return known;
}

bool codegen_print_cpus(Arena *arena, const CodegenOptions *options, Buffer *out,
                        const char **error) {
    Target target;
    if (!target_create(arena, options, &target, error)) {
        return false;
    }
    target_print_cpus(LLVMGetTargetName(LLVMGetTargetMachineTarget(target.machine)), out);
    target_destroy(&target);
    return true;
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

const char *codegen_prefix(const CodegenModule *module) {
    return module->prefix;
}

const char *codegen_link_name(const CodegenModule *module, const char *name) {
    return link_name(module->arena, name, module->hash);
}

const char *codegen_model(const CodegenModule *module) {
    return module->descriptor;
}

SliceList codegen_texts(const CodegenModule *module) {
    return module->texts;
}

unsigned codegen_lanes(const CodegenModule *module) {
    return module->lanes;
}

const char *codegen_apart(const CodegenModule *module) {
    return module->apart;
}
