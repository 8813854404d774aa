// pass_alias on statements made by hand: which of them get a temporary, which temporaries go, and
// which copies stay. Expected is the TIR after the pass, valid before and after.
#include "tir_sample.h"

#include "tir/alias.h"
#include "tir/passes/passes.h"

#include <criterion/criterion.h>

static void expect_aliased(Sample *sample, const char *expected) {
    sample_expect_valid(sample);
    pass_alias(&sample->tir, &sample->program);
    sample_expect_valid(sample);
    sample_expect_statements(sample, expected);
    sample_destroy(sample);
}

static TirVar *new_temp(Sample *sample, const Type *type) {
    return tir_var_create(&sample->tir, sample->main, VAR_TEMP, NULL, type, (Span){0, 0});
}

Test(pass_alias, element_wise_updates_stay_in_place) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 4);
    TirExpr *y = sample_vector(sample, "y", 4);
    TirExpr *part = sample_range(sample, x, 1, 1, 2);
    sample_set(sample, x, sample_binary(sample, OP_ADD, x, y));
    sample_set(sample, part, sample_binary(sample, OP_MUL, part, part));
    expect_aliased(sample, "x = x + y\n"
                           "x[i0 + 1] = x[i0 + 1] * x[i0 + 1]\n");
}

Test(pass_alias, other_maps_of_the_place_go_through_a_temporary) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 2);
    TirExpr *x = sample_vector(sample, "x", 4);
    sample_set(sample, m, sample_transpose(sample, m));
    sample_set(sample, sample_range(sample, x, 0, 1, 4), sample_range(sample, x, 3, -1, 4));
    sample_set(sample, x,
               sample_binary(sample, OP_SUB, x, sample_fill(sample, sample_sum(sample, x), 4)));
    expect_aliased(sample, "%2: tensor<real, 2, 2> = m[i1, i0]\n"
                           "m = %2\n"
                           "%3: tensor<real, 4> = x[-i0 + 3]\n"
                           "x = %3\n"
                           "%4: tensor<real, 4> = x - fill(sum(x))\n"
                           "x = %4\n");
}

Test(pass_alias, elements_that_move_are_read_before_they_are_overwritten) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 3);
    TirExpr *y = sample_vector(sample, "y", 3);
    sample_set(sample, sample_range(sample, x, 1, 1, 2), sample_range(sample, x, 0, 1, 2));
    sample_set(sample, sample_range(sample, y, 0, 1, 2), sample_range(sample, y, 1, 1, 2));
    expect_aliased(sample, "x[2] = x[1]\n"
                           "x[1] = x[0]\n"
                           "y[0] = y[1]\n"
                           "y[1] = y[2]\n");
}

Test(pass_alias, disjoint_parts_of_one_variable_need_no_temporary) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 8);
    sample_set(sample, sample_range(sample, x, 0, 1, 4), sample_range(sample, x, 4, 1, 4));
    sample_set(sample, sample_range(sample, x, 0, 2, 4), sample_range(sample, x, 7, -2, 4));
    sample_set(sample, sample_range(sample, x, 4, 1, 4), sample_range(sample, x, 0, 1, 4));
    sample_set(sample, sample_range(sample, x, 0, 2, 3), sample_range(sample, x, 0, 3, 3));
    expect_aliased(sample, "x[i0] = x[i0 + 4]\n"
                           "x[2*i0] = x[-2*i0 + 7]\n"
                           "x[i0 + 4] = x[i0]\n"
                           "%1: tensor<real, 3> = x[3*i0]\n"
                           "x[2*i0] = %1\n");
}

// The first of the wider steps lie below all of the others.
Test(pass_alias, parts_with_other_steps_are_compared_where_they_overlap) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 900000000);
    sample_set(sample, sample_range(sample, x, 0, 5, 3), sample_range(sample, x, 6, 1, 3));
    sample_set(sample, sample_range(sample, x, 0, 5, 3), sample_range(sample, x, 8, 1, 3));
    sample_set(sample, sample_range(sample, x, 0, 5, 3), sample_range(sample, x, 5, 1, 3));
    sample_set(sample, sample_range(sample, x, 899999999, -3, 300000000),
               sample_range(sample, x, 299999999, 2, 300000000));
    sample_set(sample, sample_range(sample, x, 0, 899999998, 2),
               sample_range(sample, x, 899999997, 2, 2));
    expect_aliased(sample, "x[5*i0] = x[i0 + 6]\n"
                           "%1: tensor<real, 3> = x[i0 + 8]\n"
                           "x[5*i0] = %1\n"
                           "%2: tensor<real, 3> = x[i0 + 5]\n"
                           "x[5*i0] = %2\n"
                           "%3: tensor<real, 300000000> = x[2*i0 + 299999999]\n"
                           "x[-3*i0 + 899999999] = %3\n"
                           "x[899999998*i0] = x[2*i0 + 899999997]\n");
}

