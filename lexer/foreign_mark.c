// Marks of other languages: operators, comments and quotes that TML lacks or spells otherwise
// (E0102). The scanner comes here with what it has matched, and goes on with what is meant.
#include "lexer/scanner.h"
#include "lexer/tight_operator.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_word(char c) {
    return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '0' && c <= '9');
}

void scanner_report_spelling(Scanner *scanner, const char *tml) {
    Slice text = scanner_match(scanner);
    Diag *diag = scanner_error(scanner, DIAG_E0102, "`%.*s` is not TML", (int)text.len, text.data);
    diag_help(diag, "write `%s`", tml);
    // `!x` and `x&&y` have no blanks between their parts.
    const char *source = scanner->source->text;
    bool before = is_word(tml[0]) && scanner->start > 0 && is_word(source[scanner->start - 1]);
    bool behind = is_word(tml[0]) && !is_blank(source[scanner->end]);
    diag_edit(diag, scanner_span(scanner), "%s%s%s", before ? " " : "", tml, behind ? " " : "");
}

void scanner_report_foreign(Scanner *scanner, DiagCode code, const char *note) {
    Slice text = scanner_match(scanner);
    Diag *diag = scanner_error(scanner, code, "`%.*s` is not TML", (int)text.len, text.data);
    diag_note(diag, "%s", note);
}

// The rest of the line behind the current match.
static Slice rest_of_line(const Scanner *scanner) {
    const char *rest = scanner->source->text + scanner->end;
    return (Slice){.data = rest, .len = strcspn(rest, "\n")};
}

bool scanner_opens_comment(const Scanner *scanner) {
    Slice rest = rest_of_line(scanner);
    bool closes =
        strstr(arena_copy_text(scanner->context->arena, rest.data, rest.len), "*)") != NULL;
    return closes || rest.len == 0 || !(is_word(rest.data[0]) || rest.data[0] == '*');
}

// Whether the text could be `x`, `x[i + 1]` or `t.x`, with blanks around.
static bool is_place(Slice text) {
    size_t depth = 0;
    bool any = false;
    while (text.len > 0 && is_blank(text.data[text.len - 1])) {
        text.len--;
    }
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        depth += c == '[';
        bool inside = depth > 0 || is_word(c) || (any && c == '.');
        if (!inside && !(is_blank(c) && !any)) {
            return false;
        }
        depth -= c == ']' && depth > 0;
        any = any || !is_blank(c);
    }
    return any && depth == 0;
}

static Slice line_before(const Scanner *scanner) {
    const char *text = scanner->source->text;
    uint32_t start = scanner->start;
    while (start > 0 && text[start - 1] != '\n') {
        start--;
    }
    while (start < scanner->start && is_blank(text[start])) {
        start++;
    }
    return (Slice){.data = text + start, .len = scanner->start - start};
}

// `x++` or `++x` as a statement can be changed; in an expression it is only told.
bool scanner_report_increment(Scanner *scanner) {
    const Scanner *s = scanner;
    Slice rest = rest_of_line(s);
    size_t end = rest.len;
    while (end > 0 && (is_blank(rest.data[end - 1]) || rest.data[end - 1] == ';')) {
        end--;
    }
    bool behind = s->after_operand && !s->token.spaced && end == 0;
    Slice place = behind ? line_before(s) : (Slice){.data = rest.data, .len = end};
    bool before = s->token.first_on_line && end > 0 && is_word(rest.data[0]) && is_place(place);
    if (!behind && !before) {
        return false;
    }
    char sign = scanner_match(s).data[0];
    Diag *diag = scanner_error(scanner, DIAG_E0102, "`%c%c` is not TML", sign, sign);
    if (is_place(place)) {
        uint32_t start =
            s->source->base + (behind ? (uint32_t)(place.data - s->source->text) : s->start);
        uint32_t last = s->source->base + s->end + (behind ? 0 : (uint32_t)end);
        diag_help(diag, "write `%.*s %c= 1`", (int)place.len, place.data, sign);
        diag_edit(diag, (Span){start, last}, "%.*s %c= 1", (int)place.len, place.data, sign);
    } else {
        diag_note(diag, "`x %c= 1` changes `x`, in a statement of its own", sign);
    }
    return true;
}

// Two words in a row are no expression.
static bool is_prose(Slice text) {
    for (size_t i = 1; i + 1 < text.len; i++) {
        if (text.data[i] == ' ' && is_word(text.data[i - 1]) && is_word(text.data[i + 1])) {
            return true;
        }
    }
    return false;
}

