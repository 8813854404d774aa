// Operators (L5).
#ifndef TMLC_SEMA_OPERATOR_H
#define TMLC_SEMA_OPERATOR_H

#include "sema/checker.h"
#include "sema/component/component.h"
#include "sema/explain.h"

// What an operator takes, and how the dims of its operands combine.
typedef enum OperatorClass {
    OPERATOR_NONE,       // no row
    OPERATOR_ARITHMETIC, // numbers; broadcasts (L5.2, L5.3)
    OPERATOR_PRODUCT,    // numbers; vectors and matrices (L5.5)
    OPERATOR_BITWISE,    // uint; strict, as those that follow (L5.4)
    OPERATOR_ORDER,      // numbers
    OPERATOR_EQUALITY,   // two numbers, two bools, or two texts
    OPERATOR_LOGICAL,    // bools; the right side of scalars only where the left does not decide
} OperatorClass;

typedef enum NeutralSide { NEUTRAL_NEITHER, NEUTRAL_RIGHT, NEUTRAL_EITHER } NeutralSide;

// A row of sema/operator.def.
typedef struct OperatorRow {
    OperatorClass kind;
    TirOp op;
    NeutralSide neutral;
} OperatorRow;

// Whether it is an order or equality.
bool operator_compares(AstBinaryOp op);
// Not of `?:`, which check_elvis has.
const OperatorRow *operator_row(AstBinaryOp op);

TirExpr *check_unary(Checker *checker, const AstExpr *expr);
TirExpr *check_transpose(Checker *checker, const AstExpr *expr);
// The operator on operands already checked, for `op=` (which adapts constants, L2.7).
TirExpr *check_apply(Checker *checker, AstBinaryOp op, Span span, Span op_span, TirExpr *left,
                     TirExpr *right, bool compound);
// The type that it has, as shape_broadcast or shape_same says; reports E0501 or E0502. NULL after
// an error.
const Type *check_operands(Checker *checker, const Operation *operation, bool strict);

// A comparison; `sides` take its operands as they are before they get one type, unless there is an
// error in them.
TirExpr *check_comparison(Checker *checker, const AstExpr *expr, TirExpr *sides[2]);

// An operator other than `?:`.
Operand check_binary(Checker *checker, const AstExpr *expr);

#endif
