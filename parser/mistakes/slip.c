// Slips in expressions and headers: an operator that was left at the end of a line, a condition or
// a guard where a value stands, the `:` of a test, marks that stand twice.
#include "parser/mistakes/mistakes.h"

#include "parser/report.h"

#include <string.h>

// Whether an operand may stand where the token is.
static bool wants_operand(const Mistake *mistake) {
    return mistake->expected[TOKEN_INTEGER_LITERAL] && !mistake->expected[TOKEN_PASS];
}

static bool goes_on_from_above(const Parser *parser, uint32_t position) {
    uint32_t start;
    bool is_first = line_above(parser, position, &start).len == 0;
    Slice above = is_first ? (Slice){0} : line_behind(parser, start); // without a comment
    return above.len > 0 && strchr("+-*/%\\&|^<>=,", above.data[above.len - 1]) != NULL;
}

// `x = 3.0 -` above `t.y = x`: the `=` is no slip.
static bool assignment_below_operator(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    if (mistake->found->kind != TOKEN_ASSIGN || !mistake->expected[TOKEN_EQUAL] ||
        mistake->expected[TOKEN_HEADER_COLON] || !span_is_nowhere(parser->bracket)) {
        return false;
    }
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    bool is_first = memchr(line.data, '=', mistake->found->span.start - start) == NULL;
    if (!is_first || !goes_on_from_above(parser, mistake->found->span.start)) {
        return false;
    }
    Diag *diag = syntax_error(parser, mistake->found->span, "`=` cannot stand in an expression");
    diag_note(diag, "the expression goes on from the line above");
    return true;
}

// `if exists t.a:`, `if not exists(t.a):`
static bool guard_as_condition(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    if (mistake->found->kind != TOKEN_EXISTS || !wants_operand(mistake)) {
        return false;
    }
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    Slice behind = line_behind(parser, mistake->found->span.end);
    Slice before = {line.data, mistake->found->span.start - start};
    bool negated = slice_is(before, "if not ");
    Diag *diag = syntax_error(parser, mistake->found->span, "`exists` begins a block of its own");
    const char *name = behind.data + strspn(behind.data, " (");
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    bool alone = name + len + strspn(name + len, ") :") == behind.data + behind.len;
    if (len == 0 || !alone || !(negated || slice_is(before, "if "))) {
        diag_note(diag, "`exists t.a:` guards statements, up to its `end`");
        return true;
    }
    const char *guard = arena_format(parser->context->arena,
                                     "%sexists %.*s:", negated ? "not " : "", (int)len, name);
    diag_help(diag, "write `%s`", guard);
    diag_edit(diag, (Span){start, mistake->found->span.end + (uint32_t)behind.len}, "%s", guard);
    return true;
}

// `fn f(*args)`, `print(*a)`
static bool arguments_in_one(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    TokenKind kind = mistake->found->kind;
    TokenKind before = mistake->before->kind;
    bool in_list = before == TOKEN_CALL_PAREN || before == TOKEN_COMMA;
    Slice bracket = text_of(parser, parser->bracket);
    bool is_list = bracket.len == 1 && bracket.data[0] == '(';
    if ((kind != TOKEN_STAR && kind != TOKEN_POWER) || !in_list || !is_list) {
        return false;
    }
    uint32_t start;
    bool declares =
        slice_is(leading_word(line_around(parser, parser->bracket.start, &start)), "fn");
    Slice mark = text_of(parser, mistake->found->span);
    Diag *diag =
        syntax_error(parser, mistake->found->span,
                     declares ? "a function has the parameters that it names, without `%.*s`"
                              : "arguments stand one by one, without `%.*s`",
                     (int)mark.len, mark.data);
    if (declares) {
        diag_note(diag, "`fn f(tensor<real, n> x):` takes vectors of any length `n`");
    }
    return true;
}

// `test "filter"` without its `:`: the line below was read as the name of the test.
static bool test_without_colon(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    bool is_name = before->kind == TOKEN_NAME && before->first_on_line;
    bool is_empty = before->kind == TOKEN_STRING_LITERAL && mistake->found->first_on_line;
    if (!mistake->expected[TOKEN_HEADER_COLON] || mistake->expected[TOKEN_PLUS] ||
        !(is_name || is_empty)) {
        return false;
    }
    uint32_t start;
    Slice head = is_name ? line_above(parser, before->span.start, &start)
                         : line_around(parser, before->span.start, &start);
    if (!slice_is(leading_word(head), "test")) {
        return false;
    }
    uint32_t end = start + (uint32_t)line_behind(parser, start).len;
    report_no_colon(parser, (Span){end, end}, true);
    return true;
}

