// Fourier transforms of any constant length (L18.6): which algorithm a length takes, and its
// tables, which are constants. What computes is text of the library (library/fourier.tml), a call
// for each row.
#include "sema/argument.h"
#include "sema/builtin/builtin.h"
#include "sema/expr.h"
#include "sema/library/library.h"
#include "sema/value.h"
#include "support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Greater prime factors than PRIME_MOST make the length one for Bluestein's algorithm, which takes
// a convolution over at least CHIRP_LEAST numbers.
enum { PRIME_MOST = 64, CHIRP_LEAST = 16, LENGTH_MOST = 1 << 20, FACTORS_LIMIT = 20 };

typedef struct Complex {
    long double re, im;
} Complex;

// The root of unity exp(-2 pi i k / n), exact on the axes.
static Complex root_of_unity(uint64_t k, uint64_t n) {
    static const Complex axes[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    k %= n;
    if (4 * k % n == 0) {
        return axes[4 * k / n];
    }
    const long double turn = 6.283185307179586476925286766559L;
    long double angle = turn * (long double)k / (long double)n;
    return (Complex){cosl(angle), -sinl(angle)};
}

// The arena does not align numbers as long.
static long double *numbers(size_t count) {
    return memory_zeroed(memory_product(count, sizeof(long double)));
}

// Takes the values; the type is of reals.
static TirExpr *table(Checker *checker, const Type *type, long double *values, Span span) {
    TirScalar *data = ARENA_ARRAY(checker->arena, TirScalar, type->numel);
    for (uint32_t k = 0; k < type->numel; k++) {
        data[k].real = checker->tir.single ? (double)(float)values[k] : (double)values[k];
    }
    free(values);
    return tir_const(&checker->tir, type, data, span);
}

static const Type *reals(Checker *checker, uint32_t rank, const uint32_t *dims) {
    return type_tensor(checker->tir.types, type_scalar(checker->tir.types, ROOT_REAL), rank, dims);
}

static const Type *rows_type(Checker *checker, uint32_t rows, uint32_t columns) {
    return reals(checker, 2, (uint32_t[]){rows, columns});
}

// The first `count` roots of unity of n.
static TirExpr *roots_table(Checker *checker, uint32_t count, uint64_t n, Span span) {
    long double *values = numbers(2 * (size_t)count);
    for (uint32_t k = 0; k < count; k++) {
        Complex root = root_of_unity(k, n);
        values[2 * (size_t)k] = root.re;
        values[2 * (size_t)k + 1] = root.im;
    }
    return table(checker, rows_type(checker, count, 2), values, span);
}

// For each of a group of `radix` numbers but the first one, its factors: of the group at p of
// `count` the powers p of that number's root of unity.
static TirExpr *factors_table(Checker *checker, uint32_t radix, uint32_t count, Span span) {
    uint32_t dims[3] = {radix - 1, 2, count};
    long double *values = numbers(2 * (size_t)(radix - 1) * count);
    for (size_t k = 0; k < (size_t)(radix - 1) * count; k++) {
        size_t row = k / count;
        Complex root = root_of_unity((row + 1) * (k % count), (uint64_t)radix * count);
        values[2 * row * count + k % count] = root.re;
        values[(2 * row + 1) * count + k % count] = root.im;
    }
    return table(checker, reals(checker, 3, dims), values, span);
}

// The transform of z[0], z[step], ... into y, by halves; `count` is a power of two.
static void transform(const Complex *z, size_t step, size_t count, Complex *y) {
    if (count == 1) {
        y[0] = z[0];
        return;
    }
    size_t half = count / 2;
    transform(z, 2 * step, half, y);
    transform(z + step, 2 * step, half, y + half);
    for (size_t k = 0; k < half; k++) {
        Complex w = root_of_unity(k, count);
        Complex a = y[k];
        Complex b = {y[half + k].re * w.re - y[half + k].im * w.im,
                     y[half + k].re * w.im + y[half + k].im * w.re};
        y[k] = (Complex){a.re + b.re, a.im + b.im};
        y[half + k] = (Complex){a.re - b.re, a.im - b.im};
    }
}

// exp(-pi i k^2 / n), and the transform over m of its conjugate, which stands around 0, over m.
static void chirp_tables(Checker *checker, uint32_t n, uint32_t m, Span span, TirExpr **tables) {
    long double *chirp = numbers(2 * (size_t)n);
    Complex *around = memory_zeroed(memory_product(m, sizeof(Complex)));
    for (uint64_t k = 0; k < n; k++) {
        Complex root = root_of_unity(k * k, 2 * (uint64_t)n);
        chirp[2 * k] = root.re;
        chirp[2 * k + 1] = root.im;
        Complex turned = {root.re / m, -root.im / m};
        around[k] = turned;
        around[(m - k) % m] = turned;
    }
    Complex *transformed = memory_zeroed(memory_product(m, sizeof(Complex)));
    transform(around, 1, m, transformed);
    long double *filter = numbers(2 * (size_t)m);
    for (size_t k = 0; k < m; k++) {
        filter[2 * k] = transformed[k].re;
        filter[2 * k + 1] = transformed[k].im;
    }
    free(around);
    free(transformed);
    tables[0] = table(checker, rows_type(checker, n, 2), chirp, span);
    tables[1] = table(checker, rows_type(checker, m, 2), filter, span);
}

static TirExpr *call_text(Checker *checker, const char *name, TirExpr *first, TirExpr *second,
                          TirExpr *third, Span span) {
    TirExpr **args = ARENA_ARRAY(checker->arena, TirExpr *, 3);
    args[0] = first;
    args[1] = second;
    args[2] = third;
    return check_call_function(checker, library_function(checker, name), span, args);
}

// The factors of n in the order of their stages, of which there are fewer than FACTORS_LIMIT; 0 of
// them where one is too large. Powers of two come first, in eights: after them all lanes of a
// vector are neighbours. Of so few numbers as here fours leave all lanes something to do.
static size_t factors_of(uint32_t n, uint32_t *factors) {
    size_t count = 0;
    bool is_in_fours = n == 16 || n == 32 || n == 128;
    for (; n % 8 == 0 && n != 16 && !is_in_fours; n /= 8) {
        factors[count++] = 8;
    }
    for (; n % 4 == 0; n /= 4) {
        factors[count++] = 4;
    }
    for (uint32_t factor = 2; factor <= PRIME_MOST; factor++) {
        for (; n % factor == 0; n /= factor) {
            factors[count++] = factor;
        }
    }
    return n == 1 ? count : 0;
}

static TirVar *new_array(Checker *checker, const Type *type, Span span) {
    return tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL, type, span);
}

