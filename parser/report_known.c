// Mistakes that people make, each with a message that says what they probably meant. A mistake is
// recognised by the token that was found, the one before it, and what the grammar expected.
#include "parser/report.h"

#include "support/bug.h"

#include <string.h>

typedef struct Mistake {
    Parser *parser;
    DiagList *diags;
    const bool *expected;
    const Token *found;
    const Token *before;
} Mistake;

static Slice text_of(const Mistake *mistake, Span span) {
    return sources_text(mistake->parser->context->sources, span);
}

// ---- Words of other languages ----

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
    {"elif", "elseif"},    {"elsif", "elseif"},   {"elseIf", "elseif"},   {"otherwise", "else"},
    {"function", "fn"},    {"func", "fn"},        {"fun", "fn"},          {"def", "fn"},
    {"void", "fn"},        {"sub", "fn"},         {"foreach", "for"},     {"loop", "while"},
    {"repeat", "while"},   {"do", "while"},       {"until", "while"},     {"endif", "end"},
    {"endfor", "end"},     {"endwhile", "end"},   {"endfunction", "end"}, {"done", "end"},
    {"fi", "end"},         {"include", "import"}, {"use", "import"},      {"using", "import"},
    {"require", "import"}, {"switch", "if"},      {"match", "if"},        {"case", "elseif"},
};

static const char *find_word(const ForeignWord *words, size_t count, Slice word) {
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i].word) == word.len && memcmp(words[i].word, word.data, word.len) == 0) {
            return words[i].tml;
        }
    }
    return NULL;
}

static const char *foreign_type(Slice word) {
    return find_word(foreign_types, sizeof(foreign_types) / sizeof(foreign_types[0]), word);
}

void report_foreign_word(Parser *parser, Diag *diag, Slice word) {
    static const char *const declaring[] = {"let", "var", "const", "auto", "mut", "val"};
    const char *tml = foreign_type(word);
    if (tml == NULL) {
        tml = find_word(foreign_words, sizeof(foreign_words) / sizeof(foreign_words[0]), word);
    }
    if (tml != NULL) {
        diag_note(parser->context->diags, diag, "TML writes `%s`", tml);
    }
    for (size_t i = 0; i < sizeof(declaring) / sizeof(declaring[0]); i++) {
        if (strlen(declaring[i]) == word.len && memcmp(declaring[i], word.data, word.len) == 0) {
            diag_note(parser->context->diags, diag,
                      "a declaration is written `type name = value` or `name = value`");
        }
    }
}

// ---- Line ends and brackets ----

// `(` or `[` on the line after what it was to apply to (L1.4).
static bool bracket_on_new_line(const Mistake *mistake) {
    bool call = mistake->found->kind == TOKEN_OPEN_PAREN && mistake->expected[TOKEN_CALL_PAREN];
    bool index =
        mistake->found->kind == TOKEN_OPEN_BRACKET && mistake->expected[TOKEN_INDEX_BRACKET];
    if (!mistake->found->first_on_line || !(call || index)) {
        return false;
    }
    Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                            call ? "the `(` of a call must stand on the line of the name"
                                 : "the `[` of an index must stand on the line of what it indexes");
    diag_label(mistake->diags, diag, mistake->before->span, "to apply to this");
    return true;
}

static bool closer_of_nothing(const Mistake *mistake) {
    TokenKind kind = mistake->found->kind;
    bool closes =
        kind == TOKEN_CLOSE_PAREN || kind == TOKEN_CLOSE_BRACKET || kind == TOKEN_CLOSE_BRACE;
    if (!closes || !span_is_nowhere(mistake->parser->bracket)) {
        return false;
    }
    Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span, "`%s` closes nothing",
                            token_text(kind));
    if (kind == TOKEN_CLOSE_BRACE) {
        diag_note(mistake->diags, diag, "a block ends with `end`");
    }
    return true;
}

static bool brace_for_block(const Mistake *mistake) {
    if (mistake->found->kind != TOKEN_OPEN_BRACE || !mistake->expected[TOKEN_HEADER_COLON]) {
        return false;
    }
    Diag *diag =
        diag_error(mistake->diags, DIAG_E0201, mistake->found->span, "expected `:`, found `{`");
    diag_note(mistake->diags, diag, "a block begins with `:` and ends with `end`");
    return true;
}

// ---- Blocks ----

