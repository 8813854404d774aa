// See shape_query.h. The query becomes a script of a few lines, in which `left` and `right` (or
// `target` and `value`) are variables of the two types, so that the answer is the checker's own.
// Nothing in it is unused, whatever -W asks for.
#include "driver/shape_query.h"

#include "lexer/lexer.h"
#include "support/bug.h"
#include "types/shape_explain.h"

#include <string.h>

typedef enum QueryKind { QUERY_OPERATOR, QUERY_ASSIGN, QUERY_TRANSPOSE } QueryKind;

typedef struct Query {
    QueryKind kind;
    const char *left; // the texts of the types
    const char *right;
    const char *op;
} Query;

typedef struct Reader {
    Context *context;
    Arena *arena; // outlives the context
    Lexer *lexer;
    Token token; // the one to read
    const char *expected;
} Reader;

static void advance(Reader *reader) {
    reader->token = lexer_next(reader->lexer);
}

static bool fail(Reader *reader, const char *expected) {
    reader->expected = expected;
    return false;
}

static const char *text_of(const Reader *reader, Span span) {
    Slice text = sources_text(reader->context->sources, span);
    return arena_copy_text(reader->arena, text.data, text.len);
}

// Passes over what stands between `<` and its `>`. Marks in round or square brackets do not count.
static bool skip_arguments(Reader *reader) {
    int depth = 0;
    size_t brackets = lexer_bracket_count(reader->lexer);
    for (;; advance(reader)) {
        TokenKind kind = reader->token.kind;
        if (kind == TOKEN_END_OF_FILE) {
            return fail(reader, "`>`");
        }
        if (lexer_bracket_count(reader->lexer) == brackets) {
            depth += kind == TOKEN_LESS;
            depth -= kind == TOKEN_GREATER ? 1 : kind == TOKEN_SHIFT_RIGHT ? 2 : 0;
        }
        if (depth <= 0) {
            return depth == 0 || fail(reader, "one `>` less");
        }
    }
}

static bool is_scalar_type(TokenKind kind) {
    return kind == TOKEN_BOOL || kind == TOKEN_UINT || kind == TOKEN_INT || kind == TOKEN_REAL;
}

// A scalar type, or `tensor<...>`, whose inside the parser will judge.
static bool read_type(Reader *reader, const char **type) {
    Span first = reader->token.span;
    if (reader->token.kind == TOKEN_TENSOR) {
        advance(reader);
        if (reader->token.kind != TOKEN_LESS) {
            return fail(reader, "`<`");
        }
        if (!skip_arguments(reader)) {
            return false;
        }
    } else if (!is_scalar_type(reader->token.kind)) {
        return fail(reader, "a type, such as `tensor<real, 3>`");
    }
    *type = text_of(reader, span_join(first, reader->token.span));
    advance(reader);
    return true;
}

static bool is_operator(TokenKind kind) {
    return kind == TOKEN_ASSIGN ||
           (token_has_fixed_text(kind) && ast_is_binary_text(token_text(kind)));
}

static bool read_query(Reader *reader, Query *query) {
    advance(reader);
    if (!read_type(reader, &query->left)) {
        return false;
    }
    if (query->kind != QUERY_TRANSPOSE) {
        if (!is_operator(reader->token.kind)) {
            return fail(reader, "an operator of two operands, `=` or `'`");
        }
        query->kind = reader->token.kind == TOKEN_ASSIGN ? QUERY_ASSIGN : QUERY_OPERATOR;
        query->op = text_of(reader, reader->token.span);
        advance(reader);
        if (!read_type(reader, &query->right)) {
            return false;
        }
    }
    return reader->token.kind == TOKEN_END_OF_FILE || fail(reader, "the end");
}

static const char *malformed(Arena *arena, const char *why) {
    return arena_format(arena, "malformed shape query: %s", why);
}

