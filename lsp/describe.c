// See describe.h.
#include "lsp/describe.h"

#include "lexer/lexer.h"
#include "lsp/occurrence.h"
#include "support/buffer.h"

#include <stdlib.h>
#include <string.h>

const char *describe_short_type(Arena *arena, const Type *type) {
    const char *text = "";
    for (; type_is_tensor(type); type = type->base) {
        for (unsigned d = 0; d < type->rank; d++) {
            text = arena_format(arena, "%s%s%u", text, d == 0 ? "" : "x", (unsigned)type->dims[d]);
        }
        text = arena_format(arena, "%s %s", text, type_is_tensor(type->base) ? "of " : "");
    }
    return arena_format(arena, "%s%s", text, describe_type(arena, type));
}

const char *describe_type(Arena *arena, const Type *type) {
    if (type_is_poison(type)) {
        return "an error";
    }
    Buffer text = {0};
    type_print(&text, type); // type_text would keep the text with the type, which lives longer
    const char *copy = arena_copy_text(arena, text.data, text.len);
    buffer_free(&text);
    return copy;
}

const char *describe_text(Arena *arena, const LspDocument *document, Span span,
                          const char *fallback) {
    return sources_short_text(document->context->sources, arena, span, fallback);
}

// Without line ends and comments, and with one blank where there were any.
static const char *on_one_line(Arena *arena, Slice text) {
    char *line = arena_copy_text(arena, text.data, text.len);
    size_t len = 0;
    for (size_t k = 0; k < text.len; k++) {
        if (text.data[k] == '#') {
            while (k < text.len && text.data[k] != '\n') {
                k++;
            }
        }
        bool is_blank = k == text.len || strchr(" \t\r\n", text.data[k]) != NULL;
        if (!is_blank) {
            line[len++] = text.data[k];
        } else if (len > 0 && line[len - 1] != ' ') {
            line[len++] = ' ';
        }
    }
    line[len] = '\0';
    return line;
}

const char *describe_signature(Arena *arena, const LspDocument *document, const AstStmt *function) {
    Slice text = sources_text(document->context->sources, function->span);
    while (text.len > 0 && strchr(": \t\r\n", text.data[text.len - 1]) != NULL) {
        text.len--;
    }
    return on_one_line(arena, text);
}

const AstStmt *describe_function(const Notes *notes, Span declaration) {
    const AstStmt *function = lsp_function_around(notes, declaration.start);
    return function != NULL && function->function.name.span.start == declaration.start ? function
                                                                                       : NULL;
}

const char *describe_sizes(Arena *arena, const Notes *notes, const TirFunction *function) {
    const InstanceNote *instance = notes_find_instance(notes, function);
    const char *text = "";
    for (size_t k = 0; instance != NULL && k < instance->count; k++) {
        text = arena_format(arena, "%s%s%s = %u", text, k == 0 ? "" : ", ",
                            instance->sizes[k].name->text, (unsigned)instance->values[k]);
    }
    return text;
}

static const char *real_text(Arena *arena, double value) {
    const char *text = arena_format(arena, "%.15g", value);
    text = strtod(text, NULL) == value ? text : arena_format(arena, "%.17g", value);
    bool is_whole = strpbrk(text, ".enai") == NULL;
    return is_whole ? arena_format(arena, "%s.0", text) : text;
}

static const char *scalar_text(Arena *arena, Root root, TirScalar value) {
    switch (root) {
    case ROOT_BOOL: return value.boolean ? "true" : "false";
    case ROOT_UINT: return arena_format(arena, "%uu", (unsigned)value.uint);
    case ROOT_INT: return arena_format(arena, "%d", (int)value.integer);
    case ROOT_REAL: return real_text(arena, value.real);
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    return NULL;
}

static const char *default_text(Arena *arena, const LspDocument *document, const NameNote *note) {
    const AstStmt *function = lsp_function_around(&document->notes, note->declaration.start);
    for (size_t k = 0; function != NULL && k < function->function.param_count; k++) {
        const AstParam *param = &function->function.params[k];
        if (param->name.span.start == note->declaration.start && param->value != NULL) {
            return describe_text(arena, document, param->value->span, NULL);
        }
    }
    return NULL;
}

const char *describe_value(Arena *arena, const LspDocument *document, const NameNote *note) {
    const TirExpr *value = note->value;
    if (note->role == NAME_PARAMETER) {
        return default_text(arena, document, note);
    }
    if (note->interface != NULL && note->interface->text.data != NULL) {
        Slice text = note->interface->text;
        return arena_format(arena, "\"%.*s\"", (int)text.len, text.data);
    }
    if (value == NULL || type_is_poison(value->type)) {
        return NULL;
    }
    const char *text = type_is_scalar(value->type) && value->kind == EXPR_CONST
                           ? scalar_text(arena, value->type->root, *value->data)
                           : NULL;
    return text != NULL ? text : describe_text(arena, document, value->span, NULL);
}

// Where the comment of a line begins; its length when it has none.
static size_t comment_start(Slice line) {
    Context *context = context_create();
    SourceFile *source = sources_add(context->sources, "line", line.data, line.len);
    size_t end = 0;
    if (source != NULL) {
        Lexer *lexer = lexer_create(context, source);
        for (Token token = lexer_next(lexer); token.kind != TOKEN_END_OF_FILE;
             token = lexer_next(lexer)) {
            end = token.span.end - source->base;
        }
        lexer_destroy(lexer);
    }
    context_destroy(context);
    const char *mark = end < line.len ? memchr(line.data + end, '#', line.len - end) : NULL;
    return mark == NULL ? line.len : (size_t)(mark - line.data);
}

static const char *comment_text(Arena *arena, Slice comment) {
    while (comment.len > 0 && strchr("# \t", comment.data[0]) != NULL) {
        comment.data++;
        comment.len--;
    }
    while (comment.len > 0 && strchr(" \t\r", comment.data[comment.len - 1]) != NULL) {
        comment.len--;
    }
    return arena_copy_text(arena, comment.data, comment.len);
}

const char *describe_comment(Arena *arena, const LspDocument *document, Span declaration) {
    SourcePlace place = sources_place(document->context->sources, declaration.end);
    if (place.file == NULL) {
        return NULL;
    }
    Slice line = source_line(place.file, place.line);
    size_t start = comment_start(line);
    const char *text = comment_text(arena, (Slice){line.data + start, line.len - start});
    return *text == '\0' ? NULL : text;
}

const char *describe_comment_above(Arena *arena, const LspDocument *document, Span declaration) {
    enum { LINE_LIMIT = 20 };
    SourcePlace place = sources_place(document->context->sources, declaration.start);
    const char *text = NULL;
    for (uint32_t line = place.line, count = 0;
         place.file != NULL && line-- > 1 && count < LINE_LIMIT; count++) {
        Slice slice = source_line(place.file, line);
        size_t blanks = strspn(slice.data, " \t");
        if (blanks >= slice.len || slice.data[blanks] != '#') {
            break;
        }
        const char *comment = comment_text(arena, slice);
        text = text == NULL ? comment : arena_format(arena, "%s\n%s", comment, text);
    }
    return text;
}

bool describe_is_unchecked(const Notes *notes, uint32_t position) {
    for (size_t k = 0; k < notes->unchecked.count; k++) {
        if (span_has(lsp_function_span(notes->unchecked.items[k]), position)) {
            return true;
        }
    }
    return false;
}
