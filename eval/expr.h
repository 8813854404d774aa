// The oracle's expressions: each evaluates to all of its elements in fresh memory.
#ifndef TMLC_EVAL_EXPR_H
#define TMLC_EVAL_EXPR_H

#include "eval/dual.h"
#include "eval/eval.h"
#include "tir/tir.h"

// The scalars of a value in row-major order, and of reals in a derivative how they change: parts 1
// and up of a Dual for each. No parts: nothing changes. Both are one block of memory, that of the
// scalars.
typedef struct RefArray {
    TirScalar *scalars;
    long double *parts;
} RefArray;

// What an expression is evaluated in: the variables of one activation of a function, and the first
// trap. After a trap evaluation goes on with zeros; statements stop.
typedef struct RefFrame {
    RefArray *locals;    // by variable id
    TirScalar **globals; // by variable id
    unsigned level;      // of derivatives: of its numbers (eval/dual.h)
    bool single;
    TirMath math;    // of tensors
    RefFault *fault; // code 0: none yet
} RefFrame;

// Zeros; the caller frees the scalars.
RefArray ref_array(unsigned level, const Type *type);
// Elements from `from` on into elements from `at` on, so many.
void ref_copy(unsigned level, RefArray to, size_t at, RefArray source, size_t from, size_t count);
// A variable's; one of the file does not change.
RefArray ref_var(const RefFrame *frame, const TirVar *var);
// The first trap stays.
void ref_fault(RefFrame *frame, RefFault fault);

// Evaluates and checks all indices of views in the expression (first), as a statement does before
// any element. Leaves out the right sides of scalar `and` and `or`.
void ref_prepare(RefFrame *frame, const TirExpr *expr);
// The value of the expression, which the caller frees.
RefArray ref_eval(RefFrame *frame, const TirExpr *expr);
// ref_prepare and ref_eval.
RefArray ref_value(RefFrame *frame, const TirExpr *expr);
// Of a scalar expression.
TirScalar ref_scalar_value(RefFrame *frame, const TirExpr *expr);
// Which scalar of the variable each element of a place is; the caller frees them.
uint32_t *ref_positions(RefFrame *frame, const TirExpr *place);

#endif
