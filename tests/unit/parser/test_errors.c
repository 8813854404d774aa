// One mistake gives one message, at its place.
#include "parsed.h"

#include <criterion/criterion.h>

Test(errors, messages) {
    static const struct {
        const char *text, *place, *message;
    } rows[] = {
        {"x = 3 + * 4", "1:9", "expected an expression, found `*`"},
        {"x = f(1 2)", "1:9", "expected `)`, `,` or an operator, found `2`"},
        {"x = [1, 2\n 3, 4]", "1:10", "the end of a line separates neither rows nor elements"},
        {"x = 3 4", "1:7", "expected an operator or the next statement, found `4`"},
        {"x = a b\ny = 2", "1:7", "expected an operator or the next statement, found `b`"},
        {"x =", "1:4", "expected an expression, found the end of the file"},
        {"x = (1 + 2\ny = 3", "2:1", "expected `)`, found `y`"},
        {"x = 3)", "1:6", "`)` closes nothing"},
        {"x = f\n(a)", "2:1", "the `(` of a call must stand on the line of the name"},
        {"x = a\n[0]", "2:1", "the `[` of an index must stand on the line of what it indexes"},
        {"if x\n y = 1\nend", "1:5", "the header has no `:`"},
        {"if x = 1:\nend", "1:6", "`=` assigns, and a condition does not"},
        {"if x: y = 1 end", "1:5", "the `:` that ends a header must be the last thing on its line"},
        {"if x {\n y = 1\n}", "1:6", "`{` does not begin a block"},
        {"if a:\nelse if b:\nend", "2:1", "`else if` is one word in TML"},
        {"else:\n x = 1\nend", "1:1", "`else` without an `if` that could have it"},
        {"x = 1\nend", "2:1", "`end` without an open block"},
        {"if x:\n y = 1", "2:7", "expected `end`, found the end of the file"},
        {"for i in 0:3:\nend", "1:7", "expected `=`, found `in`"},
        {"for i = 3:\nend", "1:10", "the range of a loop needs two ends"},
        {"for (i = 0:3):\nend", "1:5", "the header of a loop has no parentheses"},
        {"fn f(a, b):\nend", "1:6", "`a` is not a type"},
        {"fn f(int a int b):\nend", "1:12", "expected `)` or `,`, found `int`"},
        {"fn end():\nend", "1:4", "expected a name, found `end`"},
        {"int end = 3", "1:5", "expected a name, found `end`"},
        {"pass = 3", "1:1", "expected a name, found `pass`"},
        {"int x\ny = 2", "1:5", "a declaration needs a value"},
        {"in real x", "1:9", "a name of the interface has `t.`, `p.` or `n.` before it"},
        {"float x = 3", "1:1", "`float` is not a type"},
        {"elif x:\n y = 1", "1:1", "`elif` is not a word of TML"},
        {"function f()\n pass\nend", "1:1", "`function` is not a word of TML"},
        {"print \"x\"", "1:1", "`print` is not a word of TML"},
        {"x", "1:1", "a value alone is not a statement"},
        {"x + 1\ny = 2", "1:1", "a value alone is not a statement"},
        {"x = y[]", "1:7", "brackets without an index"},
        {"x = f(1)(2)", "1:9", "`(` after something that is not a function's name"},
        {"x = a == not b", "1:10", "`not` cannot be the operand of an operator that binds tighter"},
        {"tensor<int> x = 1", "1:11", "a tensor type needs its lengths"},
        {"x = {1, 2}", "1:5", "expected an expression, found `{`"},
        {"import a", "1:8", "`import` takes the path of a file"},
        {"in in real t.x", "1:4", "modifier written twice"},
        {"in out real t.x", "1:4", "modifier contradicts the one before it"},
        {"not x", "1:5", "expected `exists` or `feedthrough`, found `x`"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        expect_message(rows[i].text, rows[i].place, rows[i].message);
    }
}

Test(errors, targets_that_are_no_places) {
    expect_errors("f() = 3", "E0202 1:1");
    expect_errors("f(x)[0] += 3", "E0202 1:1");
    expect_errors("a + 1 = 3", "E0202 1:1");
    expect_errors("x' = 3", "E0202 1:1");
    expect_errors("3 = x", "E0202 1:1");
    expect_errors("x.y.z = 3", "E0202 1:1");
    expect_errors("x[0].y = 3", "");
    expect_errors("x[0].p.y = 3", "");
    expect_errors("x[0][1].y = 3", "E0202 1:1");
    expect_errors("x, y.z.w = f()", "E0202 1:4");
    expect_errors("t.y[0] = 3", "");
    expect_errors("x[0], _, t.y = f()", "");
    expect_errors("x[0][1] = 3", "");
}

Test(errors, independent_mistakes_are_all_reported) {
    expect_errors("x = = 1\ny = 2\nz = )\n", "E0201 1:5; E0201 3:5");
    expect_errors("if x = 1:\n y = +\nend\nz = 1 2\n", "E0201 1:6; E0201 3:1; E0201 4:7");
    expect_errors("fn f(int a,\n     int b int c,\n     int d):\n pass\nend\nx = = 1",
                  "E0201 2:12; E0201 6:5");
    expect_errors("while (a:\n x = 1\nend\ny = )\n", "E0201 1:9; E0201 4:5");
    expect_errors("f(a, b\nif x:\n y = 1\nend", "E0201 2:1");
    expect_errors("m = [a, b c,\n     d, e]\nn = [a | b]\nk = a | b", "E0201 1:11");
    expect_errors("x\ny + 1\n3 = z\nx = 1", "E0201 1:1; E0201 2:1");
    expect_errors("fn f():\n int end = 3\n y = 4\nend", "E0201 2:6");
}

Test(errors, a_mistake_of_the_lexer_is_the_only_one_on_its_line) {
    expect_errors("print(x $ 2)\ny = )", "E0102 1:9; E0201 2:5");
    expect_errors("print(\"hello)\nprint(1)", "E0105 1:7");
    expect_errors("x = .3.4", "E0103 1:5; E0103 1:7");
    expect_errors("x = 3;\ny = 4;", "E0201 1:6");
}

// What looks for the end of a line must not stay in front of the byte.
Test(errors, a_zero_byte_between_lines) {
    static const char header[] = "fn \n\0\ntensor<l 1";
    expect_errors_of_bytes(header, sizeof(header) - 1,
                           "E0101 2:1; E0201 3:1; E0201 1:3; E0201 3:11");
    static const char brackets[] = "fn f(real x,\n\0 real y\nreal z) l\nx = 1\n";
    expect_errors_of_bytes(brackets, sizeof(brackets) - 1,
                           "E0101 2:1; E0201 3:1; E0201 3:7; E0201 5:1");
}

Test(errors, an_end_that_is_indented_less_betrays_the_block_without) {
    expect_message("fn f(int x) int:\n    if x > 0:\n        return 1\n    return 0\nend\n", "6:1",
                   "expected `end`, found the end of the file");
}
