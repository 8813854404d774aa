// The names that linkers know: the name in C, and a hash of all that decides what the object does.
// Variants of a model so never take each other's place, whichever way they are linked.
#ifndef TMLC_CODEGEN_UNIT_LINK_NAME_H
#define TMLC_CODEGEN_UNIT_LINK_NAME_H

#include "codegen/options.h"
#include "codegen/target/target.h"
#include "support/context.h"
#include "tir/tir.h"

#include <stdint.h>

// Of the compiler, the bytes of all sources, -D and --with among them, and the options that change
// code; not of paths.
uint64_t link_hash(Context *context, const TirProgram *program, const CodegenOptions *options,
                   const Target *target);
// NAME_HASH, from the arena.
const char *link_name(Arena *arena, const char *name, uint64_t hash);
// NAME of a NAME_HASH, from the arena.
const char *link_host_name(Arena *arena, const char *link_name);

#endif
