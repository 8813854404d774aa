// Intervals of int, uint and real scalars: for each operation, against all values of small
// operands.
#include "tir_sample.h"

#include "eval/scalar.h"
#include "tir/interval.h"
#include "tir/scalar.h"
#include "tir/visit.h"

#include <criterion/criterion.h>
#include <math.h>

static const TirOp operations[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM, OP_MIN, OP_MAX};

static int64_t number(Root root, TirScalar scalar) {
    return root == ROOT_INT ? scalar.integer : (int64_t)scalar.uint;
}

static TirScalar scalar_of(Root root, int64_t value) {
    return root == ROOT_INT ? (TirScalar){.integer = (int32_t)value}
                            : (TirScalar){.uint = (uint32_t)value};
}

// Every result of an operation on numbers of the two intervals lies in what is said of it, and
// where the operation is a sum that is said not to wrap, none does.
static void expect_covered(TirOp op, Root root, Interval a, Interval b) {
    Sample *sample = sample_create();
    TirVar *x = sample_local(sample, "x", sample_scalar(sample, root));
    TirVar *y = sample_local(sample, "y", sample_scalar(sample, root));
    TirExpr *expr = sample_binary(sample, op, sample_read(sample, x), sample_read(sample, y));
    Interval *vars = interval_vars(sample->tir.arena, sample->main);
    vars[x->id] = a;
    vars[y->id] = b;
    Interval result = interval_of(vars, expr);
    for (int64_t i = a.least; i <= a.most; i++) {
        for (int64_t k = b.least; k <= b.most; k++) {
            Root roots[] = {root, root};
            TirScalar args[] = {scalar_of(root, i), scalar_of(root, k)};
            TirScalar value;
            if (!scalar_apply(op, roots, args, false, &value)) {
                continue; // it traps
            }
            int64_t is = number(root, value);
            cr_expect(is >= result.least && is <= result.most, "%s of %lld and %lld is %lld",
                      tir_op_text(op), (long long)i, (long long)k, (long long)is);
            __int128 exact = op == OP_ADD ? i + k : op == OP_SUB ? i - k : (__int128)i * k;
            cr_expect(!interval_is_sum_within(vars, expr) || is == exact);
        }
    }
    sample_destroy(sample);
}

Test(interval, all_results_lie_in_it) {
    static const Interval ints[] = {
        {-3, 4}, {0, 5}, {2, 2}, {-4, -1}, {INT32_MIN, INT32_MIN + 3}, {INT32_MAX - 3, INT32_MAX}};
    static const Interval uints[] = {{0, 4}, {3, 3}, {UINT32_MAX - 4, UINT32_MAX}};
    for (size_t op = 0; op < sizeof(operations) / sizeof(operations[0]); op++) {
        for (size_t i = 0; i < 36; i++) {
            expect_covered(operations[op], ROOT_INT, ints[i / 6], ints[i % 6]);
        }
        for (size_t i = 0; i < 9; i++) {
            expect_covered(operations[op], ROOT_UINT, uints[i / 3], uints[i % 3]);
        }
    }
}

static const TirOp real_operations[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV,   OP_MIN,  OP_MAX,
                                        OP_REM, OP_NEG, OP_ABS, OP_FLOOR, OP_CEIL, OP_ROUND};

static bool has_real(Interval interval, double value) {
    Interval all = interval_all(ROOT_REAL);
    double place = 2 * floor(value) + (value != floor(value));
    return (interval.least == all.least || place >= (double)interval.least) &&
           (interval.most == all.most || place <= (double)interval.most);
}

// Ends and their neighbours, and what is far away where there is no end.
static size_t reals_in(Interval interval, bool single, double *values) {
    double least = (double)interval.least / 2, most = (double)interval.most / 2;
    const double candidates[] = {
        least,
        most,
        NAN,
        0.0,
        -0.0,
        0.3,
        -0.7,
        1e-300,
        1e300,
        -1e300,
        INFINITY,
        -INFINITY,
        single ? nextafterf((float)least, INFINITY) : nextafter(least, INFINITY),
        single ? nextafterf((float)most, -INFINITY) : nextafter(most, -INFINITY),
        single ? nextafterf((float)floor(most + 1), -INFINITY) : nextafter(floor(most + 1), 0)};
    size_t count = 0;
    for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
        double value = single ? (float)candidates[i] : candidates[i];
        if (isnan(value) || has_real(interval, value)) {
            values[count++] = value;
        }
    }
    return count;
}

static void expect_reals_covered(TirOp op, bool single, Interval a, Interval b) {
    Sample *sample = sample_create();
    TirVar *x = sample_local(sample, "x", sample_scalar(sample, ROOT_REAL));
    TirVar *y = sample_local(sample, "y", sample_scalar(sample, ROOT_REAL));
    bool is_binary = tir_op_arity(op) == 2;
    TirExpr *expr = tir_map(&sample->tir, op, x->type, sample_read(sample, x),
                            is_binary ? sample_read(sample, y) : NULL, NULL, (Span){0, 0});
    Interval *vars = interval_vars(sample->tir.arena, sample->main);
    vars[x->id] = a;
    vars[y->id] = b;
    Interval result = interval_of(vars, expr);
    double left[16], right[16];
    size_t left_count = reals_in(a, single, left), right_count = reals_in(b, single, right);
    for (size_t i = 0; i < left_count; i++) {
        for (size_t k = 0; k < (is_binary ? right_count : 1); k++) {
            Root roots[] = {ROOT_REAL, ROOT_REAL};
            TirScalar args[] = {{.real = left[i]}, {.real = right[k]}};
            TirScalar value;
            cr_assert(scalar_apply(op, roots, args, single, &value));
            cr_expect(isnan(value.real) || has_real(result, value.real),
                      "%s of %.17g and %.17g is %.17g", tir_op_text(op), left[i], right[k],
                      value.real);
        }
    }
    sample_destroy(sample);
}