// Takes the query apart. On failure *error says why; it and the texts are from the arena.
static bool parse_query(Arena *arena, const char *text, Query *query, const char **error) {
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\n", text[len - 1]) != NULL) {
        len--;
    }
    if (len > 0 && text[len - 1] == '\'') {
        query->kind = QUERY_TRANSPOSE; // to the lexer a quote after `>` begins a string
        len--;
    }
    Reader reader = {.context = context_create(), .arena = arena};
    SourceFile *source = sources_add(reader.context->sources, "query", text, len);
    if (source == NULL) {
        *error = "the shape query is too long";
        context_destroy(reader.context);
        return false;
    }
    reader.lexer = lexer_create(reader.context, source);
    bool good = read_query(&reader, query);
    const DiagList *diags = reader.context->diags;
    if (diags->error_count > 0) {
        good = false;
        *error = malformed(arena, diags->all.items[0]->message);
    } else if (!good) {
        bool at_end = reader.token.kind == TOKEN_END_OF_FILE;
        const char *found =
            at_end ? "the end" : arena_format(arena, "`%s`", text_of(&reader, reader.token.span));
        *error =
            malformed(arena, arena_format(arena, "expected %s, found %s", reader.expected, found));
    }
    lexer_destroy(reader.lexer);
    context_destroy(reader.context);
    return good;
}

static const char *script_of(Arena *arena, const Query *query) {
    switch (query->kind) {
    case QUERY_OPERATOR:
        return arena_format(arena, "left = input(%s)\nright = input(%s)\n_result = left %s right\n",
                            query->left, query->right, query->op);
    case QUERY_ASSIGN:
        return arena_format(
            arena, "target = input(%s)\nvalue = input(%s)\ntarget = value\nprint(target)\n",
            query->left, query->right);
    case QUERY_TRANSPOSE:
        return arena_format(arena, "left = input(%s)\n_result = left'\n", query->left);
    }
    UNREACHABLE();
}

static const Type *type_of(const Compilation *compilation, const char *name) {
    const TirFunction *entry = compilation->program->entry;
    for (size_t i = 0; i < entry->vars.count; i++) {
        const TirVar *var = entry->vars.items[i];
        if (var->name != NULL && strcmp(var->name->text, name) == 0) {
            return var->type;
        }
    }
    BUG("the script of a shape query has no `%s`", name);
}

// Nobody wrote the script: its messages have no places and change nothing.
static void forget_places(DiagList *diags) {
    for (size_t i = 0; i < diags->all.count; i++) {
        Diag *diag = diags->all.items[i];
        diag->span = (Span){0, 0};
        diag->span_text = NULL;
        diag->labels.count = 0;
        diag->edits.count = 0;
        for (size_t k = 0; k < diag->notes.count; k++) {
            diag->notes.items[k].span = (Span){0, 0};
        }
    }
}

// Errors of the lexer and parser, which are about the text of the types.
static const Diag *find_syntax_error(const DiagList *diags) {
    for (size_t i = 0; i < diags->all.count; i++) {
        if (diags->all.items[i]->severity == SEVERITY_ERROR &&
            diag_row(diags->all.items[i]->code)->class <= DIAG_SYNTAX) {
            return diags->all.items[i];
        }
    }
    return NULL;
}

static void answer(const Compilation *compilation, const Query *query, Buffer *out) {
    Arena *arena = compilation->context->arena;
    bool assigns = query->kind == QUERY_ASSIGN;
    const char *names[] = {assigns ? "target" : "left", assigns ? "value" : "right"};
    const Type *left = type_of(compilation, names[0]);
    const Type *result = assigns ? left : type_of(compilation, "_result");
    if (query->kind != QUERY_TRANSPOSE) {
        const Type *right = type_of(compilation, names[1]);
        const char *table = shape_fitting_table(arena, strcmp(query->op, ".*") == 0, names[0], left,
                                                names[1], right, assigns ? NULL : result);
        if (table != NULL) {
            buffer_format(out, "%s\n", table);
        }
    }
    buffer_format(out, "%s\n", type_text(arena, result));
}

ExitStatus shape_query(Compilation *compilation, const char *query, const CompileOptions *options,
                       Buffer *out) {
    Arena *arena = arena_create();
    Query parsed = {0};
    const char *error = NULL;
    bool good = parse_query(arena, query, &parsed, &error);
    const char *script = good ? script_of(arena, &parsed) : "";
    CompileOptions check_only = *options;
    check_only.stage = STAGE_CHECK;
    ExitStatus status = compile_text(compilation, "query", script, strlen(script), &check_only);
    Context *context = compilation->context;
    const Diag *syntax = find_syntax_error(context->diags);
    if (!good) {
        compilation->error = arena_copy_text(context->arena, error, strlen(error));
        status = EXIT_USAGE;
    } else if (syntax != NULL) {
        compilation->error = malformed(context->arena, syntax->message);
        context->diags->all.count = 0;
        status = EXIT_USAGE;
    } else if (status == EXIT_OK) {
        answer(compilation, &parsed, out);
    }
    forget_places(context->diags);
    arena_destroy(arena);
    return status;
}
