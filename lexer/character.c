// Text that is no TML: bytes that are not UTF-8, characters and operators the language lacks. The
// whole file is looked at once before scanning (E0101, and a warning of characters that turn the
// direction of text); then the scanner comes here with each character that no rule takes (E0102).
// What people paste in place of an ASCII character is named with that one.
#include "lexer/scanner.h"

#include "support/path.h"

#include <stdarg.h>
#include <string.h>
#include <utf8proc.h>

Slice scanner_match(const Scanner *scanner) {
    return (Slice){.data = scanner->source->text + scanner->start,
                   .len = scanner->end - scanner->start};
}

Span scanner_span(const Scanner *scanner) {
    uint32_t base = scanner->source->base;
    return (Span){.start = base + scanner->start, .end = base + scanner->end};
}

// The length of the character at `text`, 0 when it is not UTF-8 or is NUL. Sets *code.
static uint32_t character_length(const char *text, size_t len, utf8proc_int32_t *code) {
    utf8proc_ssize_t length =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, code);
    return length > 0 && *code != 0 ? (uint32_t)length : 0;
}

// The embeddings, overrides and isolates of the Unicode bidirectional algorithm: with one of them
// in a comment or string, what an editor shows is not what the compiler reads.
static bool turns_direction(utf8proc_int32_t code) {
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

static void warn_of_direction(Scanner *scanner, uint32_t offset, uint32_t length,
                              utf8proc_int32_t code) {
    Span span = {scanner->source->base + offset, scanner->source->base + offset + length};
    Diag *diag =
        diag_warning(scanner->context->diags, WARNING_BIDIRECTIONAL, span,
                     "U+%04X changes the direction in which text is shown", (unsigned)code);
    diag_note(diag, "what is read may not be what is seen");
}

Diag *scanner_error_at(Scanner *scanner, DiagCode code, Span span, const char *format, ...) {
    DiagList *diags = scanner->context->diags;
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(diags->arena, format, arguments);
    va_end(arguments);
    return span.start < scanner->muted_end ? ARENA_NEW(diags->arena, Diag)
                                           : diag_error(diags, code, span, "%s", text);
}

static bool byte_is_plain(char byte) {
    return byte > 0;
}

static void report_byte(Scanner *scanner, uint32_t offset) {
    DiagList *diags = scanner->context->diags;
    const SourceFile *source = scanner->source;
    Span span = {.start = source->base + offset, .end = source->base + offset + 1};
    unsigned char byte = (unsigned char)source->text[offset];
    if (byte == 0) {
        diag_error(diags, DIAG_E0101, span, "a NUL byte cannot stand in a source file");
    } else {
        Diag *diag = diag_error(diags, DIAG_E0101, span, "byte 0x%02X is not UTF-8", byte);
        diag_note(diag, "source files are UTF-8");
    }
}

// Whether half of the first bytes are NUL, or a mark says that each character has two.
static bool is_utf16(const char *text, uint32_t len) {
    enum { LOOKED_AT = 4 };
    if (len < LOOKED_AT) {
        return false;
    }
    bool marked = memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0;
    bool low = text[0] != 0 && text[1] == 0 && text[2] != 0 && text[3] == 0;
    bool high = text[0] == 0 && text[1] != 0 && text[2] == 0 && text[3] != 0;
    return marked || low || high;
}

// Where the first line ends in a text whose lines end with CR alone, outside comments; 0 in others.
static uint32_t lone_return(const char *text, uint32_t len) {
    const char *end = len == 0 ? NULL : memchr(text, '\r', len);
    bool is_code = end != NULL && memchr(text, '\n', len) == NULL &&
                   memchr(end + 1, '\r', len - (size_t)(end + 1 - text)) != NULL &&
                   memchr(text, '#', (size_t)(end - text)) == NULL;
    return is_code ? (uint32_t)(end - text) : 0;
}

static bool is_control(char byte) {
    return byte >= 0 && byte < ' ' && !(byte >= '\t' && byte <= '\r');
}

// Whether so many of the first bytes are control characters that it is no text: of an executable
// most are, of numbers in binary one in ten.
static bool is_binary(const char *text, uint32_t len) {
    enum { LOOKED_AT = 4096, LEAST = 4, SHARE = 20 };
    uint32_t count = 0, end = len < LOOKED_AT ? len : LOOKED_AT;
    for (uint32_t i = 0; i < end; i++) {
        count += is_control(text[i]);
    }
    return count >= LEAST && count >= end / SHARE;
}

static void report_binary(Scanner *scanner) {
    const SourceFile *source = scanner->source;
    uint32_t at = 0;
    while (!is_control(source->text[at])) {
        at += 1;
    }
    Span span = {source->base + at, source->base + at + 1};
    Diag *diag = diag_error(scanner->context->diags, DIAG_E0101, span,
                            "this is a binary file, not the text of a program");
    const char *suffix = path_suffix(source->path);
    if (strcmp(suffix, ".tml") != 0) {
        diag_help(diag, "sources are files such as `%.*s.tml`", (int)(suffix - source->path),
                  source->path);
    }
}

static bool is_unreadable(Scanner *scanner) {
    const SourceFile *source = scanner->source;
    DiagList *diags = scanner->context->diags;
    if (is_utf16(source->text, source->len)) {
        diag_error(diags, DIAG_E0101, (Span){source->base, source->base + 1},
                   "this text is UTF-16; save it as UTF-8");
        return true;
    }
    if (is_binary(source->text, source->len)) {
        report_binary(scanner);
        return true;
    }
    uint32_t end = lone_return(source->text, source->len);
    if (end > 0) {
        diag_error(diags, DIAG_E0102, (Span){source->base + end, source->base + end + 1},
                   "the lines of this text end with CR alone; save it with LF, or CR and LF");
    }
    return end > 0;
}

// Reports the first byte of each run of bytes that are not UTF-8, and warns of characters that hide
// what a text says.
bool scanner_check_encoding(Scanner *scanner) {
    const char *text = scanner->source->text;
    uint32_t len = scanner->source->len;
    if (is_unreadable(scanner)) {
        return false;
    }
    bool in_run = false;
    for (uint32_t i = 0; i < len;) {
        if (byte_is_plain(text[i])) {
            in_run = false;
            i++;
            continue;
        }
        utf8proc_int32_t code = 0;
        uint32_t length = character_length(text + i, len - i, &code);
        if (length == 0 && !in_run) {
            report_byte(scanner, i);
        } else if (length > 0 && turns_direction(code)) {
            warn_of_direction(scanner, i, length, code);
        }
        in_run = length == 0;
        i += length == 0 ? 1 : length;
    }
    return true;
}

// What people paste where TML has ASCII characters.
static const struct Lookalike {
    utf8proc_int32_t code;
    const char *text;
    TokenKind kind; // TOKEN_END_OF_FILE: none that could stand for it
} lookalikes[] = {
    {0x00A0, " ", TOKEN_END_OF_FILE},  {0x2018, "'", TOKEN_END_OF_FILE},
    {0x2019, "'", TOKEN_END_OF_FILE},  {0x201C, "\"", TOKEN_END_OF_FILE},
    {0x201D, "\"", TOKEN_END_OF_FILE}, {0x2013, "-", TOKEN_MINUS},
    {0x2212, "-", TOKEN_MINUS},        {0x00D7, "*", TOKEN_STAR},
    {0x22C5, ".*", TOKEN_DOT_STAR},    {0x00F7, "/", TOKEN_SLASH},
    {0x2264, "<=", TOKEN_LESS_EQUAL},  {0x2265, ">=", TOKEN_GREATER_EQUAL},
    {0x2260, "!=", TOKEN_NOT_EQUAL},
};

static const struct Lookalike *find_lookalike(utf8proc_int32_t code) {
    for (size_t i = 0; i < sizeof(lookalikes) / sizeof(lookalikes[0]); i++) {
        if (lookalikes[i].code == code) {
            return &lookalikes[i];
        }
    }
    return NULL;
}

void scanner_report_character(Scanner *scanner) {
    Slice text = scanner_match(scanner);
    unsigned char c = (unsigned char)text.data[0];
    if (c == 0) {
        return; // E0101 has said it
    }
    bool is_control = c < 0x20 || c == 0x7f;
    scanner_error(scanner, DIAG_E0102,
                  is_control ? "control character 0x%02X cannot stand in code"
                             : "character `%c` cannot stand in code",
                  c);
}

// Reports the character beyond ASCII at `offset` of the current match.
static void report_foreign(Scanner *scanner, uint32_t offset) {
    Slice text = scanner_match(scanner);
    utf8proc_int32_t code = 0;
    uint32_t length = character_length(text.data + offset, text.len - offset, &code);
    if (length == 0) {
        return; // E0101 has said it
    }
    uint32_t start = scanner_span(scanner).start + offset;
    Diag *diag =
        scanner_error_at(scanner, DIAG_E0102, (Span){start, start + length},
                         "character `%.*s` cannot stand in code", (int)length, text.data + offset);
    const struct Lookalike *meant = find_lookalike(code);
    if (meant != NULL) {
        bool quotes = meant->kind == TOKEN_END_OF_FILE && code != 0x00A0;
        if (code == 0x00A0) {
            diag_help(diag, "write a plain blank");
        } else {
            diag_help(diag, "write `%s`", meant->text);
        }
        if (!quotes && meant->kind != TOKEN_STAR) { // products are `*` and `.*`
            diag_edit(diag, (Span){start, start + length}, "%s", meant->text);
        }
    } else {
        diag_note(diag, code == 0x03C0   ? "pi is `M_PI`"
                        : code == 0x00B2 ? "the square of `x` is `x ** 2`"
                        : code == 0x00B7 ? "products are `*` and `.*`"
                                         : "only comments and strings hold characters beyond "
                                           "ASCII");
    }
}

void scanner_foreign_word(Scanner *scanner) {
    Slice text = scanner_match(scanner);
    uint32_t offset = 0;
    while (byte_is_plain(text.data[offset])) {
        offset++;
    }
    report_foreign(scanner, offset);
}

uint32_t scanner_lookalike(Scanner *scanner) {
    Slice text = scanner_match(scanner);
    utf8proc_int32_t code = 0;
    uint32_t length = character_length(text.data, text.len, &code);
    return length > 0 && find_lookalike(code) != NULL ? length : 0;
}

TokenKind scanner_foreign_character(Scanner *scanner) {
    report_foreign(scanner, 0);
    Slice text = scanner_match(scanner);
    utf8proc_int32_t code = 0;
    uint32_t length = character_length(text.data, text.len, &code);
    if (length == 0) {
        return TOKEN_END_OF_FILE;
    }
    const struct Lookalike *meant = find_lookalike(code);
    if (meant != NULL) {
        return length == text.len ? meant->kind : TOKEN_END_OF_FILE;
    }
    utf8proc_category_t category = utf8proc_category(code);
    bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    return letter ? TOKEN_NAME : TOKEN_END_OF_FILE;
}
