// Mistakes that people make in any language, each with a message that says what they probably
// meant: brackets, blocks, operators, types.
#include "parser/mistakes/mistakes.h"

#include "parser/mistakes/foreign.h"
#include "parser/report.h"

#include <string.h>

// `[a, b] = f(x)`, from the bracket on.
static bool assigns_list(Parser *parser, Span bracket) {
    Slice behind = line_behind(parser, bracket.start);
    const char *end = behind.data + behind.len;
    const char *close = memchr(behind.data, ']', behind.len);
    const char *at = close == NULL ? end : close + 1;
    while (at < end && *at == ' ') {
        at++;
    }
    if (at == end || *at != '=' || (at + 1 < end && at[1] == '=')) {
        return false;
    }
    uint32_t length = (uint32_t)(close + 1 - behind.data);
    report_bad_target(parser, (Span){bracket.start, bracket.start + length});
    return true;
}

// `(` or `[` on the line after what it was to apply to (L1.4).
static bool bracket_on_new_line(const Mistake *mistake) {
    bool call = mistake->found->kind == TOKEN_OPEN_PAREN && mistake->expected[TOKEN_CALL_PAREN];
    bool index =
        mistake->found->kind == TOKEN_OPEN_BRACKET && mistake->expected[TOKEN_INDEX_BRACKET];
    if (!mistake->found->first_on_line || !(call || index)) {
        return false;
    }
    if (index && assigns_list(mistake->parser, mistake->found->span)) {
        return true;
    }
    if (report_missing_colon(mistake->parser, mistake->expected)) {
        return true;
    }
    Diag *diag =
        syntax_error(mistake->parser, mistake->found->span,
                     call ? "the `(` of a call must stand on the line of the name"
                          : "the `[` of an index must stand on the line of what it indexes");
    diag_label(diag, mistake->before->span, "to apply to this");
    return true;
}

static bool closer_of_nothing(const Mistake *mistake) {
    TokenKind kind = mistake->found->kind;
    bool closes =
        kind == TOKEN_CLOSE_PAREN || kind == TOKEN_CLOSE_BRACKET || kind == TOKEN_CLOSE_BRACE;
    if (!closes || !span_is_nowhere(mistake->parser->bracket)) {
        return false;
    }
    if (kind == TOKEN_CLOSE_BRACE && mistake->parser->braces) {
        return true;
    }
    Diag *diag = syntax_error(mistake->parser, mistake->found->span, "`%s` closes nothing",
                              token_text(kind));
    if (kind == TOKEN_CLOSE_BRACE) {
        diag_note(diag, "a block ends with `end`");
    } else if (mistake->before->kind == kind) {
        diag_note(diag, "there is one `%s` too many", token_text(kind));
    }
    return true;
}

// `if (x > 0 and x < 3:`, which the next line goes on with as a range.
static bool bracket_open_in_header(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    if (span_is_nowhere(parser->bracket)) {
        return false;
    }
    uint32_t start;
    Slice word = leading_word(line_around(parser, parser->bracket.start, &start));
    Slice behind = line_behind(parser, parser->bracket.end);
    uint32_t colon = parser->bracket.end + (uint32_t)behind.len - 1;
    bool in_head = slice_is_among(word, "if elseif while for");
    bool below =
        found->first_on_line || found->kind == TOKEN_ASSIGN || mistake->before->first_on_line;
    if (!in_head || behind.len == 0 || behind.data[behind.len - 1] != ':' ||
        found->span.start < colon || (found->span.start > colon && !below)) {
        return false;
    }
    Slice bracket = text_of(parser, parser->bracket);
    Diag *diag = syntax_error(parser, (Span){colon, colon + 1}, "expected `%c`, found `:`",
                              bracket.data[0] == '(' ? ')' : ']');
    diag_label(diag, parser->bracket, "this `%c` is open", bracket.data[0]);
    return true;
}