Test(interval, all_results_of_reals_lie_in_it) {
    Interval all = interval_all(ROOT_REAL);
    const Interval reals[] = {{-6, 8},
                              {-5, 7},
                              {0, 1},
                              {0, 2},
                              {4, 15},
                              {-19, -4},
                              {10, 10},
                              {-7, -7},
                              {0, all.most},
                              {5, all.most},
                              {all.least, -1},
                              all,
                              {(1 << 25) - 1, 1 << 25},
                              {-(1 << 25), 1 << 24}};
    enum { COUNT = sizeof(reals) / sizeof(reals[0]) };
    for (size_t op = 0; op < sizeof(real_operations) / sizeof(real_operations[0]); op++) {
        for (size_t i = 0; i < (size_t)COUNT * COUNT; i++) {
            expect_reals_covered(real_operations[op], false, reals[i / COUNT], reals[i % COUNT]);
            expect_reals_covered(real_operations[op], true, reals[i / COUNT], reals[i % COUNT]);
        }
    }
}

// What an index becomes of a real: of nan it is 0, and what may be beyond an int wraps.
Test(interval, of_conversions) {
    Sample *sample = sample_create();
    TirVar *x = sample_local(sample, "x", sample_scalar(sample, ROOT_REAL));
    TirExpr *whole = tir_convert(&sample->tir, ROOT_INT, sample_read(sample, x), (Span){0, 0});
    Interval *vars = interval_vars(sample->tir.arena, sample->main);
    vars[x->id] = (Interval){4, 14};
    cr_expect_eq(interval_of(vars, whole).least, 0);
    cr_expect_eq(interval_of(vars, whole).most, 7);
    vars[x->id] = (Interval){-7, 13}; // between -4 and 7
    cr_expect_eq(interval_of(vars, whole).least, -3);
    cr_expect_eq(interval_of(vars, whole).most, 6);
    vars[x->id] = (Interval){0, interval_all(ROOT_REAL).most};
    cr_expect_eq(interval_of(vars, whole).least, INT32_MIN);
    cr_expect_eq(interval_of(vars, whole).most, INT32_MAX);
    TirExpr *rest = sample_binary(sample, OP_REM, sample_read(sample, x), sample_real(sample, 7.5));
    whole = tir_convert(&sample->tir, ROOT_INT, rest, (Span){0, 0});
    cr_expect_eq(interval_of(vars, whole).least, 0);
    cr_expect_eq(interval_of(vars, whole).most, 7);
    TirVar *flag = sample_local(sample, "flag", sample_scalar(sample, ROOT_BOOL));
    TirVar *count = sample_local(sample, "count", sample_scalar(sample, ROOT_INT));
    vars = interval_vars(sample->tir.arena, sample->main);
    vars[count->id] = (Interval){-3, 5};
    Interval real = interval_of(
        vars, tir_convert(&sample->tir, ROOT_REAL, sample_read(sample, flag), (Span){0, 0}));
    cr_expect_eq(real.least, 0);
    cr_expect_eq(real.most, 2);
    real = interval_of(
        vars, tir_convert(&sample->tir, ROOT_REAL, sample_read(sample, count), (Span){0, 0}));
    cr_expect_eq(real.least, -6);
    cr_expect_eq(real.most, 10);
    real = interval_of(vars, sample_real(sample, -2.5));
    cr_expect_eq(real.least, -5);
    cr_expect_eq(real.most, -5);
    real = interval_of(vars, sample_real(sample, 14.9999999999)); // 15 in single precision
    cr_expect_eq(real.least, 29);
    cr_expect_eq(real.most, 30);
    sample_destroy(sample);
}

static TirStmt *loop(Sample *sample, TirExpr *first, TirExpr *last, TirExpr *step) {
    TirStmt *stmt = tir_stmt(&sample->tir, sample->block, STMT_FOR, (Span){0, 0});
    stmt->for_loop.var = tir_var_create(&sample->tir, sample->main, VAR_LOOP, NULL,
                                        sample_scalar(sample, ROOT_INT), (Span){0, 0});
    stmt->for_loop.first = first;
    stmt->for_loop.last = last;
    stmt->for_loop.step = step;
    return stmt;
}

// Of a loop with these bounds: the least and the greatest value of its variable, and its turns.
Test(interval, of_the_variables_of_loops) {
    Sample *sample = sample_create();
    Interval *vars = interval_vars(sample->tir.arena, sample->main);
    for (int first = -3; first < 4; first++) {
        for (int last = -3; last < 4; last++) {
            for (int step = -3; step < 4; step++) {
                TirStmt *stmt = loop(sample, sample_int(sample, first), sample_int(sample, last),
                                     sample_int(sample, step));
                Interval expected = {1, 0};
                uint64_t count = 0;
                for (int i = first; step > 0 ? i < last : step < 0 && i > last; i += step) {
                    expected = interval_join(expected, (Interval){i, i});
                    count++;
                }
                uint64_t turns;
                Interval range = interval_of_loop(vars, stmt, &turns);
                if (count > 0) {
                    cr_expect_eq(range.least, expected.least);
                    cr_expect_eq(range.most, expected.most);
                    cr_expect_eq(turns, count);
                } else if (step != 0) {
                    cr_expect(interval_is_empty(range));
                    cr_expect_eq(turns, 0);
                }
            }
        }
    }
    sample_destroy(sample);
}
