#include "support/source.h"

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

TestSuite(source, .init = setup, .fini = teardown);

static SourceFile *add(const char *path, const char *text) {
    return sources_add(context->sources, path, text, strlen(text));
}

static void check_place(uint32_t position, const SourceFile *file, uint32_t line, uint32_t column) {
    SourcePlace place = sources_place(context->sources, position);
    cr_assert_eq(place.file, file);
    cr_assert_eq(place.offset, position - file->base);
    cr_assert_eq(place.line, line, "line %u", place.line);
    cr_assert_eq(place.column, column, "column %u", place.column);
}

Test(source, positions_of_several_files) {
    SourceFile *a = add("a.tml", "x = 1\n\ny = 2\n");
    SourceFile *empty = add("empty.tml", "");
    SourceFile *b = add("b.tml", "z");
    cr_assert_eq(a->base, 1);
    cr_assert_eq(sources_count(context->sources), 3);
    cr_assert_eq(sources_file(context->sources, 1), empty);
    cr_assert_eq(b->index, 2);

    check_place(a->base, a, 1, 1);
    check_place(a->base + 5, a, 1, 6);
    check_place(a->base + 6, a, 2, 1);
    check_place(a->base + 7, a, 3, 1);
    check_place(a->base + 13, a, 4, 1);
    check_place(empty->base, empty, 1, 1);
    check_place(b->base, b, 1, 1);
    check_place(b->base + 1, b, 1, 2);
}

Test(source, position_zero_is_nowhere) {
    add("a.tml", "x");
    cr_assert_null(sources_place(context->sources, 0).file);
    cr_assert(span_is_nowhere((Span){0, 0}));
    cr_assert_not(span_is_nowhere((Span){1, 1}));
    cr_assert_eq(sources_text(context->sources, (Span){0, 0}).len, 0);
}

Test(source, text_is_a_copy_that_ends_in_two_zeros) {
    char text[] = "abc";
    SourceFile *file = add("a.tml", text);
    text[0] = 'z';
    cr_assert_eq(memcmp(file->text, "abc\0\0", 5), 0);
}

static void check_line(SourceFile *file, uint32_t line, const char *expected) {
    Slice text = source_line(file, line);
    cr_assert_eq(text.len, strlen(expected));
    cr_assert_eq(memcmp(text.data, expected, text.len), 0);
}

Test(source, lines_lose_their_ends) {
    SourceFile *file = add("a.tml", "one\r\ntwo\n\r\nlast\r");
    check_line(file, 1, "one");
    check_line(file, 2, "two");
    check_line(file, 3, "");
    check_line(file, 4, "last");
    check_line(add("empty.tml", ""), 1, "");
}

Test(source, characters_are_counted_without_the_byte_order_mark) {
    SourceFile *file = add("a.tml", "\xEF\xBB\xBF# \xC3\xA9\xE4\xB8\xAD!\n\xC3\xA9x");
    uint32_t base = file->base;
    cr_assert_eq(source_character(sources_place(context->sources, base + 3)), 1);
    cr_assert_eq(source_character(sources_place(context->sources, base + 10)), 5);
    cr_assert_eq(source_character(sources_place(context->sources, base + 14)), 2);
}

Test(source, spans_join_and_end) {
    Span a = {3, 5};
    Span b = {8, 9};
    Span nowhere = {0, 0};
    cr_assert_eq(span_join(a, b).start, 3);
    cr_assert_eq(span_join(b, a).end, 9);
    cr_assert_eq(span_join(nowhere, a).start, 3);
    cr_assert_eq(span_join(a, nowhere).end, 5);
    cr_assert_eq(span_after(a).start, 5);
    cr_assert_eq(span_after(a).end, 5);
}

Test(source, text_of_a_span) {
    add("a.tml", "first");
    SourceFile *file = add("b.tml", "a + bc");
    Slice text = sources_text(context->sources, (Span){file->base + 4, file->base + 6});
    cr_assert_eq(text.len, 2);
    cr_assert_eq(memcmp(text.data, "bc", 2), 0);
}

Test(source, too_much_text_is_refused) {
    add("a.tml", "x");
    cr_assert_null(sources_add(context->sources, "b.tml", "", (size_t)INT32_MAX));
    cr_assert_eq(sources_count(context->sources), 1);
}
