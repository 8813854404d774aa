// Syntax errors in words (E0201, E0202). Internal to the parser.
#ifndef TMLC_PARSER_REPORT_H
#define TMLC_PARSER_REPORT_H

#include "parser/parser.h"

// The token does not fit. `expected` has a flag per token kind.
void report_syntax_error(Parser *parser, const bool expected[TOKEN_KIND_COUNT]);
// For `parser->lone` (parser/mistakes/value.c). `value` is what stands before the line's `=`, or
// the whole line when nothing is assigned.
void report_lone_value(Parser *parser, Span value, bool assigns);
// E0202
void report_bad_target(Parser *parser, Span target);
void report_missing_end(Parser *parser);
void report_misplaced_colon(Parser *parser, Span colon);
void report_else_if(Parser *parser, Span span);

// The mistakes that have a message of their own (parser/mistakes/known.c). Returns whether it
// reported one.
bool report_known_mistake(Parser *parser, const bool expected[TOKEN_KIND_COUNT]);
// Adds the type that is meant when `word` is a type of another language; returns whether it is.
bool report_foreign_type(Diag *diag, Slice word);
// "`+`", "the end of the file".
const char *report_found(const Parser *parser);
// Says which block is open, if any.
void report_open_block(Parser *parser, Diag *diag);

#endif