// `if x {`: the lexer takes the brace for a macro index.
static bool brace_for_block(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    bool at_brace =
        mistake->found->kind == TOKEN_OPEN_BRACE && mistake->expected[TOKEN_HEADER_COLON];
    bool inside = mistake->found->kind >= TOKEN_ASSIGN && mistake->before->first_on_line &&
                  lexer_open_bracket_kind(parser->lexer) == TOKEN_OPEN_BRACE;
    if (!at_brace && !inside) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, at_brace ? mistake->found->span : parser->bracket,
                              "`{` does not begin a block");
    diag_note(diag, "a block begins with `:` and ends with `end`");
    parser_skip_block(parser, at_brace ? mistake->found->span.start : parser->bracket.start);
    parser->error_at_end = parser->braces = true; // there is no `end`
    return true;
}

static bool brace_for_tensor(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_OPEN_BRACE && mistake->expected[TOKEN_OPEN_BRACKET];
}

static bool was_reserved(const Parser *parser, Slice word) {
    for (size_t i = 0; i < parser->reserved.count; i++) {
        Slice other = parser->reserved.items[i];
        if (other.len == word.len && memcmp(other.data, word.data, word.len) == 0) {
            return true;
        }
    }
    return false;
}

// What it is used for otherwise is said once.
static void report_reserved_word(Parser *parser, Span span) {
    Slice word = text_of(parser, span);
    if (was_reserved(parser, word)) {
        return;
    }
    Diag *diag =
        syntax_error(parser, span, "expected a name, found `%.*s`", (int)word.len, word.data);
    if (word.len == strlen("type") && memcmp(word.data, "type", word.len) == 0) {
        diag_note(diag, "`x.type(e)` casts to the type of what has a name");
    } else {
        diag_note(diag, "`%.*s` is a reserved word", (int)word.len, word.data);
    }
    LIST_PUSH(parser->context->arena, &parser->reserved, word);
}

// `function [a, b] = f(x)` is an assignment to an element: it shows at the `end`.
static bool foreign_block_above(Parser *parser, Span end) {
    uint32_t start;
    uint32_t at = end.start;
    for (Slice line = line_above(parser, at, &start); line.len > 0;
         line = line_above(parser, at, &start)) {
        at = start;
        Slice word = leading_word(line);
        const ForeignWord *foreign = foreign_find(word, FOREIGN_HEADER);
        if (foreign != NULL) {
            Span span = {start, start + (uint32_t)word.len};
            Diag *diag =
                syntax_error(parser, span, "`%.*s` is not a word of TML", (int)word.len, word.data);
            diag_note(diag, "%s", foreign->tml);
            return true;
        }
    }
    return false;
}

static bool word_without_block(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    TokenKind kind = mistake->found->kind;
    bool complete = mistake->expected[TOKEN_PASS];
    Slice behind = line_behind(parser, mistake->found->span.end);
    size_t blanks = strspn(behind.data, " \t");
    if (kind == TOKEN_END && behind.data[blanks] == '=' && behind.data[blanks + 1] != '=') {
        report_reserved_word(parser, mistake->found->span);
        return true;
    }
    if (kind == TOKEN_END && complete) {
        if (parser->surplus_ends > 0) {
            parser->surplus_ends--;
        } else if (!foreign_block_above(parser, mistake->found->span)) {
            syntax_error(mistake->parser, mistake->found->span, "`end` without an open block");
        }
        return true;
    }
    if ((kind == TOKEN_ELSE || kind == TOKEN_ELSEIF) && complete) {
        Diag *diag = syntax_error(mistake->parser, mistake->found->span,
                                  "`%s` without an `if` that could have it", token_text(kind));
        report_open_block(parser, diag);
        return true;
    }
    return false;
}

// `v[end]` and `v[1:end]`, as in MATLAB.
static bool end_as_index(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    Slice bracket = text_of(parser, parser->bracket);
    bool in_brackets = bracket.len == 1 && bracket.data[0] != '{';
    if (found->kind != TOKEN_END || found->first_on_line || !in_brackets ||
        !mistake->expected[TOKEN_INTEGER_LITERAL]) {
        return false;
    }
    Diag *diag = syntax_error(parser, found->span, "`end` is not an index");
    Slice name = text_of(parser, word_before(parser, parser->bracket.start));
    char next = *line_behind(parser, found->span.end).data;
    bool is_whole = next == ']' || next == ',';
    if (mistake->before->kind == TOKEN_COLON && is_whole) {
        diag_help(diag, "a range without its last bound goes to the end: leave `end` out");
        diag_edit(diag, found->span, "%s", "");
    } else if (mistake->before->span.end == parser->bracket.end && next == ']' && name.len > 0) {
        diag_help(diag, "the last element is `%.*s[%.*s.len - 1]`", (int)name.len, name.data,
                  (int)name.len, name.data);
        diag_edit(diag, found->span, "%.*s.len - 1", (int)name.len, name.data);
    } else {
        diag_note(diag, "the last element of `v` is `v[v.len - 1]`");
    }
    return true;
}

