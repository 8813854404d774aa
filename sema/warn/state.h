// What the files of this folder share.
#ifndef TMLC_SEMA_WARN_STATE_H
#define TMLC_SEMA_WARN_STATE_H

#include "sema/warn/warn.h"

// A declaration in the source; that of a function with sizes, or in a macro, is checked several
// times and used if one of these is.
typedef struct NameFact {
    const Symbol *symbol; // the first
    const Scope *scope;
    const Unit *unit;
    bool used;
    bool assigned_again;
    bool in_test;
} NameFact;

// Calls of one function of an import.
typedef struct CallFact CallFact;

typedef struct Warn {
    DiagList *diags; // until it is known that there are no errors
    LIST_OF(NameFact *) names;
    Table names_by_place;
    unsigned searches;                 // for names that are near
    LIST_OF(const AstBlock *) skipped; // what macros left out
    LIST_OF(const AstBlock *) tests;   // which not every compilation checks
    LIST_OF(CallFact *) calls;
    Table calls_by_decl;
    Table hiding;       // where variables are declared that are told to hide others
    Table loops;        // from variables to the greatest value that they have
    Span cut;           // the latest quotient of constants that is cut off
    Span wrapped;       // the latest constant that wrapped
    Span told_quotient; // the latest of integers that a warning is about
} Warn;

// Whether anything is wanted here: the rules of a program, not of the built-in library.
bool warn_is_wanted(const Checker *checker);
// Whether the checker is in a test that is to fail.
bool warn_in_failing_test(const Checker *checker);
// Records a warning where the checker stands. The result is never NULL.
Diag *warn_at(Checker *checker, Warning warning, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same at the end, when the checker stands nowhere.
Diag *warn_later(Checker *checker, Warning warning, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// A key for what begins there, in tables of this folder.
static inline const void *warn_place_key(Span span) {
    return (const void *)((uintptr_t)span.start + 1);
}
// The source of a span; empty when it is nowhere.
Slice warn_text(const Checker *checker, Span span);
// Whether no name occurs in it, so that nothing but itself decides its value.
bool warn_is_literal(const Checker *checker, Span span);
// Whether both are written alike and call nothing, so that they have the same value.
bool warn_is_same(const Checker *checker, Span a, Span b);

// At the end.

void warn_names(Checker *checker);
void warn_frozen(Checker *checker);
void warn_step_times(Checker *checker);
void warn_shared_state(Checker *checker);

// tree.c: questions of its rules.

// The value of a literal, with its sign.
bool warn_literal_value(const AstExpr *expr, double *value);
bool warn_has_names(const AstExpr *expr);
// For an AstVisitor: whether it calls a function that is no built-in, seen from `scope`.
bool warn_calls_function(const AstExpr *expr, void *scope);

// The rules of rules.def.

#define WARN_BLOCK(rule) void rule(Checker *checker, const AstBlock *block);
#define WARN_STMT(KIND, rule) void rule(Checker *checker, const AstStmt *stmt);
#define WARN_EXPR(KIND, rule) void rule(Checker *checker, const AstExpr *expr);
#include "sema/warn/rules.def"

#endif
