// Operations of functions, counted by hand from their source.
#include "driver/compile.h"

#include <criterion/criterion.h>
#include <string.h>

typedef enum Certainty { EXACT, BOUND, ENDLESS } Certainty;

static const Operations *find(const TirProgram *program, const Operations *counts,
                              const char *name) {
    for (size_t i = 0; i < program->functions.count; i++) {
        if (strcmp(program->functions.items[i]->name->text, name) == 0) {
            return &counts[i];
        }
    }
    return NULL;
}

// Of the function `f` in a library.
static void expect(const char *source, Certainty certainty, uint64_t flops, uint64_t calls,
                   uint64_t loads, uint64_t stores) {
    CompileOptions options = compile_defaults();
    options.stage = STAGE_PASSES;
    options.codegen.opt_level = 1; // loops stay loops
    Compilation compilation;
    ExitStatus status = compile_text(&compilation, "test.tml", source, strlen(source), &options);
    if (status != EXIT_OK) {
        Buffer text = {0};
        compile_messages(&compilation, (RenderOptions){RENDER_SHORT, false}, &text);
        cr_assert_fail("%s%s", source, text.data);
    }
    const Operations *all = operations_count(compilation.context->arena, compilation.program);
    const Operations *found = find(compilation.program, all, "f");
    cr_assert_not_null(found);
    Certainty is = found->is_endless ? ENDLESS : found->is_bound ? BOUND : EXACT;
    cr_expect_eq(is, certainty, "%s%d", source, (int)is);
    if (certainty != ENDLESS) {
        cr_expect_eq(found->flops, flops, "%s%llu flops", source, (unsigned long long)found->flops);
        cr_expect_eq(found->calls, calls, "%s%llu calls", source, (unsigned long long)found->calls);
        cr_expect_eq(found->loads, loads, "%s%llu loads", source, (unsigned long long)found->loads);
        cr_expect_eq(found->stores, stores, "%s%llu stores", source,
                     (unsigned long long)found->stores);
    }
    compilation_finish(&compilation);
}

Test(operations, of_scalars) {
    expect("fn f(real x) real:\n return 1.0 + x * (2.0 - x) / x\nend\n", EXACT, 4, 0, 0, 0);
    expect("fn f(real x) real:\n return -abs(x)\nend\n", EXACT, 0, 0, 0, 0);
    expect("fn f(real x) real:\n return sqrt(x) + sin(x) + floor(x)\nend\n", EXACT, 3, 2, 0, 0);
    expect("fn f(real x) real:\n return x % 2.0 + x ** 3.0\nend\n", EXACT, 1, 2, 0, 0);
    expect("fn f(real x) real:\n return max(x, min(x, 2.0))\nend\n", EXACT, 2, 0, 0, 0);
    expect("fn f(real x) bool:\n return x < 2.0 and x > 1.0\nend\n", EXACT, 0, 0, 0, 0);
    expect("fn f(int x) int:\n return x * x + 3 / x\nend\n", EXACT, 0, 0, 0, 0);
    expect("fn f() real:\n return sin(2.0) + 3.0 * 4.0\nend\n", EXACT, 0, 0, 0, 0);
}

Test(operations, of_arrays) {
    expect("fn f(tensor<real, 3> a, tensor<real, 3> b) tensor<real, 3>:\n return a + b\nend\n",
           EXACT, 3, 0, 6, 3);
    expect("fn f(tensor<real, 2, 3> a, tensor<real, 3> b) tensor<real, 2, 3>:\n return a * b\n"
           "end\n",
           EXACT, 6, 0, 12, 6);
    expect("fn f(tensor<real, 3> a, real k) tensor<real, 3>:\n return a * k\nend\n", EXACT, 3, 0, 3,
           3);
    expect("fn f(tensor<real, 5> a) tensor<real, 5>:\n return exp(a)\nend\n", EXACT, 0, 5, 5, 5);
    expect("fn f(tensor<real, 2, 3> a) tensor<real, 3, 2>:\n return a'\nend\n", EXACT, 0, 0, 6, 6);
    expect("fn f(tensor<int, 4> a) tensor<real, 4>:\n return a * 0.5\nend\n", EXACT, 4, 0, 4, 4);
}

