// Lanes must not change what is computed: every size from shorter than a vector to several of
// them, compared bit by bit with the same computation in C.
#include "sample.h"
#include "tests/seed.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const Span SPAN = {1, 2};

enum { LANES = 8, ACCUMULATORS = 4, CHAINS_FROM = 4, TALL = 37, SIZE_LIMIT = 1 << 16 };

static double values_a[SIZE_LIMIT], values_b[SIZE_LIMIT], expected[SIZE_LIMIT];

static void fill(void) {
    uint32_t seed = 12345;
    for (size_t i = 0; i < SIZE_LIMIT; i++) {
        seed = seed * 1664525u + 1013904223u;
        values_a[i] = (double)(int32_t)seed / 1e9;
        seed = seed * 1664525u + 1013904223u;
        values_b[i] = (double)(int32_t)seed / 3e8;
    }
}

// What codegen/emit/lane_sum.h promises for the terms of sum(a[0..count)).
static double lane_sum(const double *a, size_t count) {
    double total = -0.0;
    size_t done = 0;
    if (count >= 2 * LANES) {
        size_t vectors = count / LANES;
        size_t accumulators = vectors >= ACCUMULATORS ? ACCUMULATORS : 2;
        double parts[ACCUMULATORS * LANES];
        for (size_t i = 0; i < ACCUMULATORS * LANES; i++) {
            parts[i] = -0.0;
        }
        for (; done < vectors * LANES; done++) {
            parts[done % (accumulators * LANES)] += a[done];
        }
        for (size_t half = accumulators * LANES / 2; half >= 1; half /= 2) {
            for (size_t i = 0; i < half; i++) {
                parts[i] += parts[i + half];
            }
            for (size_t i = 0; half < LANES && (count & half) != 0 && i < half; i++) {
                parts[i] += a[done++];
            }
        }
        return parts[0];
    }
    for (; done < count; done++) {
        total += a[done];
    }
    return total;
}

