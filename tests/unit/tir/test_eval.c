// The oracle against values worked out by hand.
#include "tir_sample.h"

#include "eval/eval.h"
#include "eval/scalar.h"
#include "tir/visit.h"

#include <criterion/criterion.h>
#include <math.h>

static const Span NOWHERE = {0, 0};

static void expect_output(Sample *sample, const char *expected) {
    Buffer out = {0};
    RefFault fault;
    sample_expect_valid(sample);
    cr_assert(ref_eval_run(&sample->program, NULL, &out, &fault), "trap %d", fault.code);
    cr_assert_str_eq(out.data, expected, "printed:\n%s\ninstead of:\n%s", out.data, expected);
    buffer_free(&out);
    sample_destroy(sample);
}

static RefFault expect_fault(Sample *sample, int code) {
    Buffer out = {0};
    RefFault fault;
    sample_expect_valid(sample);
    cr_assert(!ref_eval_run(&sample->program, NULL, &out, &fault), "no trap");
    cr_assert_eq(fault.code, code);
    cr_assert_eq(out.len, 0);
    buffer_free(&out);
    sample_destroy(sample);
    return fault;
}

// Scalars.

typedef struct IntCase {
    TirOp op;
    int32_t a, b, expected;
} IntCase;

Test(ref_scalar, integers_wrap_and_truncate) {
    static const IntCase cases[] = {
        {OP_ADD, INT32_MAX, 1, INT32_MIN},
        {OP_SUB, INT32_MIN, 1, INT32_MAX},
        {OP_MUL, 65536, 65536, 0},
        {OP_NEG, INT32_MIN, 0, INT32_MIN},
        {OP_DIV, -7, 2, -3},
        {OP_REM, -7, 2, -1},
        {OP_DIV, INT32_MIN, -1, INT32_MIN},
        {OP_REM, INT32_MIN, -1, 0},
        {OP_REM, 7, -2, 1},
        {OP_MIN, -1, 1, -1},
        {OP_MAX, -1, 1, 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TirScalar args[3] = {{.integer = cases[i].a}, {.integer = cases[i].b}};
        bool trapped = false;
        TirScalar value = ref_apply(cases[i].op, ROOT_INT, ROOT_INT, args, false, &trapped);
        cr_assert_eq(value.integer, cases[i].expected, "%s(%d, %d) is %d", tir_op_text(cases[i].op),
                     cases[i].a, cases[i].b, value.integer);
        cr_assert(!trapped);
    }
}

Test(ref_scalar, unsigned_operations) {
    static const struct {
        TirOp op;
        uint32_t a, b, expected;
    } cases[] = {
        {OP_SUB, 0, 1, UINT32_MAX},   {OP_DIV, UINT32_MAX, 2, INT32_MAX},
        {OP_SHL, 1, 31, 0x80000000U}, {OP_SHL, 1, 32, 0},
        {OP_SHR, 0x80000000U, 31, 1}, {OP_SHR, 1, UINT32_MAX, 0},
        {OP_BIT_XOR, 6, 3, 5},        {OP_MAX, 1, UINT32_MAX, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TirScalar args[3] = {{.uint = cases[i].a}, {.uint = cases[i].b}};
        bool trapped = false;
        TirScalar value = ref_apply(cases[i].op, ROOT_UINT, ROOT_UINT, args, false, &trapped);
        cr_assert_eq(value.uint, cases[i].expected, "%s", tir_op_text(cases[i].op));
    }
}

Test(ref_scalar, int_and_uint_compare_by_value) {
    TirScalar args[3] = {{.integer = -1}, {.uint = UINT32_MAX}};
    bool trapped = false;
    cr_assert(ref_apply(OP_LT, ROOT_INT, ROOT_UINT, args, false, &trapped).boolean);
    cr_assert(!ref_apply(OP_EQ, ROOT_INT, ROOT_UINT, args, false, &trapped).boolean);
}

static double real_of(TirOp op, double a, double b) {
    TirScalar args[3] = {{.real = a}, {.real = b}};
    bool trapped = false;
    return ref_apply(op, ROOT_REAL, ROOT_REAL, args, false, &trapped).real;
}

Test(ref_scalar, reals_know_nan_and_signed_zeros) {
    cr_assert(isnan(real_of(OP_MIN, (double)NAN, 1)) && isnan(real_of(OP_MAX, 1, (double)NAN)));
    cr_assert(signbit(real_of(OP_MIN, 0.0, -0.0)) && signbit(real_of(OP_MIN, -0.0, 0.0)));
    cr_assert(!signbit(real_of(OP_MAX, 0.0, -0.0)) && !signbit(real_of(OP_MAX, -0.0, 0.0)));
    cr_assert_eq(real_of(OP_REM, -7.5, 2), -1.5);
    cr_assert_eq(real_of(OP_ROUND, -2.5, 0), -3);
    cr_assert(isinf(real_of(OP_DIV, 1, 0)));
    cr_assert_eq(real_of(OP_MULZ, 0, (double)INFINITY), 0);
    cr_assert_eq(real_of(OP_MULZ, (double)NAN, -0.0), 0);
    cr_assert_eq(real_of(OP_MULZ, 2, 3), 6);
}

Test(ref_scalar, single_rounds_each_operation) {
    TirScalar args[3] = {{.real = 16777216}, {.real = 1}};
    bool trapped = false;
    TirScalar sum = ref_apply(OP_ADD, ROOT_REAL, ROOT_REAL, args, true, &trapped);
    cr_assert_eq(sum.real, 16777216);
}

Test(ref_scalar, conversions_follow_the_rule) {
    static const struct {
        double real;
        int32_t integer;
    } cases[] = {
        {-123.13, -123}, {4294967173.0, -123}, {2.9, 2}, {1e30, -1}, {-1e30, 0}, {-0.9, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TirScalar real = {.real = cases[i].real};
        TirScalar value = ref_convert(ROOT_INT, ROOT_REAL, real, false);
        cr_assert_eq(value.integer, cases[i].integer, "%g became %d", real.real, value.integer);
    }
    TirScalar nan_value = {.real = (double)NAN};
    cr_assert_eq(ref_convert(ROOT_INT, ROOT_REAL, nan_value, false).integer, 0);
    cr_assert(ref_convert(ROOT_BOOL, ROOT_REAL, nan_value, false).boolean);
    TirScalar minus_one = {.integer = -1};
    cr_assert_eq(ref_convert(ROOT_UINT, ROOT_INT, minus_one, false).uint, UINT32_MAX);
    cr_assert_eq(ref_convert(ROOT_REAL, ROOT_INT, minus_one, false).real, -1);
}

// Expressions.

Test(ref_eval, views_reductions_and_products) {
    Sample *sample = sample_create();
    TirExpr *v = sample_count_up(sample, 4); // 1 to 4
    const Type *square = sample_tensor(sample, 2, 2, 0);
    TirExpr *m = tir_reshape(&sample->tir, square, v, NOWHERE);
    TirExpr *pair = sample_count_up(sample, 2);
    sample_print(sample, sample_transpose(sample, m));
    sample_print(sample, sample_rows(sample, pair, 2));
    sample_print(sample, sample_range(sample, v, 3, -2, 2));
    sample_print(sample, sample_dot(sample, m, m));
    sample_print(sample, sample_dot(sample, m, pair));
    sample_print(sample, sample_dot(sample, pair, m));
    sample_print(sample, sample_dot(sample, v, v));
    sample_print(sample, tir_reduce(&sample->tir, REDUCE_SUM, pair->type, m, 0, 1, NOWHERE));
    sample_print(sample, tir_reduce(&sample->tir, REDUCE_SUM, pair->type, m, 1, 1, NOWHERE));
    sample_print(sample, tir_cumsum(&sample->tir, m, NOWHERE));
    TirExpr *joined[] = {m, sample_transpose(sample, m)};
    sample_print(sample,
                 tir_concat(&sample->tir, sample_tensor(sample, 2, 4, 0), joined, 2, 1, NOWHERE));
    sample_print(sample, tir_reduce(&sample->tir, REDUCE_ARGMAX, sample_scalar(sample, ROOT_INT), v,
                                    0, 1, NOWHERE));
    expect_output(sample, "[1.0, 3.0;\n 2.0, 4.0]\n"
                          "[1.0, 2.0;\n 1.0, 2.0]\n"
                          "[4.0, 2.0]\n"
                          "[7.0, 10.0;\n 15.0, 22.0]\n"
                          "[5.0, 11.0]\n"
                          "[7.0, 10.0]\n"
                          "30.0\n"
                          "[4.0, 6.0]\n"
                          "[3.0, 7.0]\n"
                          "[1.0, 3.0;\n 3.0, 7.0]\n"
                          "[1.0, 2.0, 1.0, 3.0;\n 3.0, 4.0, 2.0, 4.0]\n"
                          "3\n");
}

Test(ref_eval, values_are_complete_before_they_are_stored) {
    Sample *sample = sample_create();
    TirExpr *x = sample_vector(sample, "x", 4);
    sample_set(sample, x, sample_count_up(sample, 4));
    sample_set(sample, sample_range(sample, x, 1, 1, 3), sample_range(sample, x, 0, 1, 3));
    sample_print(sample, x);
    sample_set(sample, x, sample_range(sample, x, 3, -1, 4));
    sample_print(sample, x);
    expect_output(sample, "[1.0, 1.0, 2.0, 3.0]\n"
                          "[3.0, 2.0, 1.0, 1.0]\n");
}

// Traps.

Test(ref_eval, indices_outside_trap) {
    Sample *sample = sample_create();
    TirExpr *v = sample_count_up(sample, 4);
    sample_print(sample, sample_element(sample, v, sample_int(sample, -1)));
    RefFault fault = expect_fault(sample, 1001);
    cr_assert_eq(fault.index, -1);
    cr_assert_eq(fault.length, 4);
    cr_assert_eq(fault.span.start, 7);
}

Test(ref_eval, division_by_zero_traps) {
    Sample *sample = sample_create();
    TirExpr *zero = sample_int(sample, 0);
    sample_print(sample, sample_binary(sample, OP_REM, sample_int(sample, 1), zero));
    expect_fault(sample, 1002);
}

Test(ref_eval, the_right_side_of_and_is_evaluated_when_needed) {
    Sample *sample = sample_create();
    TirExpr *outside = sample_element(sample, sample_count_up(sample, 4), sample_int(sample, 9));
    TirExpr *traps = sample_less(sample, outside, sample_real(sample, 0));
    TirExpr *no = sample_bool(sample, false);
    TirExpr *yes = sample_bool(sample, true);
    sample_print(sample, sample_binary(sample, OP_AND, no, traps));
    sample_print(sample, sample_binary(sample, OP_OR, yes, traps));
    expect_output(sample, "false\ntrue\n");

    sample = sample_create();
    outside = sample_element(sample, sample_count_up(sample, 4), sample_int(sample, 9));
    traps = sample_less(sample, outside, sample_real(sample, 0));
    sample_print(sample, sample_binary(sample, OP_AND, sample_bool(sample, true), traps));
    expect_fault(sample, 1001);
}

Test(ref_eval, assertions_trap_with_their_text) {
    Sample *sample = sample_create();
    TirStmt *stmt = tir_stmt(&sample->tir, sample->block, STMT_ASSERT, NOWHERE);
    stmt->assertion.condition = sample_bool(sample, false);
    stmt->assertion.text = (Slice){"never", 5};
    RefFault fault = expect_fault(sample, 1004);
    cr_assert_eq(fault.text.len, 5);
}

// Statements.

static TirStmt *loop_from(Sample *sample, TirVar **var, int32_t first, int32_t last, int32_t step) {
    *var = tir_var_create(&sample->tir, sample->main, VAR_LOOP, NULL,
                          sample_scalar(sample, ROOT_INT), NOWHERE);
    TirStmt *stmt = tir_stmt(&sample->tir, sample->block, STMT_FOR, NOWHERE);
    stmt->for_loop.var = *var;
    stmt->for_loop.first = sample_int(sample, first);
    stmt->for_loop.last = sample_int(sample, last);
    stmt->for_loop.step = sample_int(sample, step);
    return stmt;
}

static void print_in_loop(Sample *sample, int32_t first, int32_t last, int32_t step) {
    TirVar *var;
    TirStmt *loop = loop_from(sample, &var, first, last, step);
    TirBlock *outer = sample->block;
    sample->block = &loop->for_loop.body;
    sample_print(sample, sample_read(sample, var));
    sample->block = outer;
}

Test(ref_eval, loops_stop_before_their_end) {
    Sample *sample = sample_create();
    print_in_loop(sample, 3, 0, -2);
    print_in_loop(sample, INT32_MAX - 1, INT32_MAX, 5);
    print_in_loop(sample, 1, 1, 1);
    expect_output(sample, "3\n1\n2147483646\n");
    sample = sample_create();
    print_in_loop(sample, 0, 3, 0);
    expect_fault(sample, 1003);
}

Test(ref_eval, jumps_leave_and_repeat_the_innermost_loop) {
    Sample *sample = sample_create();
    TirVar *i;
    TirStmt *loop = loop_from(sample, &i, 0, 5, 1);
    sample->block = &loop->for_loop.body;
    for (int32_t limit = 2; limit <= 4; limit += 2) { // before 2 repeat, before 4 go on, then leave
        TirStmt *branch = tir_stmt(&sample->tir, sample->block, STMT_IF, NOWHERE);
        branch->branch.condition =
            sample_less(sample, sample_read(sample, i), sample_int(sample, limit));
        tir_stmt(&sample->tir, limit == 2 ? &branch->branch.then : &branch->branch.otherwise,
                 limit == 2 ? STMT_CONTINUE : STMT_BREAK, NOWHERE);
    }
    sample_print(sample, sample_read(sample, i));
    sample->block = &sample->main->body;
    expect_output(sample, "2\n3\n");
}

Test(ref_eval, while_runs_its_statements_before_each_test) {
    Sample *sample = sample_create();
    TirVar *n = sample_local(sample, "n", sample_scalar(sample, ROOT_INT));
    TirExpr *read = sample_read(sample, n);
    sample_set(sample, read, sample_int(sample, 0));
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, NOWHERE);
    loop->while_loop.condition = sample_less(sample, read, sample_int(sample, 3));
    sample->block = &loop->while_loop.before;
    sample_set(sample, read, sample_binary(sample, OP_ADD, read, sample_int(sample, 1)));
    sample->block = &loop->while_loop.body;
    sample_print(sample, read);
    sample->block = &sample->main->body;
    sample_print(sample, read);
    expect_output(sample, "1\n2\n3\n");
}

// fn f(tensor<real, 2> a): the global changes; what was passed does not.
Test(ref_eval, arguments_are_values) {
    Sample *sample = sample_create();
    TirExpr *pair = sample_count_up(sample, 2);
    TirVar *global = sample_global(sample, "g", pair->type);
    TirFunction *callee = sample_callee(sample, "f");
    TirVar *a = sample_param(sample, callee, "a", pair->type);
    TirVar *result = tir_result_create(&sample->tir, callee, pair->type, NOWHERE);
    TirExpr *g = sample_read(sample, global);
    TirExpr *passed = sample_read(sample, a);
    tir_set(&sample->tir, &callee->body, g, sample_binary(sample, OP_ADD, g, g), NOWHERE);
    tir_set(&sample->tir, &callee->body, sample_read(sample, result), passed, NOWHERE);
    TirExpr *x = sample_vector(sample, "x", 2);
    sample_set(sample, g, pair);
    sample_call(sample, callee, g, x->var);
    sample_print(sample, x);
    sample_print(sample, g);
    expect_output(sample, "[1.0, 2.0]\n[2.0, 4.0]\n");
}

// Inputs and outputs.

static const TirScalar *give_seven(void *data, Slice name, const Type *type) {
    static const TirScalar seven = {.integer = 7};
    cr_assert(type_is_scalar(type));
    *(size_t *)data += name.len;
    return &seven;
}

static bool take_some(void *data, Slice name, const Type *type, const TirScalar *scalars) {
    (void)type;
    *(size_t *)data += (size_t)scalars->integer;
    return name.data[0] == 'a';
}

Test(ref_eval, outputs_that_nobody_takes_are_printed) {
    Sample *sample = sample_create();
    TirVar *n = sample_local(sample, "n", sample_scalar(sample, ROOT_INT));
    TirStmt *input = tir_stmt(&sample->tir, sample->block, STMT_INPUT, NOWHERE);
    input->input.var = n;
    input->input.name = (Slice){"abc", 3};
    for (const char *name = "ab"; *name != '\0'; name++) {
        TirStmt *output = tir_stmt(&sample->tir, sample->block, STMT_OUTPUT, NOWHERE);
        output->output.name = (Slice){name, 1};
        output->output.value = sample_read(sample, n);
    }
    size_t seen = 0;
    RefEvalIo io = {.data = &seen, .input = give_seven, .output = take_some};
    Buffer out = {0};
    RefFault fault;
    cr_assert(ref_eval_run(&sample->program, &io, &out, &fault));
    cr_assert_str_eq(out.data, "b = 7\n");
    cr_assert_eq(seen, 3 + 7 + 7);
    buffer_free(&out);
    sample_destroy(sample);
}
