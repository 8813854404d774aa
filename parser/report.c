// What was found and what could stand there, for syntax errors that have no better explanation
// (parser/mistakes/known.c).
#include "parser/report.h"

#include "parser/mistakes/mistakes.h"

#include <string.h>

static bool at_end(const Parser *parser) {
    return parser->token.span.start == parser->token.span.end;
}

const char *report_found(const Parser *parser) {
    enum { LONGEST_QUOTE = 40 };
    const Token *token = &parser->token;
    if (at_end(parser)) {
        return token_text(TOKEN_END_OF_FILE);
    }
    Slice text = sources_text(parser->context->sources, token->span);
    if (token->kind == TOKEN_STRING_LITERAL || text.len > LONGEST_QUOTE) {
        return token_text(token->kind);
    }
    return arena_format(parser->context->arena, "`%.*s`", (int)text.len, text.data);
}

void report_open_block(Parser *parser, Diag *diag) {
    if (parser->blocks.count > 0) {
        OpenBlock block = parser->blocks.items[parser->blocks.count - 1];
        diag_label(diag, block.span, "this `%s` is open", token_text(block.keyword));
    }
}

enum { EXPECTED_LIMIT = 3 };

typedef struct ExpectedList {
    const char *items[EXPECTED_LIMIT];
    size_t count;
} ExpectedList;

static void add_expected(ExpectedList *list, bool expected, const char *text) {
    if (expected && list->count < EXPECTED_LIMIT) {
        list->items[list->count++] = text;
    }
}

static void add_token(ExpectedList *list, const Parser *parser, const bool *expected,
                      TokenKind kind) {
    const char *text = arena_format(parser->context->arena, "`%s`", token_text(kind));
    add_expected(list, expected[kind], text);
}

// Each group of kinds is told by a member that nothing else brings along: a statement can begin
// where `pass` can, an expression where a number can, a type (and no expression) where `tensor`
// can, and an operator can follow where `+` can and no expression can begin.
static ExpectedList list_expected(const Parser *parser, const bool *expected) {
    ExpectedList list = {0};
    bool statement = expected[TOKEN_PASS];
    bool expression = expected[TOKEN_INTEGER_LITERAL];
    bool type = expected[TOKEN_TENSOR] && !statement && !expression;
    bool name = expected[TOKEN_NAME] && !statement && !expression && !type;
    bool operand_ended = expected[TOKEN_PLUS] && !expression;
    if (statement) {
        add_expected(&list, operand_ended, "an operator");
        add_expected(&list, true, operand_ended ? "the next statement" : "a statement");
        add_token(&list, parser, expected, TOKEN_END);
        return list;
    }
    static const TokenKind closing[] = {TOKEN_CLOSE_PAREN, TOKEN_CLOSE_BRACKET, TOKEN_CLOSE_BRACE,
                                        TOKEN_HEADER_COLON};
    static const TokenKind inner[] = {
        TOKEN_ASSIGN, TOKEN_COMMA, TOKEN_COLON,  TOKEN_CALL_PAREN,  TOKEN_LESS, TOKEN_IN,
        TOKEN_FOR,    TOKEN_IF,    TOKEN_EXISTS, TOKEN_FEEDTHROUGH, TOKEN_DOT};
    add_expected(&list, expression, "an expression");
    add_expected(&list, type, "a type");
    add_expected(&list, name, "a name");
    add_expected(&list, expected[TOKEN_STRING_LITERAL] && !expression, "a string");
    for (size_t i = 0; i < sizeof(closing) / sizeof(closing[0]); i++) {
        add_token(&list, parser, expected, closing[i]);
    }
    // After an operand, what applies to it goes without saying, as operators do.
    for (size_t i = 0; i < sizeof(inner) / sizeof(inner[0]) && !expression; i++) {
        bool applies =
            inner[i] == TOKEN_CALL_PAREN || inner[i] == TOKEN_LESS || inner[i] == TOKEN_DOT;
        Slice bracket = text_of(parser, parser->bracket);
        bool in_call = bracket.len == 1 && bracket.data[0] == '(';
        bool twice = (inner[i] == TOKEN_COLON && (expected[TOKEN_HEADER_COLON] || in_call)) ||
                     (inner[i] == TOKEN_ASSIGN && expected[TOKEN_CLOSE_PAREN]); // `f(x = ...)`
        if (!(operand_ended && applies) && !twice) {
            add_token(&list, parser, expected, inner[i]);
        }
    }
    add_expected(&list, operand_ended && !parser->token.first_on_line, "an operator");
    return list;
}

