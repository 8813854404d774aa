// See scalar.h. Functions are the C library's, at the precision of the program's reals, so that a
// folded value has the bits that the running program would compute.
#include "tir/scalar.h"

#include "support/bug.h"

#include <math.h>

double scalar_as_real(TirScalar value, Root root) {
    switch (root) {
    case ROOT_BOOL: return value.boolean ? 1 : 0;
    case ROOT_UINT: return value.uint;
    case ROOT_INT: return value.integer;
    case ROOT_REAL: return value.real;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

// Truncates toward zero to 64 bits, saturating; nan is 0.
static int64_t truncate_to_64(double value) {
    if (isnan(value)) {
        return 0;
    }
    if (value >= 0x1p63) {
        return INT64_MAX;
    }
    return value < -0x1p63 ? INT64_MIN : (int64_t)value;
}

static uint32_t integer_bits(TirScalar value, Root root) {
    switch (root) {
    case ROOT_BOOL: return value.boolean ? 1 : 0;
    case ROOT_UINT: return value.uint;
    case ROOT_INT: return (uint32_t)value.integer;
    case ROOT_REAL: return (uint32_t)(uint64_t)truncate_to_64(value.real);
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

TirScalar scalar_convert(TirScalar value, Root from, Root to, bool single) {
    TirScalar result = {0};
    switch (to) {
    case ROOT_BOOL:
        result.boolean = from == ROOT_REAL ? value.real != 0 : integer_bits(value, from) != 0;
        return result;
    case ROOT_UINT: result.uint = integer_bits(value, from); return result;
    case ROOT_INT: result.integer = (int32_t)integer_bits(value, from); return result;
    case ROOT_REAL: {
        double real = scalar_as_real(value, from);
        result.real = single ? (double)(float)real : real;
        return result;
    }
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

// Rounds to the program's precision. One rounding in double and one in single is the same as one in
// single for + - * / and sqrt (double has more than twice the digits of single).
static double rounded(double value, bool single) {
    return single ? (double)(float)value : value;
}

typedef double RealFunction(double);
typedef float SingleFunction(float);

static bool apply_function(TirOp op, double x, bool single, double *result) {
    RealFunction *real = NULL;
    SingleFunction *low = NULL;
    switch (op) {
#define REAL_FUNCTION(NAME, function) \
    case OP_##NAME:                   \
        real = function;              \
        low = function##f;            \
        break;
        REAL_FUNCTION(ABS, fabs)
        REAL_FUNCTION(SIN, sin)
        REAL_FUNCTION(COS, cos)
        REAL_FUNCTION(TAN, tan)
        REAL_FUNCTION(ASIN, asin)
        REAL_FUNCTION(ACOS, acos)
        REAL_FUNCTION(ATAN, atan)
        REAL_FUNCTION(FLOOR, floor)
        REAL_FUNCTION(CEIL, ceil)
        REAL_FUNCTION(ROUND, round)
        REAL_FUNCTION(TRUNC, trunc)
        REAL_FUNCTION(LOG, log)
        REAL_FUNCTION(LOG10, log10)
        REAL_FUNCTION(SQRT, sqrt)
        REAL_FUNCTION(EXP, exp)
        REAL_FUNCTION(EXP2, exp2)
        REAL_FUNCTION(EXPM1, expm1)
        REAL_FUNCTION(LOG2, log2)
        REAL_FUNCTION(LOG1P, log1p)
        REAL_FUNCTION(SINH, sinh)
        REAL_FUNCTION(COSH, cosh)
        REAL_FUNCTION(TANH, tanh)
        REAL_FUNCTION(ASINH, asinh)
        REAL_FUNCTION(ACOSH, acosh)
        REAL_FUNCTION(ATANH, atanh)
        REAL_FUNCTION(CBRT, cbrt)
        REAL_FUNCTION(ERF, erf)
        REAL_FUNCTION(ERFC, erfc)
#undef REAL_FUNCTION
    default: return false; // not a function of one real
    }
    *result = single ? (double)low((float)x) : real(x);
    return true;
}

static double minimum(double a, double b) {
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    return a == b ? (signbit(a) ? a : b) : (a < b ? a : b);
}

static double apply_real(TirOp op, double a, double b, bool single) {
    switch (op) {
    case OP_ADD: return rounded(a + b, single);
    case OP_SUB: return rounded(a - b, single);
    case OP_MUL: return rounded(a * b, single);
    case OP_DIV: return rounded(a / b, single);
    case OP_NEG: return -a;
    case OP_REM: return single ? (double)fmodf((float)a, (float)b) : fmod(a, b);
    case OP_POW: return single ? (double)powf((float)a, (float)b) : pow(a, b);
    case OP_ATAN2: return single ? (double)atan2f((float)a, (float)b) : atan2(a, b);
    case OP_HYPOT: return single ? (double)hypotf((float)a, (float)b) : hypot(a, b);
    case OP_MIN: return minimum(a, b);
    case OP_MAX: return -minimum(-a, -b);
    default: break;
    }
    UNREACHABLE();
}

// Signed and unsigned arithmetic share their bits but for division, remainder, min and max.
static bool apply_integer(TirOp op, uint32_t a, uint32_t b, bool is_signed, uint32_t *result) {
    int32_t sa = (int32_t)a;
    int32_t sb = (int32_t)b;
    bool less = is_signed ? sa < sb : a < b;
    switch (op) {
    case OP_ADD: *result = a + b; return true;
    case OP_SUB: *result = a - b; return true;
    case OP_MUL: *result = a * b; return true;
    case OP_NEG: *result = 0 - a; return true;
    case OP_DIV:
    case OP_REM:
        if (b == 0) {
            return false;
        }
        if (!is_signed) {
            *result = op == OP_DIV ? a / b : a % b;
        } else if (sb == -1) {
            *result = op == OP_DIV ? 0 - a : 0;
        } else {
            *result = (uint32_t)(op == OP_DIV ? sa / sb : sa % sb);
        }
        return true;
    case OP_MIN: *result = less ? a : b; return true;
    case OP_MAX: *result = less ? b : a; return true;
    case OP_BIT_AND: *result = a & b; return true;
    case OP_BIT_OR: *result = a | b; return true;
    case OP_BIT_XOR: *result = a ^ b; return true;
    case OP_BIT_NOT: *result = ~a; return true;
    case OP_SHL: *result = b < 32 ? a << b : 0; return true;
    case OP_SHR: *result = b < 32 ? a >> b : 0; return true;
    default: break;
    }
    UNREACHABLE();
}

// All roots embed exactly in double, so a comparison of doubles compares by value.
static bool compare(TirOp op, double a, double b) {
    switch (op) {
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_GT: return a > b;
    case OP_GE: return a >= b;
    default: break;
    }
    UNREACHABLE();
}

bool scalar_apply(TirOp op, const Root *roots, const TirScalar *args, bool single,
                  TirScalar *result) {
    *result = (TirScalar){0};
    switch (op) {
    case OP_AND: result->boolean = args[0].boolean && args[1].boolean; return true;
    case OP_OR: result->boolean = args[0].boolean || args[1].boolean; return true;
    case OP_NOT: result->boolean = !args[0].boolean; return true;
    case OP_SELECT: *result = args[0].boolean ? args[1] : args[2]; return true;
    case OP_ISNAN: result->boolean = isnan(args[0].real); return true;
    case OP_ISINF: result->boolean = isinf(args[0].real); return true;
    case OP_ISFINITE: result->boolean = isfinite(args[0].real); return true;
    case OP_SIGN: {
        double x = scalar_as_real(args[0], roots[0]);
        result->integer = (x > 0) - (x < 0);
        return true;
    }
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        result->boolean =
            compare(op, scalar_as_real(args[0], roots[0]), scalar_as_real(args[1], roots[1]));
        return true;
    default: break;
    }
    if (roots[0] == ROOT_REAL) {
        if (!apply_function(op, args[0].real, single, &result->real)) {
            double second = tir_op_arity(op) == 2 ? args[1].real : 0;
            result->real = apply_real(op, args[0].real, second, single);
        }
        return true;
    }
    uint32_t a = integer_bits(args[0], roots[0]);
    uint32_t b = tir_op_arity(op) == 2 ? integer_bits(args[1], roots[1]) : 0;
    uint32_t bits;
    if (!apply_integer(op, a, b, roots[0] == ROOT_INT, &bits)) {
        return false;
    }
    if (roots[0] == ROOT_INT) {
        result->integer = (int32_t)bits;
    } else {
        result->uint = bits;
    }
    return true;
}
