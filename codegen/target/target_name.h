// The words of a target's triple and the names of CPUs, and what a misspelt one was meant to be.
#ifndef TMLC_CODEGEN_TARGET_TARGET_NAME_H
#define TMLC_CODEGEN_TARGET_TARGET_NAME_H

#include "support/arena.h"
#include "support/buffer.h"

#include <stdbool.h>

// Rows of codegen/target/short_name.def.
typedef struct ShortName {
    const char *name, *triple;
    const char *cpu; // NULL: as for the triple
    const char *what;
} ShortName;

// The row of a short name; NULL when it is none.
const ShortName *target_short_name(const char *name);
// What --target=help prints: short names, and how triples begin.
void target_print_names(Buffer *out);
// What --cpu=help prints for LLVM's target `target`: a name per line.
void target_print_cpus(const char *target, Buffer *out);

// A system in `triple` that LLVM would take for one it has never heard of, but that is spelled
// almost like a known one. Then false, and *error (from the arena) says which.
__attribute__((warn_unused_result)) bool target_check_system(Arena *arena, const char *triple,
                                                             const char **error);
// Whether the architecture of a triple, or of the host where it is NULL, has vectors of reals.
// Asked before there is a target; what has none after all only makes more code than it needs.
bool target_name_has_vectors(const char *triple);
// Whether programs run there without an operating system.
bool target_name_is_bare(const char *triple);
// Why no target has this triple: its architecture, the first word, is not known.
const char *target_explain_triple(Arena *arena, const char *triple);
// Whether LLVM's target `target` has this CPU; if not, *error (from the arena) says so.
__attribute__((warn_unused_result)) bool target_check_cpu(Arena *arena, const char *target,
                                                          const char *cpu, const char **error);

#endif
