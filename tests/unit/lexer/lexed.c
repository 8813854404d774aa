#include "lexed.h"

#include "lexer/lexer.h"

#include <criterion/criterion.h>
#include <string.h>

static void append_kinds(Buffer *out, Context *context, SourceFile *source) {
    Lexer *lexer = lexer_create(context, source);
    for (;;) {
        Token token = lexer_next(lexer);
        if (token.kind == TOKEN_END_OF_FILE) {
            break;
        }
        buffer_format(out, "%s%s", out->len == 0 ? "" : " ", token_row(token.kind)->name);
    }
    lexer_destroy(lexer);
}

static void append_errors(Buffer *out, const Context *context) {
    for (size_t i = 0; i < context->diags->all.count; i++) {
        const Diag *diag = context->diags->all.items[i];
        SourcePlace place = sources_place(context->sources, diag->span.start);
        buffer_format(out, "%s%s %u:%u", i == 0 ? "" : "; ", diag_row(diag->code)->text, place.line,
                      source_character(place));
    }
}

void expect_errors(const char *text, size_t len, const char *errors, const char *kinds) {
    Context *context = context_create();
    SourceFile *source = sources_add(context->sources, "test.tml", text, len);
    Buffer found_kinds = {0};
    Buffer found_errors = {0};
    buffer_text(&found_kinds, "");
    buffer_text(&found_errors, "");
    append_kinds(&found_kinds, context, source);
    append_errors(&found_errors, context);
    cr_expect_str_eq(found_kinds.data, kinds, "%s\n    has %s\n    not %s", text, found_kinds.data,
                     kinds);
    cr_expect_str_eq(found_errors.data, errors, "%s\n    has %s\n    not %s", text,
                     found_errors.data, errors);
    buffer_free(&found_kinds);
    buffer_free(&found_errors);
    context_destroy(context);
}

void expect_kinds(const char *text, const char *kinds) {
    expect_errors(text, strlen(text), "", kinds);
}
