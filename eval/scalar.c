// The oracle's operations on single scalars, in plain C and the C library's functions. Written
// apart from tir/scalar.c, which folds constants, so that each can find mistakes of the other;
// integers wrap, and single reals are rounded after each operation.
#include "eval/scalar.h"

#include "support/bug.h"

#include <math.h>
#include <string.h>

static TirScalar from_bool(bool value) {
    return (TirScalar){.boolean = value};
}

static TirScalar from_uint(uint32_t value) {
    return (TirScalar){.uint = value};
}

static TirScalar from_int(int32_t value) {
    return (TirScalar){.integer = value};
}

static TirScalar from_real(double value, bool single) {
    return (TirScalar){.real = single ? (double)(float)value : value};
}

static TirScalar wrapped(uint32_t bits, Root root) {
    if (root == ROOT_UINT) {
        return from_uint(bits);
    }
    int32_t value;
    memcpy(&value, &bits, sizeof(value));
    return from_int(value);
}

static uint32_t bits_of(TirScalar value, Root root) {
    return root == ROOT_UINT ? value.uint : (uint32_t)value.integer;
}

static int64_t wide_of(TirScalar value, Root root) {
    return root == ROOT_UINT ? (int64_t)value.uint : (int64_t)value.integer;
}

// Arithmetic.

static double real_least(double a, double b) {
    if (isnan(a) || isnan(b)) {
        return (double)NAN;
    }
    if (a == b) {
        return signbit(a) ? a : b;
    }
    return a < b ? a : b;
}

static double real_arithmetic(TirOp op, double a, double b) {
    switch ((int)op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_NEG: return -a;
    case OP_DIV: return a / b;
    case OP_REM: return fmod(a, b);
    case OP_MIN: return real_least(a, b);
    case OP_MAX: return -real_least(-a, -b);
    }
    UNREACHABLE();
}

// int and uint agree in what they add, subtract and multiply to, modulo 2^32.
static TirScalar integer_arithmetic(TirOp op, Root root, TirScalar a, TirScalar b, bool *trapped) {
    int64_t x = wide_of(a, root);
    int64_t y = wide_of(b, root);
    if ((op == OP_DIV || op == OP_REM) && y == 0) {
        *trapped = true;
        return from_uint(0);
    }
    switch ((int)op) {
    case OP_ADD: return wrapped(bits_of(a, root) + bits_of(b, root), root);
    case OP_SUB: return wrapped(bits_of(a, root) - bits_of(b, root), root);
    case OP_MUL: return wrapped(bits_of(a, root) * bits_of(b, root), root);
    case OP_NEG: return wrapped(0 - bits_of(a, root), root);
    case OP_DIV: return wrapped((uint32_t)(x / y), root);
    case OP_REM: return wrapped((uint32_t)(x % y), root);
    case OP_MIN: return x < y ? a : b;
    case OP_MAX: return x > y ? a : b;
    }
    UNREACHABLE();
}

static bool compare(TirOp op, bool less, bool equal, bool greater) {
    switch ((int)op) {
    case OP_EQ: return equal;
    case OP_NE: return !equal;
    case OP_LT: return less;
    case OP_LE: return less || equal;
    case OP_GT: return greater;
    case OP_GE: return greater || equal;
    }
    UNREACHABLE();
}

static bool comparison(TirOp op, Root root, Root other, TirScalar a, TirScalar b) {
    if (root == ROOT_REAL) {
        return compare(op, a.real < b.real, a.real == b.real, a.real > b.real);
    }
    int64_t x = root == ROOT_BOOL ? a.boolean : wide_of(a, root);
    int64_t y = other == ROOT_BOOL ? b.boolean : wide_of(b, other);
    return compare(op, x < y, x == y, x > y);
}

static int32_t sign_of(Root root, TirScalar a) {
    if (root == ROOT_REAL) {
        return (a.real > 0) - (a.real < 0);
    }
    return (wide_of(a, root) > 0) - (wide_of(a, root) < 0);
}

