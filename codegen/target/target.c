// Choice of triple, CPU and features, from the options or the host, with what C compilers take for
// granted of a platform (platform_defaults). The targets are those that cmake/llvm.cmake links;
// LLVM learns of them once per process. Below, what code generation asks about a target. LLVM's C
// interface does not tell the features of a CPU, so two answers come from a probe: assembly of a
// single multiply-add.
#include "codegen/target/target.h"

#include "codegen/options.h"
#include "codegen/target/target_name.h"
#include "support/bug.h"
#include "support/intern.h"

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

// Bytes; machines with vectors as long as that have registers of masks.
enum { LONGEST_VECTOR = 64 };

// The row of codegen/target/machine.def.
static const Machine *find_machine(const char *name) {
    static const struct {
        const char *name;
        Machine machine;
    } rows[] = {
#define REGISTERS(longest, others) {longest, others}
#define ANY UINT_MAX
#define TO_WORDS(of_double, of_float) {of_double, of_float}
#define MACHINE(name, wide, vectors, min_max, selects, registers, pushed, stack_align,          \
                register_args, to_words, to_ints, fence)                                        \
    {name,                                                                                      \
     {wide, vectors, min_max, selects, registers, pushed, stack_align, register_args, to_words, \
      to_ints, fence}},
#include "codegen/target/machine.def"
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i].machine;
        }
    }
    return NULL;
}

static void report_fatal(const char *reason) {
    BUG("LLVM: %s", reason);
}

// cmake/llvm_constructors.ld gathers them.
typedef void Constructor(void);
extern Constructor *const constructors[] __asm__("tmlc_llvm_constructors");
extern Constructor *const constructors_end[] __asm__("tmlc_llvm_constructors_end");

static void initialize(void) {
    for (Constructor *const *run = constructors; run < constructors_end; run++) {
        (*run)();
    }
    LLVMInstallFatalErrorHandler(report_fatal);
#define INITIALIZE(NAME)                \
    LLVMInitialize##NAME##TargetInfo(); \
    LLVMInitialize##NAME##Target();     \
    LLVMInitialize##NAME##TargetMC();   \
    LLVMInitialize##NAME##AsmPrinter(); \
    LLVMInitialize##NAME##AsmParser();
    INITIALIZE(X86)
    INITIALIZE(AArch64)
    INITIALIZE(ARM)
    INITIALIZE(RISCV)
    INITIALIZE(WebAssembly)
#undef INITIALIZE
    // Two cheap conditions of a branch are two branches: LLVM 19 would compute both and join them,
    // which in a check of four pointers is twice the code. Of straight code its scheduler compares
    // each store with all others, up to 1000: at 128 parts of 64 reals, 70 % of the time.
    const char *const options[] = {"tmlc", "--x86-br-merging-base-cost=-1",
                                   "--dag-maps-huge-region=200"};
    LLVMParseCommandLineOptions(sizeof(options) / sizeof(options[0]), options, "");
}

// Takes over a message of LLVM's.
static char *own_message(Arena *arena, char *message) {
    char *copy = arena_copy_text(arena, message, strlen(message));
    LLVMDisposeMessage(message);
    return copy;
}

static LLVMCodeGenOptLevel level_of(unsigned opt_level) {
    switch (opt_level) {
    case 0: return LLVMCodeGenLevelNone;
    case 1: return LLVMCodeGenLevelLess;
    case 2: return LLVMCodeGenLevelDefault;
    default: return LLVMCodeGenLevelAggressive;
    }
}

// Whether two triples differ at most in the vendor (x86_64-pc-linux-gnu, x86_64-unknown-linux-gnu).
static bool same_platform(const char *a, const char *b) {
    size_t architecture = strcspn(a, "-");
    if (strncmp(a, b, architecture + 1) != 0) {
        return false;
    }
    const char *a_system = strchr(a + architecture + 1, '-');
    const char *b_system = strchr(b + architecture + 1, '-');
    return a_system != NULL && b_system != NULL && strcmp(a_system, b_system) == 0;
}

