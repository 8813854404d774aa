// The algebra of tir/math on numbers: one element at a time, in plain C. Singles are rounded after
// each operation, which for these is the same as to compute in single.
#include "eval/elementary.h"

#include "support/bug.h"
#include "tir/math/functions.h"
#include "tir/visit.h"

#include <math.h>
#include <string.h>

// What `data` points to.
static bool is_narrow(const void *data) {
    return *(const bool *)data;
}

static MathReal number(void *data, double value) {
    return (MathReal){.value = is_narrow(data) ? (double)(float)value : value};
}

static MathBits whole(void *data, uint64_t value) {
    return (MathBits){.value = is_narrow(data) ? (uint32_t)value : value};
}

static MathReal apply(void *data, MathOp op, MathReal a, MathReal b, MathReal c) {
    switch (op) {
    case MATH_ADD: return number(data, a.value + b.value);
    case MATH_SUB: return number(data, a.value - b.value);
    case MATH_MUL: return number(data, a.value * b.value);
    case MATH_DIV: return number(data, a.value / b.value);
    case MATH_SQRT: return number(data, sqrt(a.value));
    case MATH_FUSED:
        return number(data, is_narrow(data)
                                ? (double)fmaf((float)a.value, (float)b.value, (float)c.value)
                                : fma(a.value, b.value, c.value));
    }
    UNREACHABLE();
}

static MathBits combine(void *data, MathBitOp op, MathBits a, MathBits b) {
    switch (op) {
    case BITS_ADD: return whole(data, a.value + b.value);
    case BITS_SUB: return whole(data, a.value - b.value);
    case BITS_AND: return whole(data, a.value & b.value);
    case BITS_OR: return whole(data, a.value | b.value);
    case BITS_XOR: return whole(data, a.value ^ b.value);
    case BITS_SHL: return whole(data, a.value << b.value);
    case BITS_SHR: return whole(data, a.value >> b.value);
    }
    UNREACHABLE();
}

static MathTest compare(void *data, MathRelation relation, MathReal a, MathReal b) {
    (void)data;
    switch (relation) {
    case MATH_LESS: return (MathTest){.value = a.value < b.value};
    case MATH_EQUAL: return (MathTest){.value = a.value == b.value};
    case MATH_UNORDERED: return (MathTest){.value = isnan(a.value) || isnan(b.value)};
    }
    UNREACHABLE();
}

static MathTest is_odd(void *data, MathBits a) {
    (void)data;
    return (MathTest){.value = (a.value & 1) != 0};
}

static MathTest either(void *data, MathTest a, MathTest b) {
    (void)data;
    return (MathTest){.value = a.value || b.value};
}

static MathReal choose(void *data, MathTest test, MathReal yes, MathReal no) {
    (void)data;
    return test.value ? yes : no;
}

static MathBits bits_of(void *data, MathReal a) {
    if (is_narrow(data)) {
        float single = (float)a.value;
        uint32_t bits;
        memcpy(&bits, &single, sizeof(bits));
        return (MathBits){.value = bits};
    }
    MathBits bits;
    memcpy(&bits.value, &a.value, sizeof(bits.value));
    return bits;
}

static MathReal real_of(void *data, MathBits a) {
    if (is_narrow(data)) {
        uint32_t bits = (uint32_t)a.value;
        float single;
        memcpy(&single, &bits, sizeof(single));
        return (MathReal){.value = (double)single};
    }
    MathReal real;
    memcpy(&real.value, &a.value, sizeof(real.value));
    return real;
}

bool ref_elementary(TirOp op, const TirScalar *args, bool single, bool fused, TirScalar *result) {
    if (!math_has(op, fused)) {
        return false;
    }
    bool narrow = single && math_is_narrow(op, fused);
    const Math math = {
        .data = &narrow,
        .is_single = single,
        .is_narrow = narrow,
        .is_fused = fused,
        .number = number,
        .whole = whole,
        .apply = apply,
        .combine = combine,
        .compare = compare,
        .is_odd = is_odd,
        .either = either,
        .choose = choose,
        .bits_of = bits_of,
        .real_of = real_of,
    };
    MathReal x = {.value = args[0].real};
    if (math_has_far(op) && math_is_far(&math, x).value) {
        return false;
    }
    bool has_two = tir_op_arity(op) == 2;
    double value = math_apply(&math, op, x, has_two ? (MathReal){.value = args[1].real} : x).value;
    result->real = single ? (double)(float)value : value;
    return true;
}
