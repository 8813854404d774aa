/* Prints a sum of the bits of what each function of functions.tml makes of the same pseudo-random
   arguments, on any machine and without a C library (machines.py). */
#include "tests/cross/platform.h"

#include "library.inc" /* its header */

enum { MANY = 1024, BLOCKS = 64 };

#ifdef SINGLE
typedef float Real;
typedef uint32_t Bits;
#define LIBRARY(name) float name##f(float x)
#else
typedef double Real;
typedef uint64_t Bits;
#define LIBRARY(name) double name(double x)
#endif

/* Of arguments that are far out. What it is does not matter here. */
LIBRARY(sin);
LIBRARY(cos);
LIBRARY(tan);
LIBRARY(sin) {
    return x * 3;
}
LIBRARY(cos) {
    return x * 5;
}
LIBRARY(tan) {
    return x * 7;
}

typedef union Value {
    Real real;
    Bits bits;
} Value;

static uint64_t state;

static uint64_t random_bits(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1du;
}

/* Of any size, and of a size that most functions have more to say about. */
static Real random_real(unsigned i) {
    Value value = {.bits = (Bits)(random_bits() >> 11 << (sizeof(Bits) == 8 ? 11 : 0))};
    Real part = (Real)(random_bits() >> 40) / (Real)(1 << 24);
    if (i % 4 == 0) {
        return value.real;
    }
    part *= i % 4 == 1 ? 1 : i % 4 == 2 ? 16 : 700;
    return random_bits() % 2 ? part : -part;
}

static Real x[MANY], y[MANY], result[MANY];
static uint64_t sum;

static void next(void) {
    for (unsigned i = 0; i < MANY; i++) {
        x[i] = random_real(i);
        y[i] = random_real(i / 4);
    }
}

static void add(void) {
    for (unsigned i = 0; i < MANY; i++) {
        Value value = {.real = result[i]};
        Bits bits = result[i] != result[i] ? 1 : value.bits; /* any nan */
        sum = (sum ^ bits) * 0x100000001b3u;
    }
}

static void report(const char *name) {
    char line[64];
    size_t len = 0;
    while (name[len] != '\0') {
        line[len] = name[len];
        len++;
    }
    line[len++] = ' ';
    for (int digit = 15; digit >= 0; digit--) {
        line[len++] = "0123456789abcdef"[sum >> (4 * digit) & 15];
    }
    line[len++] = '\n';
    platform_write(line, len);
}

#define ROW(name, CALL)                \
    state = 88172645463325252u;        \
    sum = 0xcbf29ce484222325u;         \
    for (int k = 0; k < BLOCKS; k++) { \
        next();                        \
        if (CALL != 0) {               \
            return 1;                  \
        }                              \
        add();                         \
    }                                  \
    report(#name);
#define ROW1(name) ROW(name, functions_fn_many_##name(x, result))
#define ROW2(name) ROW(name, functions_fn_many_##name(x, y, result))

int cross_main(void) {
#include "rows.inc"
    return 0;
}
