// Builders, visitors, the printer and the verifier.
#include "tir/uses.h"
#include "tir/visit.h"
#include "tir_sample.h"

#include <criterion/criterion.h>

Test(tir, views_print_their_index_map) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    TirExpr *v = sample_vector(sample, "v", 8);
    TirVar *k = sample_local(sample, "k", sample_scalar(sample, ROOT_INT));
    sample_expect_expr(sample_transpose(sample, m), "m[i1, i0]");
    sample_expect_expr(sample_rows(sample, v, 4), "v[i1]");
    sample_expect_expr(sample_range(sample, v, 1, 2, 3), "v[2*i0 + 1]");
    sample_expect_expr(sample_range(sample, v, 7, -1, 8), "v[-i0 + 7]");
    sample_expect_expr(sample_element(sample, v, sample_read(sample, k)), "v[check k]");
    sample_expect_expr(sample_fill(sample, sample_real(sample, 0), 3), "fill(0.0)");
    TirAxis row[] = {{.axis = -1, .start = 1}, {.axis = 0, .step = 1}};
    sample_expect_expr(tir_view(&sample->tir, sample_tensor(sample, 3, 0, 0), m, row, (Span){0, 0}),
                       "m[1, i0]");
    sample_destroy(sample);
}

Test(tir, views_of_views_are_one) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    TirExpr *v = sample_vector(sample, "v", 8);
    cr_assert_eq(sample_transpose(sample, sample_transpose(sample, m)), m);
    TirExpr *odd = sample_range(sample, v, 1, 2, 4);
    sample_expect_expr(sample_range(sample, odd, 3, -1, 4), "v[-2*i0 + 7]");
    sample_expect_expr(sample_rows(sample, odd, 2), "v[2*i1 + 1]");
    cr_assert_eq(sample_range(sample, v, 0, 1, 8), v);
    sample_destroy(sample);
}

Test(tir, a_checked_index_moves_only_where_its_check_stays_the_same) {
    Sample *sample = sample_create();
    TirExpr *v = sample_vector(sample, "v", 8);
    TirVar *k = sample_local(sample, "k", sample_scalar(sample, ROOT_INT));
    TirExpr *index = sample_read(sample, k);
    TirExpr *backwards = sample_range(sample, v, 7, -1, 8);
    sample_expect_expr(sample_element(sample, backwards, index), "v[-i0 + 7][check k]");
    TirExpr *one = sample_fill(
        sample, sample_read(sample, sample_local(sample, "s", sample_scalar(sample, ROOT_REAL))),
        3);
    sample_expect_expr(sample_element(sample, one, index), "fill(s)[check k]");
    // Row 0, then an element of it: the length of the dim is the same.
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    TirAxis row[] = {{.axis = -1, .start = 0}, {.axis = 0, .step = 1}};
    TirExpr *first = tir_view(&sample->tir, sample_tensor(sample, 3, 0, 0), m, row, (Span){0, 0});
    sample_expect_expr(sample_element(sample, first, index), "m[0, check k]");
    sample_destroy(sample);
}

Test(tir, reshapes_that_only_place_ones_are_views) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    const Type *column = sample_tensor(sample, 2, 1, 3);
    TirExpr *spread = tir_reshape(&sample->tir, column, m, (Span){0, 0});
    sample_expect_expr(spread, "m[i0, i2]");
    cr_assert_eq(tir_reshape(&sample->tir, m->type, spread, (Span){0, 0}), m);
    TirExpr *flat = tir_reshape(&sample->tir, sample_tensor(sample, 6, 0, 0), m, (Span){0, 0});
    sample_expect_expr(flat, "reshape<tensor<real, 6>>(m)");
    cr_assert_eq(tir_reshape(&sample->tir, m->type, flat, (Span){0, 0}), m);
    sample_destroy(sample);
}

