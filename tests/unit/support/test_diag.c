#include "support/diag/diag.h"

#include "support/context.h"

#include <criterion/criterion.h>

static Context *context;

static void setup(void) {
    context = context_create();
}

static void teardown(void) {
    context_destroy(context);
}

TestSuite(diag, .init = setup, .fini = teardown);

Test(diag, codes_have_texts_and_titles) {
    cr_assert_str_eq(diag_row(DIAG_E0501)->text, "E0501");
    cr_assert_str_eq(diag_row(DIAG_E0501)->title, "shapes that do not broadcast");
}

Test(diag, parts_are_kept) {
    DiagList *diags = context->diags;
    Diag *diag = diag_error(diags, DIAG_E0301, (Span){1, 4}, "unknown name `%s`", "foo");
    diag_here(diag, "not %s", "found");
    diag_label(diag, (Span){7, 8}, "label %d", 1);
    diag_note(diag, "note");
    diag_note_at(diag, (Span){2, 3}, "note at");
    diag_help(diag, "help");
    diag_table(diag, "a\nb");

    cr_assert_eq(diags->all.count, 1);
    cr_assert_eq(diags->all.items[0], diag);
    cr_assert_eq(diag->severity, SEVERITY_ERROR);
    cr_assert_str_eq(diag->message, "unknown name `foo`");
    cr_assert_str_eq(diag->span_text, "not found");
    cr_assert_eq(diag->labels.count, 1);
    cr_assert_str_eq(diag->labels.items[0].text, "label 1");
    cr_assert_eq(diag->notes.count, 4);
    cr_assert_eq(diag->notes.items[1].span.start, 2);
    cr_assert_eq(diag->notes.items[2].part, DIAG_HELP);
    cr_assert_eq(diag->notes.items[3].part, DIAG_TABLE);
}

Test(diag, nothing_is_said_twice) {
    DiagList *diags = context->diags;
    diag_error(diags, DIAG_E0301, (Span){1, 4}, "first");
    Diag *again = diag_error(diags, DIAG_E0301, (Span){1, 4}, "second");
    cr_assert_not_null(again);
    diag_label(again, (Span){1, 2}, "goes nowhere");
    diag_error(diags, DIAG_E0302, (Span){1, 4}, "another code");
    diag_error(diags, DIAG_E0301, (Span){1, 5}, "another span");
    cr_assert_eq(diags->error_count, 3);
    cr_assert_eq(diags->all.count, 3);
    cr_assert_eq(diags->all.items[0]->labels.count, 0);
}

Test(diag, messages_without_a_place_all_count) {
    DiagList *diags = context->diags;
    diag_error(diags, DIAG_E0903, (Span){0}, "a.tml");
    diag_error(diags, DIAG_E0903, (Span){0}, "b.tml");
    cr_assert_eq(diags->all.count, 2);
}

Test(diag, warnings_are_apart_by_name) {
    DiagList *diags = context->diags;
    Diag *warning = diag_warning(diags, WARNING_GUARD, (Span){1, 2}, "x");
    diag_warning(diags, WARNING_GUARD, (Span){1, 2}, "x");
    diag_warning(diags, WARNING_UNUSED, (Span){1, 2}, "x");
    cr_assert_eq(diags->warning_count, 2);
    cr_assert_eq(diags->error_count, 0);
    cr_assert_eq(warning->severity, SEVERITY_WARNING);
    cr_assert_eq(warning->warning, WARNING_GUARD);
}

Test(diag, beyond_the_limit_errors_are_counted_once_each) {
    DiagList *diags = context->diags;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 1; i <= 1000; i++) {
            Diag *diag = diag_error(diags, DIAG_E0301, (Span){i, i + 1}, "%u", i);
            diag_note(diag, "note %u", i);
        }
    }
    cr_assert_eq(diags->error_count, 1000);
    cr_assert_eq(diags->all.count, DIAG_LIMIT);
    diag_warning(diags, WARNING_GUARD, (Span){1, 2}, "still kept");
    cr_assert_eq(diags->all.count, DIAG_LIMIT + 1);
}