Test(pass_alias, one_scalar_is_complete_before_it_is_stored) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 4);
    TirExpr *k = sample_read(sample, sample_local(sample, "k", sample_scalar(sample, ROOT_INT)));
    sample_set(sample, sample_element(sample, x, k), sample_sum(sample, x));
    expect_aliased(sample, "x[check k] = sum(x)\n");
}

// Rows k and l are the same elements or have none in common.
Test(pass_alias, rows_at_any_two_indices_need_no_temporary) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    TirExpr *k = sample_read(sample, sample_local(sample, "k", sample_scalar(sample, ROOT_INT)));
    TirExpr *l = sample_read(sample, sample_local(sample, "l", sample_scalar(sample, ROOT_INT)));
    const Type *row_type = sample_tensor(sample, 3, 0, 0);
    TirAxis row[] = {{.axis = -1, .index = k}, {.axis = 0, .step = 1}};
    TirExpr *row_k = tir_view(&sample->tir, row_type, m, row, (Span){0, 0});
    row[0].index = l;
    TirExpr *row_l = tir_view(&sample->tir, row_type, m, row, (Span){0, 0});
    sample_set(sample, row_k, sample_binary(sample, OP_ADD, row_k, row_k));
    sample_set(sample, row_k, row_l);
    expect_aliased(sample, "m[check k, i0] = m[check k, i0] + m[check k, i0]\n"
                           "m[check k, i0] = m[check l, i0]\n");
}

Test(pass_alias, copies_of_temporaries_vanish) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 4);
    TirExpr *y = sample_vector(sample, "y", 4);
    TirVar *once = new_temp(sample, x->type);
    TirVar *twice = new_temp(sample, x->type);
    sample_set(sample, sample_read(sample, once), sample_binary(sample, OP_ADD, y, y));
    sample_set(sample, x, sample_read(sample, once));
    sample_set(sample, sample_read(sample, twice), sample_binary(sample, OP_ADD, y, y));
    sample_set(sample, x, sample_read(sample, twice));
    sample_set(sample, y, sample_read(sample, twice));
    expect_aliased(sample, "x = y + y\n"
                           "%3: tensor<real, 4> = y + y\n"
                           "x = %3\n"
                           "y = %3\n");
}

Test(pass_alias, a_column_and_a_row_go_through_a_temporary) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 3, 3);
    TirExpr *k = sample_read(sample, sample_local(sample, "k", sample_scalar(sample, ROOT_INT)));
    const Type *row_type = sample_tensor(sample, 3, 0, 0);
    TirAxis row[] = {{.axis = -1, .index = k}, {.axis = 0, .step = 1}};
    TirAxis column[] = {{.axis = 0, .step = 1}, {.axis = -1, .index = k}};
    TirAxis first[] = {{.axis = -1}, {.axis = 0, .step = 1}};
    TirExpr *row_k = tir_view(&sample->tir, row_type, m, row, (Span){0, 0});
    TirExpr *column_k = tir_view(&sample->tir, row_type, m, column, (Span){0, 0});
    TirExpr *row_0 = tir_view(&sample->tir, row_type, m, first, (Span){0, 0});
    sample_set(sample, row_k, column_k);
    sample_set(sample, row_0, column_k);
    sample_set(sample, row_k, row_0);
    expect_aliased(sample, "%2: tensor<real, 3> = m[i0, check k]\n"
                           "m[check k, i0] = %2\n"
                           "%3: tensor<real, 3> = m[i0, check k]\n"
                           "m[0, i0] = %3\n"
                           "%4: tensor<real, 3> = m[0, i0]\n"
                           "m[check k, i0] = %4\n");
}

// Two vectors of three: the dims of a matrix on other levels.
static const Type *two_rows(Sample *sample) {
    const uint32_t two = 2;
    return type_tensor(sample->tir.types, sample_tensor(sample, 3, 0, 0), 1, &two);
}

