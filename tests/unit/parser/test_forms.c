// The tree of every form of the language.
#include "parsed.h"

#include <criterion/criterion.h>

Test(forms, literals) {
    expect_expr("2147483648", "2147483648");
    expect_expr("5u", "5u");
    expect_expr("1e-7", "1e-07");
    expect_expr("2.0", "2.0");
    expect_expr("true", "true");
    expect_expr("'a\"\\x01'", "\"a\\\"\\x01\"");
    expect_expr("[]", "[]");
}

Test(forms, tensors) {
    expect_tree("x = [1, 2]", "(assign (name x) (tensor 1 (int 1) (int 2)))");
    expect_tree("x = [1, 2;]", "(assign (name x) (tensor 2 (int 1) (int 2)))");
    expect_tree("x = [1; 2 |]", "(assign (name x) (tensor 3 (int 1) ; (int 2)))");
    expect_tree("x = [1,\n 2,\n]", "(assign (name x) (tensor 1 (int 1) (int 2)))");
    expect_expr("[1, 2; 3, 4 | 5, 6; 7, 8]", "[1, 2; 3, 4 | 5, 6; 7, 8]");
    expect_expr("[1, 2; 3]", "[1, 2; 3]"); // the checker says E0411
    expect_expr("[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]");
    expect_expr("[(a | b), f(c | d)]", "[(a | b), f((c | d))]");
    expect_expr("[a, b;]", "[a, b;]");
    expect_expr("[a |]", "[a |]");
}

Test(forms, indices) {
    expect_expr("x[1:2, :, 3:, :4, ...]", "x[1:2, :, 3:, :4, ...]");
    expect_expr("x[a + 1:b:-1]", "x[(a + 1):b:(-1)]");
    expect_expr("x[0][1]", "x[0][1]");
}

Test(forms, casts_and_types) {
    expect_expr("int(e)", "int(e)");
    expect_expr("tensor<real, 3, n + 1>(e) + 1", "(tensor<real, 3, (n + 1)>(e) + 1)");
    expect_expr("tensor<tensor<int, 3>, 2>(e)", "tensor<tensor<int, 3>, 2>(e)");
    expect_expr("tensor<int, (a > b)>(e) > 2", "(tensor<int, (a > b)>(e) > 2)");
    expect_expr("tensor<int, a & 3u | 1u>(e)", "tensor<int, ((a & 3u) | 1u)>(e)");
    expect_expr("x.type(e)", "x.type(e)");
    expect_expr("x[][].type(e)", "x[][].type(e)");
    expect_expr("input(real, \"name\")", "input(real, \"name\")");
    expect_expr("input(tensor<int, 3>)", "input(tensor<int, 3>)");
    expect_expr("input(x.type)", "input(x.type)");
    expect_expr("int(x)[0]", "int(x)[0]");
}

Test(forms, statements) {
    expect_tree("x[0] += 2", "(assign += (index (name x) (int 0)) (int 2))");
    expect_tree("x <<= 1u", "(assign <<= (name x) (int 1u))");
    expect_tree("t.y? = 1", "(assign ? (attr (name t) y) (int 1))");
    expect_tree("x.type y = 2", "(decl (type-of (name x)) y (int 2))");
    expect_tree("x[0].type y = 2", "(decl (type-of (index (name x) (int 0))) y (int 2))");
    expect_tree("t.in?.type a? = t.in?",
                "(decl (type-of (attr (name t) in))? a? (optional (attr (name t) in)))");
    expect_tree("int x{0} = 1", "(decl int x{(int 0)} (int 1))");
    expect_tree("print(1)", "(do (call (name print) (int 1)))");
    expect_tree("break continue pass return", "(break)\n(continue)\n(pass)\n(return)");
    expect_tree("return (x)", "(return (paren (name x)))");
    expect_tree("import \"a.tml\"", "(import \"a.tml\")");
}

Test(forms, blocks) {
    expect_tree("if a:\n x = 1\nelseif b:\nelse:\n pass\nend", "(if\n"
                                                               "  (arm (name a)\n"
                                                               "    (assign (name x) (int 1)))\n"
                                                               "  (arm (name b))\n"
                                                               "  (else\n"
                                                               "    (pass)))");
    expect_tree("while a:\n break\nend", "(while (name a)\n  (break))");
    expect_tree("for i = 0:10:2:\nend", "(for i (range (int 0) (int 10) (int 2)))");
    expect_tree("macro for i = 0:2:\n x{i} = i\nend", "(macro-for i (range (int 0) (int 2) _)\n"
                                                      "  (assign (name x{(name i)}) (name i)))");
    expect_tree("macro if n.a == 1:\nelse:\nend",
                "(macro-if\n  (arm (binary == (attr (name n) a) (int 1)))\n  (else))");
    expect_tree("fn f(tensor<real, n> a, x.type b) real:\n return 1\nend",
                "(fn f (((tensor real (name n)) a) ((type-of (name x)) b)) real\n"
                "  (return (int 1)))");
    expect_tree("fn f():\nend", "(fn f ())");
}

Test(forms, components) {
    expect_tree("in real t.u", "(terminal in real t.u)");
    expect_tree("not feedthrough in real t.v", "(terminal in not-feedthrough real t.v)");
    expect_tree("feedthrough out x.type t.y", "(terminal out feedthrough (type-of (name x)) t.y)");
    expect_tree("out not feedthrough tensor<real, 3> t.y",
                "(terminal out not-feedthrough (tensor real (int 3)) t.y)");
    expect_tree("optional in real t.in{0}", "(terminal in optional real t.in{(int 0)})");
    expect_tree("tunable real p.ki = 0.5", "(terminal tunable real p.ki (real 0.5))");
    expect_tree("int n.order = 4 x = 3",
                "(terminal int n.order (int 4))\n(assign (name x) (int 3))");
    expect_tree("exists t.a, t.b:\n pass\nelse:\nend",
                "(guard exists (attr (name t) a) (attr (name t) b)\n  (pass)\n  (else))");
    expect_tree("not exists t.a{i}:\nend", "(guard not exists (attr (name t) a{(name i)}))");
    expect_tree("feedthrough t.a:\nend", "(guard feedthrough (attr (name t) a))");
    expect_tree("not feedthrough t.a:\nend", "(guard not feedthrough (attr (name t) a))");
}

Test(forms, a_statement_ends_where_the_next_token_cannot_continue_it) {
    expect_tree("f(x)\ng = 3", "(do (call (name f) (name x)))\n(assign (name g) (int 3))");
    expect_tree("x = a\n- b", "(assign (name x) (binary - (name a) (name b)))");
    expect_tree("x =\n a +\n b\ny = 2",
                "(assign (name x) (binary + (name a) (name b)))\n(assign (name y) (int 2))");
    expect_tree("x = a y = b", "(assign (name x) (name a))\n(assign (name y) (name b))");
    expect_tree("x = f(a,\n b)", "(assign (name x) (call (name f) (name a) (name b)))");
    expect_tree("x = 1 int y = 2", "(assign (name x) (int 1))\n(decl int y (int 2))");
    expect_tree("x = a not exists t.b:\nend",
                "(assign (name x) (name a))\n(guard not exists (attr (name t) b))");
}