// Bit by bit.
static uint32_t count_bits(TirOp op, uint32_t a) {
    uint32_t ones = 0, leading = 32, trailing = 32, mirrored = 0;
    for (uint32_t k = 0; k < 32; k++) {
        bool is_one = a >> k & 1;
        ones += is_one;
        mirrored = mirrored * 2 + is_one;
        leading = is_one ? 31 - k : leading;
        trailing = is_one && trailing == 32 ? k : trailing;
    }
    return op == OP_POPCOUNT ? ones : op == OP_CLZ ? leading : op == OP_CTZ ? trailing : mirrored;
}

// Functions of the C library, in the precision of the program.
static double library(TirOp op, const TirScalar *args, bool single) {
    double a = args[0].real;
    double b = args[1].real;
    float x = (float)a;
    float y = (float)b;
    switch ((int)op) {
    case OP_FMA: return single ? (double)fmaf(x, y, (float)args[2].real) : fma(a, b, args[2].real);
#define UNARY(NAME, function) \
    case OP_##NAME: return single ? (double)function##f(x) : function(a);
#define BINARY(NAME, function) \
    case OP_##NAME: return single ? (double)function##f(x, y) : function(a, b);
    case OP_POW:
        return b == 2 ? a * a : single ? (double)powf(x, y) : pow(a, b);
        BINARY(ATAN2, atan2)
        BINARY(HYPOT, hypot)
        BINARY(REMAINDER, remainder)
        BINARY(COPYSIGN, copysign)
        UNARY(ABS, fabs)
        UNARY(SIN, sin)
        UNARY(COS, cos)
        UNARY(TAN, tan)
        UNARY(ASIN, asin)
        UNARY(ACOS, acos)
        UNARY(ATAN, atan)
        UNARY(FLOOR, floor)
        UNARY(CEIL, ceil)
        UNARY(ROUND, round)
        UNARY(RINT, nearbyint)
        UNARY(TRUNC, trunc)
        UNARY(LOG, log)
        UNARY(LOG10, log10)
        UNARY(SQRT, sqrt)
        UNARY(EXP, exp)
        UNARY(EXP2, exp2)
        UNARY(EXPM1, expm1)
        UNARY(LOG2, log2)
        UNARY(LOG1P, log1p)
        UNARY(SINH, sinh)
        UNARY(COSH, cosh)
        UNARY(TANH, tanh)
        UNARY(ASINH, asinh)
        UNARY(ACOSH, acosh)
        UNARY(ATANH, atanh)
        UNARY(CBRT, cbrt)
        UNARY(ERF, erf)
        UNARY(ERFC, erfc)
#undef UNARY
#undef BINARY
    }
    UNREACHABLE();
}