static const char *join_expected(const Parser *parser, const ExpectedList *list) {
    Arena *arena = parser->context->arena;
    const char *const *items = list->items;
    switch (list->count) {
    case 0: return NULL;
    case 1: return items[0];
    case 2: return arena_format(arena, "%s or %s", items[0], items[1]);
    default: return arena_format(arena, "%s, %s or %s", items[0], items[1], items[2]);
    }
}

// Points at the bracket that the missing token would close.
static void label_bracket(Parser *parser, Diag *diag, const bool *expected) {
    bool closes =
        expected[TOKEN_CLOSE_PAREN] || expected[TOKEN_CLOSE_BRACKET] || expected[TOKEN_CLOSE_BRACE];
    // Where an expression can begin, closing an empty list is not what is missing.
    closes &= !expected[TOKEN_INTEGER_LITERAL] || at_end(parser);
    if (closes && !span_is_nowhere(parser->bracket)) {
        Slice text = sources_text(parser->context->sources, parser->bracket);
        diag_label(diag, parser->bracket, "this `%.*s` is open", (int)text.len, text.data);
    }
}

static bool begins_header(Slice word) {
    return slice_is_among(word, "if elseif else while for fn exists feedthrough macro not test");
}

// `for i = 1:10`, as MATLAB has it.
static bool counts_from_one(const char *header, uint32_t len) {
    const char *colon = memchr(header, ':', len);
    return colon != NULL && colon - header > 2 && colon[-1] == '1' && colon[-2] == ' ';
}

void report_no_colon(Parser *parser, Span place, bool is_its_end) {
    enum { SHOWN_MOST = 60 };
    Diag *diag = syntax_error(parser, place, "the header has no `:`");
    if (!is_its_end) {
        return;
    }
    uint32_t start;
    Slice line = line_around(parser, place.start, &start);
    uint32_t len = place.start - start;
    Span word = word_before(parser, place.start);
    Slice end = text_of(parser, word);
    const char *percent = word.start - start < 2 ? "" : line.data + (word.start - start) - 2;
    if (leading_word(end).len > 0 && percent[0] == '%' && percent[1] == ' ') {
        diag_note(diag,
                  "it stands at its end; before `%%`, if `%% %.*s` is a comment, which begins "
                  "with `#`",
                  (int)end.len, end.data);
        return;
    }
    if (begins_header(leading_word(line)) && len <= SHOWN_MOST) {
        diag_help(diag, "write `%.*s:`", (int)len, line.data);
    } else {
        diag_help(diag, "write `:` at its end");
    }
    diag_edit(diag, place, ":");
    if (slice_is(leading_word(line), "for") && counts_from_one(line.data, len)) {
        diag_note(diag, "a range ends before its last number, and indices count from 0");
    }
}

bool report_missing_colon(Parser *parser, const bool expected[TOKEN_KIND_COUNT]) {
    Span before = parser->previous.span;
    if (!expected[TOKEN_HEADER_COLON] || span_is_nowhere(before) ||
        !(parser->token.first_on_line || at_end(parser))) {
        return false;
    }
    uint32_t start;
    Slice word = leading_word(line_around(parser, before.start, &start));
    // Else the header goes on in the next line, as far as it was read.
    bool is_its_end = begins_header(word) && !at_end(parser);
    report_no_colon(parser, span_after(before), is_its_end);
    return true;
}

