// Runs a program in this process: its object, the very one that would be written to a file, linked
// in memory by LLVM's JIT.
#include "codegen/codegen.h"
#include "codegen/emit/index.h"
#include "codegen/module.h"
#include "runtime/abi/abi.h"
#include "runtime/abi/tests.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

#include <string.h>

static const char *own_error(Arena *arena, LLVMErrorRef error) {
    char *message = LLVMGetErrorMessage(error);
    char *copy = arena_copy_text(arena, message, strlen(message));
    LLVMDisposeErrorMessage(message);
    return copy;
}

// Why something could not be loaded, which callers are not told. The first reason counts.
typedef struct Reason {
    Arena *arena;
    const char *text;
} Reason;

static void note_reason(void *data, LLVMErrorRef error) {
    Reason *reason = data;
    const char *text = own_error(reason->arena, error);
    reason->text = reason->text == NULL ? text : reason->text;
}

// Generated code finds the runtime by address, and libm and memcpy in the process.
static LLVMErrorRef define_runtime(LLVMOrcLLJITRef jit) {
    static const struct {
        const char *name;
        LLVMOrcJITTargetAddress address;
    } functions[] = {
#define TML_FUNCTION(result, name, ...) {#name, (LLVMOrcJITTargetAddress)(uintptr_t)name},
#include "runtime/abi/abi.def"
#undef TML_FUNCTION
    };
    enum { COUNT = sizeof(functions) / sizeof(functions[0]) };
    LLVMOrcCSymbolMapPair pairs[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, functions[i].name);
        pairs[i].Sym.Address = functions[i].address;
        pairs[i].Sym.Flags = (LLVMJITSymbolFlags){
            LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
    }
    LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
    LLVMErrorRef error = LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs, COUNT));
    if (error != NULL) {
        return error;
    }
    LLVMOrcDefinitionGeneratorRef process;
    error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        &process, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL);
    if (error == NULL) {
        LLVMOrcJITDylibAddGenerator(library, process);
    }
    return error;
}

// What to run, when the module itself is gone.
typedef struct Program {
    const Buffer *object;
    const char *descriptor;
} Program;

// What is done with a program while it is loaded.
typedef void Use(const void *descriptor, void *data);

static LLVMErrorRef link_and_use(LLVMOrcLLJITRef jit, const Program *program, Use *use,
                                 void *data) {
    LLVMErrorRef error = define_runtime(jit);
    if (error != NULL) {
        return error;
    }
    LLVMMemoryBufferRef memory = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        program->object->data, program->object->len, "program");
    error = LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), memory);
    if (error != NULL) {
        return error;
    }
    LLVMOrcExecutorAddress address;
    error = LLVMOrcLLJITLookup(jit, &address, program->descriptor);
    if (error == NULL) {
        use((const void *)(uintptr_t)address, data);
    }
    return error;
}

static bool load(CodegenModule *module, Use *use, void *data, const char **error) {
    Arena *arena = module->arena;
    Buffer object = {0};
    Program program = {&object, module->descriptor};
    bool can_run = module->target.is_host && program.descriptor != NULL;
    bool emitted = can_run && codegen_emit(module, CODEGEN_OBJECT, &object, error);
    if (!can_run) {
        *error = program.descriptor == NULL ? "a library has nothing to run"
                                            : "a program for another target cannot run here";
    }
    codegen_destroy(module);
    if (!emitted) {
        return false;
    }
    LLVMOrcLLJITRef jit = NULL;
    LLVMErrorRef failure = LLVMOrcCreateLLJIT(&jit, NULL);
    Reason reason = {.arena = arena};
    if (failure == NULL) {
        LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit), note_reason,
                                                &reason);
        failure = link_and_use(jit, &program, use, data);
        LLVMErrorRef disposal = LLVMOrcDisposeLLJIT(jit);
        if (failure == NULL) {
            failure = disposal;
        } else if (disposal != NULL) {
            LLVMConsumeError(disposal);
        }
    }
    buffer_free(&object);
    if (failure != NULL) {
        const char *text = own_error(arena, failure);
        *error = arena_format(arena, "cannot load the program: %s",
                              reason.text == NULL ? text : reason.text);
    }
    return failure == NULL;
}

// The command line of a run.
typedef struct Run {
    int argc;
    char **argv;
    int exit_status;
} Run;

static void run(const void *model, void *data) {
    Run *of = data;
    of->exit_status = tml_main(model, of->argc, of->argv);
}

bool codegen_run(CodegenModule *module, int argc, char **argv, int *exit_status,
                 const char **error) {
    Run of = {argc, argv, *exit_status};
    bool done = load(module, run, &of, error);
    *exit_status = of.exit_status;
    return done;
}

typedef struct Tests {
    CodegenUse *use;
    void *data;
} Tests;

static void use_tests(const void *tests, void *data) {
    const Tests *of = data;
    of->use(tests, of->data);
}

bool codegen_load_tests(CodegenModule *module, CodegenUse *use, void *data, const char **error) {
    Tests of = {use, data};
    return load(module, use_tests, &of, error);
}

int codegen_run_test(const CodegenTests *tests, size_t number, const char *name) {
    return tml_test_run(tests, (uint32_t)number, name);
}
