// The library that is written in TML (L18): sema/library/*.tml. The build makes a table of its
// functions; one that is called is read, and declared, then, and those that it calls with it. What
// nobody calls costs nothing.
#ifndef TMLC_SEMA_LIBRARY_LIBRARY_H
#define TMLC_SEMA_LIBRARY_LIBRARY_H

#include "sema/argument.h"
#include "sema/checker.h"
#include "support/suggest.h"

// How a function is applied to what is more than its parameters take (L18.2).
typedef enum LibraryForm {
    LIBRARY_WHOLE,  // it is not
    LIBRARY_ROWS,   // to each row, along the last dim of the innermost level, of its first argument
    LIBRARY_DIMS,   // the same, or along the dim that one more argument says: the other function
                    // takes that one and all behind it as another
    LIBRARY_FIRST,  // to all elements of its first argument
    LIBRARY_SECOND, // of its second
    LIBRARY_FIRST_TWO, // of its first two, after they have stretched to one shape
    LIBRARY_ELEMENTS,  // to all elements, after its arguments have stretched to one shape; the text
                       // of one says of a scalar what it says of a vector
    LIBRARY_VECTOR,    // the same, but a scalar is a vector of one
    LIBRARY_PAIRS,     // to all pairs in the innermost level, of shapes that stretch
} LibraryForm;

typedef struct LibraryRow {
    const char *name;
    LibraryForm form;
    const char *length; // the parameter that is given as a constant length, or ""
    uint32_t more;      // and is longer than that
    bool bang;          // whether there is a form with `!`
    const char *other;  // the function for more arguments, or for those of other ranks, or ""
    const char *slope, *adjoint, *kept; // of its derivative (rule.c), or ""
    const char *linear;                 // the parameter in which it is linear, or ""
    const char *about;                  // the comment above it, a line each
    const char *text;
} LibraryRow;

// The row of the function that a call where the checker stands may name; NULL when there is none.
const LibraryRow *library_find(const Checker *checker, Name name);
// The row at `k`, from 0, of those that users may call; NULL behind the last one.
const LibraryRow *library_row(size_t k);
// The row of the function that users call by this name; NULL when there is none.
const LibraryRow *library_named(const char *name);
// Whether a file, or what stands at a place, is the text of the library.
bool library_is_file(const SourceFile *file);
bool library_has_text(const Checker *checker, Span span);
// Tries every name that users may call.
void library_suggest(Suggestion *suggestion);

// Where those of `count` arguments end that are of any shape; they begin with the first one, or the
// second (LIBRARY_SECOND).
size_t library_any_end(const LibraryRow *row, size_t count);

// The function of this name, which there is, also one of the library's own.
FunctionDecl *library_function(Checker *checker, const char *name);
// The one of a row for so many arguments.
FunctionDecl *library_callee(Checker *checker, const LibraryRow *row, size_t count);
// That of a name that users may call, where it takes so many arguments; else NULL.
const FunctionDecl *library_taking(Checker *checker, const char *name, size_t count);
// The other one of a row that has one, known to people by the name of the first.
FunctionDecl *library_other(Checker *checker, const LibraryRow *row);
// The row of the function that `function` is an instance of, NULL when it is none of the
// library.
const LibraryRow *library_row_of(const Checker *checker, const TirFunction *function);
// Gives the functions of the library that are called in it, and below, the rules of their
// derivatives.
void library_rules(Checker *checker, const TirFunction *function);
// Forgets the sources that no function of the program is from, where they are the last ones.
void library_drop(Checker *checker);

// Calls it. The results, as values: as many as the function has; false after an error.
bool library_call(Checker *checker, const LibraryRow *row, FunctionDecl *decl, const AstExpr *ast,
                  TirExpr **results);
// Whether the constants among the arguments are what the function needs (L18.4); else false after
// an error.
bool library_needs(Checker *checker, const LibraryRow *row, const FunctionDecl *decl,
                   const Arguments *arguments);

#endif
