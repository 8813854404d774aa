// Operators that bind tighter than `not`, so that it needs parentheses behind them.
#ifndef TMLC_LEXER_TIGHT_OPERATOR_H
#define TMLC_LEXER_TIGHT_OPERATOR_H

#include "support/source.h"

// Whether one stands before the position, in its line. It is asked where there is no tree, or none
// of what stands around.
bool tight_operator_before(const SourceMap *sources, uint32_t position);

#endif
