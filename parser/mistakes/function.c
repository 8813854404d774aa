// The headers of functions, as other languages have them or nearly right: `real f(real x):`,
// `fn f(x: float)`, `fn f(real x) (real, int):`, and one without its `:`.
#include "parser/mistakes/mistakes.h"

#include "parser/report.h"

#include <string.h>

static void note_function(Diag *diag, Slice name, const char *type) {
    if (slice_is(name, "main")) {
        diag_note(diag, "a program is written `fn main_fnc():`, with `end` after its statements");
    } else {
        diag_note(diag, "like `fn %.*s(real x) %s:`, with `end` after its statements",
                  (int)name.len, name.data, type);
    }
}

// `real f(real x):`, `int main() {`, `real x(start = 1.0)`
static bool type_before_call(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    Slice type = leading_word(line);
    const Token *before = mistake->before;
    bool declares = mistake->found->kind == TOKEN_CALL_PAREN && before->kind == TOKEN_NAME &&
                    meant_type(type) != NULL && before->span.start > start + (uint32_t)type.len &&
                    before->span.start - start <= type.len + 4;
    if (!declares) {
        return false;
    }
    Slice name = text_of(parser, before->span);
    Span head = {start, before->span.end};
    if (begins_block(line)) {
        Diag *diag = syntax_error(parser, head,
                                  "a function begins with `fn`, and its result's type "
                                  "follows the parameters");
        note_function(diag, name, meant_type(type));
        parser_skip_block(parser, start);
    } else {
        Diag *diag = syntax_error(parser, head, "a declaration needs a value");
        const char *meant = meant_type(type);
        const char *value = strcmp(meant, "real") == 0   ? "1.0"
                            : strcmp(meant, "bool") == 0 ? "true"
                                                         : "1";
        diag_note(diag, "like `%s %.*s = %s`", meant, (int)name.len, name.data, value);
    }
    return true;
}

static bool function_without_parentheses(const Mistake *mistake) {
    uint32_t start;
    Slice line = line_around(mistake->parser, mistake->found->span.start, &start);
    if (mistake->found->kind != TOKEN_HEADER_COLON || mistake->before->kind != TOKEN_NAME ||
        !mistake->expected[TOKEN_CALL_PAREN] || mistake->expected[TOKEN_DOT] ||
        !slice_is(leading_word(line), "fn")) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, mistake->found->span,
                              "a function has parentheses, also without parameters");
    diag_help(diag, "write `():`");
    diag_edit(diag, mistake->found->span, "():");
    return true;
}

// How much of the text is one type, up to what ends a parameter.
static size_t type_length(Slice text) {
    size_t depth = 0, at = 0;
    while (at < text.len && (depth > 0 || strchr(",)=", text.data[at]) == NULL)) {
        depth += text.data[at] == '<';
        depth -= depth > 0 && text.data[at] == '>';
        at++;
    }
    return at;
}

// `fn f(x: float)`
static bool type_behind_parameter(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    Slice bracket = text_of(parser, parser->bracket);
    bool in_list = bracket.len == 1 && bracket.data[0] == '(' && mistake->expected[TOKEN_DOT] &&
                   !mistake->expected[TOKEN_PLUS];
    if (found->kind != TOKEN_COLON || mistake->before->kind != TOKEN_NAME || !in_list) {
        return false;
    }
    Slice name = text_of(parser, mistake->before->span);
    Slice behind = line_behind(parser, found->span.end);
    size_t blanks = strspn(behind.data, " ");
    Slice word = leading_word((Slice){behind.data + blanks, behind.len - blanks});
    const char *type = meant_type(word);
    Diag *diag =
        syntax_error(parser, found->span, "the type of a parameter stands before its name");
    Slice written = {word.data, behind.len - blanks};
    written.len = type_length(written);
    const char *text = type == NULL ? "real" : type;
    if (slice_is(word, "tensor")) {
        text = arena_format(parser->context->arena, "%.*s", (int)written.len, written.data);
    }
    // Other mistakes may follow: then these edits alone are no cure.
    bool is_whole = slice_is(word, "tensor") || (type != NULL && written.len == word.len);
    if (is_whole && behind.data[behind.len - 1] == ':' &&
        strcspn(behind.data, "-:") == behind.len - 1) {
        uint32_t end = found->span.end + (uint32_t)(blanks + written.len);
        diag_help(diag, "write `%s %.*s`", text, (int)name.len, name.data);
        diag_edit(diag, (Span){mistake->before->span.start, end}, "%s %.*s", text, (int)name.len,
                  name.data);
    } else {
        diag_note(diag, "like `%s %.*s`", text, (int)name.len, name.data);
    }
    if (behind.len > 0 && behind.data[behind.len - 1] == '{') {
        parser_skip_block(parser, found->span.start);
        parser->error_at_end = parser->braces = true;
    }
    return true;
}