static bool word_without_block(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    TokenKind kind = mistake->found->kind;
    if (mistake->found->span.start == mistake->found->span.end) {
        return false; // an `end` that stands for the end of the file
    }
    bool complete = mistake->expected[TOKEN_PASS];
    if (kind == TOKEN_END && complete) {
        if (parser->surplus_ends > 0) {
            parser->surplus_ends--;
        } else {
            diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                       "`end` without an open block");
        }
        return true;
    }
    if ((kind == TOKEN_ELSE || kind == TOKEN_ELSEIF) && complete) {
        Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                                "`%s` without an `if` that could have it", token_text(kind));
        report_open_block(parser, diag);
        return true;
    }
    return false;
}

// ---- Operators ----

static bool assign_in_expression(const Mistake *mistake) {
    if (mistake->found->kind != TOKEN_ASSIGN || !mistake->expected[TOKEN_EQUAL]) {
        return false;
    }
    Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                            "`=` cannot stand in an expression");
    diag_note(mistake->diags, diag, "`==` compares");
    return true;
}

static bool not_as_operand(const Mistake *mistake) {
    if (mistake->found->kind != TOKEN_NOT || !mistake->expected[TOKEN_INTEGER_LITERAL]) {
        return false;
    }
    Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                            "`not` cannot be the operand of an operator that binds tighter");
    diag_note(mistake->diags, diag, "put the `not` and what it applies to in parentheses");
    return true;
}

static bool call_of_value(const Mistake *mistake) {
    if (mistake->found->kind != TOKEN_CALL_PAREN) {
        return false;
    }
    diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
               "`(` after something that is not a function's name");
    return true;
}

static bool empty_brackets(const Mistake *mistake) {
    // After `x[]` only another `[]` or `.type` can follow.
    bool only_type = mistake->expected[TOKEN_TYPE] && !mistake->expected[TOKEN_NAME];
    bool only_dot = mistake->expected[TOKEN_DOT] && mistake->expected[TOKEN_INDEX_BRACKET] &&
                    !mistake->expected[TOKEN_QUESTION] && !mistake->expected[TOKEN_PLUS];
    if (mistake->before->kind != TOKEN_CLOSE_BRACKET || !(only_type || only_dot)) {
        return false;
    }
    Diag *diag =
        diag_error(mistake->diags, DIAG_E0201, mistake->before->span, "brackets without an index");
    diag_note(mistake->diags, diag, "`x[].type` is the type of an element; `x[...]` is all of `x`");
    return true;
}

// ---- Declarations and headers ----

// A name where only a type can stand.
static bool name_for_type(const Mistake *mistake) {
    const bool *expected = mistake->expected;
    bool in_type = expected[TOKEN_DOT] && expected[TOKEN_INDEX_BRACKET] &&
                   expected[TOKEN_QUESTION] && !expected[TOKEN_PLUS] && !expected[TOKEN_ASSIGN];
    if (!in_type || mistake->before->kind != TOKEN_NAME) {
        return false;
    }
    Slice word = text_of(mistake, mistake->before->span);
    Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->before->span,
                            "`%.*s` is not a type", (int)word.len, word.data);
    if (foreign_type(word) != NULL) {
        report_foreign_word(mistake->parser, diag, word);
    } else if (mistake->found->kind == TOKEN_COMMA || mistake->found->kind == TOKEN_CLOSE_PAREN) {
        diag_note(mistake->diags, diag, "a parameter is written `type name`");
    }
    return true;
}

// `int x` without a value, `in real x` without a namespace.
static bool incomplete_declaration(const Mistake *mistake) {
    const bool *expected = mistake->expected;
    if (mistake->before->kind != TOKEN_NAME || !expected[TOKEN_DOT] || expected[TOKEN_PLUS] ||
        expected[TOKEN_PLUS_ASSIGN] || expected[TOKEN_INDEX_BRACKET]) {
        return false;
    }
    const char *found = report_found(mistake->parser);
    if (expected[TOKEN_ASSIGN] && expected[TOKEN_QUESTION]) {
        Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                                "expected `=`, found %s", found);
        diag_label(mistake->diags, diag, mistake->before->span, "a declaration needs a value");
        return true;
    }
    if (expected[TOKEN_ASSIGN]) {
        return false;
    }
    Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                            "expected `.`, found %s", found);
    diag_note(mistake->diags, diag, "a name of the interface is written `t.x`, `p.x` or `n.x`");
    return true;
}

static bool for_header(const Mistake *mistake) {
    TokenKind found = mistake->found->kind;
    if (found == TOKEN_IN && mistake->expected[TOKEN_ASSIGN]) {
        Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                                "expected `=`, found `in`");
        diag_note(mistake->diags, diag, "a loop is written `for i = first:end:`");
        return true;
    }
    if (found == TOKEN_HEADER_COLON && mistake->expected[TOKEN_COLON] &&
        mistake->expected[TOKEN_PLUS]) {
        Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                                "the range of a loop needs two ends");
        diag_note(mistake->diags, diag, "a loop is written `for i = first:end:`");
        return true;
    }
    return false;
}