// How many brackets are open behind the text; less than 0 where it closes one that it did not open.
static int bracket_depth(Slice text) {
    int depth = 0;
    for (size_t i = 0; i < text.len && depth >= 0; i++) {
        char c = text.data[i];
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    return depth;
}

bool scanner_report_slashes(Scanner *scanner) {
    Slice rest = rest_of_line(scanner);
    bool operand = scanner->after_operand && !scanner->token.first_on_line;
    bool closes = bracket_depth(rest) < 0;
    // `print(7 // 3, not true)`
    bool inside = closes && bracket_depth(line_before(scanner)) > 0;
    if (!operand || (is_prose(rest) && !inside)) {
        scanner_report_foreign(scanner, DIAG_E0102, "a comment begins with `#`");
        return true;
    }
    size_t blanks = strspn(rest.data, " \t");
    bool divides =
        closes || (blanks < rest.len && rest.data[blanks] >= '0' && rest.data[blanks] <= '9');
    Diag *diag = scanner_error(scanner, DIAG_E0102, "`//` is not TML");
    diag_note(diag,
              "`/` on integers cuts toward zero, `floor(a / b)` rounds a quotient of reals "
              "down%s",
              divides ? "" : "; a comment begins with `#`");
    return !divides;
}

// Fortran's operators stand apart from a name, of which the first dot would begin a member.
TokenKind scanner_report_dotted(Scanner *scanner) {
    static const struct {
        const char *fortran, *tml;
        TokenKind kind;
    } rows[] = {
        {".lt.", "<", TOKEN_LESS},         {".le.", "<=", TOKEN_LESS_EQUAL},
        {".gt.", ">", TOKEN_GREATER},      {".ge.", ">=", TOKEN_GREATER_EQUAL},
        {".eq.", "==", TOKEN_EQUAL},       {".ne.", "!=", TOKEN_NOT_EQUAL},
        {".and.", "and", TOKEN_AND},       {".or.", "or", TOKEN_OR},
        {".not.", "not", TOKEN_NOT},       {".true.", "true", TOKEN_TRUE},
        {".false.", "false", TOKEN_FALSE},
    };
    Slice text = scanner_match(scanner);
    if (scanner->after_operand && !scanner->token.spaced) {
        return TOKEN_DOT;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (text.len == strlen(rows[i].fortran) &&
            strncasecmp(rows[i].fortran, text.data, text.len) == 0) {
            scanner_report_spelling(scanner, rows[i].tml);
            return rows[i].kind;
        }
    }
    return TOKEN_DOT;
}

// `x = 4.0 ! the gain`, `if x > 2: ! text`, and a line that begins so.
bool scanner_report_bang(Scanner *scanner) {
    Slice before = line_before(scanner);
    Slice rest = rest_of_line(scanner);
    while (before.len > 0 && is_blank(before.data[before.len - 1])) {
        before.len--;
    }
    bool in_header = before.len > 0 && before.data[before.len - 1] == ':';
    bool behind = scanner->after_operand && scanner->token.spaced;
    bool apart = rest.len > 0 && is_blank(rest.data[0]);
    bool inside = bracket_depth(before) > 0 && bracket_depth(rest) < 0; // `f(x ! y)`
    bool comment = before.len == 0 || in_header ? apart : behind && !inside;
    if (comment) {
        Diag *diag = scanner_error(scanner, DIAG_E0102, "`!` begins no comment");
        diag_help(diag, "a comment begins with `#`");
        diag_edit(diag, scanner_span(scanner), "#");
    } else if (tight_operator_before(scanner->context->sources, scanner_span(scanner).start)) {
        Diag *diag = scanner_error(scanner, DIAG_E0102, "`!` is not TML");
        diag_help(diag, "write `not`, behind an operator in parentheses: `(not b)`");
    } else {
        scanner_report_spelling(scanner, "not");
    }
    return comment;
}

// The prefix of the base that the text ends with; NULL: none that another number has.
static const char *base_prefix(const char *text, uint32_t len, uint32_t *digits) {
    static const struct {
        const char *base, *prefix;
    } rows[] = {{"16", "0x"}, {"8", ""}, {"2", "0b"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        *digits = (uint32_t)strlen(rows[i].base);
        bool ends = len >= *digits && memcmp(text + len - *digits, rows[i].base, *digits) == 0;
        char before = ends && len > *digits ? text[len - *digits - 1] : ' ';
        if (ends && !is_word(before) && before != '.') {
            return rows[i].prefix;
        }
    }
    return NULL;
}

void scanner_warn_based_number(Scanner *scanner) {
    uint32_t digits;
    const char *prefix = base_prefix(scanner->source->text, scanner->start, &digits);
    if (prefix == NULL || scanner->start < scanner->muted_end) {
        return;
    }
    Slice comment = scanner_match(scanner);
    const char *value = comment.data + 1;
    const char *known = prefix[0] == '\0'  ? "01234567_"
                        : prefix[1] == 'b' ? "01_"
                                           : "0123456789ABCDEFabcdef_";
    size_t len = strspn(value, known);
    if (len == 0 || (len + 1 < comment.len && is_word(value[len]))) {
        return;
    }
    Span span = scanner_span(scanner);
    span = (Span){span.start - digits, span.start + 1 + (uint32_t)len};
    Diag *diag = diag_warning(scanner->context->diags, WARNING_BASED_NUMBER, span,
                              "this is %.*s and a comment, which begins with `#`", (int)digits,
                              comment.data - digits);
    if (prefix[0] != '\0') {
        diag_help(diag, "write `%s%.*s`", prefix, (int)len, value);
    } else {
        diag_help(diag, "write `%lu`", strtoul(value, NULL, 8));
    }
}

static Slice without_blanks(Slice text) {
    while (text.len > 0 && is_blank(text.data[text.len - 1])) {
        text.len--;
    }
    while (text.len > 0 && is_blank(text.data[0])) {
        text = (Slice){.data = text.data + 1, .len = text.len - 1};
    }
    return text;
}

// `connect part.u -> t.y`; false for other arrows.
static bool report_connection(Scanner *scanner) {
    Slice line = without_blanks(line_before(scanner));
    if (line.len < strlen("connect ") || memcmp(line.data, "connect ", strlen("connect ")) != 0) {
        return false;
    }
    Slice from =
        without_blanks((Slice){line.data + strlen("connect "), line.len - strlen("connect ")});
    Slice rest = rest_of_line(scanner);
    rest.len = strcspn(rest.data, "#\n");
    Slice to = without_blanks(rest);
    Diag *diag = scanner_error(scanner, DIAG_E0201, "`->` is not TML");
    if (!is_place(from) || !is_place(to)) {
        diag_note(diag,
                  "a wire is written `connect t.y = part.u`: what takes the value comes first");
        return true;
    }
    diag_help(diag, "write `%.*s = %.*s`: what takes the value comes first", (int)to.len, to.data,
              (int)from.len, from.data);
    Span arrow = scanner_span(scanner);
    uint32_t base = arrow.start - scanner->start;
    const char *text = scanner->source->text;
    diag_edit(
        diag,
        (Span){base + (uint32_t)(from.data - text), base + (uint32_t)(to.data + to.len - text)},
        "%.*s = %.*s", (int)to.len, to.data, (int)from.len, from.data);
    return true;
}

void scanner_report_arrow(Scanner *scanner) {
    if (report_connection(scanner)) {
        return;
    }
    if (scanner->after_name) {
        scanner_report_foreign(
            scanner, DIAG_E0201,
            "there are no structures: what belongs together has names in common");
        return;
    }
    Diag *diag = scanner_error(scanner, DIAG_E0102, "`->` is not TML");
    diag_help(diag, "leave it out: the result's type follows the parameters");
    Span span = scanner_span(scanner);
    Slice rest = rest_of_line(scanner);
    uint32_t blanks = (uint32_t)strspn(rest.data, " ");
    const char *close = memchr(rest.data, ')', rest.len);
    if (rest.data[blanks] == '(' && close != NULL) { // `-> (real, int)`
        uint32_t at = span.end + (uint32_t)(close - rest.data);
        span.end += blanks + 1;
        diag_edit(diag, (Span){at, at + 1}, "%s", "");
    }
    diag_edit(diag, span, "%s", "");
}

TokenKind scanner_report_at(Scanner *scanner) {
    if (scanner->after_operand && !scanner->token.first_on_line) {
        scanner_report_spelling(scanner, ".*");
        return TOKEN_DOT_STAR;
    }
    scanner_report_foreign(scanner, DIAG_E0201,
                           scanner->token.first_on_line
                               ? "there are no decorators"
                               : "functions have names: `fn f(real x) real:` at file level");
    return TOKEN_END_OF_FILE;
}

TokenKind scanner_report_quotes(Scanner *scanner, size_t mark_length) {
    Slice text = scanner_match(scanner);
    Diag *diag = scanner_error(scanner, DIAG_E0102, "a text stands in `\"` or `'`");
    Slice inside = {.data = text.data + mark_length, .len = text.len - 2 * mark_length};
    bool plain = memchr(inside.data, '"', inside.len) == NULL &&
                 memchr(inside.data, '\\', inside.len) == NULL;
    if (plain && memchr(inside.data, '$', inside.len) == NULL) {
        diag_help(diag, "write `\"%.*s\"`", (int)inside.len, inside.data);
        diag_edit(diag, scanner_span(scanner), "\"%.*s\"", (int)inside.len, inside.data);
    } else {
        diag_note(diag, "`print` shows texts and values in a row: `print(\"x is\", x)`");
    }
    return TOKEN_BAD_LITERAL;
}
