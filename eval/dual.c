// See dual.h. Each rule is written once, for level k in terms of level k - 1. Products of a factor
// and a change are masked: 0 where either is 0, whatever the other (L17.7).
#include "eval/dual.h"

#include "support/bug.h"
#include "tir/visit.h"

#include <math.h>
#include <string.h>

static unsigned half(unsigned level) {
    return 1u << (level - 1);
}

static Dual value_of(unsigned level, Dual a) {
    Dual value = {{0}};
    memcpy(value.part, a.part, half(level) * sizeof(*a.part));
    return value;
}

static Dual change_of(unsigned level, Dual a) {
    Dual change = {{0}};
    memcpy(change.part, a.part + half(level), half(level) * sizeof(*a.part));
    return change;
}

static Dual join(unsigned level, Dual value, Dual change) {
    memcpy(value.part + half(level), change.part, half(level) * sizeof(*value.part));
    return value;
}

static Dual number(long double value) {
    return (Dual){{value}};
}

static Dual add(Dual a, Dual b) {
    for (size_t i = 0; i < DUAL_PARTS; i++) {
        a.part[i] += b.part[i];
    }
    return a;
}

static Dual negate(Dual a) {
    for (size_t i = 0; i < DUAL_PARTS; i++) {
        a.part[i] = -a.part[i];
    }
    return a;
}

static Dual subtract(Dual a, Dual b) {
    return add(a, negate(b));
}

// Where a factor of 0 makes 0 of whatever the other is (L17.7).
typedef enum ZeroRule { ZERO_NOWHERE, ZERO_IN_CHANGES, ZERO_EVERYWHERE } ZeroRule;

static Dual product(unsigned level, Dual a, Dual b, ZeroRule zero) {
    if (level == 0) {
        bool is_zero = zero == ZERO_EVERYWHERE && (a.part[0] == 0 || b.part[0] == 0);
        return number(is_zero ? 0 : a.part[0] * b.part[0]);
    }
    unsigned below = level - 1;
    Dual x = value_of(level, a);
    Dual y = value_of(level, b);
    ZeroRule in_change = zero == ZERO_NOWHERE ? ZERO_NOWHERE : ZERO_EVERYWHERE;
    return join(level, product(below, x, y, zero),
                add(product(below, change_of(level, a), y, in_change),
                    product(below, x, change_of(level, b), in_change)));
}

static Dual masked(unsigned level, Dual a, Dual b) {
    return product(level, a, b, ZERO_EVERYWHERE);
}

static Dual multiply(unsigned level, Dual a, Dual b) {
    return product(level, a, b, ZERO_IN_CHANGES);
}

Dual dual_product(unsigned level, Dual a, Dual b) {
    return product(level, a, b, ZERO_NOWHERE);
}

static Dual divide(unsigned level, Dual a, Dual b) {
    if (level == 0) {
        return number(a.part[0] / b.part[0]);
    }
    unsigned below = level - 1;
    Dual by = value_of(level, b);
    Dual y = divide(below, value_of(level, a), by);
    Dual change = subtract(change_of(level, a), masked(below, y, change_of(level, b)));
    return join(level, y, masked(below, change, divide(below, number(1), by)));
}

static Dual unary(TirOp op, unsigned level, Dual a);
static Dual binary(TirOp op, unsigned level, Dual a, Dual b);

