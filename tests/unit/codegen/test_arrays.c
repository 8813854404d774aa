// Views, literals, concatenations, reductions, running sums and products.
#include "sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

static const Span SPAN = {1, 2};

// 0, 1, 2, ... of a type, as ints.
static TirVar *numbered(Sample *sample, const char *name, const Type *type) {
    TirVar *var = sample_local_of(sample, name, type);
    const Type *flat = sample_type(sample, ROOT_INT, 1, type->numel);
    TirExpr *iota = tir_iota(&sample->tir, flat, SPAN);
    sample_set(sample, sample_read(sample, var), tir_reshape(&sample->tir, type, iota, SPAN));
    return var;
}

static TirExpr *transposed(Sample *sample, TirExpr *matrix) {
    TirAxis axes[] = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
    const Type *type =
        sample_type(sample, matrix->type->root, 2, matrix->type->dims[1], matrix->type->dims[0]);
    return tir_view(&sample->tir, type, matrix, axes, SPAN);
}

// x[row, from:from+count*step:step]
static TirExpr *row_part(Sample *sample, TirExpr *matrix, TirExpr *row, int64_t from, int64_t step,
                         uint32_t count) {
    TirAxis axes[] = {{.axis = -1, .index = row, .span = SPAN},
                      {.axis = 0, .start = from, .step = step}};
    const Type *type = sample_type(sample, matrix->type->root, 1, count);
    return tir_view(&sample->tir, type, matrix, axes, SPAN);
}

Test(arrays, a_transpose_onto_itself) {
    for (uint32_t n = 3; n <= 30; n += 27) {
        Sample *sample = sample_create("x");
        TirVar *x = numbered(sample, "x", sample_type(sample, ROOT_INT, 2, n, n));
        sample_set(sample, sample_read(sample, x), transposed(sample, sample_read(sample, x)));
        TirExpr *row = row_part(sample, sample_read(sample, x), sample_int(sample, 1), 0, 1, 3);
        sample_print(sample, row);
        sample_expect(sample, n == 3 ? "[1, 4, 7]\n" : "[1, 31, 61]\n", 0, NULL);
        sample_destroy(sample);
    }
}

Test(arrays, slices_are_read_and_written) {
    Sample *sample = sample_create("x");
    TirVar *x = numbered(sample, "x", sample_type(sample, ROOT_INT, 2, 3u, 4u));
    TirVar *k = sample_local(sample, "k", sample_int(sample, 1));
    TirExpr *reversed = row_part(sample, sample_read(sample, x), sample_read(sample, k), 3, -1, 4);
    sample_print(sample, reversed);
    TirExpr *place = row_part(sample, sample_read(sample, x), sample_read(sample, k), 0, 1, 4);
    sample_set(sample, place, reversed);
    sample_print(sample, sample_read(sample, x));
    sample_expect(sample, "[7, 6, 5, 4]\n[0, 1, 2, 3;\n 7, 6, 5, 4;\n 8, 9, 10, 11]\n", 0, NULL);
    sample_destroy(sample);
}

Test(arrays, literals_and_concatenations_fill_part_after_part) {
    Sample *sample = sample_create("x");
    const Type *row = sample_type(sample, ROOT_INT, 1, 3u);
    const Type *matrix = sample_type(sample, ROOT_INT, 2, 2u, 3u);
    TirVar *v = numbered(sample, "v", row);
    TirExpr *items[] = {
        sample_read(sample, v),
        sample_binary(sample, OP_ADD, sample_read(sample, v), sample_read(sample, v))};
    TirVar *m = sample_local(sample, "m", tir_literal(&sample->tir, matrix, items, 2, SPAN));
    sample_print(sample, sample_read(sample, m));
    const Type *wide = sample_type(sample, ROOT_INT, 2, 2u, 6u);
    TirExpr *halves[] = {sample_read(sample, m), sample_read(sample, m)};
    TirVar *w = sample_local(sample, "w", tir_concat(&sample->tir, wide, halves, 2, 1, SPAN));
    sample_print(sample, sample_read(sample, w));
    const Type *scalars = sample_type(sample, ROOT_INT, 1, 2u);
    TirExpr *elements[] = {sample_element(sample, sample_read(sample, v), sample_int(sample, 2)),
                           sample_int(sample, 7)};
    sample_print(sample, tir_literal(&sample->tir, scalars, elements, 2, SPAN));
    sample_expect(sample, "[0, 1, 2;\n 0, 2, 4]\n[0, 1, 2, 0, 1, 2;\n 0, 2, 4, 0, 2, 4]\n[2, 7]\n",
                  0, NULL);
    sample_destroy(sample);
}