// `fn f(real x) (real, int):`, `fn [a, b] f(real x):`
static bool results_in_brackets(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    uint32_t start;
    Slice line = line_around(parser, found->span.start, &start);
    if (!slice_is(leading_word(line), "fn")) {
        return false;
    }
    if (mistake->before->kind == TOKEN_FN && found->kind == TOKEN_OPEN_BRACKET) {
        Diag *diag =
            syntax_error(parser, found->span, "the types of results follow the parameters");
        diag_note(diag, "like `fn f(real x) real, int:`, which returns with `return x, 1`");
        return true;
    }
    Slice behind = line_behind(parser, found->span.end);
    const char *close = memchr(behind.data, ')', behind.len);
    bool is_open = found->kind == TOKEN_CALL_PAREN || found->kind == TOKEN_OPEN_PAREN;
    if (!is_open || mistake->before->kind != TOKEN_CLOSE_PAREN || close == NULL) {
        return false;
    }
    int len = (int)(close - behind.data);
    Diag *diag = syntax_error(parser, found->span, "the types of results have no parentheses");
    diag_help(diag, len > 0 ? "write `%.*s`" : "leave `(%.*s)` out", len, behind.data);
    diag_edit(diag, (Span){found->span.start, found->span.end + (uint32_t)len + 1}, "%.*s", len,
              behind.data);
    return true;
}

// Where the header of the nearest `fn` above `position` ends, a comment left out; its parameters
// may stand on several lines.
static uint32_t end_of_header(const Parser *parser, uint32_t position) {
    uint32_t start;
    Slice line = line_around(parser, position, &start);
    while (line.len > 0 && !slice_is(leading_word(line), "fn")) {
        line = line_above(parser, start, &start);
    }
    if (line.len == 0) {
        return position;
    }
    int depth = 0;
    for (;;) {
        Slice behind = line_behind(parser, start);
        for (size_t i = 0; i < behind.len; i++) {
            depth += (behind.data[i] == '(') - (behind.data[i] == ')');
        }
        uint32_t end = start + (uint32_t)behind.len;
        if (depth <= 0 || end >= position) {
            return end;
        }
        start = line_below(parser, start);
    }
}

// Whether only comments stand between `from` and the line of `position`.
static bool nothing_between(const Parser *parser, uint32_t from, uint32_t position) {
    uint32_t start;
    (void)line_around(parser, position, &start);
    while (from < start && line_behind(parser, from).len == 0) {
        (void)line_around(parser, line_below(parser, from), &from);
    }
    return from == start;
}

// `fn show(real x)` without its `:`: the line below was read as the type of a result.
static bool header_without_colon(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const bool *expected = mistake->expected;
    bool in_type = expected[TOKEN_DOT] && expected[TOKEN_INDEX_BRACKET];
    bool behind_type = expected[TOKEN_HEADER_COLON] && expected[TOKEN_COMMA];
    if (!(in_type || behind_type) || expected[TOKEN_PLUS] || expected[TOKEN_ASSIGN] ||
        !span_is_nowhere(parser->bracket)) {
        return false;
    }
    uint32_t at = mistake->before->span.start;
    uint32_t end = end_of_header(parser, at);
    if (end >= at || !nothing_between(parser, end, at)) {
        return false;
    }
    uint32_t start;
    Slice last = line_around(parser, end - 1, &start);
    last.len = end - start;
    char mark = last.data[last.len - 1];
    if (memchr(last.data, ':', last.len) != NULL || mark == ',' || mark == '{') {
        return false;
    }
    report_no_colon(parser, span_after((Span){end - 1, end}), true);
    return true;
}

