// Symbols: what names stand for, and everywhere they stand. A symbol is the place of its
// declaration; where macros or the branches of a guard declare one name at several places, and one
// place uses all of them, these are one symbol.
#ifndef TMLC_LSP_SYMBOL_H
#define TMLC_LSP_SYMBOL_H

#include "lsp/state.h"
#include "sema/notes/notes.h"

typedef LIST_OF(Span) LspSpans;

typedef struct LspSymbol {
    NameRole role;
    char space;
    Name name;
    LspSpans declarations; // as in the notes, in order of place
    LspSpans places;       // of the name itself, these too; in order of place
    const char *obstacle;  // why it cannot be renamed, or NULL
} LspSymbol;

// The note of the name at a position or right before it; NULL when there is none.
const NameNote *lsp_name_at(const LspDocument *document, uint32_t position);
// Whether names may have it.
bool lsp_is_name_byte(char byte);
// The name itself: `u` of `t.u`, `x` of `x{i}`.
Span lsp_name_itself(const LspDocument *document, Span span);

// What stands at a position of the document's compilation, or is declared at one. False when that
// is no symbol: what is built in has no declaration.
__attribute__((warn_unused_result)) bool lsp_symbol_at(Arena *arena, const LspDocument *document,
                                                       uint32_t position, LspSymbol *symbol);
__attribute__((warn_unused_result)) bool
lsp_symbol_declared(Arena *arena, const LspDocument *document, uint32_t start, LspSymbol *symbol);

// The function that declares the symbol for itself; NULL when the file does.
const AstStmt *lsp_symbol_function(const LspDocument *document, const LspSymbol *symbol);

#endif
