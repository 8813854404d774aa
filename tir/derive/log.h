// Logs of loops in reverse: what a turn finds of those before it. Of a variable of which a turn
// writes some elements, these; of one whose elements nobody reads again once others take their
// place, nothing.
#ifndef TMLC_TIR_DERIVE_LOG_H
#define TMLC_TIR_DERIVE_LOG_H

#include "tir/derive/maker.h"

typedef enum LogMode {
    LOG_WHOLE,  // a turn begins with the entry
    LOG_PARTS,  // going back, what a turn wrote becomes what it was
    LOG_NOTHING // what is there in the end is what each turn finds
} LogMode;

// The elements that one statement of a turn writes, or more.
typedef struct LogPart {
    // What they are saved before, with the value of each index; NULL: the turn begins with it, and
    // indices can be computed again.
    const TirStmt *inside;
    bool may_not_run; // the statement
    const Type *type; // of the elements
    TirAxis *axes;    // of the variable, in terms of the function that is swept
    TirVar *entries;  // an array of them
    TirVar **indices; // by dim, arrays
} LogPart;

typedef struct LogVar {
    const TirVar *var; // of the function that is swept
    TirVar *own;       // what stands for it
    LogMode mode;
    bool is_kept;    // what it is behind the loop is kept, as others write it later
    TirVar *entries; // of LOG_WHOLE
    LIST_OF(LogPart) parts;
} LogVar;

typedef struct Log {
    LIST_OF(LogVar) vars;
} Log;

// Of a loop with so many turns, whose turns, run again, need those variables.
Log log_plan(Maker *maker, const TirStmt *loop, uint64_t turns, const TirVars *needed);
// The same of starts of sections, in which each variable is whole.
Log log_of_starts(Maker *maker, const Log *log);
// Bytes of an entry, and of what is kept behind the loop.
uint64_t log_bytes(const Maker *maker, const Log *log);
uint64_t log_kept_bytes(const Maker *maker, const Log *log);
// The most elements of an entry of an array.
uint32_t log_widest(const Log *log);
// "`x` (16), `y` (8)": the bytes of each variable in an entry.
const char *log_text(Maker *maker, const Log *log);

// Makes arrays of so many entries.
void log_create(Maker *maker, Log *log, uint32_t entries, Span span);
// Fills the entry `at` where a turn begins, and inside of it before statements: `copies` from
// number `first` on are those of `body`.
void log_save(Maker *maker, const Log *log, TirVar *at, TirBlock *block);
void log_save_inside(Maker *maker, const Log *log, TirVar *at, const TirBlock *body,
                     TirBlock *copies, size_t first);
// Makes of what there is at the end of a turn what it began with.
void log_restore(Maker *maker, const Log *log, TirVar *at, TirBlock *block);
// The same where only parts were written since, as by a turn that has run again.
void log_undo(Maker *maker, const Log *log, TirVar *at, TirBlock *block);
// Keeps what there is behind the loop, ahead, for the first turn back.
void log_keep(Maker *maker, const Log *log);

#endif
