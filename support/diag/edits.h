// Edits of messages, once all is said.
#ifndef TMLC_SUPPORT_DIAG_EDITS_H
#define TMLC_SUPPORT_DIAG_EDITS_H

#include "support/diag/diag.h"
#include "support/source.h"

// Where an edit puts a word in place of a mark that stands directly beside another word, as
// `int(x)` for `(x)` in `return(x)`, a blank goes between the two.
void edits_part_words(const DiagList *diags, const SourceMap *sources);

#endif
