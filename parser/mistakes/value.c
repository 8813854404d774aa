// Values and words where a statement should stand: `x + 1`, `a + 1 = 3`, `float x = 3`,
// `elif x > 2:`, `i++`.
#include "parser/mistakes/mistakes.h"

#include "parser/mistakes/foreign.h"
#include "parser/report.h"

#include <string.h>

bool report_foreign_type(Diag *diag, Slice word) {
    const ForeignWord *foreign = foreign_find(word, FOREIGN_TYPE);
    if (foreign != NULL) {
        diag_note(diag, "TML writes `%s`", foreign->tml);
    }
    return foreign != NULL;
}

// The character before `position` on its line, blanks left out; '\n' when there is none.
static char character_before(const Parser *parser, uint32_t position) {
    const SourceFile *source = parser->file->source;
    uint32_t offset = position - source->base;
    while (offset > 0 && (source->text[offset - 1] == ' ' || source->text[offset - 1] == '\t')) {
        offset--;
    }
    return offset == 0 ? '\n' : source->text[offset - 1];
}

static Slice leading_word(Slice text) {
    size_t len = 0;
    while (len < text.len && (text.data[len] == '_' || (text.data[len] | 0x20) >= 'a' ||
                              (len > 0 && text.data[len] >= '0' && text.data[len] <= '9'))) {
        len++;
    }
    return (Slice){.data = text.data, .len = len};
}

// A word of another language, at the start of a line. Returns whether it is one.
static bool report_foreign_word(Parser *parser, Span span, Slice word) {
    const ForeignWord *foreign =
        foreign_find(word, FOREIGN_WORD | FOREIGN_HEADER | FOREIGN_DECLARES);
    if (foreign == NULL) {
        return false;
    }
    Diag *diag =
        syntax_error(parser, span, "`%.*s` is not a word of TML", (int)word.len, word.data);
    if (foreign->tml == NULL) {
        diag_note(diag, "a declaration is written `type name = value` or `name = value`");
        return true;
    }
    diag_note(diag, "TML writes `%s`", foreign->tml);
    parser->surplus_ends += foreign->roles == FOREIGN_HEADER;
    parser->error_at_end |= strcmp(foreign->tml, "end") == 0;
    return true;
}

// Whether the token is a word or a literal: nothing that could continue a value.
static bool is_operand(const Token *token) {
    return token->kind > TOKEN_END_OF_FILE && token->kind < TOKEN_RETURN_BARE &&
           token->kind != TOKEN_AND && token->kind != TOKEN_OR;
}

// `float x = 3`, `print "text"`: a word, and on its line something that cannot follow it.
static void report_odd_word(Parser *parser, Span span, Slice word, bool assigns) {
    bool is_type = foreign_find(word, FOREIGN_TYPE) != NULL;
    if (is_type || (assigns && parser->lone.found.kind == TOKEN_NAME)) {
        Diag *diag = syntax_error(parser, span, "`%.*s` is not a type", (int)word.len, word.data);
        (void)report_foreign_type(diag, word);
        return;
    }
    syntax_error(parser, parser->lone.found.span, "expected `=`, `(` or `[` after `%.*s`",
                 (int)word.len, word.data);
}

static void report_value(Parser *parser, Span value, Slice text) {
    Diag *diag = syntax_error(parser, value, "a value alone is not a statement");
    char last = text.data[text.len - 1];
    if (text.len > 2 && (last == '+' || last == '-') && text.data[text.len - 2] == last) {
        diag_note(diag, "`x %c= 1` changes `x`", last);
    }
}

// A value that follows a complete statement on its line.
static void report_value_inside(Parser *parser, Span value, Slice word) {
    Span span = value;
    if (word.len > 0) {
        span.end = value.start + (uint32_t)word.len;
    }
    Slice text = sources_text(parser->context->sources, span);
    Diag *diag =
        syntax_error(parser, span, "expected an operator or the next statement, found `%.*s`",
                     (int)text.len, text.data);
    if (character_before(parser, value.start) == '?') {
        diag_note(diag, "`select(c, a, b)` chooses between values");
    }
}

void report_lone_value(Parser *parser, Span value, bool assigns) {
    Slice text = sources_text(parser->context->sources, value);
    Slice word = leading_word(text);
    Span word_span = {.start = value.start, .end = value.start + (uint32_t)word.len};
    const LoneValue *lone = &parser->lone;
    if (character_before(parser, value.start) != '\n') {
        report_value_inside(parser, value, word);
        return;
    }
    bool word_alone = !lone->begins && word_span.end == lone->before.span.end;
    if (word_alone && report_foreign_word(parser, word_span, word)) {
        return;
    }
    if (word_alone && !lone->found.first_on_line && is_operand(&lone->found)) {
        report_odd_word(parser, word_span, word, assigns);
    } else if (assigns) {
        report_bad_target(parser, value);
    } else {
        report_value(parser, value, text);
    }
}
