#include "tests/random/broken.h"

#include "lexer/lexer.h"
#include "support/bug.h"

typedef struct Part {
    size_t start, end;
} Part;

typedef struct Parts {
    Part *items;
    size_t count, capacity;
} Parts;

static Parts tokens_of(Context *context, const Buffer *text) {
    SourceFile *source = sources_add(context->sources, "random.tml", text->data, text->len);
    Lexer *lexer = lexer_create(context, source);
    Parts parts = {0};
    for (Token token; (token = lexer_next(lexer)).kind != TOKEN_END_OF_FILE;) {
        Part part = {token.span.start - source->base, token.span.end - source->base};
        LIST_PUSH(context->arena, &parts, part);
    }
    lexer_destroy(lexer);
    return parts;
}

static void copy(const Buffer *source, Part part, Buffer *out) {
    buffer_append(out, source->data + part.start, part.end - part.start);
}

void break_program(Random *random, const Buffer *source, Buffer *out) {
    Context *context = context_create();
    Parts tokens = tokens_of(context, source);
    CHECK(tokens.items != NULL && tokens.count > 1);
    size_t at = random_below(random, (unsigned)tokens.count - 1);
    Part first = tokens.items[at];
    Part second = tokens.items[at + 1];
    Part between = {first.end, second.start};
    copy(source, (Part){0, first.start}, out);
    switch (random_below(random, 3)) {
    case 0: break;
    case 1:
        copy(source, first, out);
        buffer_text(out, " ");
        copy(source, first, out);
        break;
    case 2:
        copy(source, second, out);
        copy(source, between, out);
        copy(source, first, out);
        between = (Part){0};
        second.start = second.end;
        break;
    }
    copy(source, between, out);
    copy(source, (Part){second.start, source->len}, out);
    context_destroy(context);
}
