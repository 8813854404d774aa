// The machine that code is made for.
#ifndef TMLC_CODEGEN_TARGET_TARGET_H
#define TMLC_CODEGEN_TARGET_TARGET_H

#include "codegen/options.h"
#include "support/arena.h"
#include "tir/tir.h"

#include <llvm-c/TargetMachine.h>

#include <stdbool.h>

// Columns of codegen/target/machine.def.
typedef struct Machine {
    bool wide_integers;
    bool vectors;
    bool real_min_max;
    bool select_of_reals;
    unsigned vector_registers[2];
    unsigned pushed;
    unsigned stack_align;
    unsigned register_args;
    const char *to_words[2];
    const char *to_ints;
    const char *fence;
} Machine;

typedef struct Target {
    const Machine *has;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    const char *triple; // normalised; in the arena
    bool is_host;       // the triple is the host's
    bool is_zen;    // AMD's: gathers are slow, the greatest of two is fast, and LLVM does not know
    bool is_probed; // the following are known
    bool has_fma;
    unsigned vector_bytes;
} Target;

// The host's triple, CPU and features unless the options say otherwise. False, with *error, when
// LLVM does not know the triple or the CPU.
__attribute__((warn_unused_result)) bool target_create(Arena *arena, const CodegenOptions *options,
                                                       Target *target, const char **error);
// Whether its objects are ELF, of which linkers leave out sections that nobody refers to; and
// whether they run without a system, so that nothing is relocated when it is loaded.
bool target_is_elf(const Target *target);
bool target_is_bare_elf(const Target *target);
// Whether it multiplies and adds with one rounding in one instruction.
bool target_has_fma(Target *target);
// The bytes of its vector registers; 16 where it has none.
unsigned target_vector_bytes(Target *target);
// How many of them there are, about.
unsigned target_vector_registers(Target *target);
// Whether there are registers of masks.
bool target_has_mask_registers(Target *target);
// What elementary functions of tensors are there.
TirMath target_math(Target *target, const CodegenOptions *options);
void target_destroy(Target *target);

#endif
