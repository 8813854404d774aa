// pass_hoist on statements made by hand: what is computed into a temporary before the statement,
// and what stays in its place. Expected is the TIR after the pass, valid before and after.
#include "tir_sample.h"

#include "tir/passes/passes.h"

#include <criterion/criterion.h>

static void expect_placed(Sample *sample, const char *expected) {
    sample_expect_valid(sample);
    pass_hoist(&sample->tir, sample->main);
    sample_expect_valid(sample);
    sample_expect_statements(sample, expected);
    sample_destroy(sample);
}

static TirExpr *int_local(Sample *sample, const char *name) {
    return sample_read(sample, sample_local(sample, name, sample_scalar(sample, ROOT_INT)));
}

static TirExpr *real_local(Sample *sample, const char *name) {
    return sample_read(sample, sample_local(sample, name, sample_scalar(sample, ROOT_REAL)));
}

Test(pass_hoist, what_a_view_repeats_is_computed_once) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 3);
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    TirExpr *s = real_local(sample, "s");
    sample_set(sample, m, sample_rows(sample, sample_binary(sample, OP_ADD, x, x), 2));
    sample_set(sample, x, sample_fill(sample, sample_binary(sample, OP_MUL, s, s), 3));
    sample_set(sample, m, sample_rows(sample, x, 2));
    expect_placed(sample, "%3: tensor<real, 3> = x + x\n"
                          "m = %3[i1]\n"
                          "%4: real = s * s\n"
                          "x = fill(%4)\n"
                          "m = x[i1]\n");
}

Test(pass_hoist, what_a_view_only_permutes_or_selects_stays) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    TirExpr *n = sample_matrix(sample, "n", 3, 2);
    TirExpr *x = sample_vector(sample, "x", 3);
    TirExpr *y = sample_vector(sample, "y", 8);
    sample_set(sample, n, sample_transpose(sample, sample_binary(sample, OP_ADD, m, m)));
    sample_set(sample, x, sample_range(sample, sample_binary(sample, OP_ADD, y, y), 0, 2, 3));
    expect_placed(sample, "n = (m + m)[i1, i0]\n"
                          "x = (y + y)[2*i0]\n");
}

Test(pass_hoist, traps_of_dropped_elements_happen) {
    Sample *sample = sample_create();
    const Type *ints = type_with_root(sample->tir.types, sample_tensor(sample, 4, 0, 0), ROOT_INT);
    TirExpr *a = sample_read(sample, sample_local(sample, "a", ints));
    TirExpr *k = int_local(sample, "k");
    TirExpr *quotient = sample_binary(sample, OP_DIV, a, a);
    sample_set(sample, k, sample_element(sample, quotient, sample_int(sample, 0)));
    expect_placed(sample, "%2: tensor<int, 4> = a / a\n"
                          "k = %2[check 0]\n");
}

Test(pass_hoist, a_reduction_with_each_element_used_once_stays) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    TirExpr *x = sample_vector(sample, "x", 2);
    TirExpr *sums = tir_reduce(&sample->tir, REDUCE_SUM, x->type, m, 1, 1, (Span){0, 0});
    sample_set(sample, x, sample_binary(sample, OP_ADD, sums, x));
    TirExpr *mean = sample_sum(sample, sample_binary(sample, OP_MUL, x, x));
    sample_set(sample, x, sample_binary(sample, OP_SUB, x, sample_fill(sample, mean, 2)));
    expect_placed(sample, "x = sum(m, axis 1) + x\n"
                          "%2: real = sum(x * x)\n"
                          "x = x - fill(%2)\n");
}

Test(pass_hoist, reductions_do_not_nest) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    TirExpr *x = sample_vector(sample, "x", 2);
    TirExpr *sums = tir_reduce(&sample->tir, REDUCE_MAX, x->type, m, 1, 1, (Span){0, 0});
    sample_set(sample, real_local(sample, "s"),
               sample_sum(sample, sample_binary(sample, OP_MUL, sums, x)));
    expect_placed(sample, "%3: tensor<real, 2> = max(m, axis 1)\n"
                          "s = sum(%3 * x)\n");
}