static bool assign_in_expression(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_ASSIGN && mistake->expected[TOKEN_EQUAL];
}

static bool assign_in_next_line(const Mistake *mistake) {
    return assign_in_expression(mistake) && mistake->before->first_on_line;
}

static bool not_as_operand(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_NOT && mistake->expected[TOKEN_INTEGER_LITERAL];
}

static bool var_in_call(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_VAR && mistake->expected[TOKEN_INTEGER_LITERAL];
}

static bool call_of_value(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_CALL_PAREN;
}

static bool empty_brackets(const Mistake *mistake) {
    // After `x[]` only another `[]` or `.type` can follow.
    bool only_type = mistake->expected[TOKEN_TYPE] && !mistake->expected[TOKEN_NAME];
    bool only_dot = mistake->expected[TOKEN_DOT] && mistake->expected[TOKEN_INDEX_BRACKET] &&
                    !mistake->expected[TOKEN_QUESTION] && !mistake->expected[TOKEN_PLUS];
    if (mistake->before->kind != TOKEN_CLOSE_BRACKET || !(only_type || only_dot)) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, mistake->before->span, "brackets without an index");
    diag_note(diag, "`x[].type` is the type of an element; `x[...]` is all of `x`");
    return true;
}

// `vector<real> v` in a list of parameters, whose lengths a call gives.
static bool offer_open_length(const Mistake *mistake, Diag *diag, Slice word) {
    Parser *parser = mistake->parser;
    const ForeignWord *foreign = foreign_find(word, FOREIGN_TYPE);
    Slice behind = line_behind(parser, mistake->found->span.end);
    Slice element = leading_word(behind);
    const char *type = meant_type(element);
    if (mistake->found->kind != TOKEN_LESS || foreign == NULL || type == NULL ||
        span_is_nowhere(parser->bracket) || strchr(foreign->tml, '<') == NULL ||
        element.len >= behind.len || behind.data[element.len] != '>') {
        return false;
    }
    Span whole = {mistake->before->span.start,
                  mistake->found->span.end + (uint32_t)element.len + 1};
    const char *lengths = slice_is(word, "matrix") ? "m, n" : "n";
    diag_help(diag, "write `tensor<%s, %s>`", type, lengths);
    diag_edit(diag, whole, "tensor<%s, %s>", type, lengths);
    return true;
}

// `inout real x`
static bool offer_var(const Mistake *mistake, Diag *diag, Slice word) {
    bool changes = slice_is_among(word, "inout ref mut");
    TokenKind found = mistake->found->kind;
    if (!changes || found < TOKEN_INT || found > TOKEN_TENSOR ||
        span_is_nowhere(mistake->parser->bracket)) {
        return false;
    }
    diag_help(diag, "TML writes `var`");
    diag_edit(diag, mistake->before->span, "var");
    return true;
}

// `vector<real> v = [1, 2]`
static bool foreign_type_of_elements(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    TokenKind found = mistake->found->kind;
    if (mistake->before->kind != TOKEN_LESS || found < TOKEN_INT || found > TOKEN_TENSOR) {
        return false;
    }
    Span span = word_before(parser, mistake->before->span.start);
    Slice word = text_of(parser, span);
    const ForeignWord *foreign = foreign_find(word, FOREIGN_TYPE);
    if (foreign == NULL && !is_near_type(word)) {
        return false;
    }
    Diag *diag = syntax_error(parser, span, "`%.*s` is not a type", (int)word.len, word.data);
    if (foreign == NULL) {
        report_near_type(diag, span, word);
    } else {
        diag_note(diag, "TML writes `%s`, with its length", foreign->tml);
    }
    return true;
}