static long double unary_value(TirOp op, long double x) {
    switch ((int)op) {
    case OP_ABS: return fabsl(x);
    case OP_FLOOR: return floorl(x);
    case OP_CEIL: return ceill(x);
    case OP_ROUND: return roundl(x);
    case OP_RINT: return rintl(x);
    case OP_TRUNC: return truncl(x);
    case OP_SQUARE: return x * x;
    case OP_SQRT: return sqrtl(x);
    case OP_CBRT: return cbrtl(x);
    case OP_SIN: return sinl(x);
    case OP_COS: return cosl(x);
    case OP_TAN: return tanl(x);
    case OP_ASIN: return asinl(x);
    case OP_ACOS: return acosl(x);
    case OP_ATAN: return atanl(x);
    case OP_LOG: return logl(x);
    case OP_LOG2: return log2l(x);
    case OP_LOG10: return log10l(x);
    case OP_LOG1P: return log1pl(x);
    case OP_EXP: return expl(x);
    case OP_EXP2: return exp2l(x);
    case OP_EXPM1: return expm1l(x);
    case OP_SINH: return sinhl(x);
    case OP_COSH: return coshl(x);
    case OP_TANH: return tanhl(x);
    case OP_ASINH: return asinhl(x);
    case OP_ACOSH: return acoshl(x);
    case OP_ATANH: return atanhl(x);
    case OP_ERF: return erfl(x);
    case OP_ERFC: return erfcl(x);
    }
    UNREACHABLE();
}

// How a function of one number changes with it: of numbers of that level, y its value at x.
static Dual slope(TirOp op, unsigned level, Dual x, Dual y) {
    static const long double two_by_root_pi = 1.12837916709551257389615890312154517L;
    static const long double ln2 = 0.69314718055994530941723212145817657L;
    static const long double ln10 = 2.30258509299404568401799145468436421L;
    Dual one = number(1);
    Dual square = multiply(level, x, x);
    Dual rest = multiply(level, subtract(one, x), add(one, x)); // 1 - x * x
    switch ((int)op) {
    case OP_ABS: return number((long double)((x.part[0] > 0) - (x.part[0] < 0)));
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND:
    case OP_RINT:
    case OP_TRUNC: return number(0);
    case OP_SQUARE: return multiply(level, number(2), x);
    case OP_SQRT: return divide(level, number(0.5L), y);
    case OP_CBRT: return divide(level, one, multiply(level, number(3), multiply(level, y, y)));
    case OP_SIN: return unary(OP_COS, level, x);
    case OP_COS: return negate(unary(OP_SIN, level, x));
    case OP_TAN: return add(one, multiply(level, y, y));
    case OP_ASIN: return divide(level, one, unary(OP_SQRT, level, rest));
    case OP_ACOS: return divide(level, number(-1), unary(OP_SQRT, level, rest));
    case OP_ATAN: return divide(level, one, add(one, square));
    case OP_LOG: return divide(level, one, x);
    case OP_LOG2: return divide(level, number(1 / ln2), x);
    case OP_LOG10: return divide(level, number(1 / ln10), x);
    case OP_LOG1P: return divide(level, one, add(one, x));
    case OP_EXP: return y;
    case OP_EXP2: return multiply(level, number(ln2), y);
    case OP_EXPM1: return add(y, one);
    case OP_SINH: return unary(OP_COSH, level, x);
    case OP_COSH: return unary(OP_SINH, level, x);
    case OP_TANH: return subtract(one, multiply(level, y, y));
    case OP_ASINH: return divide(level, one, unary(OP_SQRT, level, add(square, one)));
    case OP_ACOSH: {
        Dual product = multiply(level, subtract(x, one), add(x, one));
        return divide(level, one, unary(OP_SQRT, level, product));
    }
    case OP_ATANH: return divide(level, one, rest);
    case OP_ERF:
    case OP_ERFC: {
        Dual bell = unary(OP_EXP, level, negate(square));
        return multiply(level, number(op == OP_ERF ? two_by_root_pi : -two_by_root_pi), bell);
    }
    }
    UNREACHABLE();
}

static Dual unary(TirOp op, unsigned level, Dual a) {
    if (level == 0) {
        return number(unary_value(op, a.part[0]));
    }
    Dual x = value_of(level, a);
    Dual y = unary(op, level - 1, x);
    return join(level, y, masked(level - 1, slope(op, level - 1, x, y), change_of(level, a)));
}

