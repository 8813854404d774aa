// Element-wise operations on edge cases, in straight code and in loops.
#include "sample.h"
#include "tir/visit.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { ROW = 24 }; // long enough that rows are loops

typedef struct OpCase {
    TirOp op;
    Root root; // of the operands
    double a[4], b[4];
    const char *expected;
} OpCase;

static TirExpr *operand(Sample *sample, Root root, const double *values) {
    const Type *type = sample_type(sample, root, 1, 4u);
    if (root == ROOT_REAL) {
        return sample_reals(sample, type, values);
    }
    int32_t integers[4];
    for (int i = 0; i < 4; i++) {
        integers[i] = (int32_t)(uint32_t)(int64_t)values[i];
    }
    return sample_ints(sample, type, integers);
}

static Root result_root(TirOp op, Root root) {
    bool is_test = (op >= OP_EQ && op <= OP_NOT) || (op >= OP_ISNAN && op <= OP_ISFINITE);
    return is_test ? ROOT_BOOL : op == OP_SIGN ? ROOT_INT : root;
}

static TirExpr *apply(Sample *sample, const OpCase *test, TirExpr *a, TirExpr *b) {
    Root root = result_root(test->op, test->root);
    const Type *type = type_with_root(sample->tir.types, a->type, root);
    b = tir_op_arity(test->op) == 2 ? b : NULL;
    return tir_map(&sample->tir, test->op, type, a, b, NULL, a->span);
}

// Column 3 of a matrix whose columns are all the same.
static TirExpr *column(Sample *sample, TirExpr *matrix) {
    TirAxis axes[] = {{.axis = 0, .step = 1}, {.axis = -1, .start = 3}};
    const Type *type = sample_type(sample, matrix->type->root, 1, 4u);
    return tir_view(&sample->tir, type, matrix, axes, matrix->span);
}

static void check_case(const OpCase *test) {
    Sample *sample = sample_create("x");
    TirExpr *a = operand(sample, test->root, test->a);
    TirExpr *b = operand(sample, test->root, test->b);
    sample_print(sample, apply(sample, test, a, b));
    TirVar *left = sample_local(sample, "left", sample_stretch(sample, a, ROW));
    TirVar *right = sample_local(sample, "right", sample_stretch(sample, b, ROW));
    TirExpr *looped = apply(sample, test, sample_read(sample, left), sample_read(sample, right));
    TirVar *result = sample_local(sample, "result", looped);
    sample_print(sample, column(sample, sample_read(sample, result)));
    char expected[512];
    snprintf(expected, sizeof(expected), "%s\n%s\n", test->expected, test->expected);
    sample_expect(sample, expected, 0, NULL);
    sample_destroy(sample);
}

#define MIN_INT (-2147483648.0)
#define CASES(name, ...)                                              \
    Test(scalars, name) {                                             \
        static const OpCase cases[] = {__VA_ARGS__};                  \
        for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) { \
            check_case(&cases[i]);                                    \
        }                                                             \
    }

CASES(integers_wrap,
      {OP_ADD, ROOT_INT, {2147483647, -1, 2, 0}, {1, 1, 3, 0}, "[-2147483648, 0, 5, 0]"},
      {OP_ADD, ROOT_UINT, {4294967295, 1, 2, 0}, {1, 1, 3, 0}, "[0u, 2u, 5u, 0u]"},
      {OP_SUB, ROOT_UINT, {0, 1, 2, 5}, {1, 1, 3, 0}, "[4294967295u, 0u, 4294967295u, 5u]"},
      {OP_MUL, ROOT_INT, {65536, MIN_INT, 7, 3}, {65536, -1, -3, 0}, "[0, -2147483648, -21, 0]"},
      {OP_NEG, ROOT_INT, {MIN_INT, 1, -5, 0}, {0}, "[-2147483648, -1, 5, 0]"},
      {OP_NEG, ROOT_UINT, {1, 0, 4294967295, 2}, {0}, "[4294967295u, 0u, 1u, 4294967294u]"})

CASES(division_truncates,
      {OP_DIV, ROOT_INT, {MIN_INT, -7, 7, 9}, {-1, 2, -2, 3}, "[-2147483648, -3, -3, 3]"},
      {OP_REM, ROOT_INT, {MIN_INT, -7, 7, 9}, {-1, 2, -2, 3}, "[0, -1, 1, 0]"},
      {OP_DIV, ROOT_UINT, {4294967295, 7, 0, 1}, {2, 7, 3, 2}, "[2147483647u, 1u, 0u, 0u]"},
      {OP_REM, ROOT_UINT, {4294967295, 7, 0, 1}, {2, 7, 3, 2}, "[1u, 0u, 0u, 1u]"},
      {OP_DIV, ROOT_REAL, {1, -1, 0, 1}, {0, 0, 0, 4}, "[inf, -inf, nan, 0.25]"},
      {OP_REM, ROOT_REAL, {7.5, -7.5, 1, (double)INFINITY}, {2, 2, 0, 2}, "[1.5, -1.5, nan, nan]"})

