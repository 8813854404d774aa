// Runs one program in every way there is and compares what the ways print.
#ifndef TMLC_TESTS_RANDOM_RUN_PROGRAM_H
#define TMLC_TESTS_RANDOM_RUN_PROGRAM_H

#include "support/buffer.h"

#include <stdbool.h>
#include <stddef.h>

// The first way is the oracle on what checking made; the others are compared with it. Where several
// places of one statement trap, ways may report different ones: they compute its elements in
// different orders. Compiled programs report the same one at every -O. RUN_OTHER is as the first
// line of the source says: `-O1` or `-O3`, and `--checks=none`, which leaves out programs that
// trap.
typedef enum RunWay {
    RUN_CHECKED,
    RUN_PASSES,
    RUN_O0,
    RUN_O2,
    RUN_OTHER,
    RUN_WAY_COUNT,
} RunWay;

typedef enum RunVerdict {
    VERDICT_FINISHED,          // in agreement
    VERDICT_TRAPPED,           // in agreement
    VERDICT_TRAPPED_ELSEWHERE, // in agreement but for the place within the statement
    VERDICT_REJECTED,          // errors that stop it
    VERDICT_CRASHED,           // the compiler or the program ended by a signal or as a bug
    VERDICT_HANGS,
    VERDICT_DIFFERS,
} RunVerdict;

typedef struct RunReport {
    RunVerdict verdict;
    bool is_failure;
    RunWay way;  // of a failure
    Buffer text; // what happened, for people
} RunReport;

// In a process of its own. The caller frees the report's text.
typedef void RunFunction(const char *source, size_t len, RunReport *report);
RunFunction run_program;
// Compiles it only: it finishes, or is rejected, which is no failure.
RunFunction run_compiler;
// The same failure, as far as shrinking a program must keep it?
bool run_same_failure(const RunReport *a, const RunReport *b);

#endif
