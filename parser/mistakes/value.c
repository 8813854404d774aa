// Values and words where a statement should stand: `x + 1`, `a + 1 = 3`, `float x = 3`,
// `elif x > 2:`, `print x`, `x : REAL := 1.5`.
#include "parser/mistakes/foreign.h"
#include "parser/mistakes/mistakes.h"
#include "parser/report.h"
#include "support/suggest.h"

#include <string.h>

bool report_foreign_type(Diag *diag, Slice word) {
    const ForeignWord *foreign = foreign_find(word, FOREIGN_TYPE);
    if (foreign != NULL) {
        diag_note(diag, "TML writes `%s`%s", foreign->tml, foreign_width(foreign));
    }
    return foreign != NULL;
}

// The one of the words that is nearly spelt so; NULL: none is.
static const char *near_word(Slice word, const char *const *words, size_t count) {
    Suggestion suggestion = suggestion_for_word(word.data, word.len);
    for (size_t i = 0; i < count; i++) {
        suggestion_try(&suggestion, words[i]);
    }
    return suggestion.nearest;
}

static const char *near_type(Slice word) {
    static const char *const types[] = {"int", "uint", "real", "bool", "tensor"};
    return near_word(word, types, sizeof types / sizeof types[0]);
}

bool is_near_type(Slice word) {
    return near_type(word) != NULL;
}