CASES(shifts_beyond_the_word_give_zero,
      {OP_SHL,
       ROOT_UINT,
       {1, 1, 1, 4294967295},
       {31, 32, 4294967295, 4},
       "[2147483648u, 0u, 0u, 4294967280u]"},
      {OP_SHR,
       ROOT_UINT,
       {4294967295, 4294967295, 8, 1},
       {31, 32, 2, 4294967295},
       "[1u, 0u, 2u, 0u]"})

CASES(bits, {OP_BIT_AND, ROOT_UINT, {12, 10, 0, 1}, {10, 4294967295, 1, 1}, "[8u, 10u, 0u, 1u]"},
      {OP_BIT_OR, ROOT_UINT, {12, 10, 0, 1}, {10, 1, 1, 1}, "[14u, 11u, 1u, 1u]"},
      {OP_BIT_XOR, ROOT_UINT, {12, 10, 0, 1}, {10, 1, 1, 1}, "[6u, 11u, 1u, 0u]"},
      {OP_BIT_NOT,
       ROOT_UINT,
       {0, 4294967295, 1, 2},
       {0},
       "[4294967295u, 0u, 4294967294u, 4294967293u]"})

CASES(nan_wins_and_zeros_are_ordered,
      {OP_MIN, ROOT_REAL, {NAN, 1, 0.0, -0.0}, {1, NAN, -0.0, 0.0}, "[nan, nan, -0.0, -0.0]"},
      {OP_MAX, ROOT_REAL, {NAN, 1, 0.0, -0.0}, {1, NAN, -0.0, 0.0}, "[nan, nan, 0.0, 0.0]"},
      {OP_MIN, ROOT_INT, {MIN_INT, 1, -1, 5}, {0, 2, 1, 5}, "[-2147483648, 1, -1, 5]"},
      {OP_MAX, ROOT_UINT, {4294967295, 1, 2, 5}, {0, 2, 1, 5}, "[4294967295u, 2u, 2u, 5u]"})

CASES(
    comparisons_with_nan_are_false_but_for_not_equal,
    {OP_EQ, ROOT_REAL, {NAN, 1, 0.0, 2}, {NAN, NAN, -0.0, 1}, "[false, false, true, false]"},
    {OP_NE, ROOT_REAL, {NAN, 1, 0.0, 2}, {NAN, NAN, -0.0, 1}, "[true, true, false, true]"},
    {OP_LT, ROOT_REAL, {NAN, 1, 0.0, 2}, {NAN, NAN, -0.0, 3}, "[false, false, false, true]"},
    {OP_GE, ROOT_REAL, {NAN, 1, 0.0, 2}, {NAN, NAN, -0.0, 3}, "[false, false, true, false]"},
    {OP_LT, ROOT_INT, {-1, 1, MIN_INT, 2}, {1, -1, 0, 2}, "[true, false, true, false]"},
    {OP_LT, ROOT_UINT, {4294967295, 1, 0, 2}, {1, 4294967295, 0, 2}, "[false, true, false, false]"},
    {OP_LE, ROOT_UINT, {4294967295, 1, 0, 2}, {1, 4294967295, 0, 2}, "[false, true, true, true]"},
    {OP_GT, ROOT_INT, {-1, 1, MIN_INT, 2}, {1, -1, 0, 2}, "[false, true, false, false]"})

CASES(logic, {OP_AND, ROOT_BOOL, {0, 0, 1, 1}, {0, 1, 0, 1}, "[false, false, false, true]"},
      {OP_OR, ROOT_BOOL, {0, 0, 1, 1}, {0, 1, 0, 1}, "[false, true, true, true]"},
      {OP_NOT, ROOT_BOOL, {0, 0, 1, 1}, {0}, "[true, true, false, false]"},
      {OP_EQ, ROOT_BOOL, {0, 0, 1, 1}, {0, 1, 0, 1}, "[true, false, false, true]"})

CASES(classes_and_signs,
      {OP_ISNAN, ROOT_REAL, {NAN, INFINITY, 0, -1}, {0}, "[true, false, false, false]"},
      {OP_ISINF, ROOT_REAL, {NAN, -INFINITY, 0, -1}, {0}, "[false, true, false, false]"},
      {OP_ISFINITE, ROOT_REAL, {NAN, -INFINITY, 0, -1}, {0}, "[false, false, true, true]"},
      {OP_SIGN, ROOT_REAL, {NAN, -INFINITY, -0.0, 3}, {0}, "[0, -1, 0, 1]"},
      {OP_SIGN, ROOT_INT, {MIN_INT, -1, 0, 7}, {0}, "[-1, -1, 0, 1]"},
      {OP_SIGN, ROOT_UINT, {4294967295, 1, 0, 7}, {0}, "[1, 1, 0, 1]"})

CASES(products_of_derivatives_are_zero_where_a_factor_is,
      {OP_MULZ, ROOT_REAL, {0, INFINITY, -0.0, 2}, {NAN, 0, -3, 4}, "[0.0, 0.0, 0.0, 8.0]"},
      {OP_MULZ, ROOT_REAL, {NAN, INFINITY, 1, -2}, {1, -2, NAN, 3}, "[nan, -inf, nan, -6.0]"})

