// The commands of the prompt, which begin with a colon: rows of commands.def.
#ifndef TMLC_DRIVER_REPL_COMMAND_H
#define TMLC_DRIVER_REPL_COMMAND_H

#include "driver/options.h"
#include "driver/repl/session.h"
#include "driver/repl/stepper.h"

typedef struct Repl {
    const Options *options;
    bool (*stop)(void *data); // ends what runs
    Session *session;
    Stepper *stepper; // NULL: no component is loaded
    Reply reply;
    bool is_over;
} Repl;

// Does what a line says that begins with a colon. A command may be cut short as long as only one
// begins so: `:t`. False after messages, here and below.
bool repl_command(Repl *repl, Slice line);
// Behind an entry that was wrong: adds which command is meant, where it is written without its
// colon.
void repl_note_command(Repl *repl, Slice entry);
// A component becomes what `:step` runs; of other files the statements are entered.
bool repl_load(Repl *repl, const char *path);
// NAME... [> FILE]: names of terminals that the component has, or expressions without blanks.
bool repl_plot(Repl *repl, Slice text);

// Says what is wrong.
bool repl_fail(Repl *repl, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