static bool host_has_fma(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

static double multiply_add(double a, double b, double c) {
    return host_has_fma() ? fma(a, b, c) : a * b + c;
}

static Sample *lanes_sample(void) {
    fill();
    return sample_create("x");
}

// A local of the program that holds these values; computed, so that nothing is folded.
static TirVar *variable(Sample *sample, const char *name, const Type *type, const double *values) {
    return sample_local(sample, name, sample_reals(sample, type, values));
}

// Prints whether all elements of `value` are the expected ones.
static void print_matches(Sample *sample, TirExpr *value) {
    TirVar *result = sample_local(sample, "result", value);
    TirExpr *same = sample_compare(sample, OP_EQ, sample_read(sample, result),
                                   sample_reals(sample, value->type, expected));
    const Type *scalar = sample_type(sample, ROOT_BOOL, 0);
    if (type_is_tensor(value->type)) {
        same = tir_reduce(&sample->tir, REDUCE_ALL, scalar, same, 0, value->type->flat_rank, SPAN);
    }
    sample_print(sample, same);
}

static const uint32_t sizes[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 200};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

Test(lanes, sums_have_the_promised_order) {
    for (size_t i = 0; i < SIZES; i++) {
        Sample *sample = lanes_sample();
        const Type *type = sample_type(sample, ROOT_REAL, 1, sizes[i]);
        TirVar *a = variable(sample, "a", type, values_a);
        expected[0] = lane_sum(values_a, sizes[i]);
        print_matches(sample,
                      tir_reduce(&sample->tir, REDUCE_SUM, sample_type(sample, ROOT_REAL, 0),
                                 sample_read(sample, a), 0, 1, SPAN));
        sample_expect(sample, "true\n", 0, NULL);
        sample_destroy(sample);
    }
}

Test(lanes, strict_sums_are_in_order) {
    Sample *sample = lanes_sample();
    sample->options.fp = FP_STRICT;
    const Type *type = sample_type(sample, ROOT_REAL, 1, 100u);
    TirVar *a = variable(sample, "a", type, values_a);
    expected[0] = 0;
    for (size_t i = 0; i < 100; i++) {
        expected[0] += values_a[i];
    }
    print_matches(sample, tir_reduce(&sample->tir, REDUCE_SUM, sample_type(sample, ROOT_REAL, 0),
                                     sample_read(sample, a), 0, 1, SPAN));
    sample_expect(sample, "true\n", 0, NULL);
    sample_destroy(sample);
}

Test(lanes, sums_of_rows_and_of_columns) {
    for (size_t i = 0; i < SIZES; i++) {
        uint32_t rows = 5;
        uint32_t columns = sizes[i];
        Sample *sample = lanes_sample();
        const Type *type = sample_type(sample, ROOT_REAL, 2, rows, columns);
        TirVar *a = variable(sample, "a", type, values_a);
        for (size_t r = 0; r < rows; r++) {
            expected[r] = lane_sum(&values_a[r * columns], columns);
        }
        print_matches(sample,
                      tir_reduce(&sample->tir, REDUCE_SUM, sample_type(sample, ROOT_REAL, 1, rows),
                                 sample_read(sample, a), 1, 1, SPAN));
        for (size_t c = 0; c < columns; c++) {
            expected[c] = values_a[c];
            for (size_t r = 1; r < rows; r++) {
                expected[c] += values_a[r * columns + c];
            }
        }
        print_matches(sample, tir_reduce(&sample->tir, REDUCE_SUM,
                                         sample_type(sample, ROOT_REAL, 1, columns),
                                         sample_read(sample, a), 0, 1, SPAN));
        sample_expect(sample, "true\ntrue\n", 0, NULL);
        sample_destroy(sample);
    }
}

// What an operand of the wrong stride for lanes sums up to: the columns of a transposed matrix.
Test(lanes, sums_along_a_stride_have_the_same_order) {
    uint32_t rows = 37;
    uint32_t columns = 3;
    Sample *sample = lanes_sample();
    const Type *type = sample_type(sample, ROOT_REAL, 2, rows, columns);
    const Type *turned = sample_type(sample, ROOT_REAL, 2, columns, rows);
    TirVar *a = variable(sample, "a", type, values_a);
    TirAxis axes[] = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
    TirExpr *view = tir_view(&sample->tir, turned, sample_read(sample, a), axes, SPAN);
    for (size_t c = 0; c < columns; c++) {
        double column[64];
        for (size_t r = 0; r < rows; r++) {
            column[r] = values_a[r * columns + c];
        }
        expected[c] = lane_sum(column, rows);
    }
    print_matches(sample, tir_reduce(&sample->tir, REDUCE_SUM,
                                     sample_type(sample, ROOT_REAL, 1, columns), view, 1, 1, SPAN));
    double all[3 * 37];
    for (size_t i = 0; i < 3 * 37; i++) {
        all[i] = values_a[i % rows * columns + i / rows];
    }
    expected[0] = lane_sum(all, 3 * 37);
    print_matches(sample, tir_reduce(&sample->tir, REDUCE_SUM, sample_type(sample, ROOT_REAL, 0),
                                     view, 0, 2, SPAN));
    sample_expect(sample, "true\ntrue\n", 0, NULL);
    sample_destroy(sample);
}

Test(lanes, rows_and_columns_stretch) {
    for (size_t i = 0; i < SIZES; i++) {
        uint32_t rows = 4;
        uint32_t columns = sizes[i];
        Sample *sample = lanes_sample();
        const Type *type = sample_type(sample, ROOT_REAL, 2, rows, columns);
        TirVar *m = variable(sample, "m", type, values_a);
        TirVar *row = variable(sample, "row", sample_type(sample, ROOT_REAL, 1, columns), values_b);
        TirVar *column =
            variable(sample, "column", sample_type(sample, ROOT_REAL, 1, rows), values_b);
        TirAxis along_row = {.axis = 1, .step = 1};
        TirExpr *rows_of = tir_view(&sample->tir, type, sample_read(sample, row), &along_row, SPAN);
        TirExpr *columns_of = sample_stretch(sample, sample_read(sample, column), columns);
        TirExpr *product = sample_binary(sample, OP_MUL, sample_read(sample, m), rows_of);
        for (size_t r = 0; r < rows; r++) {
            for (size_t c = 0; c < columns; c++) {
                expected[r * columns + c] = values_a[r * columns + c] * values_b[c] - values_b[r];
            }
        }
        print_matches(sample, sample_binary(sample, OP_SUB, product, columns_of));
        sample_expect(sample, "true\n", 0, NULL);
        sample_destroy(sample);
    }
}

// Of one of few sums, which take two chains, or of many.
static double dot_in_lanes(const double *a, const double *b, size_t stride, size_t count,
                           bool is_few) {
    double parts[ACCUMULATORS * LANES];
    for (size_t i = 0; i < ACCUMULATORS * LANES; i++) {
        parts[i] = -0.0;
    }
    size_t vectors = count / LANES;
    size_t chains = is_few && count >= CHAINS_FROM ? 2 : 1;
    bool in_order = count < 2 * LANES;
    size_t accumulators = vectors >= 2 * ACCUMULATORS ? ACCUMULATORS : vectors >= 4 ? 2 : 1;
    size_t width = in_order ? chains : accumulators * LANES;
    size_t done = in_order ? count : vectors * LANES;
    for (size_t i = 0; i < done; i++) {
        parts[i % width] = multiply_add(a[i], b[i * stride], parts[i % width]);
    }
    for (size_t half = width / 2; half >= 1; half /= 2) {
        for (size_t i = 0; i < half; i++) {
            parts[i] += parts[i + half];
        }
        for (size_t i = 0; !in_order && half < LANES && (count & half) != 0 && i < half; i++) {
            parts[i] = multiply_add(a[done], b[done * stride], parts[i]);
            done++;
        }
    }
    return parts[0];
}

// Of the sizes one half today, the other one tomorrow.
Test(lanes, products) {
    uint64_t day = 0;
    cr_assert(seed_of_today(&day));
    for (size_t i = day % 2; i < SIZES; i += 2) {
        uint32_t n = sizes[i];
        uint32_t rows = 3;
        uint32_t columns = n > 60 ? 19 : 9;
        Sample *sample = lanes_sample();
        TirVar *m = variable(sample, "m", sample_type(sample, ROOT_REAL, 2, rows, n), values_a);
        TirVar *w = variable(sample, "w", sample_type(sample, ROOT_REAL, 2, n, columns), values_b);
        TirVar *v = variable(sample, "v", sample_type(sample, ROOT_REAL, 1, n), values_b);
        for (size_t r = 0; r < rows; r++) {
            for (size_t c = 0; c < columns; c++) {
                double sum = -0.0;
                for (size_t k = 0; k < n; k++) {
                    sum = multiply_add(values_a[r * n + k], values_b[k * columns + c], sum);
                }
                expected[r * columns + c] = sum;
            }
        }
        print_matches(sample,
                      tir_dot(&sample->tir, sample_type(sample, ROOT_REAL, 2, rows, columns),
                              sample_read(sample, m), sample_read(sample, w), SPAN));
        for (size_t r = 0; r < rows; r++) {
            expected[r] = dot_in_lanes(&values_a[r * n], values_b, 1, n, true);
        }
        print_matches(sample, tir_dot(&sample->tir, sample_type(sample, ROOT_REAL, 1, rows),
                                      sample_read(sample, m), sample_read(sample, v), SPAN));
        // All rows but some in full vectors of rows: more than a few, by registers of any size.
        TirVar *tall = variable(sample, "t", sample_type(sample, ROOT_REAL, 2, TALL, n), values_a);
        for (size_t r = 0; r < TALL; r++) {
            expected[r] = dot_in_lanes(&values_a[r * n], values_b, 1, n, false);
        }
        print_matches(sample, tir_dot(&sample->tir, sample_type(sample, ROOT_REAL, 1, TALL),
                                      sample_read(sample, tall), sample_read(sample, v), SPAN));
        sample_expect(sample, "true\ntrue\ntrue\n", 0, NULL);
        sample_destroy(sample);
    }
}

// Large enough for panels, with rows, columns and terms left over from every block.
Test(lanes, big_products) {
    uint32_t rows = 139;
    uint32_t columns = 53;
    uint32_t terms = 300;
    for (int turned = 0; turned < 2; turned++) {
        Sample *sample = lanes_sample();
        TirVar *m = variable(sample, "m", sample_type(sample, ROOT_REAL, 2, rows, terms), values_a);
        TirVar *w = variable(sample, "w",
                             turned ? sample_type(sample, ROOT_REAL, 2, columns, terms)
                                    : sample_type(sample, ROOT_REAL, 2, terms, columns),
                             values_b);
        TirAxis axes[] = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
        TirExpr *right = sample_read(sample, w);
        if (turned) {
            const Type *type = sample_type(sample, ROOT_REAL, 2, terms, columns);
            right = tir_view(&sample->tir, type, right, axes, SPAN);
        }
        for (size_t r = 0; r < rows; r++) {
            for (size_t c = 0; c < columns; c++) {
                double sum = -0.0;
                for (size_t k = 0; k < terms; k++) {
                    double b = turned ? values_b[c * terms + k] : values_b[k * columns + c];
                    sum = multiply_add(values_a[r * terms + k], b, sum);
                }
                expected[r * columns + c] = sum;
            }
        }
        print_matches(sample,
                      tir_dot(&sample->tir, sample_type(sample, ROOT_REAL, 2, rows, columns),
                              sample_read(sample, m), right, SPAN));
        sample_expect(sample, "true\n", 0, NULL);
        sample_destroy(sample);
    }
}

// Elements of slices: offsets that no vector is aligned to.
Test(lanes, slices_at_odd_offsets) {
    for (uint32_t length = 1; length <= 40; length += 13) {
        Sample *sample = lanes_sample();
        const Type *type = sample_type(sample, ROOT_REAL, 1, 50u);
        TirVar *a = variable(sample, "a", type, values_a);
        TirAxis from = {.axis = 0, .start = 3, .step = 1};
        TirAxis to = {.axis = 0, .start = 5, .step = 1};
        const Type *part = sample_type(sample, ROOT_REAL, 1, length);
        TirExpr *source = tir_view(&sample->tir, part, sample_read(sample, a), &from, SPAN);
        TirExpr *place = tir_view(&sample->tir, part, sample_read(sample, a), &to, SPAN);
        sample_set(sample, place, sample_binary(sample, OP_ADD, source, source));
        for (size_t k = 0; k < 50; k++) {
            expected[k] = k >= 5 && k < 5 + length ? 2 * values_a[k - 2] : values_a[k];
        }
        print_matches(sample, sample_read(sample, a));
        sample_expect(sample, "true\n", 0, NULL);
        sample_destroy(sample);
    }
}
