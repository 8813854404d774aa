// Runs the reference evaluator as if it were generated code: the runtime prints, reads files and
// standard input, and reports traps for it as it does for compiled programs.
#ifndef TMLC_TESTS_GOLDEN_ORACLE_H
#define TMLC_TESTS_GOLDEN_ORACLE_H

#include "eval/eval.h"
#include "runtime/abi/abi.h"
#include "support/context.h"
#include "tir/tir.h"

// Evaluates the program, a component as a simulation, with the arguments of its executable. The
// result is the exit status.
int oracle_run(const Context *context, const TirProgram *program, int argc, char **argv);

// What the two kinds share: golden_oracle.c has programs, golden_model.c components.

int oracle_run_model(const Context *context, const TirProgram *program, int argc, char **argv);
// The paths of the source files.
const char *const *oracle_files(const Context *context);
// Every line of theirs.
const tml_line *oracle_lines(const Context *context, uint32_t *count);
// Where the runtime looks for what trapped; the text of an assertion is the first one.
void oracle_fault(const Context *context, const RefFault *fault, tml_fault *result);

#endif
