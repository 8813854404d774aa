// Text that is no TML: bytes that are not UTF-8, characters and operators the language lacks.
#include "lexer/scanner.h"

#include <utf8proc.h>

Slice scanner_match(const Scanner *scanner) {
    return (Slice){.data = scanner->source->text + scanner->start,
                   .len = scanner->end - scanner->start};
}

Span scanner_span(const Scanner *scanner) {
    uint32_t base = scanner->source->base;
    return (Span){.start = base + scanner->start, .end = base + scanner->end};
}

// The length of the character at `text`, 0 when it is not UTF-8 or is NUL.
static uint32_t character_length(const char *text, size_t len) {
    utf8proc_int32_t code;
    utf8proc_ssize_t length =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &code);
    return length > 0 && code != 0 ? (uint32_t)length : 0;
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
        diag_note(diags, diag, "source files are UTF-8");
    }
}

// Reports the first byte of each run of bytes that are not UTF-8.
void scanner_check_encoding(Scanner *scanner) {
    const char *text = scanner->source->text;
    uint32_t len = scanner->source->len;
    bool in_run = false;
    for (uint32_t i = 0; i < len;) {
        if (byte_is_plain(text[i])) {
            in_run = false;
            i++;
            continue;
        }
        uint32_t length = character_length(text + i, len - i);
        if (length == 0 && !in_run) {
            report_byte(scanner, i);
        }
        in_run = length == 0;
        i += length == 0 ? 1 : length;
    }
}

// What people type, or paste, where TML has an ASCII character.
static const char *lookalike(utf8proc_int32_t code) {
    switch (code) {
    case 0x2018:
    case 0x2019: return "'";
    case 0x201C:
    case 0x201D: return "\"";
    case 0x2013:
    case 0x2212: return "-";
    case 0x00D7:
    case 0x22C5: return "*";
    case 0x00F7: return "/";
    case 0x2264: return "<=";
    case 0x2265: return ">=";
    case 0x2260: return "!=";
    case 0x00A0: return " ";
    default: return NULL;
    }
}

void scanner_report_character(Scanner *scanner) {
    DiagList *diags = scanner->context->diags;
    Slice text = scanner_match(scanner);
    uint32_t length = character_length(text.data, text.len);
    if (length == 0) {
        return; // E0101 has said it
    }
    Span span = scanner_span(scanner);
    span.end = span.start + length;
    unsigned char first = (unsigned char)text.data[0];
    if (first < 0x20 || first == 0x7f) {
        diag_error(diags, DIAG_E0102, span, "control character 0x%02X cannot stand in code", first);
        return;
    }
    Diag *diag = diag_error(diags, DIAG_E0102, span, "character `%.*s` cannot stand in code",
                            (int)length, text.data);
    if (first < 0x80) {
        return;
    }
    utf8proc_int32_t code;
    utf8proc_iterate((const utf8proc_uint8_t *)text.data, (utf8proc_ssize_t)length, &code);
    const char *meant = lookalike(code);
    if (meant != NULL) {
        diag_help(diags, diag, "write `%s`", meant);
    } else {
        diag_note(diags, diag, "only comments and strings hold characters beyond ASCII");
    }
}

void scanner_report_foreign(Scanner *scanner, const char *help) {
    DiagList *diags = scanner->context->diags;
    Slice text = scanner_match(scanner);
    Diag *diag = diag_error(diags, DIAG_E0102, scanner_span(scanner), "`%.*s` is not TML",
                            (int)text.len, text.data);
    diag_help(diags, diag, "%s", help);
}
