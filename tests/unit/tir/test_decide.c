// Choices between ints: what is said to be decided is so for all values, and what is decided is put
// in as it is.
#include "tir_sample.h"

#include "eval/scalar.h"
#include "tir/decide.h"
#include "tir/scalar.h"
#include "tir/visit.h"

#include <criterion/criterion.h>

static const TirOp choices[] = {OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_MIN, OP_MAX, OP_REM};
enum { CHOICES = sizeof(choices) / sizeof(choices[0]) };
static const Interval intervals[] = {{-3, -1}, {-1, 2}, {0, 0}, {0, 3}, {3, 3},
                                     {3, 5},   {4, 7},  {5, 5}, {6, 9}};
enum { INTERVALS = sizeof(intervals) / sizeof(intervals[0]) };

static bool gives_int(TirOp op) {
    return op == OP_MIN || op == OP_MAX || op == OP_REM;
}

static TirExpr *binary(Sample *sample, TirOp op, TirExpr *a, TirExpr *b) {
    const Type *type = sample_scalar(sample, gives_int(op) ? ROOT_INT : ROOT_BOOL);
    return tir_map(&sample->tir, op, type, a, b, NULL, (Span){0});
}

static int32_t value_of(TirOp op, int32_t a, int32_t b) {
    const Root roots[] = {ROOT_INT, ROOT_INT};
    TirScalar args[] = {{.integer = a}, {.integer = b}}, result = {0};
    cr_assert(scalar_apply(op, roots, args, false, &result));
    return gives_int(op) ? result.integer : result.boolean;
}

// Of an expression that is a variable, a constant, or a variable and a constant added.
static int32_t read(const TirExpr *expr, const TirVar *x, int32_t a, int32_t b) {
    if (expr->kind == EXPR_VAR) {
        return expr->var == x ? a : b;
    }
    if (expr->kind == EXPR_CONST) {
        return expr->type->root == ROOT_BOOL ? expr->data[0].boolean : expr->data[0].integer;
    }
    if (expr->map.op == OP_ADD) {
        return read(expr->map.args[0], x, a, b) + read(expr->map.args[1], x, a, b);
    }
    return value_of(expr->map.op, read(expr->map.args[0], x, a, b),
                    read(expr->map.args[1], x, a, b));
}

// In `count`, how many of all pairs of values an operation gives a result for, and whether one of
// them alone decides it.
static void expect_decided(Sample *sample, TirOp op, Interval a, Interval b, unsigned *count) {
    TirVar *x = sample_local(sample, "x", sample_scalar(sample, ROOT_INT));
    TirVar *y = sample_local(sample, "y", sample_scalar(sample, ROOT_INT));
    TirExpr *expr = binary(sample, op, sample_read(sample, x), sample_read(sample, y));
    Interval *vars = interval_vars(sample->tir.arena, sample->main);
    vars[x->id] = a;
    vars[y->id] = b;
    cr_assert(decide_is_choice(expr));
    TirExpr *decided = decide_expr(&sample->tir, vars, expr);
    bool is_open = decided->kind == EXPR_MAP && decided->map.op == op;
    cr_expect_eq(is_open, !decide_holds(vars, expr), "%s of [%d, %d] and [%d, %d]", tir_op_text(op),
                 (int)a.least, (int)a.most, (int)b.least, (int)b.most);
    bool always_left = true, always_right = true, always_same = true;
    int32_t first = 0;
    for (int32_t i = (int32_t)a.least; i <= a.most; i++) {
        for (int32_t k = (int32_t)b.least; k <= b.most; k++) {
            if (op == OP_REM && k == 0) {
                return;
            }
            int32_t value = value_of(op, i, k);
            bool is_first = i == a.least && k == b.least;
            first = is_first ? value : first;
            always_left = always_left && value == i;
            always_right = always_right && value == k;
            always_same = always_same && value == first;
            if (!is_open) {
                cr_expect_eq(read(decided, x, i, k), value, "%s of %d and %d", tir_op_text(op), i,
                             k);
            }
        }
    }
    if (!gives_int(op) ? always_same : op != OP_REM && (always_left || always_right)) {
        cr_expect(!is_open, "%s of [%d, %d] and [%d, %d] is decided", tir_op_text(op), (int)a.least,
                  (int)a.most, (int)b.least, (int)b.most);
    }
    *count += !is_open;
}

Test(decide, all_values_agree) {
    unsigned decided[CHOICES] = {0};
    for (size_t op = 0; op < CHOICES; op++) {
        for (size_t i = 0; i < INTERVALS * INTERVALS; i++) {
            Sample *sample = sample_create();
            expect_decided(sample, choices[op], intervals[i / INTERVALS], intervals[i % INTERVALS],
                           &decided[op]);
            sample_destroy(sample);
        }
        cr_expect(decided[op] > 8, "%s is decided %u times", tir_op_text(choices[op]), decided[op]);
    }
}

