// What messages look like. Spans are given as pieces of the source text.
#include "support/diag/render.h"

#include "support/context.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static Context *context;

static void setup(void) {
    context = context_create();
}

static void teardown(void) {
    context_destroy(context);
}

TestSuite(render, .init = setup, .fini = teardown);

static SourceFile *add(const char *path, const char *text) {
    return sources_add(context->sources, path, text, strlen(text));
}

// The span of `piece` inside the first `around` of the file.
static Span within(const SourceFile *file, const char *around, const char *piece) {
    const char *start = strstr(strstr(file->text, around), piece);
    uint32_t position = file->base + (uint32_t)(start - file->text);
    return (Span){position, position + (uint32_t)strlen(piece)};
}

static Span of(const SourceFile *file, const char *piece) {
    return within(file, piece, piece);
}

static void check(RenderOptions options, const char *expected) {
    Buffer out = {0};
    buffer_text(&out, "");
    render_diags(&out, context->diags, context->sources, options);
    cr_assert_str_eq(out.data, expected, "got:\n%s", out.data);
    buffer_free(&out);
}

static void check_human(const char *expected) {
    check((RenderOptions){RENDER_HUMAN, false}, expected);
}

static void check_short(const char *expected) {
    check((RenderOptions){RENDER_SHORT, false}, expected);
}

static const char heat[] = "a = [1, 2; 1, 2]\n\n\n\n\n\n\n\n\n\nc = a + b\n";

Test(render, the_message_of_the_manual) {
    DiagList *diags = context->diags;
    SourceFile *file = add("heat.tml", heat);
    Diag *diag = diag_error(diags, DIAG_E0501, of(file, "+"), "these shapes do not broadcast");
    diag_label(diag, of(file, "a"), "a is tensor<int, 2, 2>, from this literal");
    diag_label(diag, within(file, "a + b", "a"), "%s", "");
    diag_label(diag, of(file, "b"), "b is tensor<int, 2, 3>");
    diag_table(diag, "dim        0   1\na          2   2");
    diag_note(diag, "a note");
    diag_help(diag, "two\nlines");
    check_human("heat.tml:11:7: error[E0501]: these shapes do not broadcast\n"
                "   |\n"
                " 1 | a = [1, 2; 1, 2]\n"
                "   | - a is tensor<int, 2, 2>, from this literal\n"
                "11 | c = a + b\n"
                "   |     - ^ - b is tensor<int, 2, 3>\n"
                "   |\n"
                "   = dim        0   1\n"
                "     a          2   2\n"
                "   = note: a note\n"
                "   = help: two\n"
                "     lines\n");
}

Test(render, several_texts_hang_below_their_line) {
    DiagList *diags = context->diags;
    SourceFile *file = add("heat.tml", heat);
    Diag *diag = diag_error(diags, DIAG_E0502, of(file, "+"), "message");
    diag_here(diag, "these");
    diag_label(diag, of(file, "b"), "right");
    diag_label(diag, within(file, "a + b", "a"), "left");
    check_human("heat.tml:11:7: error[E0502]: message\n"
                "   |\n"
                "11 | c = a + b\n"
                "   |     - ^ - right\n"
                "   |     | |\n"
                "   |     | these\n"
                "   |     left\n");
}

Test(render, a_mark_inside_another_stays_visible) {
    DiagList *diags = context->diags;
    SourceFile *file = add("x.tml", "c = a + b");
    Diag *diag = diag_error(diags, DIAG_E0502, of(file, "a + b"), "message");
    diag_label(diag, of(file, "b"), "right");
    check_human("x.tml:1:5: error[E0502]: message\n"
                "  |\n"
                "1 | c = a + b\n"
                "  |     ^^^^- right\n");
}

Test(render, other_files_are_headed) {
    DiagList *diags = context->diags;
    SourceFile *main_file = add("main.tml", "import \"lib.tml\"\nf(1)\n");
    SourceFile *library = add("lib.tml", "fn f():\nend\n");
    Diag *diag = diag_error(diags, DIAG_E0711, of(main_file, "1"), "too many arguments");
    diag_label(diag, of(library, "f()"), "declared here");
    diag_note_at(diag, of(main_file, "import"), "imported here");
    check_human("main.tml:2:3: error[E0711]: too many arguments\n"
                "  |\n"
                "2 | f(1)\n"
                "  |   ^\n"
                " --> lib.tml:1\n"
                "  |\n"
                "1 | fn f():\n"
                "  |    --- declared here\n"
                "main.tml:1:1: note: imported here\n"
                "  |\n"
                "1 | import \"lib.tml\"\n"
                "  | ^^^^^^\n");
}

