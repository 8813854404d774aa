// Syntax errors in words (E0201, E0202). Internal to the parser.
#ifndef TMLC_PARSER_REPORT_H
#define TMLC_PARSER_REPORT_H

#include "parser/parser.h"

// The token does not fit. `expected` has a flag per token kind.
void report_syntax_error(Parser *parser, const bool expected[TOKEN_KIND_COUNT]);
// E0202
void report_bad_target(Parser *parser, Span target);
// `< -` where `<-` is meant, of two tokens.
void report_arrow(Parser *parser, Span arrow);
void report_missing_end(Parser *parser);
// A header without its `:`, which may belong to `place`: then it is offered there.
void report_no_colon(Parser *parser, Span place, bool is_its_end);
// A header whose `:` is missing at the end of its line; false when that is not what is wrong.
bool report_missing_colon(Parser *parser, const bool expected[TOKEN_KIND_COUNT]);

// "`+`", "the end of the file".
const char *report_found(const Parser *parser);
// Says which block is open, if any.
void report_open_block(Parser *parser, Diag *diag);

#endif