// `in t.x`, whose name was read as a type.
static bool terminal_without_type(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    Span name = mistake->before->span;
    uint32_t start;
    Slice line = line_around(parser, name.start, &start);
    if (name.start == start) {
        return false;
    }
    Span space = word_before(parser, name.start - 1);
    if (!slice_is_among(leading_word(line), "in out optional not tunable") ||
        space.end + 1 != name.start || space.start <= start ||
        line.data[space.end - start] != '.') {
        return false;
    }
    Slice text = text_of(parser, (Span){space.start, name.end});
    Diag *diag = syntax_error(parser, (Span){space.start, name.end}, "`%.*s` has no type",
                              (int)text.len, text.data);
    diag_note(diag, "it stands before the name: `%.*s real %.*s`", (int)(space.start - start) - 1,
              line.data, (int)text.len, text.data);
    return true;
}

// A name where only a type can stand.
static bool name_for_type(const Mistake *mistake) {
    const bool *expected = mistake->expected;
    bool in_type = expected[TOKEN_DOT] && expected[TOKEN_INDEX_BRACKET] &&
                   expected[TOKEN_QUESTION] && !expected[TOKEN_PLUS] && !expected[TOKEN_ASSIGN];
    if (!in_type || mistake->before->kind != TOKEN_NAME) {
        return false;
    }
    if (terminal_without_type(mistake)) {
        return true;
    }
    Slice word = text_of(mistake->parser, mistake->before->span);
    Diag *diag = syntax_error(mistake->parser, mistake->before->span, "`%.*s` is not a type",
                              (int)word.len, word.data);
    if (offer_open_length(mistake, diag, word) || offer_var(mistake, diag, word)) {
        return true;
    }
    bool foreign = report_foreign_type(diag, word);
    if (!foreign && report_near_type(diag, mistake->before->span, word)) {
        return true;
    }
    if (slice_is(word, "void")) {
        diag_note(diag, "a function without parameters is written `fn name():`");
    } else if (!foreign &&
               (mistake->found->kind == TOKEN_COMMA || mistake->found->kind == TOKEN_CLOSE_PAREN)) {
        diag_note(diag, "a parameter is written `type name`");
    }
    return true;
}

// `int x`
static void report_no_value(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    Span name = mistake->before->span;
    if (!mistake->found->first_on_line && mistake->found->kind != TOKEN_END_OF_FILE) {
        Diag *diag = syntax_error(parser, mistake->found->span,
                                  "a declaration needs a value: expected `=`, found %s",
                                  report_found(parser));
        diag_label(diag, name, "this has none");
        return;
    }
    Diag *diag = syntax_error(parser, name, "a declaration needs a value");
    uint32_t start;
    Slice line = line_around(parser, name.start, &start);
    int len = (int)(name.end - start);
    if (len <= 40) {
        bool is_bool =
            strncmp(line.data, "bool", 4) == 0 || strncmp(line.data, "tensor<bool", 11) == 0;
        diag_help(diag, "write `%.*s = %s`, or another value", len, line.data,
                  is_bool ? "false" : "0");
    }
}

// `int x` without a value, `in real x` without a namespace.
static bool incomplete_declaration(const Mistake *mistake) {
    const bool *expected = mistake->expected;
    if (mistake->before->kind != TOKEN_NAME || !expected[TOKEN_DOT] || expected[TOKEN_PLUS] ||
        expected[TOKEN_PLUS_ASSIGN] || expected[TOKEN_INDEX_BRACKET]) {
        return false;
    }
    if (expected[TOKEN_ASSIGN] && expected[TOKEN_QUESTION]) {
        report_no_value(mistake);
        return true;
    }
    if (expected[TOKEN_ASSIGN]) {
        return false;
    }
    Slice name = text_of(mistake->parser, mistake->before->span);
    if (!span_is_nowhere(mistake->parser->bracket)) {
        Diag *diag = syntax_error(mistake->parser, mistake->before->span,
                                  "what an instance is given has `p.` or `n.` before its name");
        diag_note(diag, "properties are given as `p.%.*s = ...`, constants as `n.%.*s = ...`",
                  (int)name.len, name.data, (int)name.len, name.data);
        return true;
    }
    uint32_t start;
    Slice word = leading_word(line_around(mistake->parser, mistake->before->span.start, &start));
    const char *space = slice_is(word, "tunable") ? "p" : "t";
    Diag *diag = syntax_error(mistake->parser, mistake->before->span,
                              "a name of the interface has `t.`, `p.` or `n.` before it");
    diag_help(diag, "write `%s.%.*s`", space, (int)name.len, name.data);
    diag_edit(diag, mistake->before->span, "%s.%.*s", space, (int)name.len, name.data);
    return true;
}

