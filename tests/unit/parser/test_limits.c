// Texts that nest too deeply, or are very long: one error at its place, quickly.
#include "parsed.h"
#include "support/buffer.h"

#include <criterion/criterion.h>

enum { MANY = 100000 };

static char *repeat(Buffer *buffer, const char *before, const char *part, size_t count,
                    const char *after) {
    buffer->len = 0;
    buffer_text(buffer, before);
    for (size_t i = 0; i < count; i++) {
        buffer_text(buffer, part);
    }
    buffer_text(buffer, after);
    return buffer->data;
}

Test(limits, nesting_ends_in_one_error, .timeout = 60) {
    static const struct {
        const char *before, *part, *after, *errors;
    } rows[] = {
        {"x = ", "(", "", "E0901 1:1005"},
        {"x = ", "[", "", "E0901 1:1005"},
        {"x = ", "f(", "", "E0901 1:2006"},
        {"x", "{x", "", "E0901 1:2002"},
        {"", "if x:\n", "", "E0901 1001:4"},
        {"", "fn f():\n", "", "E0901 1001:1"},
        {"", "macro for i = 0:1:\n", "", "E0901 1000:15"},
        {"x = a", "'", "\n", "E0901 1:1005"},
    };
    Buffer text = {0};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        expect_errors(repeat(&text, rows[i].before, rows[i].part, MANY, rows[i].after),
                      rows[i].errors);
    }
    buffer_free(&text);
}

// The grammar's stack ends before a node is made.
Test(limits, the_stack_of_the_grammar_ends_in_the_same_error, .timeout = 60) {
    Buffer text = {0};
    expect_code(repeat(&text, "x = ", "-", MANY, "1\n"), "E0901");
    expect_code(repeat(&text, "x = ", "not ", MANY, "a\n"), "E0901");
    expect_code(repeat(&text, "", "tensor<", MANY, "int"), "E0901");
    buffer_free(&text);
}

Test(limits, what_the_limit_allows_is_legal) {
    Buffer text = {0};
    Buffer closing = {0};
    repeat(&closing, "1", ")", 999, "\n");
    expect_errors(repeat(&text, "x = ", "(", 999, closing.data), "");
    repeat(&closing, "1", ")", 1000, "\n");
    expect_errors(repeat(&text, "x = ", "(", 1000, closing.data), "E0901 1:5");
    expect_errors(repeat(&text, "x = ", "-", 999, "1\n"), "");
    expect_errors(repeat(&text, "x = ", "-", 1000, "1\n"), "E0901 1:5");
    repeat(&closing, "", "end\n", 1000, "");
    expect_errors(repeat(&text, "", "if x:\n", 1000, closing.data), "");
    repeat(&closing, "", "end\n", 1001, "");
    expect_errors(repeat(&text, "", "if x:\n", 1001, closing.data), "E0901 1001:4");
    buffer_free(&text);
    buffer_free(&closing);
}

// Chains are not nesting.
Test(limits, operators_and_brackets_in_a_row, .timeout = 60) {
    static const struct {
        const char *before, *part, *error;
    } rows[] = {
        {"x = 1", " + 1", "E0901 1:600007"},     {"x = a", " and a", "E0901 1:900007"},
        {"x = a", " ** 2", "E0901 1:750007"},    {"x = a", "[0]", "E0901 1:450006"},
        {"x = (1)", " - (1)", "E0901 1:900009"},
    };
    Buffer text = {0};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        expect_errors(repeat(&text, rows[i].before, rows[i].part, 150000, "\n"), "");
        expect_errors(repeat(&text, rows[i].before, rows[i].part, 150001, "\n"), rows[i].error);
    }
    buffer_free(&text);
}

Test(limits, long_texts, .timeout = 60) {
    Buffer text = {0};
    expect_errors(repeat(&text, "x = [", "1, ", 350000, "1]\n"), "");
    expect_errors(repeat(&text, "x = ", "y ", 500000, "\n"), "E0201 1:7");
    expect_errors(repeat(&text, "x = ", "= ", 500000, "\n"), "E0201 1:5");
    expect_errors(repeat(&text, "", ")", 1000000, "\n"), "E0201 1:1");
    expect_errors(repeat(&text, "x = '", "\\'", 500000, "\n"), "E0105 1:5");
    expect_errors(repeat(&text, "x = a", "'\\", 500000, "\n"), "E0105 1:8");
    expect_errors(repeat(&text, "", " ", 1000000, ""), "");
    expect_errors(repeat(&text, "if a:\n", "elseif b:\n", MANY, "end\n"), "");
    buffer_free(&text);
}
