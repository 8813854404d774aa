// Notations of other languages in expressions and statements: comments, ranges, casts, words
// between operands. Each is told as what it is there, with what TML writes instead.
#include "lexer/row.h"
#include "parser/mistakes/foreign.h"
#include "parser/mistakes/mistakes.h"
#include "support/suggest.h"

#include <string.h>

static Span join(Span a, Span b) {
    return (Span){.start = a.start, .end = b.end};
}

static char next_character(const Parser *parser, uint32_t position) {
    const SourceFile *source = parser->file->source;
    return source->text[position - source->base];
}

static bool in_bracket(const Mistake *mistake, char bracket) {
    Slice text = text_of(mistake->parser, mistake->parser->bracket);
    return text.len == 1 && text.data[0] == bracket;
}

static Diag *not_tml(Parser *parser, Span span) {
    Slice text = text_of(parser, span);
    return syntax_error(parser, span, "`%.*s` is not TML", (int)text.len, text.data);
}

// `then` and `do` at the end of a header stand where its colon does.
static bool report_end_of_header(Parser *parser, Span span, Span before) {
    if (line_behind(parser, span.end).len > 0) {
        return false;
    }
    Slice word = text_of(parser, span);
    Diag *diag = not_tml(parser, span);
    diag_help(diag, "a header ends with `:`, not with `%.*s`", (int)word.len, word.data);
    diag_edit(diag, join(span_after(before), span), ":");
    return true;
}

// `a adn b`
static bool report_misspelt_operator(Parser *parser, Span span) {
    Slice word = text_of(parser, span);
    Suggestion suggestion = suggestion_for_word(word.data, word.len);
    suggestion_try(&suggestion, "and");
    if (leading_word(word).len == 0 || suggestion.nearest == NULL) {
        return false;
    }
    Diag *diag = not_tml(parser, span);
    diag_help(diag, "did you mean `and`?");
    diag_edit(diag, span, "and");
    return true;
}

// `import "lib.tml" as lib`
static bool report_renamed_import(Parser *parser, Span as, Span before) {
    uint32_t start;
    Slice line = line_around(parser, as.start, &start);
    if (!slice_is(leading_word(line), "import")) {
        return false;
    }
    Diag *diag = syntax_error(parser, as, "an import has no name of its own");
    diag_help(diag, "leave it out: what the file declares is there under its own names");
    diag_edit(diag, (Span){before.end, start + (uint32_t)line.len}, "%s", "");
    return true;
}

// `x is not 4`
static bool report_is_not(Parser *parser, Span is) {
    Slice rest = line_behind(parser, is.end);
    size_t blanks = 0;
    while (blanks < rest.len && rest.data[blanks] == ' ') {
        blanks++;
    }
    Slice word = leading_word((Slice){rest.data + blanks, rest.len - blanks});
    if (!slice_is(text_of(parser, is), "is") || !slice_is(word, "not")) {
        return false;
    }
    Span words = {is.start, is.end + (uint32_t)(blanks + word.len)};
    Diag *diag = not_tml(parser, words);
    diag_help(diag, "TML writes `!=`");
    diag_edit(diag, words, "!=");
    return true;
}

bool report_foreign_operator(Parser *parser, Span span, Span before, bool header_ends) {
    if (report_is_not(parser, span)) {
        return true;
    }
    const ForeignWord *foreign = foreign_find(text_of(parser, span), FOREIGN_OPERATOR);
    if (foreign == NULL) {
        return report_misspelt_operator(parser, span);
    }
    if (slice_is(text_of(parser, span), "as") && report_renamed_import(parser, span, before)) {
        return true;
    }
    bool sentence = (foreign->roles & FOREIGN_SENTENCE) != 0;
    bool ends_header = sentence && strchr(foreign->tml, ':') != NULL && header_ends;
    if ((ends_header && report_end_of_header(parser, span, before)) ||
        report_remainder(parser, span, foreign->tml)) {
        return true;
    }
    Diag *diag = not_tml(parser, span);
    if (sentence) {
        diag_note(diag, "%s", foreign->tml);
    } else {
        diag_help(diag, "TML writes `%s`", foreign->tml);
        diag_edit(diag, span, "%s", foreign->tml);
    }
    return true;
}

