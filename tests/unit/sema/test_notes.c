// What the checker notes of a text on request, and that alignments are those of the messages.
#include "sema/notes/notes.h"

#include "parser/parse.h"
#include "sema/check.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct Checked {
    Context *context;
    Notes notes;
} Checked;

static Checked check_text(const char *text) {
    Checked checked = {.context = context_create()};
    SourceFile *source = sources_add(checked.context->sources, "test.tml", text, strlen(text));
    CheckOptions options = {.notes = &checked.notes};
    check_program(checked.context, parse_file(checked.context, source), &options);
    return checked;
}

static void free_checked(Checked *checked) {
    context_destroy(checked->context);
}

// How many notes there are of names that are declared at `start`, and at how many places.
static size_t count_uses(const Checked *checked, uint32_t start, size_t *places) {
    size_t uses = 0;
    *places = 0;
    for (size_t k = 0; k < checked->notes.names.count; k++) {
        const NameNote *note = &checked->notes.names.items[k];
        if (note->declaration.start != start + 1) { // the first file begins at position 1
            continue;
        }
        bool is_new = true;
        for (size_t i = 0; i < k; i++) {
            const NameNote *other = &checked->notes.names.items[i];
            is_new = is_new && other->span.start != note->span.start;
        }
        uses++;
        *places += is_new;
    }
    return uses;
}

Test(notes, instances_share_declarations) {
    const char *text = "fn f(tensor<real, n> a) real:\n"
                       "    b = a[0]\n"
                       "    macro if n == 2:\n"
                       "        return b\n"
                       "    else:\n"
                       "        return -b\n"
                       "    end\n"
                       "end\n"
                       "print(f([1, 2]), f([1, 2, 3]))\n";
    Checked checked = check_text(text);
    size_t places;
    cr_expect_eq(count_uses(&checked, (uint32_t)(strstr(text, "b = ") - text), &places), 4);
    cr_expect_eq(places, 3, "two instances, in each of which one use of `b` is left out");
    cr_expect_eq(checked.notes.instances.count, 2);
    cr_expect_eq(checked.notes.instances.items[1].values[0], 3);
    cr_assert_eq(checked.notes.calls.count, 2);
    cr_expect_eq(checked.notes.calls.items[1].callee, checked.notes.instances.items[1].function);
    free_checked(&checked);
}

// The alignment that the one error of the text explains is in the notes, with its types.
static void expect_explained(const char *text, const char *left, const char *right) {
    Checked checked = check_text(text);
    const DiagList *diags = checked.context->diags;
    cr_assert_eq(diags->error_count, 1, "%s", text);
    const Diag *diag = diags->all.items[0];
    cr_assert_not_null(diag->alignment, "%s", text);
    bool found = false;
    for (size_t k = 0; k < checked.notes.operands.count; k++) {
        const OperandNote *note = &checked.notes.operands.items[k];
        if (note->fit.why == SHAPE_OK) {
            continue;
        }
        found = true;
        bool one_pair = note->fit.why == SHAPE_LENGTHS;
        cr_expect_eq(note->span.start, diag->span.start, "%s", text);
        cr_expect_str_eq(type_text(checked.context->arena, note->left), left);
        cr_expect_str_eq(type_text(checked.context->arena, note->right), right);
        cr_expect_eq((int)note->fit.level, diag->alignment->level, "%s", text);
        cr_expect_eq(one_pair ? (int)note->fit.dim : -1, diag->alignment->dim, "%s", text);
    }
    cr_expect(found, "%s", text);
    free_checked(&checked);
}

Test(notes, alignments_are_those_of_messages) {
    expect_explained("a = [1, 2, 3]\nb = [1, 2; 3, 4]\nprint(b * a)\n", "tensor<int, 2, 2>",
                     "tensor<int, 3>");
    expect_explained("tensor<tensor<real, 2>, 3> a = 0.0\ntensor<tensor<real, 4>, 3> b = 0.0\n"
                     "print(a + b)\n",
                     "tensor<tensor<real, 2>, 3>", "tensor<tensor<real, 4>, 3>");
    expect_explained("a = [1, 2, 3]\na += [1, 2]\nprint(a)\n", "tensor<int, 3>", "tensor<int, 2>");
    expect_explained("print([1.0, 2.0] < [1.0, 2.0, 3.0])\n", "tensor<real, 2>", "tensor<real, 3>");
}

Test(notes, of_functions_without_sizes) {
    Checked checked = check_text("fn f(tensor<real, n> a) real:\n    return a + [1]\nend\n"
                                 "fn g(real a) real:\n    return a\nend\n");
    cr_assert_eq(checked.notes.unchecked.count, 1);
    cr_expect_str_eq(checked.notes.unchecked.items[0]->function.name.name->text, "f");
    free_checked(&checked);
}

// Each operator of a chain, however long, and however it is cut into temporaries.
Test(notes, of_long_chains) {
    Buffer text = {0};
    buffer_text(&text, "a = 1.0\nb = a");
    for (int k = 0; k < 250; k++) {
        buffer_format(&text, " + %d", k);
    }
    buffer_text(&text, "\nprint(b)\n");
    Checked checked = check_text(text.data);
    size_t operators = 0;
    for (size_t k = 0; k < checked.notes.values.count; k++) {
        const ValueNote *note = &checked.notes.values.items[k];
        operators += note->ast->kind == AST_BINARY;
        cr_expect(note->ast->kind != AST_BINARY || note->type->root == ROOT_REAL);
    }
    cr_expect_eq(operators, 250);
    cr_expect_eq(checked.notes.operands.count, 250);
    buffer_free(&text);
    free_checked(&checked);
}
