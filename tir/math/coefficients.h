// The polynomials of the elementary functions; tests/accuracy/coefficients.py says what each is,
// and computes them.
#ifndef TMLC_TIR_MATH_COEFFICIENTS_H
#define TMLC_TIR_MATH_COEFFICIENTS_H

enum { MATH_TERM_LIMIT = 28 };

typedef struct MathTerms {
    unsigned count;
    double terms[MATH_TERM_LIMIT]; // the constant one first
} MathTerms;

typedef struct MathSeries {
    MathTerms whole;  // as exact as double
    MathTerms single; // as exact as single, for arithmetic in double
} MathSeries;

extern const MathSeries math_exp, math_exp2, math_log, math_log_tail, math_sin, math_sin_quarter,
    math_cos_quarter, math_asin, math_atan, math_erf, math_erfc_root, math_erfc, math_cbrt;

#endif