static long double binary_value(TirOp op, long double a, long double b) {
    switch ((int)op) {
    case OP_REM: return fmodl(a, b);
    case OP_REMAINDER: return remainderl(a, b);
    case OP_COPYSIGN: return copysignl(a, b);
    case OP_POW: return powl(a, b);
    case OP_ATAN2: return atan2l(a, b);
    case OP_HYPOT: return hypotl(a, b);
    }
    UNREACHABLE();
}

// How a function of two numbers changes with each: of numbers of that level, y its value.
static void slopes(TirOp op, unsigned level, Dual a, Dual b, Dual y, Dual by[2]) {
    Dual one = number(1);
    switch ((int)op) {
    case OP_REM:
        by[0] = one;
        by[1] = number(-truncl(a.part[0] / b.part[0]));
        return;
    case OP_REMAINDER:
        by[0] = one;
        by[1] = number(-rintl(a.part[0] / b.part[0]));
        return;
    case OP_COPYSIGN: { // |a| with the sign of b
        long double slope_of_size = (long double)((a.part[0] > 0) - (a.part[0] < 0));
        by[0] = number(signbit(b.part[0]) ? -slope_of_size : slope_of_size);
        by[1] = number(0);
        return;
    }
    case OP_POW:
        by[0] = masked(level, b, binary(OP_POW, level, a, subtract(b, one)));
        by[1] = masked(level, y, unary(OP_LOG, level, a));
        return;
    case OP_ATAN2: {
        Dual squares = add(multiply(level, a, a), multiply(level, b, b));
        Dual factor = divide(level, one, squares);
        by[0] = masked(level, b, factor);
        by[1] = negate(masked(level, a, factor));
        return;
    }
    case OP_HYPOT: {
        Dual factor = divide(level, one, y);
        by[0] = masked(level, a, factor);
        by[1] = masked(level, b, factor);
        return;
    }
    }
    UNREACHABLE();
}

static Dual binary(TirOp op, unsigned level, Dual a, Dual b) {
    if (level == 0) {
        return number(binary_value(op, a.part[0], b.part[0]));
    }
    Dual x[2] = {value_of(level, a), value_of(level, b)};
    Dual y = binary(op, level - 1, x[0], x[1]);
    Dual by[2];
    slopes(op, level - 1, x[0], x[1], y, by);
    return join(level, y,
                add(masked(level - 1, by[0], change_of(level, a)),
                    masked(level - 1, by[1], change_of(level, b))));
}

// The first of equals; what is nan before what is not.
static Dual extreme(bool least, Dual a, Dual b) {
    long double x = a.part[0];
    long double y = b.part[0];
    bool is_first = isnan(x) || (!isnan(y) && (least ? x <= y : x >= y));
    return is_first ? a : b;
}

Dual dual_apply(TirOp op, unsigned level, const Dual *args) {
    Dual a = args[0];
    switch ((int)op) {
    case OP_ADD: return add(a, args[1]);
    case OP_SUB: return subtract(a, args[1]);
    case OP_NEG: return negate(a);
    case OP_MUL: return multiply(level, a, args[1]);
    case OP_DIV: return divide(level, a, args[1]);
    case OP_FMA: return add(multiply(level, a, args[1]), args[2]);
    case OP_MIN: return extreme(true, a, args[1]);
    case OP_MAX: return extreme(false, a, args[1]);
    case OP_SELECT: return a.part[0] != 0 ? args[1] : args[2];
    default: break;
    }
    return tir_op_arity(op) == 1 ? unary(op, level, a) : binary(op, level, a, args[1]);
}

Dual dual_accumulate(TirReduction op, unsigned level, Dual sum, Dual term) {
    switch ((int)op) {
    case REDUCE_SUM: return add(sum, term);
    case REDUCE_PROD: return multiply(level, sum, term);
    case REDUCE_MIN: return extreme(true, sum, term);
    case REDUCE_MAX: return extreme(false, sum, term);
    }
    UNREACHABLE();
}