static void report_unexpected(Parser *parser, const bool *expected) {
    if (report_missing_colon(parser, expected)) {
        return;
    }
    ExpectedList list = list_expected(parser, expected);
    const char *wanted = join_expected(parser, &list);
    const char *found = report_found(parser);
    Span span = parser->token.span;
    Diag *diag;
    if (wanted == NULL) {
        diag = syntax_error(parser, span, "unexpected %s", found);
    } else {
        diag = syntax_error(parser, span, "expected %s, found %s", wanted, found);
    }
    label_bracket(parser, diag, expected);
    if (at_end(parser)) {
        report_open_block(parser, diag);
    }
}

// Whether the line begins with `x <`, which may have been meant for `x <- 3`.
static bool is_compared(const Parser *parser, const bool *expected) {
    uint32_t less = parser->previous.span.start;
    if (parser->previous.kind != TOKEN_LESS || !expected[TOKEN_MINUS] ||
        expected[TOKEN_INTEGER_LITERAL]) {
        return false;
    }
    uint32_t start;
    Slice line = line_around(parser, less, &start);
    Slice operand = operand_before(parser, less);
    return operand.len > 0 && operand.data == line.data &&
           !slice_is_among(operand, "if elseif while return not");
}

// Takes the error as a value where a statement should stand, if it is one.
static bool wait_for_value(Parser *parser, const bool *expected) {
    const Token *token = &parser->token;
    bool begins = expected[TOKEN_PASS] && token_is(token->kind, TOKEN_VALUE) &&
                  (token->first_on_line || !expected[TOKEN_PLUS]);
    bool continues = expected[TOKEN_PLUS_ASSIGN] || is_compared(parser, expected);
    if (!begins && !continues) {
        return false;
    }
    parser->lone =
        (LoneValue){.waits = true, .begins = begins, .before = parser->previous, .found = *token};
    return true;
}

void report_syntax_error(Parser *parser, const bool expected[TOKEN_KIND_COUNT]) {
    bool reported =
        parser->quiet || parser->too_deep || parser->recovered_at == parser->token.span.end ||
        parser->previous.span.start < parser->excused || parser->token.kind == TOKEN_BAD_LITERAL ||
        parser->previous.kind == TOKEN_BAD_LITERAL;
    if (reported) {
        return;
    }
    parser->quiet = true;
    parser->error_at_end |= at_end(parser);
    if (!report_known_mistake(parser, expected) && !wait_for_value(parser, expected)) {
        report_unexpected(parser, expected);
    }
}

static void name_target(Parser *parser, Span span) {
    Slice text = text_of(parser, span);
    AstExpr *name = ast_new_expr(parser->context->arena, AST_NAME, span);
    name->name =
        (AstName){.name = names_intern(parser->context->names, text.data, text.len), .span = span};
    LIST_PUSH(parser->context->arena, &parser->refused, name);
}

// The names in `[a, b]`, without elements and slices.
static void name_listed(Parser *parser, Span target) {
    Slice text = text_of(parser, target);
    for (size_t at = 1; at < text.len; at++) {
        at += strspn(text.data + at, " ");
        Slice word = leading_word((Slice){text.data + at, text.len - at});
        size_t behind = at + word.len + strspn(text.data + at + word.len, " ");
        if (word.len > 0 && behind < text.len && strchr(",])", text.data[behind]) != NULL) {
            uint32_t start = target.start + (uint32_t)at;
            name_target(parser, (Span){start, start + (uint32_t)word.len});
        }
        at = behind + strcspn(text.data + behind, ",");
    }
}

// The line above seemed to go on, and is part of the broken statement: what it assigns to is named.
static void name_assigned_above(Parser *parser, uint32_t position) {
    uint32_t start;
    Slice line = line_above(parser, position, &start);
    const char *assign = line.len == 0 ? NULL : memchr(line.data, '=', line.len);
    if (assign == NULL) {
        return;
    }
    Span word = word_before(parser, start + (uint32_t)(assign - line.data));
    if (word.start < word.end) {
        name_target(parser, word);
    }
}

