// Mistakes that have messages of their own. Internal to the parser.
#ifndef TMLC_PARSER_MISTAKES_MISTAKES_H
#define TMLC_PARSER_MISTAKES_MISTAKES_H

#include "parser/parser.h"

// A mistake is recognised by the token that was found, the one before it, and what the grammar
// expected.
typedef struct Mistake {
    Parser *parser;
    const bool *expected;
    const Token *found;
    const Token *before;
} Mistake;

// A rule without a message reports what it recognises.
typedef struct MistakeRule {
    bool (*recognises)(const Mistake *mistake);
    const char *message;
    const char *note;
} MistakeRule;

#define LOOP_FORM "a loop is written `for i = first:end:`"

// Returns whether the token that does not fit is one that is known (known.c), and reported.
bool report_known_mistake(Parser *parser, const bool expected[TOKEN_KIND_COUNT]);
// Reports what the first rule that recognises it says; false when none does.
bool report_by_rules(const Mistake *mistake, const MistakeRule *rules, size_t count);
// Notations of other languages (habit.c), declarations and headers that are nearly right
// (header.c), declarations in a row and of Fortran (declaration.c), headers of functions
// (function.c), slips (slip.c).
bool report_habit(const Mistake *mistake);
bool report_header(const Mistake *mistake);
bool report_declaration(const Mistake *mistake);
bool report_function(const Mistake *mistake);
bool report_slip(const Mistake *mistake);
// Comments and numbers with marks of other languages; then a comment whose `%` or `--` may stand
// before `position` on its line (mark.c).
bool report_mark(const Mistake *mistake);
bool report_comment_before(Parser *parser, uint32_t position);
// `c ? a : b`, `a if c else b`; then the first at its `?` (choice.c).
bool report_choice_between(const Mistake *mistake);
void report_question(Parser *parser, Span question);
// For `parser->lone` (value.c). `value` is what stands before the line's `=`, or the whole line
// when nothing is assigned.
void report_lone_value(Parser *parser, Span value, bool assigns);
// `a AND b`, `if x > 2 then`: whether the word at `span` stands for an operator. `header_ends`
// where the colon of a header could follow. Then the word before an operand: `NOT a`, `lambda x`.
// Then a cast whose `)` is at `close`, and lengths whose `[` is at `bracket`.
bool report_foreign_operator(Parser *parser, Span span, Span before, bool header_ends);
bool report_foreign_prefix(Parser *parser, Span word, const Token *operand);
bool report_cast_of_c(Parser *parser, Span close);
bool report_lengths(Parser *parser, uint32_t bracket);
// `x > 5 and < 10`, then at its `<` or `<-` (comparison.c).
bool report_comparison(const Mistake *mistake);
bool report_half_comparison(Parser *parser, Span sign);
// `x mod 2*M_PI`, at the word that TML writes as `tml`: false unless a product stands behind it,
// which `%` would take apart (remainder.c).
bool report_remainder(Parser *parser, Span word, const char *tml);
// `test works:`, at its first word.
bool report_unquoted_test(Parser *parser, Span test);
// `test("works"):`, at what seems to be a value.
bool report_called_test(Parser *parser, Span value);
// `end lag`: a word behind the `end` that begins a line.
void report_word_behind_end(Parser *parser, Span word);
// Adds the type that is meant when `word` is a type of another language; returns whether it is.
bool report_foreign_type(Diag *diag, Slice word);
// Adds the type that is nearly spelt like the word; returns whether there is one.
bool report_near_type(Diag *diag, Span span, Slice word);
bool is_near_type(Slice word);
// A `:` inside a header that ends before its line does.
void report_early_colon(Parser *parser, Span colon);
// `else if`
void report_else_if(Parser *parser, Span words);

// The text around a mistake (line.c).

Slice text_of(const Parser *parser, Span span);
// The line that holds `position`, without indentation and line end, and where it begins.
Slice line_around(const Parser *parser, uint32_t position, uint32_t *start);
// The one before, blank lines left out; empty when there is none.
Slice line_above(const Parser *parser, uint32_t position, uint32_t *start);
// Where the next line begins, or the file ends.
uint32_t line_below(const Parser *parser, uint32_t position);
// From `position` to the end of its line, blanks and a comment at its end left out.
Slice line_behind(const Parser *parser, uint32_t position);
// Whether a line heads a block, by its last mark or a `{` below.
bool begins_block(Slice line);
// The text up to a `]`, or empty.
Slice until_bracket(Slice text);
// The word that the text begins with; empty when it begins otherwise.
Slice leading_word(Slice text);
bool has_word(Slice text, Slice word);
// The word that ends before `position` on its line, blanks left out; empty, at the end of what
// stands there, when that is none.
Span word_before(const Parser *parser, uint32_t position);
// What the line of `position` has from its last `tensor<` to there; empty when it has none, or when
// that is closed.
Slice open_tensor(const Parser *parser, uint32_t position);
// Where the name, number, call or element at `at` ends; `at` when there is none. Then the one that
// ends before `position` on its line, blanks left out.
size_t operand_end(Slice text, size_t at);
Slice operand_before(const Parser *parser, uint32_t position);
bool slice_is(Slice text, const char *word);
// Whether it is one of some words, which blanks part.
bool slice_is_among(Slice text, const char *words);
// The type of TML that a word is or means, or NULL.
const char *meant_type(Slice word);

#endif