Test(arrays, copies_and_fills_of_whole_variables) {
    Sample *sample = sample_create("x");
    const Type *type = sample_type(sample, ROOT_INT, 1, 100u);
    TirVar *a = numbered(sample, "a", type);
    TirVar *b = sample_local(sample, "b", sample_read(sample, a));
    TirVar *c = sample_local(sample, "c", sample_stretch(sample, sample_int(sample, 0), 100));
    TirVar *d = sample_local(sample, "d", sample_stretch(sample, sample_int(sample, 9), 100));
    TirVar *vars[] = {a, b, c, d};
    for (size_t i = 0; i < 4; i++) {
        TirExpr *sum = tir_reduce(&sample->tir, REDUCE_SUM, sample_type(sample, ROOT_INT, 0),
                                  sample_read(sample, vars[i]), 0, 1, SPAN);
        sample_print(sample, sum);
    }
    sample_expect(sample, "4950\n4950\n0\n900\n", 0, NULL);
    sample_destroy(sample);
}

Test(arrays, reductions_of_either_axis) {
    for (uint32_t columns = 3; columns <= 40; columns += 37) {
        Sample *sample = sample_create("x");
        TirVar *x = numbered(sample, "x", sample_type(sample, ROOT_INT, 2, 2u, columns));
        const Type *rows = sample_type(sample, ROOT_INT, 1, 2u);
        static const TirReduction ops[] = {REDUCE_SUM, REDUCE_MIN, REDUCE_MAX, REDUCE_ARGMAX};
        for (size_t i = 0; i < 4; i++) {
            sample_print(
                sample, tir_reduce(&sample->tir, ops[i], rows, sample_read(sample, x), 1, 1, SPAN));
        }
        TirExpr *down =
            tir_reduce(&sample->tir, REDUCE_SUM, sample_type(sample, ROOT_INT, 1, columns),
                       sample_read(sample, x), 0, 1, SPAN);
        TirVar *sums = sample_local(sample, "sums", down);
        sample_print(sample,
                     sample_element(sample, sample_read(sample, sums), sample_int(sample, 2)));
        sample_expect(sample,
                      columns == 3 ? "[3, 12]\n[0, 3]\n[2, 5]\n[2, 2]\n7\n"
                                   : "[780, 2380]\n[0, 40]\n[39, 79]\n[39, 39]\n44\n",
                      0, NULL);
        sample_destroy(sample);
    }
}

typedef struct RealReduction {
    TirReduction op;
    Root result;
    double values[5];
    const char *expected;
} RealReduction;