static bool reserved_word_for_name(const Mistake *mistake) {
    const bool *expected = mistake->expected;
    Slice word = text_of(mistake, mistake->found->span);
    bool is_word = word.len > 0 && word.data[0] >= 'a' && word.data[0] <= 'z';
    if (!is_word || !expected[TOKEN_NAME] || expected[TOKEN_INTEGER_LITERAL] ||
        expected[TOKEN_PASS] || expected[TOKEN_TENSOR]) {
        return false;
    }
    Diag *diag = diag_error(mistake->diags, DIAG_E0201, mistake->found->span,
                            "expected a name, found `%.*s`", (int)word.len, word.data);
    diag_note(mistake->diags, diag, "`%.*s` is a reserved word", (int)word.len, word.data);
    return true;
}

bool report_known_mistake(Parser *parser, const bool expected[TOKEN_KIND_COUNT]) {
    static bool (*const rules[])(const Mistake *) = {
        bracket_on_new_line,  closer_of_nothing,      brace_for_block, word_without_block,
        assign_in_expression, not_as_operand,         call_of_value,   empty_brackets,
        name_for_type,        incomplete_declaration, for_header,      reserved_word_for_name,
    };
    Mistake mistake = {
        .parser = parser,
        .diags = parser->context->diags,
        .expected = expected,
        .found = &parser->token,
        .before = &parser->previous,
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i](&mistake)) {
            return true;
        }
    }
    return false;
}

// ---- Values where a statement should stand ----

// Whether nothing but blanks stands before `position` on its line.
static bool begins_line(const Parser *parser, uint32_t position) {
    const SourceFile *source = parser->file->source;
    uint32_t offset = position - source->base;
    while (offset > 0 && (source->text[offset - 1] == ' ' || source->text[offset - 1] == '\t')) {
        offset--;
    }
    return offset == 0 || source->text[offset - 1] == '\n';
}

static Slice leading_word(Slice text) {
    size_t len = 0;
    while (len < text.len && (text.data[len] == '_' || (text.data[len] | 0x20) >= 'a')) {
        len++;
    }
    return (Slice){.data = text.data, .len = len};
}

// `float x = 3`, `elif x > 2:`, `print "text"`: a word, and something that cannot follow it.
static void report_odd_word(Parser *parser, Span value, Slice word, bool assigns) {
    DiagList *diags = parser->context->diags;
    Span span = {.start = value.start, .end = value.start + (uint32_t)word.len};
    bool is_type = foreign_type(word) != NULL;
    Diag *diag;
    if (is_type || (assigns && parser->lone.found.kind == TOKEN_NAME)) {
        diag =
            diag_error(diags, DIAG_E0201, span, "`%.*s` is not a type", (int)word.len, word.data);
    } else {
        diag = diag_error(diags, DIAG_E0201, span, "no statement begins like this");
        diag_note(diags, diag, "after a name there is `=`, `(`, `[` or `.`");
    }
    report_foreign_word(parser, diag, word);
}

void report_lone_value(Parser *parser, Span value, bool assigns) {
    DiagList *diags = parser->context->diags;
    Slice text = sources_text(parser->context->sources, value);
    Slice word = leading_word(text);
    const Token *found = &parser->lone.found;
    if (!begins_line(parser, value.start)) {
        Span span = {.start = value.start, .end = value.start + (uint32_t)word.len};
        diag_error(diags, DIAG_E0201, span,
                   "expected an operator or the next statement, found `%.*s`", (int)word.len,
                   word.data);
        return;
    }
    bool word_alone = value.start + word.len == parser->lone.before.span.end;
    bool operand_follows = found->kind == TOKEN_NAME || found->kind == TOKEN_STRING_LITERAL;
    if (word_alone && operand_follows && !found->first_on_line) {
        report_odd_word(parser, value, word, assigns);
        return;
    }
    if (assigns) {
        report_bad_target(parser, value);
        return;
    }
    Diag *diag = diag_error(diags, DIAG_E0201, value, "a value alone is not a statement");
    report_foreign_word(parser, diag, word);
    bool step = text.len > 2 && text.data[text.len - 1] == text.data[text.len - 2];
    if (step && (text.data[text.len - 1] == '+' || text.data[text.len - 1] == '-')) {
        diag_note(diags, diag, "`x %c= 1` changes `x`", text.data[text.len - 1]);
    }
}
