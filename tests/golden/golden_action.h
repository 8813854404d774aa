// What is done with a golden file: each action runs in a process of its own, so that a crash is one
// failure, and leaves what it printed and its exit status.
#ifndef TMLC_TESTS_GOLDEN_ACTION_H
#define TMLC_TESTS_GOLDEN_ACTION_H

#include "support/buffer.h"
#include "tests/golden/golden_file.h"

typedef enum Action {
    ACTION_TOKENS,
    ACTION_AST,
    ACTION_NOTES,
    ACTION_ERROR, // code, place and words of each error
    ACTION_WARNING,
    ACTION_ERRORS,
    ACTION_TIR_CHECKED,
    ACTION_TIR,
    ACTION_PLAN,
    ACTION_REF_CHECKED, // evaluate TIR as checking made it
    ACTION_REF_PASSES,  // evaluate TIR after the passes
    ACTION_JIT_O0,
    ACTION_JIT_O2,
    ACTION_LINKED, // an executable made by the command tmlc, -O2
    ACTION_COUNT,
} Action;

const char *action_text(Action action);
// Does the action run the program?
bool action_runs(Action action);
// ... as an executable of its own?
bool action_links(Action action);

typedef struct Outcome {
    Buffer output;
    Buffer errors;
    int exit_status; // 128 + signal when a signal ended it
} Outcome;

// What programs are made with.
typedef struct GoldenTools {
    const char *tmlc; // the command that makes executables; NULL: there are none
    const char *cpu;  // what the code is for; NULL: this machine's processor
} GoldenTools;

void action_perform(Action action, const GoldenFile *file, GoldenTools tools, Outcome *outcome);
void outcome_free(Outcome *outcome);

#endif
