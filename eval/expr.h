// The oracle's expressions: each evaluates to all of its scalars in fresh memory.
#ifndef TMLC_EVAL_EXPR_H
#define TMLC_EVAL_EXPR_H

#include "eval/eval.h"
#include "tir/tir.h"

// What an expression is evaluated in: the variables of one activation of a function, and the first
// trap. After a trap evaluation goes on with zeros; statements stop.
typedef struct RefFrame {
    TirScalar **locals;  // by variable id
    TirScalar **globals; // by variable id
    bool single;
    TirMath math;    // of tensors
    RefFault *fault; // code 0: none yet
} RefFrame;

TirScalar *ref_var(const RefFrame *frame, const TirVar *var);
// The first trap stays.
void ref_fault(RefFrame *frame, RefFault fault);

// Evaluates and checks all indices of views in the expression (first), as a statement does before
// any element. Leaves out the right sides of scalar `and` and `or`.
void ref_prepare(RefFrame *frame, const TirExpr *expr);
// The scalars of the expression in row-major order; the caller frees them.
TirScalar *ref_eval(RefFrame *frame, const TirExpr *expr);
// ref_prepare and ref_eval.
TirScalar *ref_value(RefFrame *frame, const TirExpr *expr);
// Of a scalar expression.
TirScalar ref_scalar_value(RefFrame *frame, const TirExpr *expr);
// Which scalar of the variable each element of a place is; the caller frees them.
uint32_t *ref_positions(RefFrame *frame, const TirExpr *place);

#endif