TirScalar ref_apply(TirOp op, Root root, Root other, const TirScalar *args, bool single,
                    bool *trapped) {
    TirScalar a = args[0];
    TirScalar b = args[1];
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG:
    case OP_DIV:
    case OP_REM:
    case OP_MIN:
    case OP_MAX:
        return root == ROOT_REAL ? from_real(real_arithmetic(op, a.real, b.real), single)
                                 : integer_arithmetic(op, root, a, b, trapped);
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: return from_bool(comparison(op, root, other, a, b));
    case OP_AND: return from_bool(a.boolean && b.boolean);
    case OP_OR: return from_bool(a.boolean || b.boolean);
    case OP_NOT: return from_bool(!a.boolean);
    case OP_BIT_AND: return from_uint(a.uint & b.uint);
    case OP_BIT_OR: return from_uint(a.uint | b.uint);
    case OP_BIT_XOR: return from_uint(a.uint ^ b.uint);
    case OP_BIT_NOT: return from_uint(~a.uint);
    case OP_SHL: return from_uint(b.uint >= 32 ? 0 : a.uint << b.uint);
    case OP_SHR: return from_uint(b.uint >= 32 ? 0 : a.uint >> b.uint);
    case OP_MULHI: return from_uint((uint32_t)((uint64_t)a.uint * b.uint / 4294967296u));
    case OP_POPCOUNT:
    case OP_CLZ:
    case OP_CTZ:
    case OP_BITREVERSE: return from_uint(count_bits(op, a.uint));
    case OP_SELECT: return a.boolean ? args[1] : args[2];
    case OP_SIGN: return from_int(sign_of(root, a));
    case OP_ISNAN: return from_bool(isnan(a.real));
    case OP_ISINF: return from_bool(isinf(a.real));
    case OP_ISFINITE: return from_bool(isfinite(a.real));
    case OP_SQUARE: return from_real(a.real * a.real, single);
    case OP_MULADD:
        return from_real(from_real(a.real * b.real, single).real + args[2].real, single);
    case OP_MULZ: return from_real(a.real == 0.0 || b.real == 0.0 ? 0.0 : a.real * b.real, single);
#define TIR_EXACT(NAME, function, arity, cost) case OP_##NAME:
#define TIR_FUNCTION(NAME, function, arity) case OP_##NAME:
#include "tir/ops.def"
        return from_real(library(op, args, single), single);
    }
    UNREACHABLE();
}

// Toward zero to a signed 64-bit integer, saturating; nan is 0.
static int64_t truncate_real(double value) {
    if (isnan(value)) {
        return 0;
    }
    if (value >= 0x1p63) {
        return INT64_MAX;
    }
    return value < -0x1p63 ? INT64_MIN : (int64_t)value;
}

TirScalar ref_convert(Root to, Root from, TirScalar value, bool single) {
    bool is_real = from == ROOT_REAL;
    if (to == ROOT_REAL) {
        double real = is_real             ? value.real
                      : from == ROOT_BOOL ? (double)value.boolean
                                          : (double)wide_of(value, from);
        return from_real(real, single);
    }
    if (to == ROOT_BOOL) {
        return from == ROOT_BOOL ? value : from_bool(is_real ? value.real != 0 : value.uint != 0);
    }
    int64_t wide = is_real             ? truncate_real(value.real)
                   : from == ROOT_BOOL ? (int64_t)value.boolean
                                       : wide_of(value, from);
    return wrapped((uint32_t)wide, to);
}

// Whether `value` comes before `best` in the order of argmin or argmax, where nan is first.
static bool is_better(TirReduction op, Root root, TirScalar value, TirScalar best) {
    if (root == ROOT_REAL && (isnan(value.real) || isnan(best.real))) {
        return isnan(value.real) && !isnan(best.real);
    }
    return comparison(op == REDUCE_ARGMAX ? OP_GT : OP_LT, root, root, value, best);
}

void ref_accumulate(TirReduction op, Root root, bool single, TirScalar value, uint32_t position,
                    TirScalar *sum, uint32_t *best) {
    TirScalar args[3] = {*sum, value};
    bool trapped = false;
    switch (op) {
    case REDUCE_SUM: *sum = ref_apply(OP_ADD, root, root, args, single, &trapped); return;
    case REDUCE_PROD: *sum = ref_apply(OP_MUL, root, root, args, single, &trapped); return;
    case REDUCE_MIN: *sum = ref_apply(OP_MIN, root, root, args, single, &trapped); return;
    case REDUCE_MAX: *sum = ref_apply(OP_MAX, root, root, args, single, &trapped); return;
    case REDUCE_ALL: *sum = ref_apply(OP_AND, root, root, args, single, &trapped); return;
    case REDUCE_ANY: *sum = ref_apply(OP_OR, root, root, args, single, &trapped); return;
    case REDUCE_ARGMIN:
    case REDUCE_ARGMAX:
        if (is_better(op, root, value, *sum)) {
            *sum = value;
            *best = position;
        }
        return;
    }
    UNREACHABLE();
}
