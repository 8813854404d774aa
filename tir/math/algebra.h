// What the elementary functions of tensors are written in: straight-line arithmetic on reals and
// their bits, without a word about who does it. Reals are doubles, or singles where `is_narrow`.
// Code generation makes LLVM vectors of it (codegen/emit/math.c), the reference evaluator doubles
// (eval/elementary.c); each operation rounds once, as IEEE says, so both have the same bits.
#ifndef TMLC_TIR_MATH_ALGEBRA_H
#define TMLC_TIR_MATH_ALGEBRA_H

#include "tir/math/coefficients.h"

#include <stdbool.h>
#include <stdint.h>

// A real, its bits, and a condition: what the code of it is, or its value.
typedef union MathReal {
    void *code;
    double value;
} MathReal;

typedef union MathBits {
    void *code;
    uint64_t value;
} MathBits;

typedef union MathTest {
    void *code;
    bool value;
} MathTest;

typedef enum MathOp { MATH_ADD, MATH_SUB, MATH_MUL, MATH_DIV, MATH_SQRT, MATH_FUSED } MathOp;
typedef enum MathBitOp {
    BITS_ADD,
    BITS_SUB,
    BITS_AND,
    BITS_OR,
    BITS_XOR,
    BITS_SHL,
    BITS_SHR
} MathBitOp;
// False of nan, but UNORDERED.
typedef enum MathRelation { MATH_LESS, MATH_EQUAL, MATH_UNORDERED } MathRelation;

typedef struct Math {
    void *data;
    bool is_single; // results need no more than 24 digits
    bool is_narrow; // the arithmetic has no more, else doubles, which hold all of the range of
                    // singles
    bool is_fused;  // there is a multiply-add that rounds once (MATH_FUSED)
    MathReal (*number)(void *data, double value);
    MathBits (*whole)(void *data, uint64_t value);
    MathReal (*apply)(void *data, MathOp op, MathReal a, MathReal b, MathReal c);
    MathBits (*combine)(void *data, MathBitOp op, MathBits a, MathBits b);
    MathTest (*compare)(void *data, MathRelation relation, MathReal a, MathReal b);
    MathTest (*is_odd)(void *data, MathBits a);
    MathTest (*either)(void *data, MathTest a, MathTest b);
    MathReal (*choose)(void *data, MathTest test, MathReal yes, MathReal no);
    MathBits (*bits_of)(void *data, MathReal a);
    MathReal (*real_of)(void *data, MathBits a);
} Math;

static inline MathReal math_number(const Math *math, double value) {
    return math->number(math->data, value);
}

static inline MathReal math_add(const Math *math, MathReal a, MathReal b) {
    return math->apply(math->data, MATH_ADD, a, b, a);
}

static inline MathReal math_sub(const Math *math, MathReal a, MathReal b) {
    return math->apply(math->data, MATH_SUB, a, b, a);
}

static inline MathReal math_mul(const Math *math, MathReal a, MathReal b) {
    return math->apply(math->data, MATH_MUL, a, b, a);
}

static inline MathReal math_div(const Math *math, MathReal a, MathReal b) {
    return math->apply(math->data, MATH_DIV, a, b, a);
}

static inline MathReal math_sqrt(const Math *math, MathReal a) {
    return math->apply(math->data, MATH_SQRT, a, a, a);
}

// a * b + c, rounded once where the machine can.
static inline MathReal math_mul_add(const Math *math, MathReal a, MathReal b, MathReal c) {
    return math->is_fused ? math->apply(math->data, MATH_FUSED, a, b, c)
                          : math_add(math, math_mul(math, a, b), c);
}

static inline MathTest math_less(const Math *math, MathReal a, MathReal b) {
    return math->compare(math->data, MATH_LESS, a, b);
}

static inline MathTest math_equal(const Math *math, MathReal a, MathReal b) {
    return math->compare(math->data, MATH_EQUAL, a, b);
}

static inline MathTest math_unordered(const Math *math, MathReal a, MathReal b) {
    return math->compare(math->data, MATH_UNORDERED, a, b);
}

static inline MathTest math_either(const Math *math, MathTest a, MathTest b) {
    return math->either(math->data, a, b);
}

static inline MathReal math_choose(const Math *math, MathTest test, MathReal yes, MathReal no) {
    return math->choose(math->data, test, yes, no);
}

static inline MathBits math_bits(const Math *math, MathReal a) {
    return math->bits_of(math->data, a);
}

static inline MathReal math_real(const Math *math, MathBits a) {
    return math->real_of(math->data, a);
}

static inline MathBits math_combine(const Math *math, MathBitOp op, MathBits a, MathBits b) {
    return math->combine(math->data, op, a, b);
}

static inline MathBits math_with(const Math *math, MathBitOp op, MathBits a, uint64_t b) {
    return math->combine(math->data, op, a, math->whole(math->data, b));
}

static inline MathTest math_is_odd(const Math *math, MathBits a) {
    return math->is_odd(math->data, a);
}

// With a constant as the second operand.
static inline MathReal math_plus(const Math *math, MathReal a, double b) {
    return math_add(math, a, math_number(math, b));
}

static inline MathReal math_times(const Math *math, MathReal a, double b) {
    return math_mul(math, a, math_number(math, b));
}

static inline MathTest math_below(const Math *math, MathReal a, double b) {
    return math_less(math, a, math_number(math, b));
}

static inline MathTest math_above(const Math *math, MathReal a, double b) {
    return math_less(math, math_number(math, b), a);
}

// The rest are words made of these (algebra.c).

// Of x.
MathReal math_series(const Math *math, const MathSeries *series, MathReal x);
MathReal math_abs(const Math *math, MathReal a);
MathReal math_negated(const Math *math, MathReal a);
// `a` with its sign turned where that of `sign` is negative.
MathReal math_with_sign(const Math *math, MathReal a, MathReal sign);
// The nearest in [least, most]; nan stays.
MathReal math_clamp(const Math *math, MathReal a, double least, double most);

// A sum or product and what rounding took from it: high + low is exact.
typedef struct MathPair {
    MathReal high, low;
} MathPair;

// |a| must be at least |b|, or a zero.
MathPair math_exact_sum(const Math *math, MathReal a, MathReal b);
MathPair math_exact_product(const Math *math, MathReal a, MathReal b);
// The product of two such numbers, to twice the digits.
MathPair math_pair_product(const Math *math, MathPair a, MathPair b);

#endif
