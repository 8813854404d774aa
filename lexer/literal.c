// Numbers and strings: their values and what can be wrong with them (L1.5 to L1.7). The scanner has
// matched the text, well-formed or not; a literal with a mistake becomes a token of its own kind,
// so that parsing goes on and nothing else is said about it.
#include "lexer/scanner.h"

#include "lexer/row.h"
#include "support/bug.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned digit_value(char c) {
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

// The magnitude of the digits in `text`, UINT64_MAX when it is beyond 32 bits.
static uint64_t read_digits(Slice text, unsigned base) {
    uint64_t value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '_') {
            continue;
        }
        value = value * base + digit_value(text.data[i]);
        if (value > UINT32_MAX) {
            return UINT64_MAX;
        }
    }
    return value;
}

TokenKind literal_integer(Scanner *scanner, unsigned base) {
    Slice text = scanner_match(scanner);
    Slice digits = text;
    // A digit of any base is never `u`.
    bool is_unsigned = (text.data[text.len - 1] | 0x20) == 'u';
    digits.len -= is_unsigned;
    if (base != 10) {
        digits.data += 2;
        digits.len -= 2;
    }
    uint64_t value = read_digits(digits, base);
    uint64_t limit = is_unsigned ? UINT32_MAX : (uint64_t)INT32_MAX + 1;
    if (value > limit) {
        Diag *diag = scanner_error(scanner, DIAG_E0104, "number is too large for `%s`",
                                   is_unsigned ? "uint" : "int");
        diag_here(diag, "at most %s", is_unsigned ? "4294967295" : "2147483647");
        if (!is_unsigned && value <= UINT32_MAX) {
            diag_help(diag, "write `%.*su` for a `uint`", (int)text.len, text.data);
        }
        return TOKEN_BAD_LITERAL;
    }
    scanner->token.integer.value = (uint32_t)value;
    scanner->token.integer.is_unsigned = is_unsigned;
    return TOKEN_INTEGER_LITERAL;
}

// strtod reads the decimal point of the locale that the host program has set.
static double read_real(Slice text, float *single) {
    const char *point = localeconv()->decimal_point;
    Buffer clean = {0};
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '.') {
            buffer_text(&clean, point);
        } else if (text.data[i] != '_') {
            buffer_append(&clean, &text.data[i], 1);
        }
    }
    CHECK(clean.data != NULL); // the scanner matched digits
    double value = strtod(clean.data, NULL);
    *single = strtof(clean.data, NULL);
    buffer_free(&clean);
    return value;
}

TokenKind literal_real(Scanner *scanner) {
    float single;
    double value = read_real(scanner_match(scanner), &single);
    if (isinf(value)) {
        Diag *diag = scanner_error(scanner, DIAG_E0104, "number is too large for `real`");
        diag_help(diag, "the constant `inf` is infinity");
        return TOKEN_BAD_LITERAL;
    }
    scanner->token.real.value = value;
    scanner->token.real.single = single;
    return TOKEN_REAL_LITERAL;
}

TokenKind literal_of_points(Scanner *scanner) {
    scanner_error(scanner, DIAG_E0107, "a number has one point");
    return TOKEN_BAD_LITERAL;
}

// The `[` of the row of numbers and names in which the match stands; NULL: it stands in none.
static const char *row_start(const Scanner *scanner, Slice match) {
    const char *first = scanner->source->text;
    const char *at = match.data;
    while (at > first && (isalnum((unsigned char)at[-1]) || strchr("_ \t.,;+-", at[-1]) != NULL)) {
        at--;
    }
    bool is_open = at > first && at[-1] == '[';
    bool is_index = is_open && at - 1 > first &&
                    (isalnum((unsigned char)at[-2]) || strchr("_])\'", at[-2]) != NULL);
    return is_open && !is_index ? at - 1 : NULL;
}

// `[0. 1. 2.]`: all of such a row is one mistake.
static bool report_row(Scanner *scanner, Slice match) {
    const char *start = row_start(scanner, match);
    MeantRow row = start == NULL ? (MeantRow){0} : row_meant(scanner->context->diags->arena, start);
    Span span = scanner_span(scanner);
    if (row.text == NULL || row.changes < 2) {
        return false;
    }
    Diag *diag =
        scanner_error(scanner, DIAG_E0103, "a real number needs digits on both sides of the point");
    uint32_t first = span.start - (uint32_t)(match.data - start);
    if (row.len <= ROW_SHOWN) {
        diag_help(diag, "write `%s`", row.text);
    } else {
        diag_help(diag, "write `0.0`, and a comma between two elements: `[0.0, 1.0]`");
    }
    diag_edit(diag, (Span){first, first + row.len}, "%s", row.text);
    scanner->muted_end = first + row.len;
    return true;
}

