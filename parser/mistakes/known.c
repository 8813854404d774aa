// Mistakes that people make, each with a message that says what they probably meant. A mistake is
// recognised by the token that was found, the one before it, and what the grammar expected.
#include "parser/mistakes/mistakes.h"

#include "parser/report.h"

typedef struct Mistake {
    Parser *parser;
    const bool *expected;
    const Token *found;
    const Token *before;
} Mistake;

static Slice text_of(const Mistake *mistake, Span span) {
    return sources_text(mistake->parser->context->sources, span);
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
    Diag *diag = syntax_error(mistake->parser, mistake->found->span, "`%s` closes nothing",
                              token_text(kind));
    if (kind == TOKEN_CLOSE_BRACE) {
        diag_note(diag, "a block ends with `end`");
    }
    return true;
}

// `if x {`: the lexer takes the brace for a macro index.
static bool brace_for_block(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    bool at_brace =
        mistake->found->kind == TOKEN_OPEN_BRACE && mistake->expected[TOKEN_HEADER_COLON];
    bool inside = mistake->found->kind == TOKEN_ASSIGN && mistake->before->first_on_line &&
                  lexer_open_bracket_kind(parser->lexer) == TOKEN_OPEN_BRACE;
    if (!at_brace && !inside) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, at_brace ? mistake->found->span : parser->bracket,
                              "`{` does not begin a block");
    diag_note(diag, "a block begins with `:` and ends with `end`");
    parser->error_at_end = true; // there is no `end`
    return true;
}

static bool brace_for_tensor(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_OPEN_BRACE && mistake->expected[TOKEN_OPEN_BRACKET];
}

// ---- Blocks ----