Test(pass_hoist, operands_of_dot_and_running_sums_are_direct) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 3, 3);
    TirExpr *x = sample_vector(sample, "x", 3);
    TirExpr *twice = sample_binary(sample, OP_ADD, x, x);
    sample_set(sample, x, sample_binary(sample, OP_ADD, sample_dot(sample, m, twice), x));
    TirExpr *square = sample_dot(sample, sample_transpose(sample, m), m);
    sample_set(sample, m, sample_binary(sample, OP_ADD, square, m));
    TirExpr *running = tir_cumsum(&sample->tir, twice, (Span){0, 0});
    sample_set(sample, x, sample_binary(sample, OP_ADD, running, x));
    expect_placed(sample, "%2: tensor<real, 3> = x + x\n"
                          "x = (m .* %2) + x\n"
                          "%3: tensor<real, 3, 3> = m[i1, i0] .* m\n"
                          "m = %3 + m\n"
                          "%4: tensor<real, 3> = x + x\n"
                          "%5: tensor<real, 3> = cumsum(%4)\n"
                          "x = %5 + x\n");
}

Test(pass_hoist, literals_are_whole_values) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 2);
    TirExpr *items[] = {real_local(sample, "a"), real_local(sample, "b")};
    TirExpr *pair = sample_literal(sample, x->type, 2, items);
    sample_set(sample, x, pair);
    sample_set(sample, x, sample_binary(sample, OP_ADD, x, pair));
    expect_placed(sample, "x = [a, b]\n"
                          "%3: tensor<real, 2> = [a, b]\n"
                          "x = x + %3\n");
}

Test(pass_hoist, right_sides_of_and_or_become_branches_when_they_need_statements) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 3);
    TirExpr *s = real_local(sample, "s");
    TirExpr *b = sample_read(sample, sample_local(sample, "b", sample_scalar(sample, ROOT_BOOL)));
    TirExpr *items[] = {s, s, s};
    TirExpr *hoisted = sample_sum(sample, sample_literal(sample, x->type, 3, items));
    TirExpr *plain = sample_less(sample, sample_sum(sample, x), s);
    TirExpr *heavy = sample_less(sample, hoisted, s);
    sample_set(sample, b, sample_binary(sample, OP_AND, plain, plain));
    sample_set(sample, b, sample_binary(sample, OP_AND, plain, heavy));
    sample_set(sample, b, sample_binary(sample, OP_OR, plain, heavy));
    expect_placed(sample, "b = (sum(x) < s) and (sum(x) < s)\n"
                          "%4: bool = sum(x) < s\n"
                          "if %4:\n"
                          "  %3: tensor<real, 3> = [s, s, s]\n"
                          "  %4: bool = sum(%3) < s\n"
                          "end\n"
                          "b = %4\n"
                          "%6: bool = sum(x) < s\n"
                          "if not %6:\n"
                          "  %5: tensor<real, 3> = [s, s, s]\n"
                          "  %6: bool = sum(%5) < s\n"
                          "end\n"
                          "b = %6\n");
}

Test(pass_hoist, conditions_of_loops_are_computed_before_each_test) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 3);
    TirExpr *s = real_local(sample, "s");
    TirExpr *twice = sample_binary(sample, OP_ADD, x, x);
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = sample_less(sample, sample_dot(sample, twice, x), s);
    sample->block = &loop->while_loop.body;
    sample_set(sample, x, twice);
    sample->block = &sample->main->body;
    expect_placed(sample, "before:\n"
                          "  %2: tensor<real, 3> = x + x\n"
                          "while (%2 .* x) < s:\n"
                          "  x = x + x\n"
                          "end\n");
}

Test(pass_hoist, only_indices_of_places_are_computed) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 3);
    TirExpr *twice = sample_binary(sample, OP_ADD, x, x);
    TirExpr *position =
        tir_reduce(&sample->tir, REDUCE_ARGMAX, sample_scalar(sample, ROOT_INT),
                   tir_cumsum(&sample->tir, twice, (Span){0, 0}), 0, 1, (Span){0, 0});
    sample_set(sample, sample_element(sample, x, position), sample_real(sample, 1));
    expect_placed(sample, "%1: tensor<real, 3> = x + x\n"
                          "%2: tensor<real, 3> = cumsum(%1)\n"
                          "x[check argmax(%2)] = 1.0\n");
}

Test(pass_hoist, what_is_printed_lies_in_memory_and_does_not_trap) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 3);
    TirExpr *k = int_local(sample, "k");
    sample_print(sample, x);
    sample_print(sample, sample_binary(sample, OP_ADD, x, x));
    sample_print(sample, sample_binary(sample, OP_ADD, k, k));
    sample_print(sample, sample_element(sample, x, k));
    expect_placed(sample, "print x\n"
                          "%2: tensor<real, 3> = x + x\n"
                          "print %2\n"
                          "print k + k\n"
                          "%3: real = x[check k]\n"
                          "print %3\n");
}