Test(tir, levels_alone_never_make_a_view) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    uint32_t two[] = {2};
    const Type *nested = type_tensor(sample->tir.types, sample_tensor(sample, 3, 0, 0), 1, two);
    TirExpr *rows = tir_reshape(&sample->tir, nested, m, (Span){0, 0});
    sample_expect_expr(rows, "reshape<tensor<tensor<real, 3>, 2>>(m)");
    sample_expect_expr(sample_transpose(sample, rows), "m[i1, i0]");
    sample_destroy(sample);
}

Test(tir, literals_in_literals_are_one_stack) {
    Sample *sample = sample_create();
    TirExpr *v = sample_vector(sample, "v", 2);
    TirExpr *pair[] = {sample_real(sample, 1), sample_real(sample, 2)};
    TirExpr *inner = sample_literal(sample, sample_tensor(sample, 2, 0, 0), 2, pair);
    TirExpr *rows[] = {inner, v};
    sample_expect_expr(sample_literal(sample, sample_tensor(sample, 2, 2, 0), 2, rows),
                       "tensor<real, 2, 2>[1.0, 2.0, v]");
    sample_destroy(sample);
}

Test(tir, constants_print_as_in_the_source) {
    Sample *sample = sample_create();
    sample_expect_expr(sample_int(sample, -3), "-3");
    sample_expect_expr(tir_const_uint(&sample->tir, 5, (Span){0, 0}), "5u");
    sample_expect_expr(sample_bool(sample, true), "true");
    sample_expect_expr(sample_real(sample, 0.1), "0.1");
    sample_expect_expr(sample_real(sample, 1000), "1000.0");
    sample_expect_expr(sample_real(sample, 1e16), "1e+16");
    sample_expect_expr(sample_real(sample, -0.0), "-0.0");
    sample_expect_expr(sample_count_up(sample, 3), "[1.0, 2.0, 3.0]");
    sample_expect_expr(sample_count_up(sample, 100),
                       "tensor<real, 100>[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, ...]");
    sample->tir.single = true;
    cr_assert_eq(sample_real(sample, 0.1)->data->real, (double)0.1F);
    sample_destroy(sample);
}

Test(tir, constants_stay_constant_through_builders) {
    Sample *sample = sample_create();
    TirExpr *one = sample_real(sample, 1);
    cr_assert(one->is_constant);
    cr_assert(sample_fill(sample, one, 3)->is_constant);
    cr_assert_eq(sample_fill(sample, one, 3)->kind, EXPR_VIEW);
    TirExpr *x = sample_read(sample, sample_local(sample, "x", sample_scalar(sample, ROOT_REAL)));
    cr_assert(!x->is_constant);
    cr_assert(!sample_binary(sample, OP_ADD, x, one)->is_constant);
    sample_destroy(sample);
}

Test(tir, what_may_trap) {
    Sample *sample = sample_create();
    TirExpr *v = sample_vector(sample, "v", 8);
    TirExpr *k = sample_read(sample, sample_local(sample, "k", sample_scalar(sample, ROOT_INT)));
    cr_assert(tir_may_trap(sample_element(sample, v, k)));
    cr_assert(!tir_may_trap(sample_range(sample, v, 0, 2, 4)));
    cr_assert(tir_may_trap(sample_binary(sample, OP_DIV, k, k)));
    cr_assert(tir_may_trap(sample_binary(sample, OP_REM, k, sample_int(sample, 0))));
    cr_assert(!tir_may_trap(sample_binary(sample, OP_DIV, k, sample_int(sample, 2))));
    cr_assert(!tir_may_trap(sample_binary(sample, OP_DIV, v, v)));
    TirAxis proven = {.axis = -1, .index = k, .unchecked = true};
    cr_assert(!tir_may_trap(
        tir_view(&sample->tir, sample_scalar(sample, ROOT_REAL), v, &proven, (Span){0, 0})));
    sample_destroy(sample);
}