// A stage from `x` into `y`, of groups of `radix`, `count` with factors of their own.
static bool stage(Checker *checker, TirExpr *x, uint32_t radix, uint32_t count, TirVar *y,
                  Span span) {
    bool is_prime = radix > 5 && radix != 8;
    TirExpr *values[4] = {x, factors_table(checker, radix, count, span)};
    TirExpr *places[4] = {NULL};
    if (is_prime) {
        values[2] = roots_table(checker, radix, radix, span);
    }
    size_t last = is_prime ? 3 : 2;
    values[last] = places[last] = tir_read(&checker->tir, y, span);
    Arguments arguments = {ARENA_ARRAY(checker->arena, TirExpr *, 4),
                           ARENA_ARRAY(checker->arena, TirExpr *, 4)};
    memcpy(arguments.values, values, sizeof(values));
    memcpy(arguments.places, places, sizeof(places));
    FunctionDecl *decl = library_function(checker, is_prime ? "_fft_prime" : "_fft_stage");
    return check_call_with(checker, decl, span, &arguments) != NULL;
}

// What the first stage left, r rows of each part, as `count` rows.
static TirVar *columns_of(Checker *checker, TirVar *rows, uint32_t radix, uint32_t count,
                          Span span) {
    Tir *tir = &checker->tir;
    const Type *part = rows_type(checker, count, radix);
    TirVar *columns = new_array(checker, rows_type(checker, 2 * count, radix), span);
    for (uint32_t k = 0; k < 2; k++) {
        TirAxis place[2] = {{.axis = 0, .start = k * count, .step = 1}, {.axis = 1, .step = 1}};
        TirAxis value[2] = {{.axis = 1, .start = k * radix, .step = 1}, {.axis = 0, .step = 1}};
        tir_set(tir, checker->at.block,
                tir_view(tir, part, tir_read(tir, columns, span), place, span),
                tir_view(tir, part, tir_read(tir, rows, span), value, span), span);
    }
    return columns;
}