// What C compilers take for granted of a platform and LLVM does not.
typedef struct PlatformDefault {
    const char *architecture, *system; // how the triple begins, and what it has
    bool for_any_cpu;                  // it belongs to the platform's ABI
    const char *features, *abi;
} PlatformDefault;

static const PlatformDefault platform_defaults[] = {
    {"riscv32", "-linux", true, "+m,+a,+f,+d,+c", "ilp32d"},
    {"riscv64", "-linux", true, "+m,+a,+f,+d,+c", "lp64d"},
    {"riscv32", "", false, "+m,+a,+c", "ilp32"},
    {"riscv64", "", false, "+m,+a,+c", "lp64"},
    // Without registers for reals there would be no hard-float ABI.
    {"thumbv7em-", "eabihf", false, "+vfp4d16sp", NULL},
    {"thumbv8m.main-", "eabihf", false, "+fp-armv8d16sp", NULL},
    {"arm-", "eabihf", false, "+v6,+vfp2", NULL},
};

static void choose_platform_abi(const char *triple, const char *cpu, const char **features,
                                const char **abi) {
    if (**features != '\0') {
        return; // the host's own
    }
    for (size_t i = 0; i < sizeof(platform_defaults) / sizeof(platform_defaults[0]); i++) {
        const PlatformDefault *row = &platform_defaults[i];
        bool for_cpu = row->for_any_cpu || strcmp(cpu, "generic") == 0;
        if (for_cpu && text_begins_with(triple, row->architecture) && strstr(triple, row->system)) {
            *features = row->features;
            *abi = row->abi;
            return;
        }
    }
}

static bool is_wasm(const char *triple) {
    return text_begins_with(triple, "wasm");
}

// Executables are position-independent where there is a system to load them.
static LLVMRelocMode relocation_of(const char *triple) {
    return target_name_is_bare(triple) || is_wasm(triple) ? LLVMRelocStatic : LLVMRelocPIC;
}

static LLVMTargetMachineRef create_machine(LLVMTargetRef target, const char *triple,
                                           const char *cpu, const char *features,
                                           unsigned opt_level) {
    const char *abi = NULL;
    choose_platform_abi(triple, cpu, &features, &abi);
    LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
    LLVMTargetMachineOptionsSetCPU(options, cpu);
    LLVMTargetMachineOptionsSetFeatures(options, features);
    if (abi != NULL) {
        LLVMTargetMachineOptionsSetABI(options, abi);
    }
    LLVMTargetMachineOptionsSetCodeGenOptLevel(options, level_of(opt_level));
    LLVMTargetMachineOptionsSetRelocMode(options, relocation_of(triple));
    LLVMTargetMachineRef machine = LLVMCreateTargetMachineWithOptions(target, triple, options);
    LLVMDisposeTargetMachineOptions(options);
    return machine;
}

bool target_create(Arena *arena, const CodegenOptions *options, Target *target,
                   const char **error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialize);

    char *host = own_message(arena, LLVMGetDefaultTargetTriple());
    target->triple = options->target == NULL
                         ? host
                         : own_message(arena, LLVMNormalizeTargetTriple(options->target));
    target->is_host = same_platform(target->triple, host);

    LLVMTargetRef llvm_target;
    char *message = NULL;
    bool is_unknown = LLVMGetTargetFromTriple(target->triple, &llvm_target, &message);
    target->has = is_unknown ? NULL : find_machine(LLVMGetTargetName(llvm_target));
    if (target->has == NULL) {
        LLVMDisposeMessage(message);
        *error = target_explain_triple(arena, options->target ? options->target : host);
        return false;
    }
    if (options->target != NULL && !target_check_system(arena, options->target, error)) {
        return false;
    }
    const char *cpu = "generic";
    const char *features = "";
    if (options->cpu != NULL && strcmp(options->cpu, "native") != 0) {
        cpu = options->cpu;
        if (strcmp(cpu, "generic") != 0 &&
            !target_check_cpu(arena, LLVMGetTargetName(llvm_target), cpu, error)) {
            return false;
        }
    } else if (target->is_host) {
        cpu = own_message(arena, LLVMGetHostCPUName());
        features = own_message(arena, LLVMGetHostCPUFeatures());
    }
    target->machine =
        create_machine(llvm_target, target->triple, cpu, features, options->opt_level);
    target->is_zen = text_begins_with(cpu, "znver");
    target->is_probed = false;
    target->layout = LLVMCreateTargetDataLayout(target->machine);
    return true;
}

