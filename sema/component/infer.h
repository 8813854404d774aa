// What a source that declares no interface says of it (L14.2). Checking is told to infer
// (CheckOptions.infer) and runs in rounds (infer_rounds.c): a name that nothing declares is
// declared as far as it is known, and as long as its type is not, everything made of it is poison,
// which stays silent. What comes next to it says more: the value that is assigned, the other
// operand, a condition, a parameter. Without `infer` all functions here do nothing.
#ifndef TMLC_SEMA_COMPONENT_INFER_H
#define TMLC_SEMA_COMPONENT_INFER_H

#include "sema/checker.h"

// A name of the interface that is not declared.
typedef struct InferName {
    char space;
    Name name;        // with macro indices resolved
    const char *text; // as a declaration has it: `in{0}`
    uint32_t at;      // where it stands first
    // Known from one round to the next.
    bool is_output;
    bool is_optional;
    bool has_feedthrough; // true until all types are known
    bool is_guess;        // its type, or one that it rests on
    bool is_free;         // a guess that nothing in the source made
    const Type *type;     // NULL: not known yet
    // What the source says in the round at hand.
    const TirInterface *item; // NULL: not seen
    const Type *assigned;     // which all values fit that are assigned to the whole of it
    const Type *counted;      // the same of int constants, which fit a uint and a real too
    bool has_negative;        // one of these is
    bool is_waiting;          // a value whose type is not known is assigned
    bool is_part_waiting;     // to an element
    bool is_written;          // in code that is checked
    bool has_parts;           // its elements are assigned
    Root part_root;           // the greatest of values assigned to these, and of `op=`
    const Type *exact;        // its type, by the rules of what it stands in
    const Type *limit;        // it has to fit this one
    bool is_connected;        // an output that a wire feeds
    bool is_late;             // behind output_fnc
    bool wired_first;         // an input that a wire reads in the first half of a cycle,
    bool wired_second;        // or in the second
    bool is_fed;              // what reads or writes it asks for feedthrough, or asks nothing
    TirInterface reads;       // these two join the terminals that functions name, to tell
    TirInterface writes;      // which ones read and write it
} InferName;

typedef struct Infer {
    Context *context;
    TypeTable *types; // of all rounds
    LIST_OF(InferName *) names;
    bool is_second;   // second values stand for those of properties and constants
    bool is_skipping; // what is not checked is looked at
    bool has_news;    // of the round: a name, that one is an output, or optional
    Table unknown;    // of the round: AstExpr by the poison value that it has
    Table origins;    // of the round: AstExpr, the first value of a local Symbol
} Infer;

// In infer.c:

// Declares a name of the main file; NULL when checking does not infer, or the file declares it.
Symbol *infer_declare(Checker *checker, const AstExpr *ast, Name name);
// The declaration of it, without a line end; with another value where `second`.
void infer_print(const InferName *name, bool second, Buffer *out);
// Whether an expression may stand for a name that is not known: what it is made of is not, either.
bool infer_is_on(const Checker *checker);

// A terminal is read, or written; `?` or a guard says that it may be absent.
void infer_read(Checker *checker, const TirInterface *item);
void infer_written(Checker *checker, const TirInterface *item);
// A wire feeds an output, in the first half of a cycle perhaps behind output_fnc only.
void infer_connected(Checker *checker, const TirInterface *item, bool is_late);
void infer_optional(Checker *checker, const AstExpr *name);
// A place gets a value; that of an `op=` is `part` of it.
void infer_assigned(Checker *checker, const AstExpr *target, const TirExpr *value, bool part);
// A branch that a guard on feedthrough leaves out: nothing in it is read or written.
void infer_leave_out(Checker *checker, TerminalSet *used);
// A block that is not checked, because a macro leaves it out or nothing calls its function.
void infer_skipped(Checker *checker, const AstBlock *block);
// The round ends: which functions read and write what.
void infer_end(Checker *checker);

// In infer_wants.c:

// The value of `ast` is `value`: where that is poison, a poison value of its own.
TirExpr *infer_note(Checker *checker, const AstExpr *ast, TirExpr *value);
// A variable gets its first value.
void infer_origin(Checker *checker, const AstExpr *target, const AstExpr *value);
// An expression has to have that type, or one that can be assigned to it.
void infer_wants(Checker *checker, const AstExpr *ast, const Type *type, bool exact);
// The same for a scalar of that root.
void infer_wants_scalar(Checker *checker, const AstExpr *ast, Root root, bool exact);
// An operator whose operands are checked.
void infer_operands(Checker *checker, const AstExpr *ast, const TirExpr *left,
                    const TirExpr *right);
// One without a type has a sign before it that takes one root only.
void infer_unary(Checker *checker, const AstExpr *ast);
// What stands for a value that is not known yet where one of that type is wanted.
TirExpr *infer_fill(Checker *checker, const Type *type, TirExpr *value);

#endif