static TirExpr *in_stages(Checker *checker, TirExpr *x, const uint32_t *factors, size_t count,
                          Span span) {
    const Type *pairs = x->type;
    uint32_t left = pairs->dims[0];
    const Type *parts = rows_type(checker, 2, left);
    for (size_t k = 0; k < count; k++) {
        left /= factors[k];
        bool is_first = k == 0 && count > 1;
        const Type *type = k + 1 == count ? pairs
                           : is_first     ? rows_type(checker, 2 * factors[0], left)
                                          : parts;
        TirVar *y = new_array(checker, type, span);
        if (!stage(checker, x, factors[k], left, y, span)) {
            return checker->poison;
        }
        y = is_first ? columns_of(checker, y, factors[0], left, span) : y;
        x = tir_read(&checker->tir, y, span);
    }
    return x;
}

// The transform of n pairs of reals.
static TirExpr *transformed(Checker *checker, TirExpr *z, Span span) {
    uint32_t n = z->type->dims[0];
    uint32_t factors[FACTORS_LIMIT];
    size_t count = factors_of(n, factors);
    if (n == 1 || type_is_poison(z->type)) {
        return z;
    }
    if (count > 0) {
        return in_stages(checker, z, factors, count, span);
    }
    uint32_t m = CHIRP_LEAST;
    while (m < 2 * n - 1) {
        m *= 2;
    }
    TirExpr *tables[2];
    chirp_tables(checker, n, m, span, tables);
    TirExpr *x = call_text(checker, "_fft_chirped", z, tables[0], tables[1], span);
    x = transformed(checker, x, span);
    x = transformed(checker, call_text(checker, "_fft_turned", x, tables[1], NULL, span), span);
    return call_text(checker, "_fft_unchirped", x, tables[0], NULL, span);
}

// Both parts of each number in the place of the other.
static TirExpr *turned(Checker *checker, TirExpr *z, Span span) {
    TirAxis axes[2] = {{.axis = 0, .step = 1, .span = span},
                       {.axis = 1, .start = 1, .step = -1, .span = span}};
    return tir_view(&checker->tir, z->type, z, axes, span);
}

static TirExpr *times(Checker *checker, TirExpr *z, long double factor, Span span) {
    TirExpr *value = tir_const_real(&checker->tir, (double)factor, span);
    return check_map(checker, OP_MUL, z->type, z, check_spread(checker, value, z->type), NULL,
                     span);
}

// A row, of n pairs or n reals as (n, 1), transformed: as pairs, or reals as (n, 1).
typedef TirExpr *Transform(Checker *checker, TirExpr *row, uint32_t n, Span span);

static TirExpr *forward(Checker *checker, TirExpr *row, uint32_t n, Span span) {
    (void)n;
    return transformed(checker, row, span);
}

// That of the turned numbers, turned.
static TirExpr *inverse(Checker *checker, TirExpr *row, uint32_t n, Span span) {
    TirExpr *z = transformed(checker, turned(checker, row, span), span);
    return type_is_poison(z->type) ? z : times(checker, turned(checker, z, span), 1.0L / n, span);
}

