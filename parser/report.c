// Syntax errors in words: what was found, what could stand there, and what is probably meant.
#include "parser/parser.h"

#include <stdio.h>
#include <string.h>

// ---- What was found ----

static const char *describe_found(const Parser *parser) {
    const Token *token = &parser->token;
    Arena *arena = parser->context->arena;
    if (token->span.start == token->span.end) {
        return token_text(TOKEN_END_OF_FILE);
    }
    if (token_has_fixed_text(token->kind)) {
        return arena_format(arena, "`%s`", token_text(token->kind));
    }
    Slice text = sources_text(parser->context->sources, token->span);
    if (token->kind == TOKEN_STRING_LITERAL || text.len > 40) {
        return token_text(token->kind);
    }
    return arena_format(arena, "`%.*s`", (int)text.len, text.data);
}

// ---- What was expected ----

// Kinds that are named together, by one member that stands for them.
typedef struct ExpectedGroup {
    TokenKind member;
    TokenKind absent; // and this one must not be expected; TOKEN_KIND_COUNT: no such condition
    const char *text;
} ExpectedGroup;

static const ExpectedGroup groups[] = {
    {TOKEN_PASS, TOKEN_KIND_COUNT, "a statement"},
    {TOKEN_INTEGER_LITERAL, TOKEN_KIND_COUNT, "an expression"},
    {TOKEN_TENSOR, TOKEN_INTEGER_LITERAL, "a type"},
    {TOKEN_NAME, TOKEN_TENSOR, "a name"},
};

// Single kinds worth naming, the most telling first.
static const TokenKind singles[] = {
    TOKEN_CLOSE_PAREN, TOKEN_CLOSE_BRACKET, TOKEN_CLOSE_BRACE, TOKEN_HEADER_COLON,
    TOKEN_END,         TOKEN_ASSIGN,        TOKEN_COMMA,       TOKEN_COLON,
    TOKEN_CALL_PAREN,  TOKEN_OPEN_PAREN,    TOKEN_IN,          TOKEN_IF,
    TOKEN_FEEDTHROUGH, TOKEN_TYPE,          TOKEN_DOT,         TOKEN_STRING_LITERAL,
};

enum { EXPECTED_LIMIT = 3 };

typedef struct ExpectedList {
    const char *items[EXPECTED_LIMIT];
    size_t count;
} ExpectedList;

static void add_expected(ExpectedList *list, const char *text) {
    if (list->count < EXPECTED_LIMIT) {
        list->items[list->count++] = text;
    }
}

static bool expects(const bool *expected, TokenKind kind) {
    return expected[kind];
}

// A statement can begin where `pass` can, an expression where a number can.
static ExpectedList list_expected(const Parser *parser, const bool *expected) {
    ExpectedList list = {0};
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        const ExpectedGroup *group = &groups[i];
        bool excluded = group->absent != TOKEN_KIND_COUNT && expects(expected, group->absent);
        if (expects(expected, group->member) && !excluded) {
            add_expected(&list, group->text);
        }
    }
    bool statement = expects(expected, TOKEN_PASS);
    for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++) {
        TokenKind kind = singles[i];
        // Words that begin a statement or an expression are part of its group.
        bool grouped =
            statement && (kind == TOKEN_IN || kind == TOKEN_IF || kind == TOKEN_FEEDTHROUGH ||
                          kind == TOKEN_CALL_PAREN || kind == TOKEN_DOT);
        grouped |= expects(expected, TOKEN_INTEGER_LITERAL) &&
                   (kind == TOKEN_OPEN_PAREN || kind == TOKEN_STRING_LITERAL);
        if (expects(expected, kind) && !grouped) {
            add_expected(&list, arena_format(parser->context->arena, "`%s`", token_text(kind)));
        }
    }
    if (list.count < EXPECTED_LIMIT && expects(expected, TOKEN_PLUS) &&
        !expects(expected, TOKEN_INTEGER_LITERAL)) {
        add_expected(&list, "an operator");
    }
    return list;
}

static const char *join_expected(const Parser *parser, const ExpectedList *list) {
    Arena *arena = parser->context->arena;
    switch (list->count) {
    case 1: return list->items[0];
    case 2: return arena_format(arena, "%s or %s", list->items[0], list->items[1]);
    default:
        return arena_format(arena, "%s, %s or %s", list->items[0], list->items[1], list->items[2]);
    }
}

void report_syntax_error(Parser *parser, const bool expected[TOKEN_KIND_COUNT]) {
    if (parser->quiet || parser->too_deep) {
        return;
    }
    DiagList *diags = parser->context->diags;
    ExpectedList list = list_expected(parser, expected);
    const char *wanted = join_expected(parser, &list);
    Diag *diag = diag_error(diags, DIAG_E0201, parser->token.span, "expected %s, found %s", wanted,
                            describe_found(parser));
    (void)diag;
    parser->quiet = true;
}

void report_missing_end(Parser *parser) {
    DiagList *diags = parser->context->diags;
    OpenBlock block = parser->blocks.items[parser->blocks.count - 1];
    Diag *diag = diag_error(diags, DIAG_E0201, parser->token.span, "missing `end`");
    diag_label(diags, diag, block.span, "this block is open");
}

void report_misplaced_colon(Parser *parser, Span colon) {
    DiagList *diags = parser->context->diags;
    Diag *diag = diag_error(diags, DIAG_E0201, colon,
                            "the `:` that ends a header must be the last thing on its line");
    (void)diag;
}

void report_else_if(Parser *parser, Span span) {
    DiagList *diags = parser->context->diags;
    Diag *diag = diag_error(diags, DIAG_E0201, span, "`else if` is one word");
    diag_help(diags, diag, "write `elseif`");
}