// A dividend that is a sum with a constant becomes one with what is left of it.
Test(decide, remainders) {
    static const struct {
        int32_t least, most, added, period, expected; // what is added then; 0: it stays
    } cases[] = {{1, 9, 9, 10, -1},  {1, 10, 9, 10, 0},  {0, 8, 1, 10, 1},  {0, 9, 1, 10, 0},
                 {0, 9, 20, 10, -0}, {5, 9, 15, 10, -5}, {3, 7, 12, 10, 0}, {-5, -1, 5, 10, 5}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample *sample = sample_create();
        Tir *tir = &sample->tir;
        TirVar *x = sample_local(sample, "x", sample_scalar(sample, ROOT_INT));
        Span nowhere = {0};
        TirExpr *sum = tir_line(tir, sample_read(sample, x), 1, cases[i].added, nowhere);
        TirExpr *expr = binary(sample, OP_REM, sum, tir_const_int(tir, cases[i].period, nowhere));
        Interval *vars = interval_vars(tir->arena, sample->main);
        vars[x->id] = (Interval){cases[i].least, cases[i].most};
        TirExpr *decided = decide_expr(tir, vars, expr);
        for (int32_t n = cases[i].least; n <= cases[i].most; n++) {
            cr_expect_eq(read(decided, x, n, 0), (n + cases[i].added) % cases[i].period);
        }
        if (cases[i].expected != 0) {
            int64_t offset;
            cr_expect_eq(tir_index_var(decided, &offset), x);
            cr_expect_eq(offset, cases[i].expected);
        }
        sample_destroy(sample);
    }
}

// What would be left out, but may trap, stays.
Test(decide, traps_stay) {
    Sample *sample = sample_create();
    Tir *tir = &sample->tir;
    Span nowhere = {0};
    TirVar *x = sample_local(sample, "x", sample_scalar(sample, ROOT_INT));
    TirVar *y = sample_local(sample, "y", sample_scalar(sample, ROOT_INT));
    Interval *vars = interval_vars(tir->arena, sample->main);
    vars[x->id] = (Interval){0, 3};
    // x % y is at most 3 and above -1, but y may be 0.
    TirExpr *rest = binary(sample, OP_REM, sample_read(sample, x), sample_read(sample, y));
    vars[y->id] = (Interval){-9, 9};
    TirExpr *seven = tir_const_int(tir, 7, nowhere), *five = tir_const_int(tir, 5, nowhere);
    TirExpr *known = binary(sample, OP_MIN, sample_read(sample, x), seven);
    cr_expect_eq(decide_expr(tir, vars, known)->kind, EXPR_VAR);
    TirExpr *open = binary(sample, OP_LT, rest, tir_const_int(tir, INT32_MIN, nowhere));
    cr_expect_eq(decide_expr(tir, vars, open)->kind, EXPR_MAP);
    TirExpr *less = binary(sample, OP_LT, sample_read(sample, x), five);
    TirExpr *traps = binary(sample, OP_GT, rest, five);
    TirExpr *both = binary(sample, OP_OR, traps, less);
    TirExpr *decided = decide_expr(tir, vars, both);
    cr_expect(decided->kind == EXPR_MAP && decided->map.op == OP_OR, "its left side may trap");
    // Of what may trap and is known to be 0 to 3 a comparison is decided, but stays on either side.
    TirExpr *zero = tir_const_int(tir, 0, nowhere), *three = tir_const_int(tir, 3, nowhere);
    TirExpr *small = binary(sample, OP_MIN, binary(sample, OP_MAX, rest, zero), three);
    cr_expect_eq(decide_expr(tir, vars, binary(sample, OP_LT, small, five))->kind, EXPR_MAP);
    cr_expect_eq(decide_expr(tir, vars, binary(sample, OP_GT, five, small))->kind, EXPR_MAP);
    TirExpr *turned = binary(sample, OP_OR, less, traps);
    cr_expect_eq(decide_expr(tir, vars, turned)->kind, EXPR_CONST, "its right side is not reached");
    sample_destroy(sample);
}

// Beside what is decided the other side is left, whichever it is.
Test(decide, one_side_is_left) {
    static const struct {
        TirOp op;
        bool is_left; // the one that is decided
        bool holds;
        bool stays; // the other one
    } cases[] = {{OP_AND, true, true, true},   {OP_AND, false, true, true},
                 {OP_AND, true, false, false}, {OP_AND, false, false, false},
                 {OP_OR, true, false, true},   {OP_OR, false, false, true},
                 {OP_OR, true, true, false},   {OP_OR, false, true, false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample *sample = sample_create();
        Tir *tir = &sample->tir;
        TirVar *x = sample_local(sample, "x", sample_scalar(sample, ROOT_INT));
        Interval *vars = interval_vars(tir->arena, sample->main);
        vars[x->id] = (Interval){0, 3};
        TirExpr *two = tir_const_int(tir, 2, (Span){0});
        TirExpr *bound = tir_const_int(tir, cases[i].holds ? 3 : -1, (Span){0});
        TirExpr *open = binary(sample, OP_NE, sample_read(sample, x), two);
        TirExpr *known = binary(sample, OP_LE, sample_read(sample, x), bound);
        TirExpr *both = binary(sample, cases[i].op, cases[i].is_left ? known : open,
                               cases[i].is_left ? open : known);
        TirExpr *decided = decide_expr(tir, vars, both);
        bool is_open = decided->kind == EXPR_MAP && decided->map.op == OP_NE;
        bool is_known = decided->kind == EXPR_CONST && decided->data[0].boolean == cases[i].holds;
        cr_expect(cases[i].stays ? is_open : is_known, "case %zu", i);
        sample_destroy(sample);
    }
}
