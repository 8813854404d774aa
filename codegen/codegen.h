// TIR to machine code through LLVM 19. The program must be verified and planned
// (tir/passes/storage.c).
#ifndef TMLC_CODEGEN_CODEGEN_H
#define TMLC_CODEGEN_CODEGEN_H

#include "codegen/options.h"
#include "support/arena.h"
#include "support/buffer.h"
#include "support/context.h"
#include "tir/tir.h"

typedef struct CodegenModule CodegenModule;

// Builds, verifies and optimises the LLVM module. Invalid LLVM IR is a BUG. NULL, with *error
// (static or from the arena), when the target or CPU is not known.
CodegenModule *codegen_build(Context *context, const TirProgram *program,
                             const CodegenOptions *options, const char **error);
void codegen_destroy(CodegenModule *module);
// Whether there are such a target and CPU, which codegen_build refuses otherwise.
__attribute__((warn_unused_result)) bool
codegen_has_target(Arena *arena, const CodegenOptions *options, const char **error);

// Appends what --cpu=help prints for the target, a line per processor. False as above.
__attribute__((warn_unused_result)) bool
codegen_print_cpus(Arena *arena, const CodegenOptions *options, Buffer *out, const char **error);

// Appends how each array statement runs on the target, in words (plan/print.h); no LLVM module is
// needed. False, with *error, as in codegen_build.
__attribute__((warn_unused_result)) bool codegen_plan(Context *context, const TirProgram *program,
                                                      const CodegenOptions *options, Buffer *out,
                                                      const char **error);
// What codegen_build with these options makes elementary functions of tensors of. A target that is
// not known has those of the C library.
TirMath codegen_math(Arena *arena, const CodegenOptions *options);

typedef enum CodegenOutput { CODEGEN_LLVM, CODEGEN_ASM, CODEGEN_OBJECT } CodegenOutput;

// Appends the module in the wanted form. The same input gives the same bytes.
__attribute__((warn_unused_result)) bool codegen_emit(CodegenModule *module, CodegenOutput kind,
                                                      Buffer *out, const char **error);

// Leaves what -g adds out of what is emitted from now on.
void codegen_strip(CodegenModule *module);

// What the functions of FMI have of the compiler (runtime/fmi/instance.h).
typedef struct CodegenFmi {
    double step; // seconds
    const char *token;
} CodegenFmi;

// Appends an object with tml_models (runtime/abi/model.h), by which hosts find the component in a
// shared library, and with what `fmi` says, unless it is NULL.
__attribute__((warn_unused_result)) bool
codegen_models(CodegenModule *module, const CodegenFmi *fmi, Buffer *out, const char **error);

// The machine that the code is for, as LLVM names it; from the arena of the compilation.
const char *codegen_triple(const CodegenModule *module);
bool codegen_is_host(const CodegenModule *module); // the runtime's own target
const char *codegen_cpu(const CodegenModule *module);

// What names in C begin with, and what linkers know a name of the module as; from the arena.
const char *codegen_prefix(const CodegenModule *module);
const char *codegen_link_name(const CodegenModule *module, const char *name);
// With --batch: how many runs of the component are side by side; else 0.
unsigned codegen_lanes(const CodegenModule *module);
// With --batch: why runs of the component cannot be made side by side, or NULL. Static.
const char *codegen_apart(const CodegenModule *module);
// The texts of assertions, by the index that a fault has; from the arena.
SliceList codegen_texts(const CodegenModule *module);
// The link name of the tml_model; NULL for libraries, and with --no-table.
const char *codegen_model(const CodegenModule *module);

// What an object costs and needs, read off its machine code.
typedef struct CodegenStack {
    const char *symbol; // an exported function, as the source of a host names it
    uint64_t bytes;     // an upper bound of the stack that it and all of the module below it use,
                        // return addresses included
    bool calls_libm;    // then what these functions use comes on top
} CodegenStack;

typedef struct CodegenReport {
    uint64_t code_bytes;
    uint64_t constant_bytes;         // read-only data
    uint64_t writable_bytes;         // data and bss: 0 in objects to embed
    bool has_kept;                   // of components, in ELF:
    uint64_t kept_code_bytes;        // what linkers keep that drop what is not called, where a host
    uint64_t kept_constant_bytes;    // calls nothing but PREFIX_init and PREFIX_step
    LIST_OF(const char *) externals; // undefined symbols, sorted
    LIST_OF(CodegenStack) stacks;
} CodegenReport;

// The object is emitted once, however often it is asked for.
__attribute__((warn_unused_result)) bool codegen_report(CodegenModule *module,
                                                        CodegenReport *report, const char **error);

// The tests of a program that was made to run them (TirProgram.is_tested), in memory.
typedef struct tml_tests CodegenTests;
typedef void CodegenUse(const CodegenTests *tests, void *data);

// Compiles in memory through LLJIT and calls `use` with the tests. Consumes the module.
__attribute__((warn_unused_result)) bool codegen_load_tests(CodegenModule *module, CodegenUse *use,
                                                            void *data, const char **error);
// Runs one that has a function, on a state of its own. 0, or the number of the trap with which it
// ended, below zero where it had not begun, or EXIT_WORLD; both are told on standard error, under
// that name.
int codegen_run_test(const CodegenTests *tests, size_t number, const char *name);

// Runs the program in memory as its executable would, with `argv` (argv[0] is the program's name).
// Consumes the module. Sets *exit_status.
__attribute__((warn_unused_result)) bool codegen_run(CodegenModule *module, int argc, char **argv,
                                                     int *exit_status, const char **error);

#endif
