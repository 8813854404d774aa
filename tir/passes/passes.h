// The passes over TIR (tir/passes/passes.def). Each leaves valid TIR, whose meaning is the same.
#ifndef TMLC_TIR_PASSES_PASSES_H
#define TMLC_TIR_PASSES_PASSES_H

#include "tir/build.h"

#define PASS(name, level) void pass_##name(Tir *tir, TirFunction *function);
#define PROGRAM_PASS(name, level) void pass_##name(Tir *tir, TirProgram *program);
#include "tir/passes/passes.def"

typedef enum PassKind {
#define PASS(name, level) PASS_##name,
#include "tir/passes/passes.def"
    PASS_COUNT,
} PassKind;

typedef struct PassOptions {
    unsigned opt_level;
    bool verify;       // after each
    uint64_t left_out; // pass_bit of each; those of level 0 run all the same
    unsigned last;     // passes behind the first `last` ones do not run, 0: all do
} PassOptions;

// In sets of passes.
static inline uint64_t pass_bit(PassKind pass) {
    return UINT64_C(1) << pass;
}

const char *pass_name(PassKind pass);
// Whether code cannot be made without it.
bool pass_is_needed(PassKind pass);

// All passes of a level of optimisation.
void passes_run(Tir *tir, TirProgram *program, const PassOptions *options);

#endif
