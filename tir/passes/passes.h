// The passes over TIR, in the order in which they run. Each is optional for meaning unless said
// otherwise, and leaves valid TIR.
#ifndef TMLC_TIR_PASSES_PASSES_H
#define TMLC_TIR_PASSES_PASSES_H

#include "tir/tir.h"

// Gives operands that would be computed more than once per element, or whose traps a view would
// hide, a temporary computed before the statement. Needed before code generation.
void opt_place(Tir *tir, TirProgram *program);
// Gives statements that read what they overwrite a temporary, and takes away temporaries that the
// next statement only copies. Afterwards each `set` may be executed element by element in any
// order. Needed.
void opt_alias(Tir *tir, TirProgram *program);
// Gives every variable its storage and computes the program's byte counts. Needed; runs last.
void opt_plan(Tir *tir, TirProgram *program);

// All of them, verifying after each when `verify`.
void passes_run(Tir *tir, TirProgram *program, bool verify);

#endif