// Whether `word` stands in the text on its own.
static bool has_word(const char *text, size_t len, const char *word) {
    size_t word_len = strlen(word);
    bool at_start = true; // of a word
    for (size_t i = 0; i + word_len < len; i++) {
        bool ends = !isalnum((unsigned char)text[i + word_len]);
        if (at_start && ends && memcmp(text + i, word, word_len) == 0) {
            return true;
        }
        at_start = !isalnum((unsigned char)text[i]);
    }
    return false;
}

// One llvm.fma of eight doubles as assembly.
static LLVMMemoryBufferRef compile_fma(LLVMTargetMachineRef machine) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("probe", context);
    LLVMTypeRef type = LLVMVectorType(LLVMDoubleTypeInContext(context), 8);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef signature = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, false);
    LLVMValueRef function = LLVMAddFunction(module, "probe", signature);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
    LLVMValueRef value = LLVMBuildLoad2(builder, type, LLVMGetParam(function, 0), "");
    unsigned id = LLVMLookupIntrinsicID("llvm.fma", strlen("llvm.fma"));
    LLVMValueRef fma = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
    LLVMValueRef args[] = {value, value, value};
    LLVMValueRef result =
        LLVMBuildCall2(builder, LLVMIntrinsicGetType(context, id, &type, 1), fma, args, 3, "");
    LLVMBuildStore(builder, result, LLVMGetParam(function, 0));
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);

    char *message = NULL;
    LLVMMemoryBufferRef text = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &text)) {
        BUG("LLVM: %s", message);
    }
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return text;
}

// LLVM's C interface does not tell the features of a CPU, so this looks what it makes of a fused
// multiply-add: an instruction or a call of libm, and in which registers of x86.
static void probe(Target *target) {
    if (target->is_probed) {
        return;
    }
    LLVMMemoryBufferRef text = compile_fma(target->machine);
    const char *data = LLVMGetBufferStart(text);
    size_t len = LLVMGetBufferSize(text);
    target->is_probed = true;
    target->has_fma = !has_word(data, len, "fma");
    target->vector_bytes = has_word(data, len, "zmm0")   ? LONGEST_VECTOR
                           : has_word(data, len, "ymm0") ? LONGEST_VECTOR / 2
                                                         : LONGEST_VECTOR / 4;
    LLVMDisposeMemoryBuffer(text);
}

bool target_is_elf(const Target *target) {
    static const char *const others[] = {"wasm", "-darwin", "-macos", "-ios", "-windows"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strstr(target->triple, others[i]) != NULL) {
            return false;
        }
    }
    return true;
}

bool target_is_bare_elf(const Target *target) {
    return target_name_is_bare(target->triple) && !is_wasm(target->triple);
}

bool target_has_fma(Target *target) {
    probe(target);
    return target->has_fma;
}

unsigned target_vector_bytes(Target *target) {
    probe(target);
    return target->vector_bytes;
}

unsigned target_vector_registers(Target *target) {
    bool is_longest = target_vector_bytes(target) == LONGEST_VECTOR;
    return target->has->vector_registers[is_longest ? 0 : 1];
}

bool target_has_mask_registers(Target *target) {
    return target_vector_bytes(target) == LONGEST_VECTOR;
}

TirMath target_math(Target *target, const CodegenOptions *options) {
    if (!target->has->vectors || options->fp == FP_STRICT) {
        return TIR_MATH_LIBRARY;
    }
    return target_has_fma(target) ? TIR_MATH_FUSED : TIR_MATH_OWN;
}

void target_destroy(Target *target) {
    LLVMDisposeTargetData(target->layout);
    LLVMDisposeTargetMachine(target->machine);
}