Test(operations, of_reductions_and_products) {
    expect("fn f(tensor<real, 5> a) real:\n return sum(a)\nend\n", EXACT, 4, 0, 5, 0);
    expect("fn f(tensor<int, 5> a) int:\n return sum(a)\nend\n", EXACT, 0, 0, 5, 0);
    expect("fn f(tensor<real, 5> a) real:\n return mean(a)\nend\n", EXACT, 5, 0, 5, 0);
    expect("fn f(tensor<real, 2, 3> a) real:\n return max(a)\nend\n", EXACT, 5, 0, 6, 0);
    expect("fn f(tensor<real, 4> a, tensor<real, 4> b) real:\n return a .* b\nend\n", EXACT, 7, 0,
           8, 0);
    // Eight elements, each three products and two sums.
    expect("fn f(tensor<real, 2, 3> a, tensor<real, 3, 4> b) tensor<real, 2, 4>:\n"
           " return a .* b\nend\n",
           EXACT, 40, 0, 48, 8);
    expect("fn f(tensor<real, 5> a) tensor<real, 5>:\n return cumsum(a)\nend\n", EXACT, 4, 0, 5, 5);
}

Test(operations, of_variables) {
    expect(
        "real g = 2.0\nfn f(real x) real:\n return g * x + g\nend\nfn set(real x):\n g = x\nend\n",
        EXACT, 2, 0, 2, 0);
    expect("real g = 2.0\nfn f(real x) real:\n return g * x + g\nend\n", EXACT, 2, 0, 0, 0);
    expect("real g = 2.0\nfn f(real x):\n g = g + x\nend\n", EXACT, 1, 0, 1, 1);
    expect("real g = 2.0\nfn f(real x):\n y = x * x\n g = y + y\nend\n", EXACT, 2, 0, 0, 1);
    expect("fn f(tensor<real, 9> v, int i) real:\n return v[i] + v[0]\nend\n", EXACT, 1, 0, 2, 0);
}

Test(operations, of_loops) {
    expect("fn f(tensor<real, 9> v) real:\n s = 0.0\n for i = 0:9:\n  s += v[i]\n end\n return s\n"
           "end\n",
           EXACT, 9, 0, 9, 0);
    expect("fn f(tensor<real, 9> v) real:\n s = 0.0\n for i = 8:-1:-3:\n  s += v[i]\n end\n"
           " return s\nend\n",
           EXACT, 3, 0, 3, 0);
    // The inner one runs at most three times, for i = 3.
    expect("fn f(tensor<real, 4, 4> m) real:\n s = 0.0\n for i = 0:4:\n  for j = 0:i:\n"
           "   s += m[i, j]\n  end\n end\n return s\nend\n",
           BOUND, 12, 0, 12, 0);
    expect("fn f(real x) real:\n for i = 0:9:\n  if x > 10.0:\n   break\n  end\n  x = x * x\n end\n"
           " return x\nend\n",
           BOUND, 9, 0, 0, 0);
    expect("fn f(real x) real:\n while x < 10.0:\n  x = x * 2.0\n end\n return x\nend\n", ENDLESS,
           0, 0, 0, 0);
    expect("fn f(real x, int n) real:\n for i = 0:n:\n  x = x * 2.0\n end\n return x\nend\n",
           ENDLESS, 0, 0, 0, 0);
}

Test(operations, of_branches) {
    expect("fn f(real x) real:\n if x > 0.0:\n  x = x * x * x\n else:\n  x = x + 1.0\n end\n"
           " return x\nend\n",
           BOUND, 2, 0, 0, 0);
    expect("fn f(real x) real:\n if x > 0.0:\n  x = x * x\n else:\n  x = x + 1.0\n end\n"
           " return x\nend\n",
           EXACT, 1, 0, 0, 0);
    // The greater of each figure, from whichever arm.
    expect("fn f(real x) real:\n if x > 0.0:\n  x = sin(x)\n else:\n  x = x + 1.0\n end\n"
           " return x\nend\n",
           BOUND, 1, 1, 0, 0);
    expect("fn f(real x) real:\n if x > 0.0:\n  return x\n end\n return x * x\nend\n", BOUND, 1, 0,
           0, 0);
    expect("fn f(bool a, tensor<real, 2> v) bool:\n return a and v[0] > 1.0\nend\n", BOUND, 0, 0, 1,
           0);
}

Test(operations, of_calls) {
    expect("fn g(real x) real:\n return x * x\nend\n"
           "fn f(real x) real:\n return g(x) + g(2.0 * x)\nend\n",
           EXACT, 4, 0, 0, 0);
    expect("fn g(real x) real:\n while x < 1.0:\n  x += 1.0\n end\n return x\nend\n"
           "fn f(real x) real:\n return g(x)\nend\n",
           ENDLESS, 0, 0, 0, 0);
}

Test(operations, that_are_too_many_to_count) {
    expect("fn f(real x) real:\n"
           " for i = -2147483647:2147483647:\n  for j = -2147483647:2147483647:\n"
           "   for k = -2147483647:2147483647:\n    x = x * 2.0\n   end\n  end\n end\n"
           " return x\nend\n",
           EXACT, UINT64_MAX, 0, 0, 0);
}