TokenKind literal_bare_point(Scanner *scanner) {
    DiagList *diags = scanner->context->diags;
    Slice text = scanner_match(scanner);
    if (report_row(scanner, text)) {
        return TOKEN_BAD_LITERAL;
    }
    Diag *diag =
        scanner_error(scanner, DIAG_E0103, "a real number needs digits on both sides of the point");
    int point = (int)((const char *)memchr(text.data, '.', text.len) - text.data) + 1;
    const char *meant = point == 1 ? arena_format(diags->arena, "0%.*s", (int)text.len, text.data)
                                   : arena_format(diags->arena, "%.*s0%.*s", point, text.data,
                                                  (int)text.len - point, text.data + point);
    const char *before = text.data - 1;
    bool behind_word = point == 1 && scanner_span(scanner).start > scanner->source->base &&
                       (*before == '_' || (*before | 0x20) >= 'a');
    if (behind_word) { // `x.gt.2`
        diag_note(diag, "operators in dots, as `.gt.`, are `>` and its like in TML");
    } else {
        diag_help(diag, "write `%s`", meant);
        diag_edit(diag, scanner_span(scanner), "%s", meant);
    }
    return TOKEN_BAD_LITERAL;
}

// `d0` in `1.5d0`, as Fortran writes exponents; of `1.5d-3` the `d` alone.
static bool is_exponent(Slice suffix) {
    const char *rest = suffix.data + 1;
    rest += suffix.len == 1 && (*rest == '-' || *rest == '+');
    return (suffix.data[0] | 0x20) == 'd' && *rest >= '0' && *rest <= '9' &&
           strspn(suffix.data + 1, "0123456789") >= suffix.len - 1;
}

// Of the `e-3` in `1e-3f`, and of nothing else.
static size_t exponent_length(Slice text) {
    size_t sign = text.len > 1 && (text.data[1] == '-' || text.data[1] == '+') ? 2 : 1;
    size_t digits = text.len > sign ? strspn(text.data + sign, "0123456789") : 0;
    return (text.data[0] | 0x20) == 'e' && digits > 0 && sign + digits < text.len ? sign + digits
                                                                                  : 0;
}

// `1.5f`, `10L`, `2x`, `1j`: a number, and behind it what other languages let stand there.
static void explain_suffix(Scanner *scanner, Diag *diag, Slice text) {
    size_t len = 0;
    while (len < text.len && ((text.data[len] >= '0' && text.data[len] <= '9') ||
                              text.data[len] == '.' || text.data[len] == '_')) {
        len++;
    }
    len += exponent_length((Slice){text.data + len, text.len - len});
    Slice suffix = {.data = text.data + len, .len = text.len - len};
    Slice digits = {.data = text.data, .len = len};
    bool point = strcspn(digits.data, ".eE") < digits.len;
    char letter = (char)(suffix.data[0] | 0x20);
    if (suffix.len == 1 && (letter == 'i' || letter == 'j')) {
        diag_note(diag, "a complex number is a pair of reals: `[real part, imaginary part]`");
        return;
    }
    DiagList *diags = scanner->context->diags;
    if (is_exponent(suffix)) {
        const char *exponent = arena_format(diags->arena, "%.*se%.*s", (int)digits.len, digits.data,
                                            (int)suffix.len - 1, suffix.data + 1);
        diag_help(diag, "an exponent begins with `e`");
        diag_edit(diag, scanner_span(scanner), "%s", exponent);
        return;
    }
    const char *meant;
    bool is_unsigned = !point && letter == 'u' && strspn(suffix.data, "uUlL") >= suffix.len;
    if (letter == 'l' || letter == 'f') {
        for (size_t i = 0; i < suffix.len; i++) {
            char c = (char)(suffix.data[i] | 0x20);
            bool of_type = c == 'l' || c == 'f' || c == 'u';
            letter = of_type ? letter : '\0';
        }
    }
    if (is_unsigned) {
        meant = arena_format(diags->arena, "%.*su", (int)digits.len, digits.data);
    } else if (letter == 'l' || letter == 'f') {
        meant = arena_format(diags->arena, "%.*s%s", (int)digits.len, digits.data,
                             letter == 'f' && !point ? ".0" : "");
    } else if (memchr(digits.data, '_', digits.len) == NULL) {
        meant = arena_format(diags->arena, "%.*s * %.*s", (int)digits.len, digits.data,
                             (int)suffix.len, suffix.data);
        diag_note(diag, "a name cannot begin with a digit; a product is written `%s`", meant);
        return;
    } else {
        diag_note(diag, "a name cannot begin with a digit");
        return;
    }
    diag_help(diag, "write `%s`", meant);
    diag_edit(diag, scanner_span(scanner), "%s", meant);
}

