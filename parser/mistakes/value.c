// Values and words where a statement should stand: `x + 1`, `a + 1 = 3`, `float x = 3`,
// `elif x > 2:`, `i++`.
#include "parser/report.h"

#include <string.h>

typedef struct ForeignWord {
    const char *word;
    const char *tml; // what TML writes instead
} ForeignWord;

static const ForeignWord foreign_types[] = {
    {"float", "real"},   {"double", "real"},   {"f32", "real"},       {"f64", "real"},
    {"float32", "real"}, {"float64", "real"},  {"single", "real"},    {"number", "real"},
    {"integer", "int"},  {"long", "int"},      {"short", "int"},      {"i32", "int"},
    {"int32", "int"},    {"int32_t", "int"},   {"unsigned", "uint"},  {"u32", "uint"},
    {"uint32", "uint"},  {"uint32_t", "uint"}, {"boolean", "bool"},   {"logical", "bool"},
    {"string", "str"},   {"String", "str"},    {"character", "char"},
};

static const ForeignWord foreign_words[] = {
    {"elif", "elseif"},     {"elsif", "elseif"}, {"elseIf", "elseif"},  {"otherwise", "else"},
    {"case", "elseif"},     {"endif", "end"},    {"endfor", "end"},     {"endwhile", "end"},
    {"endfunction", "end"}, {"done", "end"},     {"fi", "end"},         {"include", "import"},
    {"use", "import"},      {"using", "import"}, {"require", "import"},
};

// These have an `end` of their own.
static const ForeignWord foreign_headers[] = {
    {"function", "fn"}, {"func", "fn"},     {"fun", "fn"},     {"def", "fn"},       {"void", "fn"},
    {"sub", "fn"},      {"foreach", "for"}, {"loop", "while"}, {"repeat", "while"}, {"do", "while"},
    {"until", "while"}, {"switch", "if"},   {"match", "if"},
};

static const char *const declaring_words[] = {"let", "var", "const", "auto", "mut", "val"};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static bool word_is(Slice word, const char *text) {
    return strlen(text) == word.len && memcmp(text, word.data, word.len) == 0;
}

static const char *find_word(const ForeignWord *words, size_t count, Slice word) {
    for (size_t i = 0; i < count; i++) {
        if (word_is(word, words[i].word)) {
            return words[i].tml;
        }
    }
    return NULL;
}

static bool is_declaring(Slice word) {
    for (size_t i = 0; i < LENGTH(declaring_words); i++) {
        if (word_is(word, declaring_words[i])) {
            return true;
        }
    }
    return false;
}

bool report_foreign_type(Diag *diag, Slice word) {
    const char *tml = find_word(foreign_types, LENGTH(foreign_types), word);
    if (tml != NULL) {
        diag_note(diag, "TML writes `%s`", tml);
    }
    return tml != NULL;
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
    DiagList *diags = parser->context->diags;
    const char *header = find_word(foreign_headers, LENGTH(foreign_headers), word);
    const char *tml =
        header != NULL ? header : find_word(foreign_words, LENGTH(foreign_words), word);
    if (tml == NULL && !is_declaring(word)) {
        return false;
    }
    Diag *diag = diag_error(diags, DIAG_E0201, span, "`%.*s` is not a word of TML", (int)word.len,
                            word.data);
    if (tml == NULL) {
        diag_note(diag, "a declaration is written `type name = value` or `name = value`");
        return true;
    }
    diag_note(diag, "TML writes `%s`", tml);
    parser->surplus_ends += header != NULL;
    parser->error_at_end |= strcmp(tml, "end") == 0;
    return true;
}

// Whether the token is a word or a literal: nothing that could continue a value.
static bool is_operand(const Token *token) {
    return token->kind > TOKEN_END_OF_FILE && token->kind < TOKEN_RETURN_BARE &&
           token->kind != TOKEN_AND && token->kind != TOKEN_OR;
}

// `float x = 3`, `print "text"`: a word, and on its line something that cannot follow it.
static void report_odd_word(Parser *parser, Span span, Slice word, bool assigns) {
    DiagList *diags = parser->context->diags;
    bool is_type = find_word(foreign_types, LENGTH(foreign_types), word) != NULL;
    if (is_type || (assigns && parser->lone.found.kind == TOKEN_NAME)) {
        Diag *diag =
            diag_error(diags, DIAG_E0201, span, "`%.*s` is not a type", (int)word.len, word.data);
        (void)report_foreign_type(diag, word);
        return;
    }
    diag_error(diags, DIAG_E0201, parser->lone.found.span, "expected `=`, `(` or `[` after `%.*s`",
               (int)word.len, word.data);
}

static void report_value(Parser *parser, Span value, Slice text) {
    DiagList *diags = parser->context->diags;
    Diag *diag = diag_error(diags, DIAG_E0201, value, "a value alone is not a statement");
    char last = text.data[text.len - 1];
    if (text.len > 2 && (last == '+' || last == '-') && text.data[text.len - 2] == last) {
        diag_note(diag, "`x %c= 1` changes `x`", last);
    }
}

// A value that follows a complete statement on its line.
static void report_value_inside(Parser *parser, Span value, Slice word) {
    DiagList *diags = parser->context->diags;
    Span span = value;
    if (word.len > 0) {
        span.end = value.start + (uint32_t)word.len;
    }
    Slice text = sources_text(parser->context->sources, span);
    Diag *diag = diag_error(diags, DIAG_E0201, span,
                            "expected an operator or the next statement, found `%.*s`",
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