Test(arrays, real_reductions_on_edge_cases) {
    static const RealReduction cases[] = {
        {REDUCE_MIN, ROOT_REAL, {3, NAN, 1, 2, 5}, "nan"},
        {REDUCE_MAX, ROOT_REAL, {-0.0, 0.0, -0.0, -0.0, -0.0}, "0.0"},
        {REDUCE_MIN, ROOT_REAL, {0.0, 0.0, -0.0, 0.0, 0.0}, "-0.0"},
        {REDUCE_MIN, ROOT_REAL, {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}, "inf"},
        {REDUCE_ARGMIN, ROOT_INT, {3, NAN, 1, NAN, 5}, "1"},
        {REDUCE_ARGMAX, ROOT_INT, {3, 7, 7, 2, 5}, "1"},
        {REDUCE_ARGMAX, ROOT_INT, {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY}, "0"},
        {REDUCE_ARGMIN, ROOT_INT, {NAN, NAN, NAN, NAN, NAN}, "0"},
        {REDUCE_SUM, ROOT_REAL, {1, 2, 3, 4, 5}, "15.0"},
        {REDUCE_PROD, ROOT_REAL, {1, 2, 3, 4, 5}, "120.0"},
        {REDUCE_SUM, ROOT_REAL, {1, INFINITY, -INFINITY, 4, 5}, "nan"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample *sample = sample_create("x");
        const Type *type = sample_type(sample, ROOT_REAL, 1, 5u);
        TirVar *x = sample_local(sample, "x", sample_reals(sample, type, cases[i].values));
        const Type *result = sample_type(sample, cases[i].result, 0);
        TirExpr *value =
            tir_reduce(&sample->tir, cases[i].op, result, sample_read(sample, x), 0, 1, SPAN);
        sample_print(sample, value);
        char expected[32];
        snprintf(expected, sizeof(expected), "%s\n", cases[i].expected);
        sample_expect(sample, expected, 0, NULL);
        sample_destroy(sample);
    }
}

Test(arrays, products_of_vectors_and_matrices) {
    for (uint32_t n = 3; n <= 33; n += 30) {
        Sample *sample = sample_create("x");
        TirVar *a = numbered(sample, "a", sample_type(sample, ROOT_INT, 2, 2u, n));
        TirVar *b = numbered(sample, "b", sample_type(sample, ROOT_INT, 2, n, 2u));
        TirVar *v = numbered(sample, "v", sample_type(sample, ROOT_INT, 1, n));
        TirExpr *reads[] = {sample_read(sample, a), sample_read(sample, b), sample_read(sample, v)};
        const Type *square = sample_type(sample, ROOT_INT, 2, 2u, 2u);
        const Type *pair = sample_type(sample, ROOT_INT, 1, 2u);
        sample_print(sample, tir_dot(&sample->tir, square, reads[0], reads[1], SPAN));
        sample_print(sample, tir_dot(&sample->tir, pair, reads[0], reads[2], SPAN));
        sample_print(sample, tir_dot(&sample->tir, pair, reads[2], reads[1], SPAN));
        sample_print(sample, tir_dot(&sample->tir, sample_type(sample, ROOT_INT, 0), reads[2],
                                     reads[2], SPAN));
        sample_expect(sample,
                      n == 3 ? "[10, 13;\n 28, 40]\n[5, 14]\n[10, 13]\n5\n"
                             : "[22880, 23408;\n 57728, 59345]\n[11440, 28864]\n[22880, "
                               "23408]\n11440\n",
                      0, NULL);
        sample_destroy(sample);
    }
}

Test(arrays, running_sums_of_rows) {
    Sample *sample = sample_create("x");
    TirVar *x = numbered(sample, "x", sample_type(sample, ROOT_INT, 2, 2u, 4u));
    sample_print(sample, tir_cumsum(&sample->tir, sample_read(sample, x), SPAN));
    sample_expect(sample, "[0, 1, 3, 6;\n 4, 9, 15, 22]\n", 0, NULL);
    sample_destroy(sample);
}

Test(arrays, constant_tables_of_every_root) {
    Sample *sample = sample_create("x");
    static const int32_t bits[] = {1, 0, 0, 1};
    static const double reals[] = {0.5, -0.0, INFINITY, 1e300};
    TirExpr *tables[] = {
        sample_ints(sample, sample_type(sample, ROOT_BOOL, 1, 4u), bits),
        sample_reals(sample, sample_type(sample, ROOT_REAL, 1, 4u), reals),
        sample_ints(sample, sample_type(sample, ROOT_UINT, 1, 4u), bits),
    };
    TirVar *k = sample_local(sample, "k", sample_int(sample, 3));
    for (size_t i = 0; i < 3; i++) {
        TirExpr *table = sample_stretch(sample, tables[i], 8);
        TirVar *copy = sample_local(sample, "copy", table);
        TirAxis axes[] = {{.axis = 0, .step = 1}, {.axis = -1, .start = 5}};
        sample_print(
            sample, tir_view(&sample->tir, tables[i]->type, sample_read(sample, copy), axes, SPAN));
        sample_print(sample, sample_element(sample, tables[i], sample_read(sample, k)));
    }
    sample_expect(sample,
                  "[true, false, false, true]\ntrue\n[0.5, -0.0, inf, 1e+300]\n1e+300\n"
                  "[1u, 0u, 0u, 1u]\n1u\n",
                  0, NULL);
    sample_destroy(sample);
}

Test(arrays, single_reals) {
    Sample *sample = sample_create("x");
    sample->tir.single = sample->program.single = true;
    TirExpr *tenths = sample_stretch(sample, sample_real(sample, 0.1), 40);
    TirVar *x = sample_local(sample, "x", tenths);
    TirExpr *fifths = sample_stretch(sample, sample_real(sample, 0.2), 40);
    TirExpr *sums = sample_binary(sample, OP_ADD, sample_read(sample, x), fifths);
    TirVar *y = sample_local(sample, "y", sums);
    sample_print(sample, sample_element(sample, sample_read(sample, y), sample_int(sample, 20)));
    TirExpr *sine = tir_map(&sample->tir, OP_SIN, sample_type(sample, ROOT_REAL, 0),
                            sample_real(sample, 1), NULL, NULL, SPAN);
    sample_print(sample, sine);
    sample_expect(sample, "0.3\n0.84147096\n", 0, NULL);
    sample_destroy(sample);
}
