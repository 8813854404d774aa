// Commands of the system that the compiler runs: the linker and the archiver.
#ifndef TMLC_DRIVER_COMMAND_H
#define TMLC_DRIVER_COMMAND_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct SystemCommand {
    const char *what; // "linker", for messages
    LIST_OF(char *) words;
    int input;    // what it reads as standard input; 0: ours
    int accepted; // an exit status beside 0 that is no failure
} SystemCommand;

// A command that begins with the words of the environment variable `variable`, or of `otherwise`
// when it has none.
SystemCommand command_create(Arena *arena, const char *what, const char *variable,
                             const char *otherwise);
void command_add(Arena *arena, SystemCommand *command, const char *word);
// Runs it and waits for it; `verbose` prints it first. On failure returns false and *error says why
// (from the arena).
__attribute__((warn_unused_result)) bool command_run(Arena *arena, SystemCommand *command,
                                                     bool verbose, const char **error);

#endif