Test(render, tabs_wide_and_unprintable_characters) {
    DiagList *diags = context->diags;
    SourceFile *file =
        add("x.tml", "\xEF\xBB\xBF\tx\t= '\xE4\xB8\xAD\xE2\x80\xAE' \x1b\xff + y # \xC3\xA9\r\n");
    diag_error(diags, DIAG_E0301, of(file, "y"), "unknown name `\x1b[2J\xff`");
    diag_label(diag_error(diags, DIAG_E0101, of(file, "\xff"), "byte"), of(file, "x\t="), "%s", "");
    diag_error(diags, DIAG_E0101, (Span){file->base, file->base + 4}, "start");
    check_human("x.tml:1:1: error[E0101]: start\n"
                "  |\n"
                "1 |     x   = '\xE4\xB8\xAD\\u{202e}' \\x1b\\xff + y # \xC3\xA9\n"
                "  | ^^^^\n"
                "\n"
                "x.tml:1:12: error[E0101]: byte\n"
                "  |\n"
                "1 |     x   = '\xE4\xB8\xAD\\u{202e}' \\x1b\\xff + y # \xC3\xA9\n"
                "  |     -----                  ^^^^\n"
                "\n"
                "x.tml:1:16: error[E0301]: unknown name `\\x1b[2J\\xff`\n"
                "  |\n"
                "1 |     x   = '\xE4\xB8\xAD\\u{202e}' \\x1b\\xff + y # \xC3\xA9\n"
                "  |                                   ^\n");
}

Test(render, ends_of_files) {
    DiagList *diags = context->diags;
    SourceFile *file = add("x.tml", "if c:\n");
    SourceFile *empty = add("empty.tml", "");
    SourceFile *open = add("open.tml", "x");
    diag_error(diags, DIAG_E0201, (Span){file->base + 6, file->base + 6}, "end");
    diag_error(diags, DIAG_E0201, (Span){empty->base, empty->base}, "empty");
    diag_error(diags, DIAG_E0201, (Span){open->base + 1, open->base + 1}, "open");
    check_human("x.tml:2:1: error[E0201]: end\n"
                "  |\n"
                "2 |\n"
                "  | ^\n"
                "\n"
                "empty.tml:1:1: error[E0201]: empty\n"
                "  |\n"
                "1 |\n"
                "  | ^\n"
                "\n"
                "open.tml:1:2: error[E0201]: open\n"
                "  |\n"
                "1 | x\n"
                "  |  ^\n");
}

Test(render, spans_of_several_lines_show_the_first) {
    SourceFile *file = add("x.tml", "x = [1, 2\n     3]\n");
    diag_error(context->diags, DIAG_E0411, of(file, "[1, 2\n     3]"), "rows");
    check_human("x.tml:1:5: error[E0411]: rows\n"
                "  |\n"
                "1 | x = [1, 2\n"
                "  |     ^^^^^\n");
}

Test(render, long_lines_are_cut_around_the_marks) {
    enum { LENGTH = 1 << 20, MIDDLE = 500000 };
    char *text = malloc(LENGTH + 1);
    memset(text, 'x', LENGTH);
    text[MIDDLE] = '+';
    text[LENGTH] = '\0';
    SourceFile *file = add("x.tml", text);
    Diag *diag = diag_error(context->diags, DIAG_E0501, of(file, "+"), "message");
    diag_label(diag, (Span){file->base + 600000, file->base + 600001}, "far");
    check_human("x.tml:1:500001: error[E0501]: message\n"
                "  |\n"
                "1 | ...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx+xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\n"
                "  |                                  ^                                 "
                "                              - far\n");
    free(text);
}

Test(render, cuts_keep_characters_whole) {
    enum { PAIRS = 300 };
    char text[2 * PAIRS + 2];
    for (size_t i = 0; i < PAIRS; i++) {
        memcpy(text + 2 * i, "\xC3\xA9", 2);
    }
    memcpy(text + 2 * PAIRS, "y", 2);
    SourceFile *file = add("x.tml", text);
    diag_error(context->diags, DIAG_E0102, of(file, "y"), "message");
    check_human("x.tml:1:301: error[E0102]: message\n"
                "  |\n"
                "1 | ...\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
                "\u00e9\u00e9\u00e9y\n"
                "  |                   ^\n");
}

Test(render, cuts_in_what_is_not_utf8_keep_the_mark) {
    char text[1001];
    memset(text, '\x80', 1000);
    text[1000] = '\0';
    SourceFile *file = add("x.tml", text);
    diag_error(context->diags, DIAG_E0101, (Span){file->base + 500, file->base + 501}, "byte");
    Buffer out = {0};
    render_diags(&out, context->diags, context->sources, (RenderOptions){RENDER_HUMAN, false});
    cr_assert_not_null(strstr(out.data, " | ..."));
    cr_assert_not_null(strstr(out.data, "    ^^^^\n"), "got:\n%s", out.data);
    buffer_free(&out);
}

