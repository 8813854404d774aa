#include "parsed.h"

#include "parser/ast_print.h"
#include "parser/parse.h"
#include "support/buffer.h"
#include "tests/unit/parser/print_expr.h"

#include <criterion/criterion.h>
#include <string.h>

// A text and what came of it; released by `finish`.
typedef struct Parsed {
    Context *context;
    AstFile *file;
    Buffer errors;
} Parsed;

static Parsed parse_bytes(const char *text, size_t count) {
    Parsed parsed = {.context = context_create()};
    SourceFile *source = sources_add(parsed.context->sources, "test.tml", text, count);
    parsed.file = parse_file(parsed.context, source);
    buffer_text(&parsed.errors, "");
    const DiagList *diags = parsed.context->diags;
    for (size_t i = 0; i < diags->all.count; i++) {
        const Diag *diag = diags->all.items[i];
        SourcePlace place = sources_place(parsed.context->sources, diag->span.start);
        buffer_format(&parsed.errors, "%s%s %u:%u", i == 0 ? "" : "; ", diag_row(diag->code)->text,
                      place.line, source_character(place));
    }
    return parsed;
}

static Parsed parse(const char *text) {
    return parse_bytes(text, strlen(text));
}

static void finish(Parsed *parsed) {
    buffer_free(&parsed->errors);
    context_destroy(parsed->context);
}

void expect_tree(const char *text, const char *tree) {
    Parsed parsed = parse(text);
    Buffer out = {0};
    buffer_text(&out, "");
    ast_print_file(&out, parsed.file);
    if (out.len > 0) {
        out.data[out.len - 1] = '\0';
    }
    cr_expect_str_eq(out.data, tree, "%s\n    is %s\n    not %s", text, out.data, tree);
    cr_expect_str_eq(parsed.errors.data, "", "%s\n    has %s", text, parsed.errors.data);
    buffer_free(&out);
    finish(&parsed);
}

static void expect_printed(const char *text, const char *printed) {
    Buffer source = {0};
    buffer_format(&source, "x = %s\n", text);
    Parsed parsed = parse(source.data);
    cr_assert_str_eq(parsed.errors.data, "", "%s\n    has %s", text, parsed.errors.data);
    cr_assert_eq(parsed.file->statements.count, 1, "%s", text);
    Buffer out = {0};
    print_source_expr(&out, parsed.file->statements.items[0]->assign.value);
    cr_expect_str_eq(out.data, printed, "%s\n    is %s\n    not %s", text, out.data, printed);
    buffer_free(&out);
    buffer_free(&source);
    finish(&parsed);
}

void expect_expr(const char *text, const char *printed) {
    expect_printed(text, printed);
    expect_printed(printed, printed);
}

void expect_errors_of_bytes(const char *bytes, size_t count, const char *errors) {
    Parsed parsed = parse_bytes(bytes, count);
    cr_expect_str_eq(parsed.errors.data, errors, "%.200s\n    has %s\n    not %s", bytes,
                     parsed.errors.data, errors);
    finish(&parsed);
}

void expect_errors(const char *text, const char *errors) {
    expect_errors_of_bytes(text, strlen(text), errors);
}

void expect_code(const char *text, const char *code) {
    Parsed parsed = parse(text);
    cr_assert_eq(parsed.context->diags->error_count, 1, "%.200s\n    has %s", text,
                 parsed.errors.data);
    cr_expect_str_eq(diag_row(parsed.context->diags->all.items[0]->code)->text, code);
    finish(&parsed);
}

void expect_message(const char *text, const char *place, const char *message) {
    Parsed parsed = parse(text);
    Buffer expected = {0};
    buffer_format(&expected, "E0201 %s", place);
    cr_assert_str_eq(parsed.errors.data, expected.data, "%s\n    has %s\n    not %s", text,
                     parsed.errors.data, expected.data);
    const char *found = parsed.context->diags->all.items[0]->message;
    cr_expect_str_eq(found, message, "%s\n    says %s\n    not %s", text, found, message);
    buffer_free(&expected);
    finish(&parsed);
}