bool report_near_type(Diag *diag, Span span, Slice word) {
    const char *type = near_type(word);
    if (type != NULL) {
        diag_help(diag, "did you mean `%s`?", type);
        diag_edit(diag, span, "%s", type);
    }
    return type != NULL;
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

static bool is_word_of_constants(Slice word) {
    return slice_is_among(word, "const constexpr final constant");
}

// The word behind a position, blanks left out; empty when something else stands there.
static Slice word_behind(const Parser *parser, uint32_t position) {
    Slice behind = line_behind(parser, position);
    size_t blanks = strspn(behind.data, " ");
    return leading_word(
        (Slice){behind.data + blanks, behind.len < blanks ? 0 : behind.len - blanks});
}

// Whether a type further down has the name as a length: `tensor<real, N>`.
static bool is_length_below(Slice name) {
    const char *at = name.data;
    while ((at = strstr(at, "tensor<")) != NULL) {
        const char *end = at + strcspn(at, ">\n");
        for (; at < end; at++) {
            bool begins = strchr(" ,", *at) != NULL;
            Slice word = leading_word((Slice){at + begins, (size_t)(end - at)});
            if (begins && word.len == name.len && memcmp(word.data, name.data, name.len) == 0) {
                return true;
            }
        }
    }
    return false;
}

// `const int N = 3` at file level. `name` stands before the `=` at `assign`, `type` is the name
// itself where there is none.
static void note_constant(Diag *diag, Slice type, Slice name, const char *assign) {
    const char *value = assign + 1 + strspn(assign + 1, " ");
    size_t digits = strspn(value, "0123456789");
    const char *root = value[digits] == '.' ? "real" : "int";
    bool is_typed = type.data != name.data;
    size_t len = strspn(value, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.");
    bool is_short = len > 0 && len <= 20 && strchr("\r\n #", value[len]) != NULL;
    diag_note(
        diag,
        "a constant is declared at file level like `%.*s n.%.*s = %.*s`, and read as `n.%.*s`",
        is_typed ? (int)type.len : (int)strlen(root), is_typed ? type.data : root, (int)name.len,
        name.data, is_short ? (int)len : 3, is_short ? value : "...", (int)name.len, name.data);
}

// `let x = 3`, `const int n = 3`: without the word it is a declaration. In a function, what is
// static would begin anew in each call.
static void report_declaring_word(Parser *parser, Diag *diag, Span span) {
    Slice declares = text_of(parser, span);
    if (parser->blocks.count > 0 &&
        (slice_is(declares, "static") || slice_is(declares, "persistent"))) {
        diag_note(diag, "what is kept from step to step is declared at file level");
        return;
    }
    if (slice_is(declares, "param") || slice_is(declares, "parameter")) {
        diag_note(diag, "a parameter of a component is a property: `tunable real p.gain = 2.0`");
        return;
    }
    Slice word = word_behind(parser, span.end);
    bool is_constant = is_word_of_constants(declares);
    bool are_two = is_word_of_constants(word) && !is_constant; // `static const`
    uint32_t end = span.end + (uint32_t)(word.data - declares.data) - (uint32_t)declares.len;
    if (are_two) {
        end += (uint32_t)word.len;
        word = word_behind(parser, end);
        end += (uint32_t)(word.data - line_behind(parser, end).data);
    }
    const char *type = meant_type(word);
    bool is_type = type != NULL && slice_is(word, type);
    Slice name = is_type ? word_behind(parser, end + (uint32_t)word.len) : word;
    const char *rest = name.data + name.len + strspn(name.data + name.len, " ");
    bool declared = name.len > 0 && rest[0] == '=' && rest[1] != '=';
    bool at_top = parser->blocks.count == 0 && declared && (is_constant || are_two);
    if (at_top) {
        note_constant(diag, word, name, rest);
    }
    if (at_top && is_length_below(name)) {
        return;
    }
    if (is_type || declared) {
        diag_help(diag, are_two ? "leave both words out" : "leave it out");
        diag_edit(diag, (Span){span.start, end}, "%s", "");
    } else {
        diag_note(diag, "a declaration is written `type name = value` or `name = value`");
    }
}

// The line with the condition of `do`, which is no header, belongs to its block.
static void skip_condition_behind(Parser *parser) {
    uint32_t start;
    Slice line = line_around(parser, parser->skip_end, &start);
    Slice word = leading_word(line);
    bool is_condition = slice_is(word, "while") || slice_is(word, "until");
    if (is_condition && line.data[line.len - 1] != ':') {
        parser->skip_end = start + (uint32_t)line.len;
    }
}

// A word of another language, at the start of a line. Returns whether it is one.
static bool report_foreign_word(Parser *parser, Span span, Slice word, unsigned roles) {
    const ForeignWord *foreign = foreign_find(word, roles);
    if (foreign == NULL) {
        return false;
    }
    Diag *diag =
        syntax_error(parser, span, "`%.*s` is not a word of TML", (int)word.len, word.data);
    if (foreign->tml == NULL) {
        report_declaring_word(parser, diag, span);
        return true;
    }
    if ((foreign->roles & FOREIGN_WORD) != 0) {
        diag_help(diag, "TML writes `%s`", foreign->tml);
        diag_edit(diag, span, "%s", foreign->tml);
        parser->error_at_end |= strcmp(foreign->tml, "end") == 0;
        return true;
    }
    Slice name = slice_is(word, "do") ? word_behind(parser, span.end) : (Slice){0};
    bool counts = name.len > 0 && name.data[name.len + strspn(name.data + name.len, " ")] == '=';
    diag_note(diag, "%s",
              counts ? LOOP_FORM "; its last turn is the one before `end`" : foreign->tml);
    if ((foreign->roles & (FOREIGN_HEADER | FOREIGN_BLOCK)) != 0) {
        parser_skip_block(parser, span.start);
    }
    if (slice_is(word, "do") || slice_is(word, "repeat")) {
        skip_condition_behind(parser);
    }
    return true;
}

// Says which of the words of TML is nearly spelt so; NULL: none is.
static const char *report_near_word(Parser *parser, Span span, Slice word, const char *const *words,
                                    size_t count) {
    const char *nearest = near_word(word, words, count);
    if (nearest != NULL) {
        Diag *diag =
            syntax_error(parser, span, "`%.*s` is not a word of TML", (int)word.len, word.data);
        diag_help(diag, "did you mean `%s`?", nearest);
        diag_edit(diag, span, "%s", nearest);
    }
    return nearest;
}

// `whlie x > 2:`, `retrun x`, with more of the statement behind it.
static bool report_misspelt_head(Parser *parser, Span span, Slice word) {
    static const char *const blocks[] = {"if", "for", "while", "fn", "macro"};
    static const char *const words[] = {"elseif",   "return",   "import", "tunable",
                                        "optional", "instance", "connect"};
    uint32_t start;
    Slice line = line_around(parser, span.start, &start);
    if (line.data[line.len - 1] == ':' &&
        report_near_word(parser, span, word, blocks, sizeof blocks / sizeof blocks[0]) != NULL) {
        parser_skip_block(parser, span.start);
        return true;
    }
    return report_near_word(parser, span, word, words, sizeof words / sizeof words[0]) != NULL;
}

// `float x = 3`, `print "text"`: a word, and on its line something that cannot follow it.
static void report_odd_word(Parser *parser, Span span, Slice word, bool assigns) {
    const char *type = meant_type(word);
    if (type == NULL &&
        (report_unquoted_test(parser, span) || report_misspelt_head(parser, span, word))) {
        return;
    }
    if (type != NULL || (assigns && parser->lone.found.kind == TOKEN_NAME)) {
        Diag *diag = syntax_error(parser, span, "`%.*s` is not a type", (int)word.len, word.data);
        Slice line = line_behind(parser, parser->lone.found.span.end);
        size_t blanks = strspn(line.data, " ");
        bool declares = parser->lone.found.kind == TOKEN_NAME && line.data[blanks] == '=';
        if (type != NULL && declares) {
            const ForeignWord *foreign = foreign_find(word, FOREIGN_TYPE);
            const char *width = foreign == NULL ? "" : foreign_width(foreign);
            diag_help(diag, "TML writes `%s`%s", type, width);
            diag_edit(diag, span, "%s", type);
        } else {
            (void)(report_foreign_type(diag, word) || report_near_type(diag, span, word));
        }
        return;
    }
    syntax_error(parser, parser->lone.found.span, "expected `=`, `(` or `[` after `%.*s`",
                 (int)word.len, word.data);
}

// `double f(double x) {`
static bool report_function_of_c(Parser *parser, Span value, Slice word) {
    uint32_t start;
    Slice line = line_around(parser, value.start, &start);
    const char *type = meant_type(word);
    const Token *found = &parser->lone.found;
    if (type == NULL || found->kind != TOKEN_NAME || !begins_block(line) ||
        line.data[found->span.end - start] != '(') {
        return false;
    }
    Slice name = text_of(parser, found->span);
    Diag *diag = syntax_error(parser, (Span){start, found->span.end},
                              "a function begins with `fn`, and its result's type follows the "
                              "parameters");
    diag_note(diag, "like `fn %.*s(real x) %s:`, with `end` after its statements", (int)name.len,
              name.data, type);
    parser_skip_block(parser, start);
    return true;
}

// `x : REAL := 1.5`, `x: float = 3.0`
static bool report_typed_name(Parser *parser, Span value) {
    const LoneValue *lone = &parser->lone;
    uint32_t start;
    Slice line = line_around(parser, value.start, &start);
    Slice name = leading_word(line);
    if ((lone->found.kind != TOKEN_COLON && lone->found.kind != TOKEN_HEADER_COLON) ||
        lone->before.span.end != start + name.len || lone->found.span.start < start) {
        return false;
    }
    const char *behind = line.data + (lone->found.span.end - start);
    behind += strspn(behind, " ");
    if (behind >= line.data + line.len) {
        return false;
    }
    Slice word = leading_word((Slice){behind, line.len - (size_t)(behind - line.data)});
    const char *type = meant_type(word);
    const char *rest = word.data + word.len + strspn(word.data + word.len, " ");
    size_t sign = rest[0] == ':' ? 2 : 1;
    Diag *diag = syntax_error(
        parser, (Span){start, start + (uint32_t)(behind - line.data) + (uint32_t)word.len},
        "the type of a variable stands before its name");
    if (type == NULL || rest[sign - 1] != '=') {
        diag_note(diag, "a declaration is written `type name = value`");
        return true;
    }
    diag_help(diag, "write `%s %.*s =`", type, (int)name.len, name.data);
    diag_edit(diag, (Span){start, start + (uint32_t)(rest - line.data) + (uint32_t)sign},
              "%s %.*s =", type, (int)name.len, name.data);
    return true;
}

// `return`, and its value on the next line
static bool report_value_of_return(Parser *parser, Span value) {
    uint32_t start;
    Slice above = line_above(parser, value.start, &start);
    if (!slice_is(above, "return")) {
        return false;
    }
    uint32_t end = start + (uint32_t)above.len;
    Diag *diag = syntax_error(parser, value, "the value stands on the line of its `return`");
    diag_help(diag, "join the two lines");
    diag_edit(diag, (Span){end, value.start}, " ");
    return true;
}

// `input real t.r`
static bool report_direction(Parser *parser, Span span, Slice word) {
    TokenKind found = parser->lone.found.kind;
    const char *tml = slice_is(word, "input") ? "in" : slice_is(word, "output") ? "out" : NULL;
    if (tml == NULL || found < TOKEN_INT || found > TOKEN_TENSOR) {
        return false;
    }
    Diag *diag =
        syntax_error(parser, span, "`%.*s` is not a word of TML", (int)word.len, word.data);
    diag_help(diag, "TML writes `%s`", tml);
    diag_edit(diag, span, "%s", tml);
    return true;
}

// Whether the text above gives the word a value, or declares it.
static bool has_value_above(const Parser *parser, Slice word) {
    const SourceFile *source = parser->file->source;
    for (const char *at = source->text; at < word.data; at++) {
        bool begins = at == source->text || strchr(" \t\n,", at[-1]) != NULL;
        Slice here = leading_word((Slice){at, (size_t)(word.data - at)});
        if (!begins || here.len != word.len || memcmp(at, word.data, word.len) != 0) {
            continue;
        }
        const char *behind = at + here.len + strspn(at + here.len, " ");
        Span before = word_before(parser, source->base + (uint32_t)(at - source->text));
        bool typed = meant_type(text_of(parser, before)) != NULL;
        if (typed || (behind[0] == '=' && behind[1] != '=')) {
            return true;
        }
    }
    return false;
}

// `edn` or `brek` where a block is open.
static bool report_misspelt_word(Parser *parser, Span value, Slice text) {
    static const char *const words[] = {"end", "else", "break", "continue", "return", "pass"};
    const char *meant =
        parser->blocks.count == 0
            ? NULL
            : report_near_word(parser, value, text, words, sizeof words / sizeof words[0]);
    parser->error_at_end |= meant != NULL && strcmp(meant, "end") == 0;
    return meant != NULL;
}

// What a value alone may have been meant as.
static void explain_value(const Parser *parser, Diag *diag, Slice text) {
    Slice word = leading_word(text);
    const char *behind = word.data + word.len + strspn(word.data + word.len, " ");
    bool compares = word.len > 0 && strncmp(behind, "==", 2) == 0;
    bool is_component = strstr(parser->file->source->text, "fn output_fnc()") != NULL ||
                        strstr(parser->file->source->text, "fn update_fnc()") != NULL;
    if (compares) {
        diag_note(diag, "`==` compares; `%.*s = ...` assigns", (int)word.len, word.data);
    } else if (word.len == text.len && has_value_above(parser, word)) {
        diag_note(diag,
                  is_component ? "a variable alone does nothing"
                               : "a variable alone does nothing; `print(%.*s)` shows it",
                  (int)word.len, word.data);
    } else if (word.len == text.len) {
        diag_note(diag, "a function is called with parentheses: `%.*s()`", (int)text.len,
                  text.data);
    }
}

// `output_fnc():`
static bool report_function_without_fn(Parser *parser, Span value, Slice text) {
    Slice word = leading_word(text);
    bool is_entry = word.len > 4 && memcmp(word.data + word.len - 4, "_fnc", 4) == 0;
    if (parser->lone.found.kind != TOKEN_HEADER_COLON || !is_entry ||
        strncmp(word.data + word.len, "():", 3) != 0) {
        return false;
    }
    Diag *diag = syntax_error(parser, value, "a function begins with `fn`");
    diag_help(diag, "write `fn %.*s():`", (int)word.len, word.data);
    diag_edit(diag, (Span){value.start, value.start}, "fn ");
    return true;
}

static void report_value(Parser *parser, Span value, Slice text) {
    Slice word = leading_word(text);
    bool is_else = word.len > 0 && word.len + 1 == text.len && text.data[word.len] == ':';
    bool misspelt = (word.len == text.len || is_else) && !has_value_above(parser, word);
    Span span = {value.start, value.start + (uint32_t)word.len};
    if (report_value_of_return(parser, value) || report_function_without_fn(parser, value, text) ||
        report_called_test(parser, value) ||
        (misspelt && report_misspelt_word(parser, span, word))) {
        return;
    }
    Diag *diag = syntax_error(parser, value, "a value alone is not a statement");
    char last = text.data[text.len - 1];
    if (text.len > 2 && (last == '+' || last == '-') && text.data[text.len - 2] == last) {
        diag_note(diag, "`x %c= 1` changes `x`", last);
    } else if (text.data[0] == '"' || text.data[0] == '\'') {
        diag_note(diag, "a comment begins with `#`");
    } else {
        explain_value(parser, diag, text);
    }
}

// A value that follows a complete statement on its line.
static void report_value_inside(Parser *parser, Span value, Slice word) {
    Span span = value;
    if (word.len > 0 && report_comment_before(parser, value.start)) {
        return;
    }
    Span before = word_before(parser, value.start);
    if (word.len > 0) {
        span.end = value.start + (uint32_t)word.len;
        if (slice_is(text_of(parser, before), "end")) {
            report_word_behind_end(parser, span);
            return;
        }
        if (report_foreign_operator(parser, span, before, false)) {
            return;
        }
    }
    const Token operand = {.kind = TOKEN_NAME, .spaced = true};
    if (report_foreign_prefix(parser, before, &operand)) {
        return;
    }
    Span last = {before.end - 1, before.end};
    if (character_before(parser, value.start) == ')' && report_cast_of_c(parser, last)) {
        return;
    }
    if (character_before(parser, value.start) == '?') {
        report_question(parser, last);
        return;
    }
    Slice text = text_of(parser, span);
    syntax_error(parser, span, "expected an operator or the next statement, found `%.*s`",
                 (int)text.len, text.data);
}

// Whether the token is a word or a literal: nothing that could continue a value.
static bool is_operand(const Token *token) {
    return token->kind > TOKEN_END_OF_FILE && token->kind < TOKEN_RETURN_BARE &&
           token->kind != TOKEN_AND && token->kind != TOKEN_OR;
}

void report_lone_value(Parser *parser, Span value, bool assigns) {
    enum {
        ANY_WORD =
            FOREIGN_WORD | FOREIGN_HEADER | FOREIGN_DECLARES | FOREIGN_STATEMENT | FOREIGN_BLOCK,
    };
    Slice text = text_of(parser, value);
    Slice word = leading_word(text);
    Span word_span = {.start = value.start, .end = value.start + (uint32_t)word.len};
    const LoneValue *lone = &parser->lone;
    if (character_before(parser, value.start) != '\n') {
        report_value_inside(parser, value, word);
        return;
    }
    bool word_alone = !lone->begins && word_span.end == lone->before.span.end;
    if (word_alone && (report_direction(parser, word_span, word) ||
                       report_foreign_word(parser, word_span, word, ANY_WORD))) {
        return;
    }
    if (!assigns && word.len > 0 &&
        report_foreign_word(parser, word_span, word, FOREIGN_HEADER | FOREIGN_BLOCK)) {
        return;
    }
    if (report_typed_name(parser, value)) {
        return;
    }
    if (word_alone && !lone->found.first_on_line && is_operand(&lone->found)) {
        if (!report_function_of_c(parser, value, word) &&
            !report_lengths(parser, lone->found.span.end)) {
            report_odd_word(parser, word_span, word, assigns);
        }
    } else if (assigns) {
        report_bad_target(parser, value);
    } else {
        report_value(parser, value, text);
    }
}
