// Intervals of int and uint scalars: for each operation, against all values of small operands.
#include "tir_sample.h"

#include "eval/scalar.h"
#include "tir/interval.h"
#include "tir/scalar.h"
#include "tir/visit.h"

#include <criterion/criterion.h>

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
