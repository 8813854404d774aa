// Names as the text has them, where no note tells what they stand for: in functions that no call
// gives its sizes, in branches of macros that are left out, and behind errors.
#ifndef TMLC_LSP_OCCURRENCE_H
#define TMLC_LSP_OCCURRENCE_H

#include "parser/ast.h"
#include "sema/notes/notes.h"

typedef struct Occurrence {
    Span span; // with `t.` or `{i}`, as in a NameNote
    Name name;
    char space;
    bool declares;           // a declaration with a type, a parameter, the variable of a loop
    bool is_target;          // a plain name that is assigned
    bool is_called;          // it stands for a function, whatever variables there are
    Name callee;             // of an argument by name: the function; else NULL
    const AstStmt *function; // around it, or NULL
    const AstFile *file;
} Occurrence;

typedef LIST_OF(Occurrence) Occurrences;

// Those of all files that were checked that have no note.
Occurrences lsp_occurrences(Arena *arena, const Notes *notes);
// The function, or test, of the files around a position; NULL at file level.
const AstStmt *lsp_function_around(const Notes *notes, uint32_t position);
// From `fn` to the end of `end`.
Span lsp_function_span(const AstStmt *function);

// Whether it can stand for what has that role, and `function` around its declaration, or NULL.
bool lsp_occurrence_fits(const Occurrence *at, NameRole role, const AstStmt *function);

// The key in tables of what begins at a place.
const void *lsp_key_of(Span span);

#endif
