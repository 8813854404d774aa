// Every pair of binary operators, and what applies to one operand (L5.1).
#include "parsed.h"
#include "support/buffer.h"

#include <criterion/criterion.h>

// Levels from loose to tight; within a level operators group from the left.
static const struct {
    const char *text;
    int level;
} operators[] = {
    {"or", 0}, {"and", 1}, {"|", 2},  {"^", 3},  {"&", 4},  {"<", 5},   {"<=", 5}, {">", 5},
    {">=", 5}, {"==", 5},  {"!=", 5}, {"?:", 6}, {"<<", 7}, {">>", 7},  {"+", 8},  {"-", 8},
    {"*", 9},  {"/", 9},   {"%", 9},  {"\\", 9}, {".*", 9}, {"**", 10},
};

enum { OPERATOR_COUNT = sizeof(operators) / sizeof(operators[0]) };

Test(precedence, every_pair) {
    for (size_t i = 0; i < OPERATOR_COUNT; i++) {
        for (size_t k = 0; k < OPERATOR_COUNT; k++) {
            const char *first = operators[i].text;
            const char *second = operators[k].text;
            bool left = operators[i].level >= operators[k].level;
            Buffer text = {0};
            Buffer printed = {0};
            buffer_format(&text, "a %s b %s c", first, second);
            buffer_format(&printed, left ? "((a %s b) %s c)" : "(a %s (b %s c))", first, second);
            expect_expr(text.data, printed.data);
            buffer_free(&text);
            buffer_free(&printed);
        }
    }
}

Test(precedence, unary_operators) {
    expect_expr("-a * b", "((-a) * b)");
    expect_expr("a * -b", "(a * (-b))");
    expect_expr("a + -b * c", "(a + ((-b) * c))");
    expect_expr("-+~a", "(-(+(~a)))");
    expect_expr("-a ** b", "(-(a ** b))");
    expect_expr("a - -b", "(a - (-b))");
    expect_expr("~a & b", "((~a) & b)");
    expect_expr("-a.b[0]", "(-a.b[0])");
    expect_expr("-a'", "(-a')");
    expect_expr("not a and b", "((not a) and b)");
    expect_expr("not a == b", "(not (a == b))");
    expect_expr("not a | b", "(not (a | b))");
    expect_expr("not not a", "(not (not a))");
    expect_expr("a or not b and c", "(a or ((not b) and c))");
}

Test(precedence, powers_and_transposes_are_one_level) {
    expect_expr("a ** b ** c", "((a ** b) ** c)");
    expect_expr("2 ** -1", "(2 ** (-1))");
    expect_expr("2 ** -1 ** 3", "((2 ** (-1)) ** 3)");
    expect_expr("2 ** --1", "(2 ** (-(-1)))");
    expect_expr("-2 ** 2", "(-(2 ** 2))");
    expect_expr("a' ** b", "(a' ** b)");
    expect_expr("a ** b'", "(a ** b)'");
    expect_expr("a ** (b')", "(a ** (b'))");
    expect_expr("a ** (b')[0]", "(a ** (b'[0]))");
    expect_expr("a ** (b'.rows) ** c", "((a ** (b'.rows)) ** c)");
    expect_expr("a ** -(b')", "(a ** (-b'))");
    expect_expr("a''", "a''");
    expect_expr("x'[0]", "x'[0]");
    expect_expr("x[0]'", "x[0]'");
    expect_expr("x'.rows", "x'.rows");
    expect_expr("a .* b'", "(a .* b')");
}

Test(precedence, what_applies_to_a_name) {
    expect_expr("t.a[0].len", "t.a[0].len");
    expect_expr("t.a? + t.b", "(t.a? + t.b)");
    expect_expr("f(a)[1, :]", "f(a)[1, :]");
    expect_expr("min!(a) + b", "(min!(a) + b)");
    expect_expr("x{i, 2}[0]", "x{i, 2}[0]");
    expect_expr("t.in{i}", "t.in{i}");
    expect_expr("(a + b).len", "(a + b).len");
    expect_expr("[1, 2][0]", "[1, 2][0]");
}

Test(precedence, a_condition_reads_as_it_should) {
    expect_expr("a + 1 < b and c != d or e", "((((a + 1) < b) and (c != d)) or e)");
    expect_expr("x & 1u == 0u", "(x & (1u == 0u))");
    expect_expr("a < b < c", "((a < b) < c)");
    expect_expr("a ?: b + c", "(a ?: (b + c))");
    expect_expr("a << 1 + 2", "(a << (1 + 2))");
}
