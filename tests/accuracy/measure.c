// Measures the functions of two libraries that accuracy.py made: against the C library's in long
// double, whose error is some thousandths of a last place of double, against each other, and
// against the reference evaluator.
//
// measure f64|f32 fused|plain COUNT SEED LIBRARY HASH LIBRARY HASH
#include "eval/elementary.h"
#include "support/bug.h"
#include "tir/visit.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(LDBL_MANT_DIG >= 64, "long double is what double is compared with");

enum { MANY = 1024, FEW = 37, POINT_KINDS = 5, LIBRARIES = 2 };
static const double ULP_LIMIT = 4;

typedef int Function1(const void *x, void *result);
typedef int Function2(const void *x, const void *y, void *result);
typedef long double Reference1(long double x);
typedef long double Reference2(long double x, long double y);

typedef struct Row {
    TirOp op;
    Reference1 *one;
    Reference2 *two;
    double low, high;   // where arguments usually are
    double least, most; // of results: no rounding may go beyond
} Row;

#define FREE -(double)INFINITY, (double)INFINITY
static const Row rows[] = {
    {OP_EXP, expl, NULL, -745, 709.7, 0, (double)INFINITY},
    {OP_EXP2, exp2l, NULL, -1074, 1024, 0, (double)INFINITY},
    {OP_EXPM1, expm1l, NULL, -40, 709, -1, (double)INFINITY},
    {OP_LOG, logl, NULL, 0, 4, FREE},
    {OP_LOG2, log2l, NULL, 0, 4, FREE},
    {OP_LOG10, log10l, NULL, 0, 4, FREE},
    {OP_LOG1P, log1pl, NULL, -1, 4, FREE},
    {OP_SIN, sinl, NULL, -100, 100, -1, 1},
    {OP_COS, cosl, NULL, -100, 100, -1, 1},
    {OP_TAN, tanl, NULL, -100, 100, FREE},
    {OP_ASIN, asinl, NULL, -1, 1, -M_PI_2, M_PI_2},
    {OP_ACOS, acosl, NULL, -1, 1, 0, M_PI},
    {OP_ATAN, atanl, NULL, -10, 10, -M_PI_2, M_PI_2},
    {OP_ATAN2, NULL, atan2l, -3, 3, -M_PI, M_PI},
    {OP_SINH, sinhl, NULL, -710, 710, FREE},
    {OP_COSH, coshl, NULL, -710, 710, 1, (double)INFINITY},
    {OP_TANH, tanhl, NULL, -22, 22, -1, 1},
    {OP_ASINH, asinhl, NULL, -10, 10, FREE},
    {OP_ACOSH, acoshl, NULL, 1, 10, 0, (double)INFINITY},
    {OP_ATANH, atanhl, NULL, -1, 1, FREE},
    {OP_POW, NULL, powl, 0, 3, FREE},
    {OP_HYPOT, NULL, hypotl, -3, 3, 0, (double)INFINITY},
    {OP_CBRT, cbrtl, NULL, -10, 10, FREE},
    {OP_ERF, erfl, NULL, -7, 7, -1, 1},
    {OP_ERFC, erfcl, NULL, -7, 28, 0, 2},
};
enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

typedef struct Run {
    bool single, fused;
    uint64_t random;
    void *libraries[LIBRARIES];
    const char *hashes[LIBRARIES]; // that their functions' names end in
} Run;

// Functions of one library, by length.
typedef union Function {
    void *symbol;
    Function1 *one;
    Function2 *two;
} Function;

// Points.

static uint64_t random_bits(Run *run) { // xorshift64*
    run->random ^= run->random >> 12;
    run->random ^= run->random << 25;
    run->random ^= run->random >> 27;
    return run->random * 0x2545f4914f6cdd1du;
}

static double random_part(Run *run) {
    return (double)(random_bits(run) >> 11) * 0x1p-53;
}

static double rounded(const Run *run, double value) {
    return run->single ? (double)(float)value : value;
}

