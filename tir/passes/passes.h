// The passes over TIR (tir/passes/passes.def). Each leaves valid TIR, whose meaning is the same.
#ifndef TMLC_TIR_PASSES_PASSES_H
#define TMLC_TIR_PASSES_PASSES_H

#include "tir/tir.h"

#define PASS(name, level) void pass_##name(Tir *tir, TirProgram *program);
#include "tir/passes/passes.def"

// All passes of a level of optimisation, verifying after each when `verify`.
void passes_run(Tir *tir, TirProgram *program, unsigned opt_level, bool verify);

#endif