static bool foreign_operator(const Mistake *mistake) {
    bool in_value = !mistake->found->first_on_line && mistake->expected[TOKEN_PLUS] &&
                    !mistake->expected[TOKEN_INTEGER_LITERAL];
    return in_value &&
           report_foreign_operator(mistake->parser, mistake->found->span, mistake->before->span,
                                   mistake->expected[TOKEN_HEADER_COLON]);
}

bool report_foreign_prefix(Parser *parser, Span word, const Token *operand) {
    Slice text = text_of(parser, word);
    const ForeignWord *foreign = foreign_find(text, FOREIGN_PREFIX);
    bool letter = text.len == 1;
    bool marked = operand->kind == TOKEN_STRING_LITERAL && !operand->spaced;
    if (foreign == NULL || letter != marked || operand->first_on_line) {
        return false;
    }
    Diag *diag = not_tml(parser, letter ? join(word, operand->span) : word);
    if (strchr(foreign->tml, ' ') == NULL) {
        diag_help(diag, "TML writes `%s`", foreign->tml);
        diag_edit(diag, word, "%s", foreign->tml);
    } else {
        diag_note(diag, "%s", foreign->tml);
    }
    return true;
}

// The word was read as a value.
static bool foreign_prefix(const Mistake *mistake) {
    const Token *before = mistake->before;
    bool operand = token_is(mistake->found->kind, TOKEN_VALUE | TOKEN_EITHER);
    return before->kind == TOKEN_NAME && !before->first_on_line && operand &&
           report_foreign_prefix(mistake->parser, before->span, mistake->found);
}

static bool in_as_operator(const Mistake *mistake) {
    uint32_t start;
    Slice line = line_around(mistake->parser, mistake->found->span.start, &start);
    return mistake->found->kind == TOKEN_IN && mistake->expected[TOKEN_PLUS] &&
           !mistake->expected[TOKEN_INTEGER_LITERAL] && !mistake->found->first_on_line &&
           !slice_is(leading_word(line), "for");
}

static bool comprehension(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_FOR && !span_is_nowhere(mistake->parser->bracket) &&
           mistake->expected[TOKEN_PLUS];
}

// `x += 1 if c`, at what follows the line.
static bool condition_behind_statement(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    Slice line = line_around(parser, mistake->before->span.start, &start);
    Slice word = leading_word(line);
    bool is_statement =
        word.len > 0 && mistake->expected[TOKEN_HEADER_COLON] &&
        (mistake->found->first_on_line || mistake->found->kind == TOKEN_END_OF_FILE) &&
        !slice_is_among(word, "if elseif else while for macro");
    const char *found =
        strstr(arena_copy_text(parser->context->arena, line.data, line.len), " if ");
    if (!is_statement || found == NULL) {
        return false;
    }
    uint32_t at = start + (uint32_t)(line.len - strlen(found)) + 1;
    Diag *diag =
        syntax_error(parser, (Span){at, at + 2}, "a condition stands before its statements");
    diag_note(diag, "%s", "write `if c:` on a line, then the statement, then `end`");
    parser->error_at_end = true;
    return true;
}

static bool double_colon(const Mistake *mistake) {
    const Token *found = mistake->found;
    bool colon = found->kind == TOKEN_COLON || found->kind == TOKEN_HEADER_COLON;
    if (!colon || next_character(mistake->parser, found->span.end) != ':') {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, (Span){found->span.start, found->span.end + 1},
                              "`::` is not TML");
    diag_note(diag, "names have no namespaces before them; functions are built in");
    return true;
}

