// Parts of what editors show: types, sizes, values, signatures and comments as short texts.
#ifndef TMLC_LSP_DESCRIBE_H
#define TMLC_LSP_DESCRIBE_H

#include "lsp/state.h"
#include "sema/notes/notes.h"

// "2x3 real", by level "2 of 3 real".
const char *describe_short_type(Arena *arena, const Type *type);
// As the user writes it; "an error" of poison.
const char *describe_type(Arena *arena, const Type *type);
// The source text when it is short and of one line, else `fallback`.
const char *describe_text(Arena *arena, const LspDocument *document, Span span,
                          const char *fallback);
// `fn f(real x) real` on one line.
const char *describe_signature(Arena *arena, const LspDocument *document, const AstStmt *function);
// The function that is declared at a place; NULL when none is.
const AstStmt *describe_function(const Notes *notes, Span declaration);
// What sizes the function that is being shown has here: "n = 2, m = 3"; "" where it has none.
const char *describe_sizes(Arena *arena, const Notes *notes, const TirFunction *function);
// The value of a constant, size or default; NULL where there is none, or it is long.
const char *describe_value(Arena *arena, const LspDocument *document, const NameNote *note);
// The comment behind a declaration on its line, such as a unit; NULL when there is none.
const char *describe_comment(Arena *arena, const LspDocument *document, Span declaration);
// The lines of comment right above; NULL when there are none.
const char *describe_comment_above(Arena *arena, const LspDocument *document, Span declaration);
// Whether no call gives the sizes of the function around a position, so that nothing is known.
bool describe_is_unchecked(const Notes *notes, uint32_t position);

#define DESCRIBE_UNCHECKED "not checked: no call gives its sizes"

#endif
