// The one layout of TML source. Tokens and comments stay as they are and where they are; only
// blanks and line ends change, by the rules of docs/formatter.md.
#ifndef TMLC_FORMAT_FORMAT_H
#define TMLC_FORMAT_FORMAT_H

#include "parser/ast.h"
#include "support/buffer.h"
#include "support/context.h"

typedef enum FormatEnd {
    FORMAT_DONE,
    FORMAT_TOO_LARGE, // texts and their versions pass what a compilation can hold
    FORMAT_DIFFERS,   // what was laid out is another program, by a bug of ours
} FormatEnd;

// Appends the text of a file that parses, in its layout; nothing unless it is done.
__attribute__((warn_unused_result)) FormatEnd format_file(Context *context, const AstFile *file,
                                                          Buffer *out);

#endif