static bool range_as_value(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_COLON && mistake->expected[TOKEN_PLUS] &&
           !mistake->expected[TOKEN_PLUS_ASSIGN] && !mistake->expected[TOKEN_COLON] &&
           !mistake->expected[TOKEN_HEADER_COLON];
}

// `x = 4.0 ...`, with the rest on the next line
static bool continuation(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    bool complete = !mistake->expected[TOKEN_INTEGER_LITERAL];
    if (mistake->found->kind != TOKEN_ELLIPSIS || (complete && !mistake->expected[TOKEN_PLUS]) ||
        line_behind(parser, mistake->found->span.end).len > 0) {
        return false;
    }
    Diag *diag = syntax_error(parser, mistake->found->span, "`...` stands in an index only");
    const char *below = line_behind(parser, mistake->found->span.end).data;
    below += strcspn(below, "\n");
    below += strspn(below, " \t\r\n");
    if (complete && (*below == '\0' || strchr("+-*/%&|^<>=!.\\", *below) == NULL)) {
        diag_note(diag, "an expression goes on in the next line behind an operator, in brackets, "
                        "and where that line begins with an operator");
        return true;
    }
    diag_help(diag,
              complete
                  ? "leave it out: a line that begins with an operator goes on from the one above"
                  : "leave it out: an expression that is not complete goes on in the next line");
    diag_edit(diag, mistake->found->span, "%s", "");
    return true;
}

static bool address_or_pointer(const Mistake *mistake) {
    bool address =
        mistake->found->kind == TOKEN_AMPERSAND && mistake->expected[TOKEN_INTEGER_LITERAL];
    bool pointer = mistake->found->kind == TOKEN_STAR && mistake->expected[TOKEN_NAME] &&
                   token_is(mistake->before->kind, TOKEN_CALLED);
    return address || pointer;
}

// `f(&v)`
static bool address_as_argument(const Mistake *mistake) {
    if (!address_or_pointer(mistake) || mistake->found->kind != TOKEN_AMPERSAND ||
        !in_bracket(mistake, '(')) {
        return false;
    }
    Diag *diag =
        syntax_error(mistake->parser, mistake->found->span, "there are no pointers in TML");
    diag_help(diag, "leave it out: a `var` parameter takes the variable itself");
    diag_edit(diag, mistake->found->span, "%s", "");
    return true;
}

// `[1 2 3]`
static bool elements_without_commas(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    bool operand = found->kind == TOKEN_NAME || token_is(found->kind, TOKEN_VALUE);
    if (!operand || !in_bracket(mistake, '[') || !mistake->expected[TOKEN_COMMA] ||
        !mistake->expected[TOKEN_PAGE_BAR] || found->first_on_line) {
        return false;
    }
    Diag *diag =
        syntax_error(parser, found->span, "the elements of a row have commas between them");
    uint32_t start = parser->bracket.start;
    MeantRow row =
        row_meant(parser->context->arena, line_behind(parser, parser->bracket.end).data - 1);
    if (row.text == NULL || row.len > ROW_SHOWN) {
        diag_note(diag, "`[1, 2, 3]` is a vector, `[1, 2; 3, 4]` a matrix");
    } else {
        diag_help(diag, "write `%s`", row.text);
    }
    if (row.text != NULL) {
        diag_edit(diag, (Span){start, start + row.len}, "%s", row.text);
    }
    return true;
}

// `[1, 2` and `3, 4]` on the next line
static bool rows_without_semicolon(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    bool operand = found->kind == TOKEN_NAME || token_is(found->kind, TOKEN_VALUE);
    if (!operand || !in_bracket(mistake, '[') || !mistake->expected[TOKEN_COMMA] ||
        !mistake->expected[TOKEN_PAGE_BAR] || !found->first_on_line) {
        return false;
    }
    Slice line = line_behind(parser, found->span.start);
    bool statement =
        memchr(line.data, '=', line.len) != NULL ||
        parser_indent(parser, found->span.start) <= parser_indent(parser, parser->bracket.start);
    if (statement) {
        return false; // after a bracket that was left open
    }
    Diag *diag = syntax_error(parser, span_after(mistake->before->span),
                              "the end of a line separates neither rows nor elements");
    diag_note(diag, "`;` stands between rows, `,` between elements: `[1, 2; 3, 4]`");
    return true;
}