Test(pass_alias, elements_are_the_same_at_other_levels) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    const Type *rows = two_rows(sample);
    TirExpr *x = sample_read(sample, sample_local(sample, "x", rows));
    TirExpr *of_m = tir_reshape(&sample->tir, rows, m, (Span){0, 0});
    TirExpr *of_x = tir_reshape(&sample->tir, m->type, x, (Span){0, 0});
    TirExpr *total = sample_sum(sample, of_m);
    TirExpr *everywhere = tir_view(&sample->tir, m->type, total, NULL, (Span){0, 0});
    sample_set(sample, m, sample_binary(sample, OP_ADD, m, of_x));
    sample_set(sample, x, sample_binary(sample, OP_ADD, of_x, of_x));
    sample_set(sample, m, sample_binary(sample, OP_SUB, m, everywhere));
    expect_aliased(sample, "m = m + reshape<tensor<real, 2, 3>>(x)\n"
                           "x = reshape<tensor<real, 2, 3>>(x) + reshape<tensor<real, 2, 3>>(x)\n"
                           "%2: tensor<real, 2, 3> = m - "
                           "fill(sum(reshape<tensor<tensor<real, 3>, 2>>(m)))\n"
                           "m = %2\n");
}

Test(pass_alias, copies_of_temporaries_at_other_levels_vanish) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 3);
    const Type *rows = two_rows(sample);
    TirVar *temp = new_temp(sample, m->type);
    TirExpr *x = sample_read(sample, sample_local(sample, "x", rows));
    sample_set(sample, sample_read(sample, temp), sample_binary(sample, OP_ADD, m, m));
    TirExpr *copy = sample_read(sample, temp);
    sample_set(sample, x, tir_reshape(&sample->tir, rows, copy, (Span){0, 0}));
    expect_aliased(sample, "x = m + m\n");
}

Test(pass_alias, a_temporary_that_a_copy_needs_stays) {
    Sample *sample = sample_create();
    TirExpr *m = sample_matrix(sample, "m", 2, 2);
    TirVar *temp = new_temp(sample, m->type);
    sample_set(sample, sample_read(sample, temp), sample_transpose(sample, m));
    sample_set(sample, m, sample_read(sample, temp));
    expect_aliased(sample, "%1: tensor<real, 2, 2> = m[i1, i0]\n"
                           "m = %1\n");
}

typedef struct CallSample {
    Sample *sample;
    TirFunction *callee; // of a vector, to a vector
    TirExpr *x, *y;
    TirVar *global;
} CallSample;

static CallSample call_sample(void) {
    Sample *sample = sample_create();
    const Type *vector = sample_tensor(sample, 4, 0, 0);
    TirFunction *callee = sample_callee(sample, "f");
    sample_param(sample, callee, "a", vector);
    tir_result_create(&sample->tir, callee, vector, (Span){0, 0});
    return (CallSample){.sample = sample,
                        .callee = callee,
                        .x = sample_vector(sample, "x", 4),
                        .y = sample_vector(sample, "y", 4),
                        .global = sample_global(sample, "g", vector)};
}

Test(pass_alias, results_go_to_their_variable) {
    CallSample s = call_sample();
    TirVar *first = new_temp(s.sample, s.x->type);
    TirVar *second = new_temp(s.sample, s.x->type);
    sample_call(s.sample, s.callee, s.y, first);
    sample_set(s.sample, s.x, sample_read(s.sample, first));
    sample_call(s.sample, s.callee, s.x, second);
    sample_set(s.sample, s.x, sample_read(s.sample, second));
    expect_aliased(s.sample, "x = call f(y)\n"
                             "%3: tensor<real, 4> = call f(x)\n"
                             "x = %3\n");
}

Test(pass_alias, a_result_is_never_an_argument) {
    CallSample s = call_sample();
    sample_call(s.sample, s.callee, s.x, s.x->var);
    expect_aliased(s.sample, "%2: tensor<real, 4> = call f(x)\n"
                             "x = %2\n");
}

Test(pass_alias, arrays_that_are_no_variables_are_passed_through_temporaries) {
    CallSample s = call_sample();
    sample_call(s.sample, s.callee, sample_binary(s.sample, OP_ADD, s.y, s.y), s.x->var);
    expect_aliased(s.sample, "%2: tensor<real, 4> = y + y\n"
                             "x = call f(%2)\n");
}