// `fn show(real x) void:`
static bool result_of_nothing(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    if (mistake->found->kind != TOKEN_HEADER_COLON || before->kind != TOKEN_NAME ||
        !mistake->expected[TOKEN_DOT] || mistake->expected[TOKEN_PLUS]) {
        return false;
    }
    Slice word = text_of(parser, before->span);
    Span parameters = word_before(parser, before->span.start);
    Slice close = text_of(parser, (Span){parameters.end - 1, parameters.end});
    if (!slice_is_among(word, "void None none nothing Unit unit nil") || !slice_is(close, ")")) {
        return false;
    }
    Diag *diag =
        syntax_error(parser, before->span, "`%.*s` is not a type", (int)word.len, word.data);
    diag_help(diag, "leave it out: a function without a result has nothing there");
    diag_edit(diag, (Span){parameters.end, before->span.end}, "%s", "");
    return true;
}

// `tensor<real, k> f(tensor<real, k> x)`
static bool tensor_before_call(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    if (mistake->found->kind != TOKEN_CALL_PAREN || before->kind != TOKEN_NAME ||
        !slice_is(leading_word(line), "tensor")) {
        return false;
    }
    size_t len = before->span.start - start;
    while (len > 0 && line.data[len - 1] == ' ') {
        len--;
    }
    char last = line.data[line.len - 1];
    if (len == 0 || line.data[len - 1] != '>' || !(begins_block(line) || last == ')')) {
        return false;
    }
    Slice name = text_of(parser, before->span);
    Diag *diag = syntax_error(parser, (Span){start, before->span.end},
                              "a function begins with `fn`, and its result's type "
                              "follows the parameters");
    note_function(diag, name, arena_format(parser->context->arena, "%.*s", (int)len, line.data));
    parser_skip_block(parser, start);
    return true;
}

// `fn f(real x[3])`, `fn f(real x[])`
static bool parameter_with_lengths(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    const Token *name = mistake->before;
    if (found->kind != TOKEN_INDEX_BRACKET || name->kind != TOKEN_NAME ||
        !mistake->expected[TOKEN_CLOSE_PAREN] || !mistake->expected[TOKEN_ASSIGN] ||
        mistake->expected[TOKEN_PLUS]) {
        return false;
    }
    Span type = word_before(parser, name->span.start);
    const char *meant = meant_type(text_of(parser, type));
    Slice behind = line_behind(parser, found->span.end);
    size_t len = strcspn(behind.data, "]\n");
    if (meant == NULL || len >= behind.len) {
        return false;
    }
    Slice lengths = len > 0 ? (Slice){behind.data, len} : (Slice){"n", 1};
    Slice word = text_of(parser, name->span);
    const char *text = arena_format(parser->context->arena, "tensor<%s, %.*s> %.*s", meant,
                                    (int)lengths.len, lengths.data, (int)word.len, word.data);
    Diag *diag = syntax_error(parser, found->span, "lengths belong to the type of a tensor");
    // An `n` that is a parameter, too, would be taken twice.
    const char *line = arena_copy_text(parser->context->arena, behind.data, behind.len);
    bool taken = len == 0 && (strstr(line, " n,") != NULL || strstr(line, " n)") != NULL);
    if (taken || behind.data[len + 1] == '[') {
        diag_note(diag, "like `%s`", text);
    } else {
        diag_help(diag, "write `%s`", text);
        diag_edit(diag, (Span){type.start, found->span.end + (uint32_t)len + 1}, "%s", text);
    }
    return true;
}