// Of `f(x, y)` with one or two names, which may be meant for an element or for a function. False:
// it is not such.
static bool note_function(Parser *parser, Diag *diag, Slice text, Slice called) {
    Slice rest = {text.data + called.len + 1, text.len - called.len - 1};
    Slice first = leading_word(rest);
    rest = (Slice){first.data + first.len, rest.len - first.len};
    size_t gap = rest.len > 0 && rest.data[0] == ',' ? 1 + strspn(rest.data + 1, " ") : 0;
    Slice second = gap == 0 ? (Slice){0} : leading_word((Slice){rest.data + gap, rest.len - gap});
    if (first.len == 0 || gap + second.len + 1 != rest.len || (gap > 0 && second.len == 0)) {
        return false;
    }
    const char *more = second.len == 0 ? ""
                                       : arena_format(parser->context->arena, ", real %.*s",
                                                      (int)second.len, second.data);
    diag_note(diag,
              "an element of an array is `%.*s[%.*s]`, counted from 0; a function begins with "
              "`fn %.*s(real %.*s%s) real:`",
              (int)called.len, called.data, (int)(text.len - called.len - 2),
              text.data + called.len + 1, (int)called.len, called.data, (int)first.len, first.data,
              more);
    return true;
}

void report_bad_target(Parser *parser, Span target) {
    DiagList *diags = parser->context->diags;
    Diag *diag = diag_error(diags, DIAG_E0202, target, "cannot assign to this expression");
    Slice text = text_of(parser, target);
    Slice word = leading_word(text);
    bool called = word.len > 0 && word.len < text.len && text.data[word.len] == '(';
    bool listed = word.len == 0 && memchr(text.data, ',', text.len) != NULL;
    if (called && slice_is(word, "der")) {
        Slice state = leading_word((Slice){word.data + word.len + 1, text.len - word.len - 1});
        diag_note(
            diag,
            "there are no equations and no `der`: `%.*s += n.dt * (...)` in `update_fnc` makes "
            "the step",
            state.len == 0 ? 1 : (int)state.len, state.len == 0 ? "x" : state.data);
        return;
    }
    if (called && note_function(parser, diag, text, word)) {
        name_target(parser, (Span){target.start, target.start + (uint32_t)word.len});
        return;
    }
    diag_note(diag, called   ? "an element is written with brackets, and counted from 0: `x[0]`"
                    : listed ? "several results are taken as `a, b = f(x)`, without brackets"
                             : "a place is a variable, an output, or an element or slice of one");
    if (called) {
        name_target(parser, (Span){target.start, target.start + (uint32_t)word.len});
    } else if (listed) {
        name_listed(parser, target);
        name_assigned_above(parser, target.start);
    }
}

void report_missing_end(Parser *parser) {
    Diag *diag =
        syntax_error(parser, parser->token.span, "expected `end`, found the end of the file");
    if (span_is_nowhere(parser->odd_end)) {
        report_open_block(parser, diag);
        return;
    }
    // An `end` that is indented less than what it closes was probably meant for an outer block.
    const char *keyword = token_text(parser->odd_block.keyword);
    diag_label(diag, parser->odd_block.span, "this `%s` is probably the one without", keyword);
    diag_label(diag, parser->odd_end, "this `end` closes it, but is indented less");
}

void report_arrow(Parser *parser, Span arrow) {
    if (arrow.end - arrow.start != 2 &&
        !report_half_comparison(parser, (Span){arrow.start, arrow.start + 1})) {
        Diag *diag = diag_error(parser->context->diags, DIAG_E0201, arrow,
                                "nothing stands between the `<` and `-` of `<-`");
        diag_help(diag, "`<-` reads or writes a variable of hardware");
        diag_edit(diag, arrow, "<-");
    }
}