Test(tir, statements_print_one_per_line) {
    Sample *sample = sample_create();
    TirVar *i = tir_var_create(&sample->tir, sample->main, VAR_LOOP,
                               names_intern_text(sample->tir.names, "i"),
                               sample_scalar(sample, ROOT_INT), (Span){0, 0});
    TirExpr *x = sample_vector(sample, "x", 3);
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_FOR, (Span){0, 0});
    loop->for_loop.var = i;
    loop->for_loop.first = sample_int(sample, 0);
    loop->for_loop.last = sample_int(sample, 3);
    loop->for_loop.step = sample_int(sample, 1);
    sample->block = &loop->for_loop.body;
    sample_set(sample, sample_element(sample, x, sample_read(sample, i)), sample_real(sample, 1));
    tir_stmt(&sample->tir, sample->block, STMT_BREAK, (Span){0, 0});
    sample->block = &sample->main->body;
    sample_print(sample, x);
    sample_expect_statements(sample, "for i = 0:3:1:\n"
                                     "  x[check i] = 1.0\n"
                                     "  break\n"
                                     "end\n"
                                     "print x\n");
    sample_expect_valid(sample);
    sample_destroy(sample);
}

Test(tir, shadowing_variables_print_with_their_number) {
    Sample *sample = sample_create();
    TirExpr *outer = sample_vector(sample, "x", 3);
    TirExpr *inner = sample_vector(sample, "x", 3);
    TirVar *global = sample_global(sample, "x", outer->type);
    sample_set(sample, outer, inner);
    sample_set(sample, inner, sample_read(sample, global));
    sample_expect_statements(sample, "x = x.1\n"
                                     "x.1 = @x\n");
    sample_destroy(sample);
}

Test(tir, verifier_finds_places_that_are_not_injective) {
    Sample *sample = sample_create();
    TirExpr *v = sample_vector(sample, "v", 3);
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    sample_set(sample, sample_rows(sample, v, 2), m);
    sample_set(sample, sample_transpose(sample, m), sample_matrix(sample, "n", 3, 2));
    sample_expect_broken(sample, "main: two elements of a place share a scalar: v[i1]\n");
    sample_destroy(sample);
}

Test(tir, verifier_finds_what_leaves_its_dims) {
    Sample *sample = sample_create();
    TirExpr *v = sample_vector(sample, "v", 8);
    TirExpr *range = sample_range(sample, v, 1, 2, 4);
    range->view.axes[0].step = 3;
    sample_set(sample, sample_vector(sample, "w", 4), range);
    sample_expect_broken(sample, "main: a view leaves its operand's dims\n");
    sample_destroy(sample);
}

Test(tir, verifier_finds_writes_to_parameters_and_stray_breaks) {
    Sample *sample = sample_create();
    const Type *real = sample_scalar(sample, ROOT_REAL);
    TirVar *a = sample_param(sample, sample->main, "a", real);
    sample_set(sample, sample_read(sample, a), sample_real(sample, 1));
    tir_stmt(&sample->tir, sample->block, STMT_BREAK, (Span){0, 0});
    sample_expect_broken(sample, "main: parameter or loop variable a is written\n"
                                 "main: a break or continue stands outside of loops\n");
    sample_destroy(sample);
}

Test(tir, verifier_finds_foreign_variables_and_calls_that_do_not_match) {
    Sample *sample = sample_create();
    const Type *real = sample_scalar(sample, ROOT_REAL);
    TirFunction *callee = sample_callee(sample, "callee");
    TirVar *a = sample_param(sample, callee, "a", real);
    sample_set(sample, sample_read(sample, sample_local(sample, "x", real)),
               sample_read(sample, a));
    sample_call(sample, callee, sample_vector(sample, "v", 2), NULL);
    sample_call(sample, callee, NULL, NULL);
    sample_call(sample, sample->main, NULL, NULL);
    sample_expect_broken(sample, "main: variable a (0) is not the function's or a global\n"
                                 "main: an argument is not of its parameter's type: v\n"
                                 "main: callee is called with the wrong number of arguments\n"
                                 "main: main is called but does not stand earlier\n");
    sample_destroy(sample);
}

