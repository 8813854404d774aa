// Tokens in their context: reserved words, brackets, and the rules of L1.4 about line ends. Takes
// what the scanner gives, looks at most one token ahead, and changes kinds of tokens: a colon that
// ends a header, a bracket that may not apply to the line before, a bare `return`. The parser needs
// no line ends after that.
#include "lexer/lexer.h"

#include "lexer/scanner.h"
#include "support/table.h"

#include <string.h>

// A bracket that is open, by the kind of its token.
typedef struct OpenBracket {
    TokenKind kind;
    Span span;
} OpenBracket;

struct Lexer {
    Context *context;
    Scanner scanner;
    Token previous; // the last token given out
    Token pending;  // scanned ahead
    bool has_pending;
    bool in_head;          // of an `if` or a loop, whose colon is still to come
    TokenKind in_instance; // INSTANCE or EVERY, the latest word of the statement; else END_OF_FILE
    Token colon;           // split from a `?:`, to be given out next
    bool has_colon;
    LIST_OF(Span) semicolons; // behind statements
    size_t errors_before;     // of other files
    LIST_OF(OpenBracket) brackets;
    Table words; // reserved ones by name, as rows of `keywords`
};

static const struct Keyword {
    TokenKind kind;
    const char *text;
} keywords[] = {
#define TOKEN(NAME, text, roles)
#define MARK(NAME, text, roles)
#define KEYWORD(NAME, text, roles) {TOKEN_##NAME, text},
#include "lexer/tokens.def"
};

Lexer *lexer_create(Context *context, SourceFile *source) {
    Lexer *lexer = ARENA_NEW(context->arena, Lexer);
    lexer->context = context;
    lexer->errors_before = context->diags->error_count;
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        table_set(context->arena, &lexer->words,
                  names_intern_text(context->names, keywords[i].text), (void *)&keywords[i]);
    }
    if (source->has_any) { // the grammar needs no word for it: no value has the type `char`
        Name any = names_intern_text(context->names, "any");
        Name with_char = names_intern_text(context->names, "char");
        table_set(context->arena, &lexer->words, any, table_get(&lexer->words, with_char));
    }
    scanner_open(&lexer->scanner, context, source);
    return lexer;
}

void lexer_destroy(Lexer *lexer) {
    scanner_close(&lexer->scanner);
}

// What the word is; after a dot it is always a name, but for `.type`.
static TokenKind word_kind(const Lexer *lexer, Name word) {
    if (lexer->previous.kind == TOKEN_DOT) {
        return strcmp(word->text, "type") == 0 ? TOKEN_TYPE : TOKEN_NAME;
    }
    const struct Keyword *keyword = table_get(&lexer->words, word);
    return keyword == NULL ? TOKEN_NAME : keyword->kind;
}

static Token scan(Lexer *lexer) {
    if (lexer->has_pending) {
        lexer->has_pending = false;
        return lexer->pending;
    }
    lexer->scanner.after_operand = token_is(lexer->previous.kind, TOKEN_ENDS);
    lexer->scanner.after_name = lexer->previous.kind == TOKEN_NAME;
    Token token = scanner_next(&lexer->scanner);
    if (token.kind == TOKEN_NAME) {
        Slice text = scanner_match(&lexer->scanner);
        token.name = names_intern(lexer->context->names, text.data, text.len);
        token.kind = word_kind(lexer, token.name);
    }
    return token;
}

// The token after `token`, which is about to be given out and applies to nothing.
static const Token *peek(Lexer *lexer, const Token *token) {
    lexer->previous = *token;
    lexer->pending = scan(lexer);
    lexer->has_pending = true;
    return &lexer->pending;
}

static TokenKind bracket_kind(const Lexer *lexer, const Token *token) {
    TokenKind before = lexer->previous.kind;
    if (token->kind == TOKEN_OPEN_PAREN && token_is(before, TOKEN_ENDS | TOKEN_CALLED) &&
        !token->first_on_line) {
        return TOKEN_CALL_PAREN;
    }
    if (token->kind == TOKEN_OPEN_BRACKET && token_is(before, TOKEN_ENDS) &&
        !token->first_on_line) {
        return TOKEN_INDEX_BRACKET;
    }
    return token->kind;
}

static bool is_stray_semicolon(Lexer *lexer, const Token *token) {
    if (token->kind != TOKEN_SEMICOLON || lexer->brackets.count > 0) {
        return false;
    }
    LIST_PUSH(lexer->context->arena, &lexer->semicolons, token->span);
    return true;
}