Test(render, ordered_by_position_then_by_record) {
    SourceFile *file = add("x.tml", "a b c");
    DiagList *diags = context->diags;
    diag_error(diags, DIAG_E0301, of(file, "c"), "third");
    diag_error(diags, DIAG_E0401, of(file, "a"), "first");
    diag_warning(diags, WARNING_GUARD, of(file, "a"), "second");
    diag_error(diags, DIAG_E0903, (Span){0}, "no place");
    check_short("tmlc: error[E0903]: no place\n"
                "x.tml:1:1: error[E0401]: first\n"
                "x.tml:1:1: warning[-Wguard]: second\n"
                "x.tml:1:5: error[E0301]: third\n");
}

Test(render, nothing_to_say) {
    check_human("");
}

Test(render, notes_of_a_message_without_a_place) {
    DiagList *diags = context->diags;
    Diag *diag = diag_error(diags, DIAG_E0903, (Span){0}, "cannot read `x.tml`");
    diag_note(diag, "No such file");
    check_human("tmlc: error[E0903]: cannot read `x.tml`\n"
                "  = note: No such file\n");
}

static void count_on_last_line(const char *expected) {
    Buffer out = {0};
    render_diags(&out, context->diags, context->sources, (RenderOptions){RENDER_SHORT, false});
    cr_assert_gt(out.len, strlen(expected));
    cr_assert_str_eq(out.data + out.len - strlen(expected), expected);
    buffer_free(&out);
}

Test(render, errors_beyond_the_limit_are_counted) {
    SourceFile *file = add("x.tml", "0123456789012345678901234567890123456789012345678901234567");
    for (uint32_t i = 0; i < 20; i++) {
        diag_error(context->diags, DIAG_E0101, (Span){file->base + i, file->base + i}, "m");
    }
    count_on_last_line("x.tml:1:20: error[E0101]: m\n");
    for (uint32_t i = 20; i < 57; i++) {
        diag_error(context->diags, DIAG_E0101, (Span){file->base + i, file->base + i}, "m");
    }
    count_on_last_line("x.tml:1:20: error[E0101]: m\ntmlc: 57 errors, 20 shown\n");
}

Test(render, colours_only_when_asked_for) {
    SourceFile *file = add("x.tml", "a");
    diag_error(context->diags, DIAG_E0301, of(file, "a"), "m");
    check((RenderOptions){RENDER_SHORT, true},
          "\x1b[1mx.tml:1:1: \x1b[0m\x1b[1;31merror[E0301]: \x1b[0m\x1b[1mm\x1b[0m\n");
    check_short("x.tml:1:1: error[E0301]: m\n");
}

static void check_json(const char *expected) {
    check((RenderOptions){RENDER_JSON, false}, expected);
}

Test(render, json_of_nothing) {
    check_json("{\"diagnostics\":[],\"errors\":0,\"warnings\":0}\n");
}

Test(render, json_has_every_part) {
    DiagList *diags = context->diags;
    SourceFile *file = add("x.tml", "# \xC3\xA9\na + b");
    Diag *diag = diag_error(diags, DIAG_E0501, of(file, "+"), "say \"no\"");
    diag_here(diag, "here");
    diag_label(diag, of(file, "b"), "label \xff");
    diag_help(diag, "help");
    diag_edit(diag, of(file, "b"), "%s", "c");
    const uint16_t ranks[] = {1, 2};
    const uint32_t lengths[] = {4, 5, 6};
    diag->alignment =
        &(DiagAlignment){{"a", 2, ranks, lengths}, {"b", 1, ranks, lengths}, .level = 0, .dim = -1};
    diag_warning(diags, WARNING_GUARD, (Span){0}, "w");
    check_json("{\"diagnostics\":["
               "{\"code\":\"W0000\",\"severity\":\"warning\",\"name\":\"guard\",\"message\":\"w\","
               "\"file\":null,\"line\":null,\"column\":null,\"start\":null,\"end\":null,"
               "\"text\":null,\"labels\":[],\"notes\":[],\"alignment\":null,\"edits\":[]},"
               "{\"code\":\"E0501\",\"severity\":\"error\",\"message\":\"say \\\"no\\\"\","
               "\"file\":\"x.tml\",\"line\":2,\"column\":3,\"start\":7,\"end\":8,\"text\":\"here\","
               "\"labels\":[{\"text\":\"label \\\\xff\",\"file\":\"x.tml\",\"line\":2,\"column\":5,"
               "\"start\":9,\"end\":10}],"
               "\"notes\":[{\"kind\":\"help\",\"text\":\"help\",\"file\":null,\"line\":null,"
               "\"column\":null,\"start\":null,\"end\":null}],"
               "\"alignment\":{\"left\":{\"name\":\"a\",\"levels\":[[4],[5,6]]},"
               "\"right\":{\"name\":\"b\",\"levels\":[[4]]},\"level\":0,\"dim\":null},"
               "\"edits\":[{\"text\":\"c\",\"file\":\"x.tml\",\"line\":2,\"column\":5,"
               "\"start\":9,\"end\":10}]}],"
               "\"errors\":1,\"warnings\":1}\n");
}