Test(tir, verifier_finds_places_that_a_call_cannot_write) {
    Sample *sample = sample_create();
    TirExpr *v = sample_vector(sample, "v", 2);
    TirVar *global = sample_global(sample, "g", v->type);
    TirFunction *callee = sample_callee(sample, "callee");
    callee->reads_globals = true;
    sample_param(sample, callee, "x", v->type)->role = VAR_INOUT;
    TirVar *result = tir_result_create(&sample->tir, callee, v->type, (Span){0, 0});
    sample_call(sample, callee, sample_binary(sample, OP_ADD, v, v), v->var);
    sample_call(sample, callee, v, v->var);
    sample_call(sample, callee, sample_read(sample, global), v->var);
    sample_call(sample, callee, v, NULL);
    TirStmt *call = sample_call(sample, callee, v, result);
    call->call.results.items[0] = sample_local(sample, "w", v->type);
    sample_expect_broken(sample,
                         "main: an in-out parameter is given something that is no variable: v + v\n"
                         "main: a call of callee writes one variable twice\n"
                         "main: callee may touch the variable that it is given\n"
                         "main: a call of callee has the wrong number of results\n");
    sample_destroy(sample);
}

// A call for derivatives of f(x, u), a vector like x, in main, which has `x` and the result `y`.
static TirStmt *derivative_of(Sample *sample, TirDerivativeKind kind, const Type *to,
                              TirExpr *along) {
    static const uint32_t by[] = {0};
    TirFunction *f = sample_callee(sample, "f");
    const Type *vector = sample_tensor(sample, 3, 0, 0);
    sample_param(sample, f, "x", vector);
    sample_param(sample, f, "u", sample_scalar(sample, ROOT_REAL));
    tir_result_create(&sample->tir, f, vector, (Span){0, 0});
    TirExpr **args = ARENA_ARRAY(sample->tir.arena, TirExpr *, 2);
    args[0] = sample_vector(sample, "x", 3);
    args[1] = sample_real(sample, 2);
    TirStmt *stmt =
        tir_derivative(&sample->tir, sample->block, kind, f, args, by, 1, along, (Span){0, 0});
    LIST_PUSH(sample->tir.arena, &stmt->call.results, sample_local(sample, "y", to));
    return stmt;
}

Test(tir, calls_for_derivatives) {
    Sample *sample = sample_create();
    derivative_of(sample, DERIVATIVE_JACOBIAN, sample_tensor(sample, 3, 3, 0), NULL);
    sample_expect_statements(sample, "y = jacobian call f(x, 2.0) by 0\n");
    sample_expect_valid(sample);
    sample_destroy(sample);

    sample = sample_create();
    TirExpr *along = sample_vector(sample, "dx", 3);
    TirStmt *stmt = derivative_of(sample, DERIVATIVE_ALONG, sample_tensor(sample, 3, 0, 0), along);
    sample_expect_statements(sample, "y = derivative call f(x, 2.0) by 0 along dx\n");
    sample_expect_valid(sample);
    cr_assert_eq(tir_stmt_reads(stmt, along->var), 1);
    sample_destroy(sample);
}

Test(tir, calls_for_derivatives_have_types) {
    Sample *sample = sample_create();
    derivative_of(sample, DERIVATIVE_JACOBIAN, sample_tensor(sample, 3, 2, 0), NULL);
    sample_expect_broken(sample, "main: a derivative of f goes to another type\n");
    sample_destroy(sample);

    sample = sample_create();
    derivative_of(sample, DERIVATIVE_GRADIENT, sample_tensor(sample, 3, 0, 0), NULL);
    sample_expect_broken(sample, "main: a derivative of f goes to another type\n");
    sample_destroy(sample);

    sample = sample_create();
    TirStmt *stmt =
        derivative_of(sample, DERIVATIVE_JACOBIAN, sample_tensor(sample, 3, 3, 0), NULL);
    stmt->call.function->has_effects = true;
    sample_expect_broken(sample, "main: f is no pure function of a real result\n");
    sample_destroy(sample);
}
