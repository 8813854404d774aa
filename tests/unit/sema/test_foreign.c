// The table of words that people bring (parser/mistakes/foreign.h), held against the built-ins.
#include "parser/mistakes/foreign.h"
#include "sema/builtin/builtin.h"
#include "sema/library/library.h"
#include "support/context.h"

#include <criterion/criterion.h>
#include <string.h>

static bool is_builtin(Context *context, const char *text, size_t len) {
    return builtin_find(names_intern(context->names, text, len)) != NULL;
}

// A built-in needs no row: it would never be asked for.
Test(foreign, functions_are_not_built_in) {
    Context *context = context_create();
    ForeignWord meant;
    const char *words;
    for (size_t row = 0; (words = foreign_row(row, &meant)) != NULL; row++) {
        if ((meant.roles & (FOREIGN_NAME | FOREIGN_SENTENCE)) == 0) {
            continue;
        }
        for (; *words != '\0'; words += strspn(words, " ")) {
            size_t len = strcspn(words, " ");
            cr_expect(!is_builtin(context, words, len), "`%.*s` is built in", (int)len, words);
            words += len;
        }
    }
    context_destroy(context);
}

Test(foreign, names_mean_something) {
    static const char *const others[] = {"real", "int", "uint", "bool", "M_PI", "inf"};
    Context *context = context_create();
    ForeignWord meant;
    size_t count = 0;
    for (size_t row = 0; foreign_row(row, &meant) != NULL; row++) {
        if ((meant.roles & FOREIGN_NAME) == 0) {
            continue;
        }
        bool known =
            is_builtin(context, meant.tml, strlen(meant.tml)) || library_named(meant.tml) != NULL;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            known = known || strcmp(others[i], meant.tml) == 0;
        }
        cr_expect(known, "`%s` is nothing", meant.tml);
        count++;
    }
    cr_expect(count > 10);
    context_destroy(context);
}

Test(foreign, roles_tell_rows_apart) {
    cr_expect_str_eq(foreign_find((Slice){"Real", 4}, FOREIGN_TYPE)->tml, "real");
    cr_expect_str_eq(foreign_find((Slice){"END_IF", 6}, FOREIGN_WORD)->tml, "end");
    cr_expect_null(foreign_find((Slice){"END_IF", 6}, FOREIGN_NAME));
    cr_expect_null(foreign_find((Slice){"speed", 5}, ~0U));
}