bool report_cast_of_c(Parser *parser, Span close) {
    uint32_t start;
    Slice line = line_around(parser, close.start, &start);
    size_t end = close.start - start;
    size_t open = end;
    while (open > 0 && line.data[open] != '(') {
        open--;
    }
    Slice word = {.data = line.data + open + 1, .len = end - open - 1};
    const char *type = line.data[open] == '(' ? meant_type(word) : NULL;
    if (type == NULL) {
        return false;
    }
    uint32_t from = start + (uint32_t)open;
    Slice behind = line_behind(parser, close.end);
    Slice operand = leading_word(behind);
    Diag *diag =
        syntax_error(parser, (Span){from, close.end}, "a cast is written as a call of its type");
    // What is longer than a name may be indexed, called or part of an operator that binds tighter.
    const char *next = operand.data + operand.len;
    if (operand.len == 0 || next[strspn(next, " ")] == '(' || next[0] == '[' || next[0] == '.' ||
        next[0] == '\'') {
        diag_note(diag, "like `%s(x)`", type);
        return true;
    }
    diag_help(diag, "write `%s(%.*s)`", type, (int)operand.len, operand.data);
    diag_edit(diag, (Span){from, close.end + (uint32_t)operand.len}, "%s(%.*s)", type,
              (int)operand.len, operand.data);
    return true;
}

// `(int)x`, at the `)` or, of a type that TML does not have, behind it.
static bool cast_of_c(const Mistake *mistake) {
    bool at_end = mistake->found->kind == TOKEN_CLOSE_PAREN;
    const Token *close = at_end ? mistake->found : mistake->before;
    return close->kind == TOKEN_CLOSE_PAREN && (!at_end || mistake->expected[TOKEN_CALL_PAREN]) &&
           report_cast_of_c(mistake->parser, close->span);
}

// Whether the line is an assignment whose `=` stands before the token.
static bool assigns_before(const Mistake *mistake) {
    uint32_t start;
    uint32_t found = mistake->found->span.start;
    Slice line = line_around(mistake->parser, found, &start);
    Slice word = leading_word(line);
    return word.len > 0 && memchr(line.data, '=', found - start) != NULL;
}

static bool second_assignment(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_ASSIGN && mistake->expected[TOKEN_EQUAL] &&
           !mistake->expected[TOKEN_HEADER_COLON] && span_is_nowhere(mistake->parser->bracket) &&
           assigns_before(mistake);
}

static bool assignment_as_condition(const Mistake *mistake) {
    if (mistake->found->kind != TOKEN_ASSIGN || !mistake->expected[TOKEN_EQUAL] ||
        !mistake->expected[TOKEN_HEADER_COLON]) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, mistake->found->span,
                              "`=` assigns, and a condition does not");
    diag_help(diag, "`==` compares");
    diag_edit(diag, mistake->found->span, "==");
    return true;
}

// `if x /= 4:`
static bool division_as_comparison(const Mistake *mistake) {
    bool in_value = mistake->expected[TOKEN_HEADER_COLON] || in_bracket(mistake, '(');
    if (mistake->found->kind != TOKEN_SLASH_ASSIGN || !in_value ||
        !mistake->expected[TOKEN_SLASH]) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, mistake->found->span,
                              "`/=` divides and assigns, and a condition does not");
    diag_help(diag, "`!=` compares");
    diag_edit(diag, mistake->found->span, "!=");
    return true;
}