Test(pass_alias, globals_are_copied_only_for_callees_that_touch_them) {
    CallSample s = call_sample();
    sample_call(s.sample, s.callee, sample_read(s.sample, s.global), s.x->var);
    sample_call(s.sample, s.callee, s.y, s.global);
    expect_aliased(s.sample, "x = call f(@g)\n"
                             "@g = call f(y)\n");
    s = call_sample();
    s.callee->reads_globals = s.callee->writes_globals = true;
    sample_call(s.sample, s.callee, sample_read(s.sample, s.global), s.x->var);
    sample_call(s.sample, s.callee, s.y, s.global);
    expect_aliased(s.sample, "%2: tensor<real, 4> = @g\n"
                             "x = call f(%2)\n"
                             "%3: tensor<real, 4> = call f(y)\n"
                             "@g = %3\n");
}

// All pairs of ranges in a vector of eight, against the sets of their positions.
Test(tir_places_disjoint, knows_all_ranges) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 8);
    TirExpr *ranges[512];
    uint32_t positions[512];
    size_t count = 0;
    for (int64_t start = 0; start < 8; start++) {
        for (int64_t step = -7; step <= 7; step++) {
            for (uint32_t length = 1; length <= 8; length++) {
                int64_t last = start + step * ((int64_t)length - 1);
                if (step == 0 || last < 0 || last > 7) {
                    continue;
                }
                positions[count] = 0;
                for (uint32_t i = 0; i < length; i++) {
                    positions[count] |= 1U << (start + step * i);
                }
                ranges[count++] = sample_range(sample, x, start, step, length);
            }
        }
    }
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++) {
            cr_assert_eq(tir_places_disjoint(ranges[a], ranges[b]),
                         (positions[a] & positions[b]) == 0, "%#x and %#x", positions[a],
                         positions[b]);
        }
        cr_assert(!tir_places_disjoint(ranges[a], x));
    }
    cr_assert(tir_places_disjoint(x, sample_vector(sample, "y", 8)));
    sample_destroy(sample);
}

static TirStmt *call_of_two(CallSample *s, TirExpr *first, TirExpr *second, TirVar *result) {
    TirStmt *stmt = sample_call(s->sample, s->callee, first, result);
    TirExpr **args = ARENA_ARRAY(s->sample->tir.arena, TirExpr *, 2);
    args[0] = first;
    args[1] = second;
    stmt->call.args = args;
    stmt->call.arg_count = 2;
    return stmt;
}

Test(pass_alias, a_value_is_never_what_the_callee_writes) {
    CallSample s = call_sample();
    s.callee->params[0]->role = VAR_INOUT;
    sample_param(s.sample, s.callee, "b", s.x->type);
    TirVar *temp = new_temp(s.sample, s.x->type);
    call_of_two(&s, s.x, s.x, s.y->var);
    call_of_two(&s, s.x, s.y, s.y->var);
    call_of_two(&s, s.x, s.y, temp);
    sample_set(s.sample, s.x, sample_read(s.sample, temp));
    expect_aliased(s.sample, "%3: tensor<real, 4> = x\n"
                             "y = call f(var x, %3)\n"
                             "%4: tensor<real, 4> = call f(var x, y)\n"
                             "y = %4\n"
                             "%2: tensor<real, 4> = call f(var x, y)\n"
                             "x = %2\n");
}

Test(pass_alias, each_of_several_results_goes_to_its_variable) {
    CallSample s = call_sample();
    tir_result_create(&s.sample->tir, s.callee, s.x->type, (Span){0, 0});
    TirVar *temps[4];
    for (size_t i = 0; i < 4; i++) {
        temps[i] = new_temp(s.sample, s.x->type);
    }
    for (size_t i = 0; i < 4; i += 2) {
        TirStmt *call = sample_call(s.sample, s.callee, sample_read(s.sample, s.global), temps[i]);
        LIST_PUSH(s.sample->tir.arena, &call->call.results, temps[i + 1]);
        sample_set(s.sample, s.x, sample_read(s.sample, temps[i]));
        sample_set(s.sample, i == 0 ? s.y : s.x, sample_read(s.sample, temps[i + 1]));
    }
    expect_aliased(s.sample, "x, y = call f(@g)\n"
                             "x, %5: tensor<real, 4> = call f(@g)\n"
                             "x = %5\n");
}