// Whether nothing else stands between what is before and behind: `y=2;z=3`.
static bool keeps_apart(const Lexer *lexer, Span semicolon) {
    SourcePlace place = sources_place(lexer->context->sources, semicolon.start);
    char behind = place.file->text[place.offset + 1];
    return strchr(" \t\r\n#;", behind) == NULL; // nor is it the end
}

// All that end statements are one mistake, and nothing beside another one.
static void report_semicolons(Lexer *lexer) {
    DiagList *diags = lexer->context->diags;
    if (lexer->semicolons.count == 0 || diags->error_count > lexer->errors_before) {
        return;
    }
    Diag *diag =
        diag_error(diags, DIAG_E0201, lexer->semicolons.items[0], "`;` does not end a statement");
    bool any_apart = false;
    for (size_t k = 0; k < lexer->semicolons.count; k++) {
        bool is_apart = keeps_apart(lexer, lexer->semicolons.items[k]);
        any_apart |= is_apart;
        diag_edit(diag, lexer->semicolons.items[k], "%s", is_apart ? " " : "");
    }
    bool is_one = lexer->semicolons.count == 1;
    diag_help(diag, "%s%s", any_apart ? "write a blank in its place" : "leave it out",
              is_one ? "" : ", everywhere");
    lexer->semicolons.count = 0;
}

// A `return` has a value when something on its line could begin one.
static bool return_is_bare(Lexer *lexer, const Token *token) {
    const Token *next = peek(lexer, token);
    return next->first_on_line || next->kind == TOKEN_END_OF_FILE ||
           next->kind == TOKEN_SEMICOLON || token_is(next->kind, TOKEN_STATEMENT);
}

static bool ends_its_line(Lexer *lexer, const Token *token) {
    const Token *next = peek(lexer, token);
    return next->first_on_line || next->kind == TOKEN_END_OF_FILE;
}

static bool opens_head(TokenKind kind) {
    return kind == TOKEN_IF || kind == TOKEN_ELSEIF || kind == TOKEN_WHILE || kind == TOKEN_FOR;
}

// The head `if t.u and t.a?:` ends with a mark and a colon, not with an operator.
static void split_elvis(Lexer *lexer, Token *token) {
    if (!lexer->in_head || lexer->brackets.count > 0 || !ends_its_line(lexer, token)) {
        return;
    }
    lexer->colon = *token;
    lexer->colon.kind = TOKEN_HEADER_COLON;
    lexer->colon.span.start++;
    lexer->colon.spaced = lexer->colon.first_on_line = false;
    lexer->has_colon = true;
    token->kind = TOKEN_QUESTION;
    token->span.end--;
}

// `var` is a name but where a parameter begins (L9.6): no name or type can follow a name there.
static bool begins_var_param(Lexer *lexer, const Token *token) {
    TokenKind before = lexer->previous.kind;
    if (token->kind != TOKEN_NAME || lexer_open_bracket_kind(lexer) != TOKEN_CALL_PAREN ||
        (before != TOKEN_CALL_PAREN && before != TOKEN_COMMA) ||
        strcmp(token->name->text, "var") != 0) {
        return false;
    }
    return token_is(peek(lexer, token)->kind, TOKEN_EITHER);
}

// Whether a statement may begin behind the token.
static bool may_end_statement(TokenKind before) {
    return token_is(before, TOKEN_ENDS) || before == TOKEN_END_OF_FILE ||
           before == TOKEN_HEADER_COLON || before == TOKEN_END || before == TOKEN_ELSE ||
           before == TOKEN_PASS;
}

static bool is_word(const Token *token, const char *word) {
    return token->kind == TOKEN_NAME && strcmp(token->name->text, word) == 0;
}

// A string on the line of the word (L19.1), where nothing else can stand.
static bool begins_test(Lexer *lexer, const Token *token) {
    if (!is_word(token, "test")) {
        return false;
    }
    const Token *next = peek(lexer, token);
    return next->kind == TOKEN_STRING_LITERAL && !next->first_on_line;
}

