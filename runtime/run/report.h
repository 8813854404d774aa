// What executables say on standard error (L13).
#ifndef TML_RUNTIME_RUN_REPORT_H
#define TML_RUNTIME_RUN_REPORT_H

#include "runtime/abi/model.h"

#include <stdbool.h>

// Prints "COMMAND: ..." on standard error.
__attribute__((format(printf, 2, 3))) void tml_report(const char *command, const char *format, ...);
// Says that standard output cannot be written (`error` is the errno). Whoever has closed the pipe
// that it goes to has read enough: nothing is said then, only the exit status tells.
void tml_report_output(const char *command, int error);
// Prints "PLACE: error: ...", about a file or a place in one. Returns false.
__attribute__((format(printf, 2, 3))) bool tml_report_file(const char *place, const char *format,
                                                           ...);
// Prints "NAME:LINE:COLUMN: note: ...".
__attribute__((format(printf, 4, 5))) void
tml_report_note(const char *name, uint64_t line, uint64_t column, const char *format, ...);
// Prints where the model trapped and why, and the line of the source if the model has it; `when`
// follows the text, as " (step 41)".
void tml_report_trap(const tml_fault *fault, const tml_model *model, const char *when);

// A scalar that a trap shows below the line.
typedef struct TrapNote {
    const char *text; // its source
    const tml_type *type;
    uint64_t value;
} TrapNote;

void tml_report_trap_note(const tml_fault *fault, const TrapNote *note);

#endif