static TirExpr *of_reals(Checker *checker, TirExpr *row, uint32_t n, Span span) {
    Tir *tir = &checker->tir;
    if (n % 2 == 1) {
        TirExpr **items = ARENA_ARRAY(checker->arena, TirExpr *, 2);
        items[0] = row;
        items[1] = check_spread(checker, tir_const_real(tir, 0, span), row->type);
        TirExpr *z = tir_concat(tir, rows_type(checker, n, 2), items, 2, 1, span);
        z = builtin_shared(checker, transformed(checker, check_into_temporary(checker, z), span));
        TirAxis axes[2] = {{.axis = 0, .step = 1, .span = span},
                           {.axis = 1, .step = 1, .span = span}};
        return type_is_poison(z->type)
                   ? z
                   : tir_view(tir, rows_type(checker, n / 2 + 1, 2), z, axes, span);
    }
    TirExpr *halves = tir_reshape(tir, rows_type(checker, n / 2, 2), row, span);
    return call_text(checker, "_rfft_halves", transformed(checker, halves, span),
                     roots_table(checker, n / 2, n, span), NULL, span);
}

static TirExpr *to_reals(Checker *checker, TirExpr *row, uint32_t n, Span span) {
    Tir *tir = &checker->tir;
    if (n % 2 == 0) {
        TirExpr *roots = roots_table(checker, n / 2, n, span);
        TirExpr *z = call_text(checker, "_irfft_halves", row, roots, NULL, span);
        z = turned(checker, transformed(checker, z, span), span);
        z = times(checker, z, 1.0L / n, span);
        return tir_reshape(tir, rows_type(checker, n, 1), z, span);
    }
    const Type *positions =
        type_tensor(checker->tir.types, type_scalar(checker->tir.types, ROOT_INT), 1, &n);
    TirExpr *z = call_text(checker, "_irfft_all", row, tir_iota(tir, positions, span), NULL, span);
    z = transformed(checker, z, span);
    z = builtin_shared(checker, z);
    TirAxis axes[2] = {{.axis = 0, .step = 1, .span = span},
                       {.axis = -1, .start = 1, .span = span}};
    return times(checker, tir_view(tir, rows_type(checker, n, 1), z, axes, span), 1.0L / n, span);
}

typedef struct Fourier {
    Transform *row;
    bool takes_reals, gives_reals;
} Fourier;

static const Fourier fouriers[] = {{.row = forward},
                                   {.row = inverse},
                                   {.row = of_reals, .takes_reals = true},
                                   {.row = to_reals, .gives_reals = true}};

static TirExpr *row_at(Checker *checker, TirExpr *rows, TirVar *k, const Type *type, Span span) {
    TirAxis axes[3] = {{.axis = -1, .index = tir_read(&checker->tir, k, span), .unchecked = true},
                       {.axis = 0, .step = 1},
                       {.axis = 1, .step = 1}};
    return tir_view(&checker->tir, type, rows, axes, span);
}

// `flat` is (count, length, width): the transform of each of its matrices, in one matrix of them.
static TirExpr *all_rows(Checker *checker, const Fourier *fourier, TirExpr *flat, uint32_t n,
                         Span span) {
    Tir *tir = &checker->tir;
    uint32_t count = flat->type->dims[0];
    const Type *row_type = rows_type(checker, flat->type->dims[1], flat->type->dims[2]);
    if (count == 1) {
        return fourier->row(checker, tir_reshape(tir, row_type, flat, span), n, span);
    }
    flat = check_into_temporary(checker, flat);
    TirBlock *block = checker->at.block;
    TirStmt *loop = tir_for(tir, block, checker->at.function, 0, (int32_t)count, 1, span);
    TirVar *k = loop->for_loop.var;
    checker->at.block = &loop->for_loop.body;
    TirExpr *row = fourier->row(checker, row_at(checker, flat, k, row_type, span), n, span);
    TirVar *all = NULL;
    if (!type_is_poison(row->type)) {
        uint32_t dims[3] = {count, row->type->dims[0], row->type->dims[1]};
        const Type *type = type_tensor(tir->types, type_scalar(tir->types, ROOT_REAL), 3, dims);
        all = tir_var_create(tir, checker->at.function, VAR_TEMP, NULL, type, span);
        tir_set(tir, checker->at.block,
                row_at(checker, tir_read(tir, all, span), k, row->type, span), row, span);
    }
    checker->at.block = block;
    return all == NULL ? checker->poison : tir_read(tir, all, span);
}

