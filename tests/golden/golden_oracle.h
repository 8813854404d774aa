// Runs the reference evaluator as if it were generated code: the runtime prints, reads standard
// input and reports traps for it as it does for compiled programs.
#ifndef TMLC_TESTS_GOLDEN_ORACLE_H
#define TMLC_TESTS_GOLDEN_ORACLE_H

#include "sema/tir.h"
#include "support/context.h"

// Evaluates the program; the result is the exit status of its executable.
int oracle_run(const Context *context, const TirProgram *program);

#endif
