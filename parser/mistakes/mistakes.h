// Mistakes that have messages of their own. Internal to the parser.
#ifndef TMLC_PARSER_MISTAKES_MISTAKES_H
#define TMLC_PARSER_MISTAKES_MISTAKES_H

#include "parser/parser.h"

// Returns whether the token that does not fit is one that is known (known.c), and reported.
bool report_known_mistake(Parser *parser, const bool expected[TOKEN_KIND_COUNT]);
// For `parser->lone` (value.c). `value` is what stands before the line's `=`, or the whole line
// when nothing is assigned.
void report_lone_value(Parser *parser, Span value, bool assigns);
// Adds the type that is meant when `word` is a type of another language; returns whether it is.
bool report_foreign_type(Diag *diag, Slice word);

#endif