// The type of the result: pairs become scalars, or scalars pairs, and n of them stand along the
// last dim of the level above.
static const Type *result_type(Checker *checker, const Fourier *fourier, const Type *type,
                               uint32_t n) {
    TypeTable *types = checker->tir.types;
    uint32_t two = 2, axis, count;
    type = type_with_root(types, type, ROOT_REAL);
    if (!fourier->takes_reals) {
        type = shape_reduce(types, type, false, &axis, &count); // without the pairs
    }
    type = shape_with_last(types, type, n);
    return type == NULL || fourier->gives_reals
               ? type
               : shape_with_base(types, type,
                                 type_tensor(types, type_scalar(types, ROOT_REAL), 1, &two));
}

static TirExpr *report_operand(Checker *checker, const BuiltinCall *call, bool takes_reals) {
    const Type *type = call->args[0]->type;
    Diag *diag = check_error(
        checker, DIAG_E0508, builtin_argument(call, 0)->span,
        takes_reals ? "`%s` takes a tensor of numbers, not %s"
                    : "`%s` takes complex numbers, as tensor<tensor<real, 2>, n>, not %s",
        call->name, check_type_text(checker, type));
    if (takes_reals || !type_is_numeric(type)) {
        return checker->poison;
    }
    bool forward = strcmp(call->name, "fft") == 0;
    diag_note(diag, forward ? "`rfft(x)` transforms reals; `nest(x, 1)` makes pairs of rows"
                            : "`nest(x, 1)` makes pairs of rows");
    return checker->poison;
}

// fft(z), ifft(z), rfft(x) and irfft(z, n), which the row's operation tells apart.
TirExpr *builtin_fourier(Checker *checker, const BuiltinCall *call) {
    const Fourier *fourier = &fouriers[call->op];
    TirExpr *x = call->args[0];
    const Type *type = x->type;
    bool has_pairs = type->depth >= 2 && shape_has_pairs(type);
    if (!type_is_numeric(type) || (fourier->takes_reals ? !type_is_tensor(type) : !has_pairs)) {
        return report_operand(checker, call, fourier->takes_reals);
    }
    uint32_t width = fourier->takes_reals ? 1 : 2;
    uint32_t length = type->dims[type->flat_rank - width];
    int64_t n = length;
    if (fourier->gives_reals && !builtin_integer(checker, call, 1, &n)) {
        return checker->poison;
    }
    if (n < 1 || n > LENGTH_MOST || (fourier->gives_reals && n / 2 + 1 != length)) {
        return check_fail(checker, DIAG_E0508, call->span,
                          n < 1 || n > LENGTH_MOST
                              ? "`%s` of %lld: a transform has at least 1 and at most %u numbers"
                              : "`%s` of %lld reals needs n / 2 + 1 pairs, not %u",
                          call->name, (long long)n,
                          n < 1 || n > LENGTH_MOST ? (unsigned)LENGTH_MOST : length);
    }
    bool is_real_transform = fourier->takes_reals && !fourier->gives_reals;
    uint32_t result_length = is_real_transform ? (uint32_t)n / 2 + 1 : (uint32_t)n;
    const Type *result = result_type(checker, fourier, type, result_length);
    if (result == NULL) {
        return builtin_too_large(checker, call);
    }
    uint32_t dims[3] = {type->numel / length / width, length, width};
    const Type *flat =
        type_tensor(checker->tir.types, type_scalar(checker->tir.types, ROOT_REAL), 3, dims);
    x = tir_reshape(&checker->tir, flat, check_convert(checker, ROOT_REAL, x), call->span);
    TirExpr *all = all_rows(checker, fourier, x, (uint32_t)n, call->span);
    return type_is_poison(all->type) ? all : tir_reshape(&checker->tir, result, all, call->span);
}
