// See scalar.h. Functions are the C library's, at the precision of the program's reals, so that a
// folded value has the bits that the running program would compute.
#include "tir/scalar.h"

#include "support/bug.h"
#include "tir/visit.h"

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

static double minimum(double a, double b) {
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    return a == b ? (signbit(a) ? a : b) : (a < b ? a : b);
}

// The quotient, or the remainder, of integers. The divisor is not zero.
static uint32_t divide(uint32_t a, uint32_t b, bool is_signed, bool wants_rest) {
    if (!is_signed) {
        return wants_rest ? a % b : a / b;
    }
    if (b == UINT32_MAX) { // -1
        return wants_rest ? 0 : 0 - a;
    }
    return (uint32_t)(wants_rest ? (int32_t)a % (int32_t)b : (int32_t)a / (int32_t)b);
}

static uint32_t reversed(uint32_t a) {
    uint32_t result = 0;
    for (unsigned k = 0; k < 32; k++) {
        result |= (a >> k & 1) << (31 - k);
    }
    return result;
}

// Operands are at hand as doubles, which hold every scalar exactly, so that they compare by value,
// and integers as their bits. Results of numbers come as both, of which the root takes one: a real
// is rounded to the program's precision. One rounding in double and one in single is the same as
// one in single for + - * / and sqrt (double has more than twice the digits of single).
bool scalar_apply(TirOp op, const Root *roots, const TirScalar *args, bool single,
                  TirScalar *result) {
    bool is_pair = tir_op_arity(op) >= 2 && op != OP_SELECT;
    bool is_signed = roots[0] == ROOT_INT;
    double x = scalar_as_real(args[0], roots[0]);
    double y = is_pair ? scalar_as_real(args[1], roots[1]) : 0;
    uint32_t a = integer_bits(args[0], roots[0]);
    uint32_t b = is_pair ? integer_bits(args[1], roots[1]) : 0;
    double real = 0;
    uint32_t bits = 0;
    *result = (TirScalar){0};
    switch (op) {
    case OP_EQ: result->boolean = x == y; return true;
    case OP_NE: result->boolean = x != y; return true;
    case OP_LT: result->boolean = x < y; return true;
    case OP_LE: result->boolean = x <= y; return true;
    case OP_GT: result->boolean = x > y; return true;
    case OP_GE: result->boolean = x >= y; return true;
    case OP_AND: result->boolean = args[0].boolean && args[1].boolean; return true;
    case OP_OR: result->boolean = args[0].boolean || args[1].boolean; return true;
    case OP_NOT: result->boolean = !args[0].boolean; return true;
    case OP_ISNAN: result->boolean = isnan(x); return true;
    case OP_ISINF: result->boolean = isinf(x); return true;
    case OP_ISFINITE: result->boolean = isfinite(x); return true;
    case OP_SELECT: *result = args[0].boolean ? args[1] : args[2]; return true;
    case OP_SIGN: result->integer = (x > 0) - (x < 0); return true;
    case OP_ADD: real = x + y, bits = a + b; break;
    case OP_SUB: real = x - y, bits = a - b; break;
    case OP_MUL: real = x * y, bits = a * b; break;
    case OP_MULZ: real = x == 0 || y == 0 ? 0 : x * y; break;
    case OP_NEG: real = -x, bits = 0 - a; break;
    case OP_SQUARE: real = x * x; break;
    case OP_MULADD: return false; // as the target has it
    case OP_MIN: real = minimum(x, y), bits = x < y ? a : b; break;
    case OP_MAX: real = -minimum(-x, -y), bits = x < y ? b : a; break;
    case OP_DIV:
    case OP_REM:
        if (roots[0] == ROOT_REAL) {
            real = op == OP_DIV ? x / y : fmod(x, y);
        } else if (b == 0) {
            return false;
        } else {
            bits = divide(a, b, is_signed, op == OP_REM);
        }
        break;
    case OP_BIT_AND: bits = a & b; break;
    case OP_BIT_OR: bits = a | b; break;
    case OP_BIT_XOR: bits = a ^ b; break;
    case OP_BIT_NOT: bits = ~a; break;
    case OP_SHL: bits = b < 32 ? a << b : 0; break;
    case OP_SHR: bits = b < 32 ? a >> b : 0; break;
    case OP_MULHI: bits = (uint32_t)((uint64_t)a * b >> 32); break;
    case OP_POPCOUNT: bits = (uint32_t)__builtin_popcount(a); break;
    case OP_CLZ: bits = a == 0 ? 32 : (uint32_t)__builtin_clz(a); break;
    case OP_CTZ: bits = a == 0 ? 32 : (uint32_t)__builtin_ctz(a); break;
    case OP_BITREVERSE: bits = reversed(a); break;
#define CALL_1(function) (single ? (double)function##f((float)x) : function(x))
#define CALL_2(function) (single ? (double)function##f((float)x, (float)y) : function(x, y))
#define CALL_3(function)                                                   \
    (single ? (double)function##f((float)x, (float)y, (float)args[2].real) \
            : function(x, y, args[2].real))
#define TIR_EXACT(NAME, function, arity, cost) \
    case OP_##NAME: real = CALL_##arity(function); break;
#define TIR_FUNCTION(NAME, function, arity) TIR_EXACT(NAME, function, arity, CALL)
#include "tir/ops.def"
    }
    if (op == OP_POW && y == 2) {
        real = x * x;
    }
    if (roots[0] == ROOT_REAL) {
        result->real = single ? (double)(float)real : real;
    } else if (is_signed) {
        result->integer = (int32_t)bits;
    } else {
        result->uint = bits;
    }
    return true;
}
