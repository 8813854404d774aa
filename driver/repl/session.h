// What was entered at the prompt so far: one script that grows, and the values that its variables
// have. Each entry is checked with all that stands before it, so names, types and messages are
// those of a file; only its own statements run, in the reference evaluator. An entry that is wrong
// or that traps leaves everything as it was. A function that is defined again takes the place of
// the former one, and everything is computed anew.
#ifndef TMLC_DRIVER_REPL_SESSION_H
#define TMLC_DRIVER_REPL_SESSION_H

#include "driver/compile.h"
#include "eval/eval.h"

typedef struct Session Session;

// `stop` ends what runs, between two statements.
Session *session_create(const CompileOptions *options, RenderOptions render,
                        bool (*stop)(void *data));
void session_free(Session *session);

// What there is to say: `text` to standard output, `messages` to standard error.
typedef struct Reply {
    Buffer text;
    Buffer messages;
} Reply;

typedef enum EntryEnd { ENTRY_DONE, ENTRY_UNFINISHED, ENTRY_WRONG } EntryEnd;

// Runs statements, or prints the values of expressions. With `is_whole` an entry that ends too
// early is an error instead of unfinished.
EntryEnd session_enter(Session *session, Slice entry, bool is_whole, Reply *reply);

// The value of an expression, converted to the type that `type` spells (NULL: its own). Messages
// call it `name` where that is a name, and the session has none like it.
typedef struct SessionValue {
    Compilation compilation; // which has the type
    const Type *type;
    TirScalar *scalars; // NULL where only the type was asked for
} SessionValue;

// False after messages. session_drop_value frees what is there.
bool session_type(Session *session, Slice expression, SessionValue *value, Reply *reply);
bool session_value(Session *session, const char *type, const char *name, Slice expression,
                   SessionValue *value, Reply *reply);
void session_drop_value(SessionValue *value);

// How the operands of the outermost operator of an expression fit together.
bool session_alignment(Session *session, Slice expression, Reply *reply);

// The variables and their types, a line each.
void session_list(const Session *session, Buffer *out);
// Calls `take` on the name of each variable and function.
void session_names(const Session *session, void (*take)(void *data, const char *name), void *data);
// What was entered.
Slice session_text(const Session *session);
// Whether it imports the file at `path`, or an import of it does.
bool session_reads(const Session *session, const char *path);
// Forgets everything.
void session_clear(Session *session);
// Appends the messages of a compilation that is not the session's own.
void session_messages(const Session *session, const Compilation *compilation, Reply *reply);
// Appends what a trap says.
void session_trap(const Session *session, const Compilation *compilation, const RefFault *fault,
                  Reply *reply);

#endif
