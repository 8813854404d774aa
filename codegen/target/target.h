// The machine that code is made for.
#ifndef TMLC_CODEGEN_TARGET_TARGET_H
#define TMLC_CODEGEN_TARGET_TARGET_H

#include "codegen/options.h"
#include "support/arena.h"

#include <llvm-c/TargetMachine.h>

#include <stdbool.h>

typedef struct Target {
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    const char *triple; // normalised; in the arena
    bool is_host;       // the triple is the host's
    bool is_probed;     // the following are known
    bool has_fma;
    unsigned vector_bytes;
} Target;

// The host's triple, CPU and features unless the options say otherwise. False, with *error, when
// LLVM does not know the triple or the CPU.
__attribute__((warn_unused_result)) bool target_create(Arena *arena, const CodegenOptions *options,
                                                       Target *target, const char **error);
// Whether its integer registers have 64 bits. Elsewhere LLVM calls functions of the C compiler's
// own library for some 64-bit operations, or does not know them.
bool target_has_wide_integers(const Target *target);
// Whether LLVM knows the least and the greatest of two reals there. Where there may be no registers
// for reals it does not.
bool target_has_real_min_max(const Target *target);
// Whether `a > b ? a : b` of reals is an instruction there, while the greatest of two, with nan and
// the signs of zeros, takes several.
bool target_has_select_of_reals(const Target *target);
// Whether its objects are ELF and run without a system: what a program does not use is worth
// leaving out when it is linked.
bool target_is_bare_elf(const Target *target);
// Whether vectors of reals are worth making. Elsewhere LLVM takes them apart again, which costs
// code, registers and time to compile.
bool target_has_vectors(const Target *target);
// Whether it multiplies and adds with one rounding in one instruction.
bool target_has_fma(Target *target);
// The bytes of its vector registers; 16 where it has none.
unsigned target_vector_bytes(Target *target);
// How many of them there are, about.
unsigned target_vector_registers(Target *target);
void target_destroy(Target *target);

#endif