// Any real there is.
static double any_real(Run *run) {
    uint64_t bits = random_bits(run);
    if (run->single) {
        uint32_t half = (uint32_t)(bits >> 32);
        float value;
        memcpy(&value, &half, sizeof(value));
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static double any_size(Run *run) {
    double value = ldexp(1 + random_part(run), (int)(random_bits(run) % 64) - 44);
    return rounded(run, random_bits(run) % 2 ? value : -value);
}

// Where one piece of a function ends and another begins, and what is exact.
static const double borders[] = {
    0,
    0x1p-1074,
    0x1p-149,
    0x1p-1022,
    0x1p-126,
    0x1p-54,
    0x1p-30,
    0x1p-26,
    0.25,
    0.34657359,
    0.5,
    0.69314718,
    M_SQRT1_2,
    M_PI_4,
    1,
    1.0397207,
    M_SQRT2,
    M_PI_2,
    2,
    M_E,
    3,
    M_PI,
    4.71238898,
    6,
    8,
    10,
    11,
    22,
    26.5,
    28,
    37,
    38.5,
    40,
    87.33654,
    88.72284,
    103.97208,
    126,
    128,
    149,
    512,
    708.39641853227,
    709.782712893384,
    710.4758600,
    745.1332191019,
    1022,
    1024,
    1074,
    0x1p23,
    0x1p24,
    0x1p28,
    0x1p52,
    0x1p53,
    0x1p60,
    0x1p127,
    0x1p500,
    DBL_MAX / 2,
    DBL_MAX,
    FLT_MAX,
    (double)INFINITY,
    (double)NAN,
};

static double near_border(Run *run) {
    double border = rounded(run, borders[random_bits(run) % (sizeof(borders) / sizeof(border))]);
    double value = border;
    if (run->single) {
        float narrow = (float)border;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof(bits));
        bits += (uint32_t)(random_bits(run) % 65) - 32;
        memcpy(&narrow, &bits, sizeof(narrow));
        value = (double)narrow;
    } else {
        uint64_t bits;
        memcpy(&bits, &border, sizeof(bits));
        bits += random_bits(run) % 65 - 32;
        memcpy(&value, &bits, sizeof(value));
    }
    value = random_bits(run) % 4 == 0 ? border : value;
    return random_bits(run) % 2 ? value : -value;
}

static void next_point_of_kind(Run *run, const Row *row, unsigned kind, double *x, double *y) {
    double length = row->high - row->low;
    switch (kind) {
    case 0:
        *x = rounded(run, row->low + length * random_part(run));
        *y = rounded(run, row->low + length * random_part(run));
        break;
    case 1:
        *x = any_real(run);
        *y = any_real(run);
        break;
    case 2:
        *x = any_size(run);
        *y = any_size(run);
        break;
    case 3:
        *x = near_border(run);
        *y = random_bits(run) % 2 ? near_border(run) : any_size(run);
        break;
    default: // near 1, and powers that are neither 0 nor infinite
        *x = rounded(run, 1 + any_size(run) / 1024);
        *y = rounded(run, (random_part(run) * 1455 - 745) / log(fabs(*x)));
        if (row->two != NULL && random_bits(run) % 2) {
            *x = rounded(run, fabs(any_size(run)));
            *y = rounded(run, (random_part(run) * 1455 - 745) / log(*x));
        }
    }
}

// Of nan there is one: what signals is not to be had in TML.
static void next_point(Run *run, const Row *row, unsigned kind, double *x, double *y) {
    next_point_of_kind(run, row, kind, x, y);
    *x = isnan(*x) ? (double)NAN : *x;
    *y = isnan(*y) ? (double)NAN : *y;
}

// Comparison.

// In units of the last place of the reference. Other infinities, zeros and nan are far off.
static double distance(const Run *run, double found, long double wanted) {
    long double limit = run->single ? 0x1p128L : 0x1p1024L;
    if (isnan(found) || isnan(wanted)) {
        return isnan(found) && isnan(wanted) ? 0 : 1e9;
    }
    if (wanted == 0) {
        return found == 0 && !signbit(found) == !signbit(wanted) ? 0 : 1e9;
    }
    if (isinf(wanted)) {
        return (long double)found == wanted ? 0 : 1e9;
    }
    if (!signbit(found) != !signbit(wanted)) {
        return 1e9;
    }
    int digits = run->single ? FLT_MANT_DIG : DBL_MANT_DIG;
    int least = run->single ? FLT_MIN_EXP : DBL_MIN_EXP;
    int exponent;
    (void)frexpl(fabsl(wanted) < limit ? wanted : limit / 2, &exponent);
    exponent = exponent < least ? least : exponent;
    long double value = isinf(found) ? copysignl(limit, wanted) : (long double)found;
    long double target = fabsl(wanted) < limit ? wanted : copysignl(limit, wanted);
    return (double)(fabsl(value - target) / ldexpl(1, exponent - digits));
}

static bool same_bits(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && !signbit(a) == !signbit(b);
}

typedef struct Block {
    double x[MANY], y[MANY], result[MANY];
} Block;

// Reals as the library has them in memory.
typedef union Memory {
    float singles[MANY];
    double doubles[MANY];
} Memory;

static Memory packed(const Run *run, const double *from, unsigned count) {
    Memory memory;
    for (unsigned i = 0; i < count; i++) {
        if (run->single) {
            memory.singles[i] = (float)from[i];
        } else {
            memory.doubles[i] = from[i];
        }
    }
    return memory;
}

// Elements [first, first + count) by a function of a library.
static void call(const Run *run, const Row *row, unsigned library, const Block *block,
                 unsigned first, unsigned count, double *result) {
    char symbol[96];
    snprintf(symbol, sizeof(symbol), "functions_fn_%s_%s%s", count == MANY ? "many" : "few",
             tir_op_text(row->op), run->hashes[library]);
    Function function = {.symbol = dlsym(run->libraries[library], symbol)};
    CHECK(function.symbol != NULL);
    Memory x = packed(run, block->x + first, count);
    Memory y = packed(run, block->y + first, count);
    Memory out;
    int status = row->two == NULL ? function.one(&x, &out) : function.two(&x, &y, &out);
    CHECK(status == 0);
    for (unsigned i = 0; i < count; i++) {
        result[i] = run->single ? (double)out.singles[i] : out.doubles[i];
    }
}

typedef struct Worst {
    double ulps, x, y;
    bool failed;
} Worst;

static void complain(const Row *row, Worst *worst, const char *what, double x, double y,
                     double found, double wanted) {
    if (!worst->failed) {
        printf("%s(%a, %a) is %a, %s %a\n", tir_op_text(row->op), x, y, found, what, wanted);
    }
    worst->failed = true;
}

static void check_point(const Run *run, const Row *row, const Block *block, unsigned i,
                        Worst *worst) {
    double x = block->x[i], y = block->y[i], found = block->result[i];
    long double wanted = row->two == NULL ? row->one(x) : row->two(x, y);
    double ulps = distance(run, found, wanted);
    if (ulps > worst->ulps) {
        *worst = (Worst){ulps, x, y, worst->failed};
    }
    if (ulps > ULP_LIMIT) {
        complain(row, worst, "and should be", x, y, found, (double)wanted);
    }
    if (found < rounded(run, row->least) || found > rounded(run, row->most)) {
        complain(row, worst, "which is beyond the limits of", x, y, found, (double)wanted);
    }
}

// The evaluator, the other library, and a length that is no multiple of a vector, at any place.
static void check_bits(Run *run, const Row *row, const Block *block, Worst *worst) {
    for (unsigned i = 0; i < MANY; i++) {
        const TirScalar args[] = {{.real = block->x[i]}, {.real = block->y[i]}};
        TirScalar value;
        if (ref_elementary(row->op, args, run->single, run->fused, &value) &&
            !same_bits(value.real, block->result[i])) {
            complain(row, worst, "in the evaluator", block->x[i], block->y[i], block->result[i],
                     value.real);
        }
    }
    double other[MANY];
    unsigned first = (unsigned)(random_bits(run) % (MANY - FEW));
    for (unsigned library = 0; library < LIBRARIES; library++) {
        for (unsigned is_short = 0; is_short < 2; is_short++) {
            unsigned count = is_short ? FEW : MANY;
            unsigned from = is_short ? first : 0;
            call(run, row, library, block, from, count, other);
            for (unsigned i = 0; i < count; i++) {
                if (!same_bits(other[i], block->result[from + i])) {
                    complain(row, worst, "elsewhere", block->x[from + i], block->y[from + i],
                             block->result[from + i], other[i]);
                }
            }
        }
    }
}

static bool measure(Run *run, const Row *row, uint64_t points) {
    enum { BITS_EVERY = 16 }; // blocks
    Worst worst = {0};
    Block block;
    for (uint64_t k = 0; k * MANY < points; k++) {
        for (unsigned i = 0; i < MANY; i++) {
            next_point(run, row, i % POINT_KINDS, &block.x[i], &block.y[i]);
        }
        call(run, row, 0, &block, 0, MANY, block.result);
        for (unsigned i = 0; i < MANY; i++) {
            check_point(run, row, &block, i, &worst);
        }
        if (k % BITS_EVERY == 0) {
            check_bits(run, row, &block, &worst);
        }
    }
    printf("%-6s %.3f ulp at %a", tir_op_text(row->op), worst.ulps, worst.x);
    printf(row->two == NULL ? "\n" : ", %a\n", worst.y);
    fflush(stdout);
    return !worst.failed;
}

int main(int argc, char **argv) {
    CHECK(argc == 5 + 2 * LIBRARIES);
    Run run = {
        .single = strcmp(argv[1], "f32") == 0,
        .fused = strcmp(argv[2], "fused") == 0,
        .random = strtoull(argv[4], NULL, 10) * 2 + 1,
    };
    for (unsigned i = 0; i < LIBRARIES; i++) {
        run.libraries[i] = dlopen(argv[5 + 2 * i], RTLD_NOW);
        run.hashes[i] = argv[6 + 2 * i];
        CHECK(run.libraries[i] != NULL);
    }
    bool passed = true;
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        passed = measure(&run, &rows[i], strtoull(argv[3], NULL, 10)) && passed;
    }
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