// `instance pi = "pi.tml"`
static bool instance_without_settings(const Mistake *mistake) {
    Span path = mistake->before->span;
    if (mistake->before->kind != TOKEN_STRING_LITERAL || !mistake->expected[TOKEN_CALL_PAREN] ||
        mistake->expected[TOKEN_PLUS]) {
        return false;
    }
    Slice text = text_of(mistake->parser, path);
    Diag *diag =
        syntax_error(mistake->parser, path, "the file of an instance has parentheses behind it");
    diag_help(diag, "write `%.*s()`, with what the instance is given in them", (int)text.len,
              text.data);
    diag_edit(diag, (Span){path.end, path.end}, "()");
    return true;
}

// `for (int i = 0; i < 3; i++) {`
static bool for_with_parenthesis(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    if (mistake->before->kind != TOKEN_FOR || mistake->found->kind != TOKEN_OPEN_PAREN) {
        return false;
    }
    Diag *diag =
        syntax_error(parser, mistake->found->span, "the header of a loop has no parentheses");
    diag_note(diag, "%s", LOOP_FORM);
    Slice behind = line_behind(parser, mistake->found->span.end);
    if (behind.len > 0 && behind.data[behind.len - 1] == '{') {
        parser_skip_block(parser, mistake->found->span.start);
        parser->error_at_end = parser->braces = true;
    }
    return true;
}

// `tensor<real, :> x`, also with a `*` or `?`
static bool length_left_open(const Mistake *mistake) {
    TokenKind kind = mistake->found->kind;
    bool open = kind == TOKEN_COLON || kind == TOKEN_STAR || kind == TOKEN_QUESTION;
    if (!open || mistake->before->kind != TOKEN_COMMA ||
        open_tensor(mistake->parser, mistake->found->span.start).len == 0) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, mistake->found->span,
                              "a length of a tensor is a constant, or a name in a parameter");
    diag_note(diag, "`fn f(tensor<real, n> x) real:` takes vectors of any length `n`");
    return true;
}

// `x = tensor<real, 3>`, at what follows.
static bool type_without_call(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    bool scalar = before->kind >= TOKEN_INT && before->kind <= TOKEN_BOOL;
    bool tensor = before->kind == TOKEN_GREATER && mistake->expected[TOKEN_OPEN_PAREN];
    if (mistake->expected[TOKEN_INTEGER_LITERAL] ||
        !(tensor || (scalar && mistake->expected[TOKEN_CALL_PAREN]))) {
        return false;
    }
    Slice text = scalar ? text_of(parser, before->span) : open_tensor(parser, before->span.start);
    if (text.len == 0) {
        return false;
    }
    uint32_t len = (uint32_t)text.len + (scalar ? 0 : 1);
    Span type = {before->span.end - len, before->span.end};
    Diag *diag = syntax_error(parser, type, "a type is not a value");
    diag_note(diag, "`%.*s(0)` is one of that type", (int)len, text.data);
    return true;
}

static bool is_word(Slice text) {
    return text.len > 0 && text.data[0] >= 'a' && text.data[0] <= 'z';
}

// `out[i] = x`, `return out`: in a block a terminal is not what was meant.
static bool begins_like_terminal(const Mistake *mistake) {
    const Parser *parser = mistake->parser;
    TokenKind before = mistake->before->kind;
    return before >= TOKEN_TUNABLE && before <= TOKEN_OUT && mistake->expected[TOKEN_TENSOR] &&
           !mistake->expected[TOKEN_PASS] && !mistake->expected[TOKEN_INTEGER_LITERAL] &&
           mistake->found->kind != TOKEN_NAME &&
           (parser->blocks.count > 0 ||
            was_reserved(parser, text_of(parser, mistake->before->span)));
}