// `u >>> 1`, `c <<< 1`
static bool shift_of_three(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    bool right = mistake->found->kind == TOKEN_GREATER && before->kind == TOKEN_SHIFT_RIGHT;
    bool left = before->kind == TOKEN_LESS && mistake->expected[TOKEN_MINUS];
    if ((!right && !left) || before->span.start < parser->file->source->base + 2) {
        return false;
    }
    uint32_t start = before->span.start - (left ? 2 : 0);
    Span mark = {start, start + 3};
    if (!slice_is(text_of(parser, mark), right ? ">>>" : "<<<")) {
        return false;
    }
    Diag *diag = not_tml(parser, mark);
    diag_help(diag, "write `%s`", right ? ">>" : "<<");
    diag_edit(diag, mark, "%s", right ? ">>" : "<<");
    return true;
}

// `r, ~ = f(x)`, `~, r = f(x)`
static bool tilde_as_target(const Mistake *mistake) {
    const Token *found = mistake->found;
    Slice behind = line_behind(mistake->parser, found->span.end);
    char next = behind.len == 0 ? '\0' : behind.data[strspn(behind.data, " ")];
    bool target = found->first_on_line
                      ? next == ','
                      : mistake->before->kind == TOKEN_COMMA && (next == ',' || next == '=');
    if (found->kind != TOKEN_TILDE || !target || mistake->expected[TOKEN_INTEGER_LITERAL]) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, found->span, "expected a name, found `~`");
    diag_help(diag, "`_` drops a result");
    diag_edit(diag, found->span, "_");
    return true;
}

// Whether each `(` of a line has its `)` there.
static bool is_balanced(Slice line) {
    int depth = 0;
    for (size_t k = 0; k < line.len; k++) {
        depth += (line.data[k] == '(') - (line.data[k] == ')');
    }
    return depth == 0;
}

// `x = (1, 2)`, `np.zeros((3, 3))`
static bool list_in_parentheses(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    Span open = parser->bracket;
    if (mistake->found->kind != TOKEN_COMMA || !in_bracket(mistake, '(') ||
        !mistake->expected[TOKEN_PLUS] || !mistake->expected[TOKEN_CLOSE_PAREN]) {
        return false;
    }
    Slice line = line_around(parser, open.start, &start);
    Slice behind = line_behind(parser, open.end);
    line.len = (size_t)(behind.data + behind.len - line.data);
    if (!is_balanced(line)) {
        return false;
    }
    Diag *diag = syntax_error(parser, open, "parentheses hold no list");
    Span before = word_before(parser, open.start);
    bool assigned = open.start > start && next_character(parser, before.end - 1) == '=';
    const char *close = memchr(behind.data, ')', behind.len);
    if (assigned && close == behind.data + behind.len - 1) {
        diag_help(diag, "a tensor is written `[%.*s]`", (int)behind.len - 1, behind.data);
        diag_edit(diag, open, "[");
        uint32_t end = open.end + (uint32_t)behind.len;
        diag_edit(diag, (Span){end - 1, end}, "]");
    } else {
        diag_note(diag, "a tensor is written `[1, 2]`; sizes stand one by one, as in "
                        "`reshape(x, 2, 3)`");
    }
    return true;
}

// `return (a, b)`
static bool results_in_parentheses(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    Span open = parser->bracket;
    if (mistake->found->kind != TOKEN_COMMA || !in_bracket(mistake, '(') ||
        !mistake->expected[TOKEN_PLUS] || !mistake->expected[TOKEN_CLOSE_PAREN]) {
        return false;
    }
    Slice line = line_around(parser, open.start, &start);
    Slice word = leading_word(line);
    Slice behind = line_behind(parser, open.end);
    uint32_t value = start + (uint32_t)word.len;
    bool alone =
        slice_is(word, "return") && value + strspn(line.data + word.len, " ") == open.start;
    int depth = 1;
    size_t end = 0;
    for (; end < behind.len && depth > 0; end++) {
        depth += (behind.data[end] == '(') - (behind.data[end] == ')');
    }
    if (!alone || depth > 0 || end != behind.len) {
        return false;
    }
    Diag *diag = syntax_error(parser, open, "several results have no parentheses");
    diag_help(diag, "leave them out: `return a, b`");
    uint32_t close = open.end + (uint32_t)end;
    diag_edit(diag, (Span){value, open.end}, " ");
    diag_edit(diag, (Span){close - 1, close}, "%s", "");
    return true;
}