TokenKind literal_malformed(Scanner *scanner) {
    Slice text = scanner_match(scanner);
    Diag *diag = scanner_error(scanner, DIAG_E0107, "malformed number");
    char second = text.len > 1 ? text.data[1] : '\0';
    if (text.data[0] == '0' && (second == 'X' || second == 'B' || second == 'o')) {
        diag_note(diag, "the prefixes are `0x` and `0b`%s",
                  second == 'o' ? "; there are no octal numbers" : "");
    } else if (text.data[0] == '0' && second == 'b') {
        diag_here(diag, "a binary number has the digits 0 and 1");
    } else if (text.data[0] == '0' && second == 'x') {
        diag_here(diag, "a hexadecimal number has the digits 0 to 9 and A to F");
    } else if (memchr(text.data, '_', text.len) != NULL) {
        diag_note(diag, "a single `_` may stand between two digits");
    } else if (text.data[text.len - 1] == 'e' || text.data[text.len - 1] == 'E') {
        diag_here(diag, "the exponent has no digits");
    } else {
        explain_suffix(scanner, diag, text);
    }
    return TOKEN_BAD_LITERAL;
}

void literal_string_begin(Scanner *scanner) {
    scanner->quote = scanner->start;
    scanner->string.len = 0;
}

void literal_string_escape(Scanner *scanner) {
    Slice text = scanner_match(scanner);
    char byte;
    switch (text.data[1]) {
    case 'n': byte = '\n'; break;
    case 't': byte = '\t'; break;
    case '\\':
    case '"':
    case '\'': byte = text.data[1]; break;
    case 'x':
        if (text.len == 4) {
            byte = (char)(digit_value(text.data[2]) * 16 + digit_value(text.data[3]));
            break;
        }
        diag_here(scanner_error(scanner, DIAG_E0106, "`\\x` without two hexadecimal digits"),
                  "write it like `\\x2A`");
        return;
    default: {
        // A character beyond ASCII is not cut in the middle.
        bool plain = text.data[1] > ' ' && text.data[1] < 0x7f;
        Diag *diag = scanner_error(scanner, DIAG_E0106, "unknown escape%s%.*s%s", plain ? " `" : "",
                                   plain ? 2 : 0, text.data, plain ? "`" : "");
        diag_note(diag, "the escapes are `\\n`, `\\t`, `\\\\`, `\\\"`, `\\'` and `\\xHH`");
        return;
    }
    }
    buffer_append(&scanner->string, &byte, 1);
}

TokenKind literal_string_end(Scanner *scanner) {
    scanner->start = scanner->quote;
    size_t len = scanner->string.len;
    const char *data = len == 0 ? "" : scanner->string.data;
    scanner->token.string =
        (Slice){.data = arena_copy_text(scanner->context->arena, data, len), .len = len};
    return TOKEN_STRING_LITERAL;
}

TokenKind literal_string_unterminated(Scanner *scanner) {
    scanner->start = scanner->quote;
    Slice text = scanner_match(scanner);
    Span span = scanner_span(scanner);
    if (text.data[text.len - 1] == '\r') {
        span.end--;
    }
    Diag *diag = scanner_error_at(scanner, DIAG_E0105, span, "string without an end");
    diag_here(diag, "expected `%c` on this line", text.data[0]);
    if (text.data[0] == '\'' && scanner->after_operand) {
        diag_note(diag, "a transposing `'` directly follows what it applies to");
    }
    return TOKEN_BAD_LITERAL;
}