// `int end = 3`, `end = 3`, `x = out + 1`.
static bool reserved_word_for_name(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const bool *expected = mistake->expected;
    Slice found = text_of(parser, mistake->found->span);
    Slice before = text_of(parser, mistake->before->span);
    bool in_value = is_word(found) && expected[TOKEN_INTEGER_LITERAL] && !expected[TOKEN_PASS];
    if (in_value && was_reserved(parser, found)) {
        return true;
    }
    bool modifier = mistake->found->kind >= TOKEN_TUNABLE && mistake->found->kind <= TOKEN_OUT;
    bool declared = is_word(found) && expected[TOKEN_NAME] && !expected[TOKEN_INTEGER_LITERAL] &&
                    !expected[TOKEN_PASS] && !expected[TOKEN_TENSOR];
    bool read = in_value && !mistake->found->first_on_line &&
                (modifier || mistake->found->kind == TOKEN_OPTIONAL);
    bool assigned = mistake->found->kind == TOKEN_ASSIGN && is_word(before) &&
                    mistake->before->kind != TOKEN_NAME && !expected[TOKEN_PLUS] &&
                    mistake->before->first_on_line;
    if (!declared && !assigned && !read && !begins_like_terminal(mistake)) {
        return false;
    }
    bool is_before = !declared && !read;
    report_reserved_word(parser, is_before ? mistake->before->span : mistake->found->span);
    return true;
}

static bool assign_to_type(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_ASSIGN && mistake->before->first_on_line &&
           mistake->before->kind >= TOKEN_INT && mistake->before->kind <= TOKEN_TENSOR;
}

static const MistakeRule rules[] = {
    {.recognises = report_mark},
    {assign_to_type, "expected a name, found `=`", "a type cannot be the name of a variable"},
    {.recognises = length_left_open},
    {.recognises = bracket_open_in_header},
    {.recognises = report_declaration},
    {.recognises = report_comparison},
    {.recognises = report_slip},
    {.recognises = report_habit},
    {.recognises = report_header},
    {.recognises = report_function},
    {.recognises = type_without_call},
    {.recognises = bracket_on_new_line},
    {.recognises = closer_of_nothing},
    {.recognises = brace_for_block},
    {brace_for_tensor, "expected an expression, found `{`", "a tensor is written `[1, 2, 3]`"},
    {.recognises = end_as_index},
    {.recognises = word_without_block},
    {assign_in_next_line, "`=` cannot stand in an expression",
     "the expression goes on from the line above"},
    {assign_in_expression, "`=` cannot stand in an expression", "`==` compares"},
    {not_as_operand, "`not` cannot be the operand of an operator that binds tighter",
     "put the `not` and what it applies to in parentheses"},
    {var_in_call, "an argument has no `var`",
     "`var` stands before a parameter; a call gives the variable alone"},
    {call_of_value, "`(` after something that is not a function's name",
     "functions are called as `f(x)`"},
    {.recognises = empty_brackets},
    {.recognises = foreign_type_of_elements},
    {.recognises = name_for_type},
    {.recognises = incomplete_declaration},
    {.recognises = instance_without_settings},
    {.recognises = for_with_parenthesis},
    {.recognises = reserved_word_for_name},
};

bool report_by_rules(const Mistake *mistake, const MistakeRule *list, size_t count) {
    size_t i = 0;
    while (i < count && !list[i].recognises(mistake)) {
        i++;
    }
    if (i == count) {
        return false;
    }
    if (list[i].message != NULL) {
        Diag *diag = syntax_error(mistake->parser, mistake->found->span, "%s", list[i].message);
        diag_note(diag, "%s", list[i].note);
    }
    return true;
}

bool report_known_mistake(Parser *parser, const bool expected[TOKEN_KIND_COUNT]) {
    Mistake mistake = {
        .parser = parser,
        .expected = expected,
        .found = &parser->token,
        .before = &parser->previous,
    };
    return report_by_rules(&mistake, rules, sizeof rules / sizeof rules[0]);
}