// `fn f(real[3] x)`, `fn f(real[] x)`, `fn f(real x) real[3]:`
static bool lengths_behind_type(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    const Token *type = mistake->before;
    Slice behind = line_behind(parser, found->span.end);
    size_t len = strcspn(behind.data, "]\n");
    bool is_bracket = found->kind == TOKEN_INDEX_BRACKET || found->kind == TOKEN_OPEN_BRACKET;
    bool is_parameter = mistake->expected[TOKEN_NAME] && !span_is_nowhere(parser->bracket);
    uint32_t start;
    Slice line = line_around(parser, found->span.start, &start);
    bool is_result = mistake->expected[TOKEN_COLON] && slice_is(leading_word(line), "fn");
    if (!is_bracket || type->kind < TOKEN_INT || type->kind > TOKEN_BOOL ||
        !(is_parameter || is_result) || len >= behind.len) {
        return false;
    }
    Slice word = text_of(parser, type->span);
    Slice lengths = len > 0 ? (Slice){behind.data, len} : (Slice){"n", 1};
    const char *meant = arena_format(parser->context->arena, "tensor<%.*s, %.*s>", (int)word.len,
                                     word.data, (int)lengths.len, lengths.data);
    Diag *diag = syntax_error(parser, found->span, "lengths belong to the type of a tensor");
    if (behind.data[len + 1] == '[') {
        diag_note(diag, "all of them stand there, like `tensor<real, 2, 3>`");
        return true;
    }
    diag_help(diag, "write `%s`", meant);
    diag_edit(diag, (Span){type->span.start, found->span.end + (uint32_t)len + 1}, "%s", meant);
    return true;
}

// `fn f(tensor<real, n>& x)`, `fn f(tensor<real, n> *x)`
static bool reference_as_parameter(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    bool scalar = before->kind >= TOKEN_INT && before->kind <= TOKEN_BOOL;
    bool is_mark =
        mistake->found->kind == TOKEN_AMPERSAND || (mistake->found->kind == TOKEN_STAR && !scalar);
    if (!is_mark || !mistake->expected[TOKEN_NAME] || span_is_nowhere(parser->bracket) ||
        !(scalar || before->kind == TOKEN_GREATER)) {
        return false;
    }
    uint32_t start = before->span.start;
    start -= scalar ? 0 : (uint32_t)open_tensor(parser, start).len;
    Slice mark = text_of(parser, mistake->found->span);
    Diag *diag = syntax_error(parser, mistake->found->span, "a parameter has no `%.*s`",
                              (int)mark.len, mark.data);
    diag_help(diag, "`var` before its type lets the function change what the caller has");
    diag_edit(diag, (Span){start, start}, "var ");
    diag_edit(diag, mistake->found->span, "%s", "");
    return true;
}

// `fn real f(real x):`
static bool result_before_name(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    bool is_type = found->kind >= TOKEN_INT && found->kind <= TOKEN_TENSOR;
    if (mistake->before->kind != TOKEN_FN || !is_type || found->first_on_line) {
        return false;
    }
    Slice rest = line_behind(parser, found->span.start);
    Slice word = leading_word(rest);
    size_t len = word.len;
    if (found->kind == TOKEN_TENSOR) {
        len += strspn(rest.data + len, " ");
        bool goes_on = true;
        for (int depth = 0; goes_on && len < rest.len; len++) {
            depth += (rest.data[len] == '<') - (rest.data[len] == '>');
            goes_on = depth > 0;
        }
    }
    size_t name = len + strspn(rest.data + len, " ");
    Diag *diag = syntax_error(parser, found->span, "the result's type follows the parameters");
    if (name + 2 >= rest.len || memcmp(rest.data + rest.len - 2, "):", 2) != 0) {
        diag_note(diag, "a function is written `fn name(type a, type b) type:`");
        return true;
    }
    uint32_t colon = found->span.start + (uint32_t)rest.len - 1;
    diag_help(diag, "write `fn %.*s %.*s:`", (int)(rest.len - 1 - name), rest.data + name, (int)len,
              rest.data);
    diag_edit(diag, (Span){found->span.start, found->span.start + (uint32_t)name}, "%s", "");
    diag_edit(diag, (Span){colon, colon}, " %.*s", (int)len, rest.data);
    return true;
}

bool report_function(const Mistake *mistake) {
    static const MistakeRule rules[] = {
        {.recognises = header_without_colon},   {.recognises = result_of_nothing},
        {.recognises = type_before_call},       {.recognises = tensor_before_call},
        {.recognises = parameter_with_lengths}, {.recognises = lengths_behind_type},
        {.recognises = reference_as_parameter}, {.recognises = function_without_parentheses},
        {.recognises = results_in_brackets},    {.recognises = type_behind_parameter},
        {.recognises = result_before_name},
    };
    return report_by_rules(mistake, rules, sizeof rules / sizeof rules[0]);
}
