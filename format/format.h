// The one layout of TML source. Tokens and comments stay as they are and where they are; only
// blanks and line ends change, by the rules of docs/formatter.md.
#ifndef TMLC_FORMAT_FORMAT_H
#define TMLC_FORMAT_FORMAT_H

#include "parser/ast.h"
#include "support/buffer.h"
#include "support/context.h"

// Appends the text of a file that parses, in its layout. False when texts and their versions pass
// what a compilation can hold (support/source.h).
__attribute__((warn_unused_result)) bool format_file(Context *context, const AstFile *file,
                                                     Buffer *out);

#endif