static bool word_without_block(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    TokenKind kind = mistake->found->kind;
    bool complete = mistake->expected[TOKEN_PASS];
    if (kind == TOKEN_END && complete) {
        if (parser->surplus_ends > 0) {
            parser->surplus_ends--;
        } else {
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

// `v[end]`, as in MATLAB.
static bool end_as_index(const Mistake *mistake) {
    Slice bracket = text_of(mistake, mistake->parser->bracket);
    bool in_brackets = bracket.len == 1 && bracket.data[0] == '[';
    return mistake->found->kind == TOKEN_END && !mistake->found->first_on_line && in_brackets &&
           mistake->expected[TOKEN_INTEGER_LITERAL];
}

// ---- Operators ----

static bool assign_in_expression(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_ASSIGN && mistake->expected[TOKEN_EQUAL];
}

static bool assign_in_next_line(const Mistake *mistake) {
    return assign_in_expression(mistake) && mistake->before->first_on_line;
}

// `c ? a : b`, where `c` does not end in a name.
static bool question_after_value(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_QUESTION && mistake->expected[TOKEN_PLUS];
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
    Diag *diag = syntax_error(mistake->parser, mistake->before->span, "`%.*s` is not a type",
                              (int)word.len, word.data);
    bool foreign = report_foreign_type(diag, word);
    if (!foreign &&
        (mistake->found->kind == TOKEN_COMMA || mistake->found->kind == TOKEN_CLOSE_PAREN)) {
        diag_note(diag, "a parameter is written `type name`");
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
        Diag *diag = syntax_error(mistake->parser, mistake->found->span,
                                  "a declaration needs a value: expected `=`, found %s", found);
        diag_label(diag, mistake->before->span, "this has none");
        return true;
    }
    if (expected[TOKEN_ASSIGN]) {
        return false;
    }
    Diag *diag =
        syntax_error(mistake->parser, mistake->found->span, "expected `.`, found %s", found);
    diag_note(diag, "a name of the interface is written `t.x`, `p.x` or `n.x`");
    return true;
}

static bool in_for_assign(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_IN && mistake->expected[TOKEN_ASSIGN];
}

static bool range_of_one(const Mistake *mistake) {
    return mistake->found->kind == TOKEN_HEADER_COLON && mistake->expected[TOKEN_COLON] &&
           mistake->expected[TOKEN_PLUS];
}

static bool for_with_parenthesis(const Mistake *mistake) {
    return mistake->before->kind == TOKEN_FOR && mistake->found->kind == TOKEN_OPEN_PAREN;
}

static bool tensor_without_lengths(const Mistake *mistake) {
    bool closes =
        mistake->found->kind == TOKEN_GREATER || mistake->found->kind == TOKEN_SHIFT_RIGHT;
    return closes && mistake->expected[TOKEN_COMMA] && !mistake->expected[TOKEN_PLUS];
}

static bool is_word(Slice text) {
    return text.len > 0 && text.data[0] >= 'a' && text.data[0] <= 'z';
}

// `int end = 3`, `end = 3`
static bool reserved_word_for_name(const Mistake *mistake) {
    const bool *expected = mistake->expected;
    Slice found = text_of(mistake, mistake->found->span);
    Slice before = text_of(mistake, mistake->before->span);
    bool declared = is_word(found) && expected[TOKEN_NAME] && !expected[TOKEN_INTEGER_LITERAL] &&
                    !expected[TOKEN_PASS] && !expected[TOKEN_TENSOR];
    bool assigned = mistake->found->kind == TOKEN_ASSIGN && expected[TOKEN_PASS] &&
                    is_word(before) && !expected[TOKEN_PLUS];
    if (!declared && !assigned) {
        return false;
    }
    Slice word = declared ? found : before;
    Diag *diag =
        syntax_error(mistake->parser, declared ? mistake->found->span : mistake->before->span,
                     "expected a name, found `%.*s`", (int)word.len, word.data);
    diag_note(diag, "`%.*s` is a reserved word", (int)word.len, word.data);
    return true;
}

// A rule without a message reports what it recognises.
typedef struct Rule {
    bool (*recognises)(const Mistake *mistake);
    const char *message;
    const char *note;
} Rule;

#define LOOP_FORM "a loop is written `for i = first:end:`"

static const Rule rules[] = {
    {.recognises = bracket_on_new_line},
    {.recognises = closer_of_nothing},
    {.recognises = brace_for_block},
    {brace_for_tensor, "expected an expression, found `{`", "a tensor is written `[1, 2, 3]`"},
    {end_as_index, "`end` is not an index", "the last element of `v` is `v[v.len - 1]`"},
    {.recognises = word_without_block},
    {assign_in_next_line, "`=` cannot stand in an expression",
     "the expression goes on from the line above"},
    {assign_in_expression, "`=` cannot stand in an expression", "`==` compares"},
    {question_after_value, "`?` can only follow the name of an optional terminal",
     "`select(c, a, b)` chooses between values"},
    {not_as_operand, "`not` cannot be the operand of an operator that binds tighter",
     "put the `not` and what it applies to in parentheses"},
    {var_in_call, "an argument has no `var`",
     "`var` stands before a parameter; a call gives the variable alone"},
    {call_of_value, "`(` after something that is not a function's name",
     "functions are called as `f(x)`"},
    {.recognises = empty_brackets},
    {.recognises = name_for_type},
    {.recognises = incomplete_declaration},
    {in_for_assign, "expected `=`, found `in`", LOOP_FORM},
    {range_of_one, "the range of a loop needs two ends", LOOP_FORM},
    {for_with_parenthesis, "the header of a loop has no parentheses", LOOP_FORM},
    {tensor_without_lengths, "a tensor type needs its lengths",
     "it is written like `tensor<real, 3>`"},
    {.recognises = reserved_word_for_name},
};

bool report_known_mistake(Parser *parser, const bool expected[TOKEN_KIND_COUNT]) {
    Mistake mistake = {
        .parser = parser,
        .expected = expected,
        .found = &parser->token,
        .before = &parser->previous,
    };
    size_t i = 0;
    while (i < sizeof(rules) / sizeof(rules[0]) && !rules[i].recognises(&mistake)) {
        i++;
    }
    if (i == sizeof(rules) / sizeof(rules[0])) {
        return false;
    }
    if (rules[i].message != NULL) {
        Diag *diag = syntax_error(parser, mistake.found->span, "%s", rules[i].message);
        diag_note(diag, "%s", rules[i].note);
    }
    return true;
}
