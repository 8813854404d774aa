// Characters to tokens, context-free but for `'` and `!`. Internal to the lexer.
#ifndef TMLC_LEXER_SCANNER_H
#define TMLC_LEXER_SCANNER_H

#include "lexer/token.h"
#include "support/buffer.h"
#include "support/context.h"

typedef struct Scanner {
    Context *context;
    SourceFile *source;
    void *flex;
    uint32_t start, end; // of the current match, as offsets in the file
    // What the previous token lets `'` and `!` mean when they follow it directly.
    bool after_operand, after_name;
    uint32_t muted_end; // no error is reported before this position
    Token token;        // being read
    uint32_t quote;     // where the string being read began
    Buffer string;      // its bytes so far
} Scanner;

void scanner_open(Scanner *scanner, Context *context, SourceFile *source);
void scanner_close(Scanner *scanner);
// Words come as TOKEN_NAME, reserved or not; brackets, `:` and `|` as their plain kinds.
Token scanner_next(Scanner *scanner);

// What the rules of scanner.l call. The text of the current match, and its span.
Slice scanner_match(const Scanner *scanner);
Span scanner_span(const Scanner *scanner);

// An error at `span`, and about the current match. What is said where the scanner is muted is lost.
Diag *scanner_error_at(Scanner *scanner, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define scanner_error(scanner, code, ...) \
    scanner_error_at(scanner, code, scanner_span(scanner), __VA_ARGS__)

// Literals (lexer/literal.c). Each sets the token's value and returns its kind.
TokenKind literal_integer(Scanner *scanner, unsigned base);
TokenKind literal_real(Scanner *scanner);
TokenKind literal_bare_point(Scanner *scanner);
TokenKind literal_of_points(Scanner *scanner);
TokenKind literal_malformed(Scanner *scanner);
void literal_string_begin(Scanner *scanner);
void literal_string_escape(Scanner *scanner);
TokenKind literal_string_end(Scanner *scanner);
TokenKind literal_string_unterminated(Scanner *scanner);

// Text that no rule takes (E0101, E0102; lexer/character.c). All of it is reported once.
// False where none of it can be read: it has another encoding, or no line ends that count.
bool scanner_check_encoding(Scanner *scanner);
void scanner_report_character(Scanner *scanner);
// A word with characters beyond ASCII in it.
void scanner_foreign_word(Scanner *scanner);
// How long a character that looks like an operator or a blank is at the start of the match; 0:
// there is none.
uint32_t scanner_lookalike(Scanner *scanner);
// Characters beyond ASCII that stand alone: the token that is meant, or TOKEN_END_OF_FILE when
// there is none.
TokenKind scanner_foreign_character(Scanner *scanner);
// Reports an operator of other languages; the caller goes on with the one that is meant, `tml`.
void scanner_report_spelling(Scanner *scanner, const char *tml);
// The same for a mark that has no such counterpart. With E0201 what is around it makes no sense.
void scanner_report_foreign(Scanner *scanner, DiagCode code, const char *note);
// `++` and `--`: whether they are those of C, and reported.
bool scanner_report_increment(Scanner *scanner);
// `//`: whether it is a comment; else it divides.
bool scanner_report_slashes(Scanner *scanner);
// `(*`: whether it is one of IEC 61131; else a `*` follows a parenthesis, as in `f(*args)`.
bool scanner_opens_comment(const Scanner *scanner);
// `!`: whether it is a comment, as in Fortran; else it is taken for `not`.
bool scanner_report_bang(Scanner *scanner);
// A comment: whether it is the end of a number as IEC 61131 writes it, `16#FF`.
void scanner_warn_based_number(Scanner *scanner);
// `.gt.`: what it stands for, or TOKEN_DOT where it begins the name of a member.
TokenKind scanner_report_dotted(Scanner *scanner);
// `->`, `@`
void scanner_report_arrow(Scanner *scanner);
TokenKind scanner_report_at(Scanner *scanner);
// A text in marks that TML does not have.
TokenKind scanner_report_quotes(Scanner *scanner, size_t mark_length);

#endif
