// Notes as text, for `--emit=notes`.
#ifndef TMLC_SEMA_NOTES_PRINT_H
#define TMLC_SEMA_NOTES_PRINT_H

#include "sema/notes/notes.h"
#include "support/buffer.h"
#include "support/context.h"

// Those of one file, a line each, in order of place: an expression before its parts.
void notes_print(Buffer *out, const Context *context, const SourceFile *file, const Notes *notes);

#endif