CASES(real_functions,
      {OP_ROUND, ROOT_REAL, {0.5, -0.5, 2.5, 0.49999999999999994}, {0}, "[1.0, -1.0, 3.0, 0.0]"},
      {OP_FLOOR, ROOT_REAL, {0.5, -0.5, 2.5, -3}, {0}, "[0.0, -1.0, 2.0, -3.0]"},
      {OP_CEIL, ROOT_REAL, {0.5, -0.5, 2.5, -3}, {0}, "[1.0, -0.0, 3.0, -3.0]"},
      {OP_TRUNC, ROOT_REAL, {0.5, -0.5, 2.5, -3.9}, {0}, "[0.0, -0.0, 2.0, -3.0]"},
      {OP_ABS, ROOT_REAL, {-0.0, -INFINITY, NAN, -3}, {0}, "[0.0, inf, nan, 3.0]"},
      {OP_SQRT, ROOT_REAL, {-0.0, 4, -1, INFINITY}, {0}, "[-0.0, 2.0, nan, inf]"},
      {OP_POW, ROOT_REAL, {-INFINITY, 0, 2, -8}, {0.5, 0, -1, 1.0 / 3}, "[inf, 1.0, 0.5, nan]"},
      {OP_POW, ROOT_REAL, {-0.0, NAN, 1e200, -3}, {2, 2, 2, 2}, "[0.0, nan, inf, 9.0]"},
      {OP_SQUARE, ROOT_REAL, {-0.0, NAN, 1e200, -3}, {0}, "[0.0, nan, inf, 9.0]"},
      {OP_ATAN2,
       ROOT_REAL,
       {0.0, -0.0, 1, 0},
       {1, 1, 0, -1},
       "[0.0, -0.0, 1.5707963267948966, 3.141592653589793]"},
      {OP_EXP, ROOT_REAL, {0, 1, -INFINITY, 1000}, {0}, "[1.0, 2.718281828459045, 0.0, inf]"})

typedef struct ConvertCase {
    Root from, to;
    double values[4];
    const char *expected;
} ConvertCase;

Test(scalars, conversions) {
    static const ConvertCase cases[] = {
        {ROOT_REAL,
         ROOT_UINT,
         {-123.13, NAN, 4294967296.0, 1e300},
         "[4294967173u, 0u, 0u, 4294967295u]"},
        {ROOT_REAL, ROOT_INT, {4294967173.0, -INFINITY, -2.9, 1e10}, "[-123, 0, -2, 1410065408]"},
        {ROOT_REAL, ROOT_BOOL, {NAN, -0.0, 1e-300, 0}, "[true, false, true, false]"},
        {ROOT_UINT,
         ROOT_REAL,
         {4294967295, 0, 1, 2147483648},
         "[4294967295.0, 0.0, 1.0, 2147483648.0]"},
        {ROOT_INT, ROOT_REAL, {-1, MIN_INT, 0, 7}, "[-1.0, -2147483648.0, 0.0, 7.0]"},
        {ROOT_UINT, ROOT_INT, {4294967295, 0, 1, 2147483648}, "[-1, 0, 1, -2147483648]"},
        {ROOT_INT, ROOT_UINT, {-1, MIN_INT, 0, 7}, "[4294967295u, 2147483648u, 0u, 7u]"},
        {ROOT_INT, ROOT_BOOL, {-1, 0, 256, 7}, "[true, false, true, true]"},
        {ROOT_BOOL, ROOT_REAL, {1, 0, 1, 0}, "[1.0, 0.0, 1.0, 0.0]"},
        {ROOT_BOOL, ROOT_INT, {1, 0, 1, 0}, "[1, 0, 1, 0]"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample *sample = sample_create("x");
        TirExpr *from = operand(sample, cases[i].from, cases[i].values);
        TirVar *looped = sample_local(sample, "looped", sample_stretch(sample, from, ROW));
        TirExpr *read = sample_read(sample, looped);
        TirVar *result = sample_local(sample, "result",
                                      tir_convert(&sample->tir, cases[i].to, read, from->span));
        sample_print(sample, tir_convert(&sample->tir, cases[i].to, from, from->span));
        sample_print(sample, column(sample, sample_read(sample, result)));
        char expected[512];
        snprintf(expected, sizeof(expected), "%s\n%s\n", cases[i].expected, cases[i].expected);
        sample_expect(sample, expected, 0, NULL);
        sample_destroy(sample);
    }
}

Test(scalars, int_and_uint_compare_by_value) {
    Sample *sample = sample_create("x");
    const double ints[] = {-1, -1, 5, 2147483647}, uints[] = {4294967295, 0, 5, 2147483648};
    TirExpr *a = operand(sample, ROOT_INT, ints);
    TirExpr *b = operand(sample, ROOT_UINT, uints);
    sample_print(sample, sample_compare(sample, OP_LT, a, b));
    sample_print(sample, sample_compare(sample, OP_EQ, a, b));
    sample_expect(sample, "[true, true, false, true]\n[false, false, true, false]\n", 0, NULL);
    sample_destroy(sample);
}