// `tensor<real, 3 x = 0`
static bool type_not_closed(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    uint32_t end = mistake->before->span.end;
    bool is_length =
        mistake->before->kind == TOKEN_INTEGER_LITERAL || mistake->before->kind == TOKEN_NAME;
    if (found->kind != TOKEN_NAME || found->first_on_line || !is_length ||
        !mistake->expected[TOKEN_GREATER] || open_tensor(parser, found->span.start).len == 0) {
        return false;
    }
    Diag *diag = syntax_error(parser, found->span, "the type before this name has no `>`");
    Slice length = text_of(parser, mistake->before->span);
    diag_help(diag, "write `>` behind `%.*s`", (int)length.len, length.data);
    diag_edit(diag, (Span){end, end}, ">");
    return true;
}

// `3(x + 1)`
static bool factor_of_parenthesis(const Mistake *mistake) {
    TokenKind before = mistake->before->kind;
    if (mistake->found->kind != TOKEN_CALL_PAREN ||
        (before != TOKEN_INTEGER_LITERAL && before != TOKEN_REAL_LITERAL)) {
        return false;
    }
    Slice factor = text_of(mistake->parser, mistake->before->span);
    Diag *diag = syntax_error(mistake->parser, mistake->found->span, "a product has its `*`");
    diag_help(diag, "write `%.*s * (`", (int)factor.len, factor.data);
    diag_edit(diag, (Span){mistake->before->span.end, mistake->found->span.start}, " * ");
    return true;
}

// `a .+ b`
static bool sum_with_point(const Mistake *mistake) {
    TokenKind found = mistake->found->kind;
    if (mistake->before->kind != TOKEN_DOT || (found != TOKEN_PLUS && found != TOKEN_MINUS)) {
        return false;
    }
    const char *sign = found == TOKEN_PLUS ? "+" : "-";
    Span both = {mistake->before->span.start, mistake->found->span.end};
    Diag *diag = syntax_error(mistake->parser, both, "`.%s` is not TML", sign);
    diag_help(diag, "write `%s`", sign);
    diag_edit(diag, both, "%s", sign);
    return true;
}

// `sin.(x)`
static bool call_with_point(const Mistake *mistake) {
    const Token *point = mistake->before;
    TokenKind found = mistake->found->kind;
    if (point->kind != TOKEN_DOT || (found != TOKEN_OPEN_PAREN && found != TOKEN_CALL_PAREN) ||
        point->span.end != mistake->found->span.start) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, point->span,
                              "a function that goes element by element has no `.`");
    diag_help(diag, "leave it out");
    diag_edit(diag, point->span, "%s", "");
    return true;
}

// `fn solve(fn f, real x) real:`
static bool function_as_parameter(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_FN && !span_is_nowhere(mistake->parser->bracket);
}

// `|v|`
static bool magnitude_in_bars(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_BAR && wants_operand(mistake);
}

// `instance a = gain(p.k = 2.0)`
static bool instance_of_name(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    if (mistake->found->kind != TOKEN_NAME || !mistake->expected[TOKEN_STRING_LITERAL] ||
        mistake->expected[TOKEN_NAME] || !slice_is(leading_word(line), "instance")) {
        return false;
    }
    Slice name = text_of(parser, mistake->found->span);
    Slice path = line_behind(parser, mistake->found->span.start);
    const char *end = memchr(path.data, '(', path.len);
    path.len = end == NULL ? 0 : (size_t)(end - path.data);
    bool is_path = path.len > 4 && memcmp(path.data + path.len - 4, ".tml", 4) == 0;
    Diag *diag = syntax_error(parser, mistake->found->span,
                              "an instance has the path of its component's file");
    if (is_path) {
        uint32_t from = mistake->found->span.start;
        diag_help(diag, "write `\"%.*s\"`", (int)path.len, path.data);
        diag_edit(diag, (Span){from, from + (uint32_t)path.len}, "\"%.*s\"", (int)path.len,
                  path.data);
        return true;
    }
    diag_note(diag, "like `\"%.*s.tml\"`, seen from the folder of this file", (int)name.len,
              name.data);
    return true;
}

