// What the help of a message would change in the source.
#include "parser/parse.h"
#include "sema/check.h"
#include "support/buffer.h"

#include <criterion/criterion.h>
#include <string.h>

// Checks all edits of the messages on a text, each as "old -> new".
static void expect_edits(const char *text, const char *edits) {
    Context *context = context_create();
    SourceFile *source = sources_add(context->sources, "test.tml", text, strlen(text));
    CheckOptions options = {0};
    check_program(context, parse_file(context, source), &options);
    Buffer found = {0};
    buffer_text(&found, "");
    const DiagList *diags = context->diags;
    for (size_t i = 0; i < diags->all.count; i++) {
        const Diag *diag = diags->all.items[i];
        for (size_t k = 0; k < diag->edits.count; k++) {
            Slice old = sources_text(context->sources, diag->edits.items[k].span);
            buffer_format(&found, "%s%.*s -> %s", found.len == 0 ? "" : "; ", (int)old.len,
                          old.data, diag->edits.items[k].text);
        }
    }
    cr_expect_str_eq(found.data, edits, "%s\n    has %s\n    not %s", text, found.data, edits);
    buffer_free(&found);
    context_destroy(context);
}

Test(edits, of_an_index) {
    expect_edits("v = [1, 2]\nprint(v[1.5])\n", "1.5 -> int(1.5)");
    expect_edits("v = [1, 2]\nprint(v[1.5 -\n 0.5])\n", ""); // a help is one line
    expect_edits("v = [1, 2]\nprint(v[true])\n", "");
    expect_edits("v = [1, 2]\nprint(v[-1])\n", "-1 -> 1");
}