static bool is_turned(const Parser *parser, uint32_t position) {
    char next = next_character(parser, position + 1);
    return next_character(parser, position) == '=' && (next == '>' || next == '<');
}

// `x => 2`, `x =< 2`. In a call, `x =` was taken for the name of an argument.
static bool turned_comparison(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    const Token *before = mistake->before;
    uint32_t at = found->span.start;
    if (in_bracket(mistake, '(') && found->kind != TOKEN_ASSIGN) {
        at = before->span.start - (before->kind == TOKEN_LESS);
    } else if (found->kind != TOKEN_ASSIGN || !mistake->expected[TOKEN_EQUAL]) {
        return false;
    }
    if (!is_turned(parser, at)) {
        return false;
    }
    Span mark = {at, at + 2};
    Diag *diag = not_tml(parser, mark);
    char next = next_character(parser, at + 1);
    diag_help(diag, "write `%c=`", next);
    diag_edit(diag, mark, "%c=", next);
    return true;
}

// `print(x, end="")`
static bool line_end_by_name(const Mistake *mistake) {
    Slice behind = line_behind(mistake->parser, mistake->found->span.end);
    return mistake->found->kind == TOKEN_END && in_bracket(mistake, '(') &&
           behind.data[strspn(behind.data, " ")] == '=';
}

static bool import_of_name(const Mistake *mistake) {
    return mistake->before->kind == TOKEN_IMPORT && mistake->found->kind == TOKEN_NAME;
}

static bool comma_between_statements(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_COMMA && span_is_nowhere(mistake->parser->bracket) &&
           mistake->expected[TOKEN_PLUS] && mistake->expected[TOKEN_PASS];
}

bool report_habit(const Mistake *mistake) {
    static const MistakeRule rules[] = {
        {.recognises = foreign_operator},
        {.recognises = foreign_prefix},
        {.recognises = condition_behind_statement},
        {in_as_operator, "`in` is no operator of TML",
         "`any(x == v)` says whether an element of `v` equals `x`"},
        {comprehension, "a tensor is not written with `for`",
         "declare it, and assign its elements in a loop: `for i = 0:n:`"},
        {.recognises = double_colon},
        {.recognises = continuation},
        {.recognises = cast_of_c},
        {range_as_value, "a range is not a value",
         "`iota(n)` is 0 to n - 1 and `linspace(a, b, n)` n reals from a to b; ranges stand in "
         "indices and in the headers of loops"},
        {.recognises = address_as_argument},
        {address_or_pointer, "there are no pointers in TML",
         "a name is its value, and every assignment copies"},
        {.recognises = elements_without_commas},
        {.recognises = rows_without_semicolon},
        {.recognises = division_as_comparison},
        {.recognises = shift_of_three},
        {.recognises = tilde_as_target},
        {.recognises = results_in_parentheses},
        {.recognises = list_in_parentheses},
        {.recognises = turned_comparison},
        {second_assignment, "an assignment has no value that could be used",
         "each assignment is a statement of its own"},
        {.recognises = assignment_as_condition},
        {line_end_by_name, "`end` is a reserved word",
         "each `print` is a line; several values stand in one: `print(x, y)`"},
        {import_of_name, "`import` takes the path of a file",
         "functions of mathematics are built in; `import \"file.tml\"` reads those of a file"},
        {comma_between_statements, "a `,` does not separate statements",
         "each declaration and each assignment is a statement of its own, without a mark between"},
    };
    return report_by_rules(mistake, rules, sizeof rules / sizeof rules[0]);
}