// Words that are names elsewhere (L15.1): `instance` and `connect` before a name where a
// statement may begin, `every` behind the list of an instance and `offset` behind that, both
// before a value; and `test`.
static TokenKind contextual_word(Lexer *lexer, const Token *token) {
    TokenKind before = lexer->previous.kind;
    if (token->kind != TOKEN_NAME || lexer->brackets.count > 0 || !may_end_statement(before)) {
        return token->kind;
    }
    if (is_word(token, "instance") && peek(lexer, token)->kind == TOKEN_NAME) {
        return TOKEN_INSTANCE;
    }
    if (is_word(token, "connect") && peek(lexer, token)->kind == TOKEN_NAME) {
        return TOKEN_CONNECT;
    }
    if (begins_test(lexer, token)) {
        return TOKEN_TEST;
    }
    bool is_rate = (lexer->in_instance == TOKEN_INSTANCE && before == TOKEN_CLOSE_PAREN &&
                    is_word(token, "every")) ||
                   (lexer->in_instance == TOKEN_EVERY && is_word(token, "offset"));
    if (is_rate && token_is(peek(lexer, token)->kind, TOKEN_VALUE | TOKEN_EITHER)) {
        return lexer->in_instance == TOKEN_INSTANCE ? TOKEN_EVERY : TOKEN_OFFSET;
    }
    return token->kind;
}

// Gives the token the kind that it has in its context, and keeps track of brackets.
static void place_token(Lexer *lexer, Token *token) {
    token->kind = contextual_word(lexer, token);
    if (token->kind == TOKEN_INSTANCE || token->kind == TOKEN_EVERY) {
        lexer->in_instance = token->kind;
    } else if (token_is(token->kind, TOKEN_STATEMENT) || token->kind == TOKEN_OFFSET) {
        lexer->in_instance = TOKEN_END_OF_FILE;
    }
    if (token_is(token->kind, TOKEN_STATEMENT)) {
        lexer_forget_brackets(lexer);
        lexer->in_head = opens_head(token->kind);
    }
    if (token->kind == TOKEN_RETURN && return_is_bare(lexer, token)) {
        token->kind = TOKEN_RETURN_BARE;
    } else if (token->kind == TOKEN_COLON && lexer->brackets.count == 0 &&
               ends_its_line(lexer, token)) {
        token->kind = TOKEN_HEADER_COLON;
        lexer->in_head = false;
    } else if (token->kind == TOKEN_ELVIS) {
        split_elvis(lexer, token);
    } else if (begins_var_param(lexer, token)) {
        token->kind = TOKEN_VAR;
    } else if (token->kind == TOKEN_BAR && lexer_open_bracket_kind(lexer) == TOKEN_OPEN_BRACKET) {
        token->kind = TOKEN_PAGE_BAR;
    } else if (token_is(token->kind, TOKEN_OPENS)) {
        token->kind = bracket_kind(lexer, token);
        LIST_PUSH(lexer->context->arena, &lexer->brackets,
                  ((OpenBracket){.kind = token->kind, .span = token->span}));
    } else if (token_is(token->kind, TOKEN_CLOSES)) {
        lexer->brackets.count -= lexer->brackets.count > 0;
    }
}

Token lexer_next(Lexer *lexer) {
    if (lexer->has_colon) {
        lexer->has_colon = lexer->in_head = false;
        lexer->previous = lexer->colon;
        return lexer->colon;
    }
    Token token;
    do {
        token = scan(lexer);
    } while (is_stray_semicolon(lexer, &token));
    if (token.kind == TOKEN_END_OF_FILE) {
        report_semicolons(lexer);
    }
    place_token(lexer, &token);
    lexer->previous = token;
    return token;
}

Span lexer_open_bracket(const Lexer *lexer) {
    return lexer->brackets.count == 0 ? (Span){0}
                                      : lexer->brackets.items[lexer->brackets.count - 1].span;
}

TokenKind lexer_open_bracket_kind(const Lexer *lexer) {
    return lexer->brackets.count == 0 ? TOKEN_END_OF_FILE
                                      : lexer->brackets.items[lexer->brackets.count - 1].kind;
}

size_t lexer_bracket_count(const Lexer *lexer) {
    return lexer->brackets.count;
}

void lexer_mute(Lexer *lexer, uint32_t position) {
    lexer->scanner.muted_end = position;
}

void lexer_forget_brackets(Lexer *lexer) {
    lexer->brackets.count = 0;
}

void lexer_print_tokens(Buffer *out, Context *context, SourceFile *source) {
    Lexer *lexer = lexer_create(context, source);
    Token token;
    do {
        token = lexer_next(lexer);
        SourcePlace place = sources_place(context->sources, token.span.start);
        Slice text = sources_text(context->sources, token.span);
        buffer_format(out, "%u:%u %s", place.line, source_character(place),
                      token_row(token.kind)->name);
        if (text.len > 0) {
            buffer_text(out, " ");
            buffer_append(out, text.data, text.len);
        }
        buffer_text(out, "\n");
    } while (token.kind != TOKEN_END_OF_FILE);
    lexer_destroy(lexer);
}