// `t.y = a, b, c`
static bool elements_without_brackets(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    if (mistake->found->kind != TOKEN_COMMA || !span_is_nowhere(parser->bracket) ||
        !mistake->expected[TOKEN_PLUS] || !mistake->expected[TOKEN_PASS]) {
        return false;
    }
    uint32_t start;
    (void)line_around(parser, mistake->found->span.start, &start);
    Slice line = line_behind(parser, start);
    const char *assign = memchr(line.data, '=', line.len);
    const char *end = line.data + line.len;
    bool is_one = assign != NULL && memchr(line.data, ',', (size_t)(assign - line.data)) == NULL &&
                  assign < line.data + (mistake->found->span.start - start) &&
                  memchr(assign + 1, '=', (size_t)(end - assign - 1)) == NULL && end[-1] != ',';
    if (!is_one || meant_type(leading_word(line)) != NULL) {
        return false;
    }
    const char *first = assign + 1 + strspn(assign + 1, " ");
    uint32_t from = start + (uint32_t)(first - line.data);
    Diag *diag =
        syntax_error(parser, mistake->found->span, "the elements of a tensor have brackets");
    diag_help(diag, "write `[%.*s]`", (int)(end - first), first);
    diag_edit(diag, (Span){from, from}, "[");
    diag_edit(diag, (Span){start + (uint32_t)line.len, start + (uint32_t)line.len}, "]");
    return true;
}

// `test works:`
bool report_unquoted_test(Parser *parser, Span test) {
    Slice rest = line_behind(parser, test.end);
    size_t blanks = strspn(rest.data, " ");
    size_t end = rest.len;
    if (!slice_is(text_of(parser, test), "test") || end <= blanks + 1 ||
        rest.data[end - 1] != ':') {
        return false;
    }
    int len = (int)(end - 1 - blanks);
    Span name = {test.end + (uint32_t)blanks, test.end + (uint32_t)end - 1};
    Diag *diag = syntax_error(parser, name, "the name of a test is a text");
    diag_help(diag, "write `test \"%.*s\":`", len, rest.data + blanks);
    diag_edit(diag, name, "\"%.*s\"", len, rest.data + blanks);
    parser_skip_block(parser, test.start);
    return true;
}

// `test("works"):`
bool report_called_test(Parser *parser, Span value) {
    static const char start[] = "test(\"";
    enum { OPEN = 4, START = sizeof start - 1 };
    Slice line = line_behind(parser, value.start);
    bool is_one = line.len > START + 2 && memcmp(line.data, start, START) == 0 &&
                  memcmp(line.data + line.len - 3, "\"):", 3) == 0;
    if (!is_one) {
        return false;
    }
    uint32_t open = value.start + OPEN, close = value.start + (uint32_t)line.len - 2;
    Diag *diag =
        syntax_error(parser, (Span){open, close + 1}, "the name of a test has no parentheses");
    diag_help(diag, "write `test %.*s:`", (int)(close - open - 1), line.data + OPEN + 1);
    diag_edit(diag, (Span){open, open + 1}, " ");
    diag_edit(diag, (Span){close, close + 1}, "%s", "");
    parser_skip_block(parser, value.start);
    return true;
}

bool report_slip(const Mistake *mistake) {
    static const MistakeRule rules[] = {
        {.recognises = assignment_below_operator},
        {.recognises = report_choice_between},
        {.recognises = guard_as_condition},
        {.recognises = arguments_in_one},
        {.recognises = test_without_colon},
        {.recognises = type_not_closed},
        {.recognises = factor_of_parenthesis},
        {.recognises = sum_with_point},
        {.recognises = call_with_point},
        {magnitude_in_bars, "expected an expression, found `|`",
         "`abs(x)` is a magnitude, `norm(v)` the length of a vector"},
        {function_as_parameter, "a parameter is no function",
         "functions are no values: what calls another one names it"},
        {.recognises = instance_of_name},
        {.recognises = elements_without_brackets},
    };
    return report_by_rules(mistake, rules, sizeof rules / sizeof rules[0]);
}
