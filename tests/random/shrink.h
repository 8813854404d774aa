// Makes a failing program smaller.
#ifndef TMLC_TESTS_RANDOM_SHRINK_H
#define TMLC_TESTS_RANDOM_SHRINK_H

#include "support/buffer.h"
#include "tests/random/run_program.h"

// Drops lines, blocks and parts of expressions as long as the program fails in the same way.
// `run` is what it fails in. `result` gets the smallest one and `small_report` its report; the
// caller frees both texts.
void shrink_program(RunFunction *run, const Buffer *source, const RunReport *report, Buffer *result,
                    RunReport *small_report);

#endif
