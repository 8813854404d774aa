// Operators (L5).
#ifndef TMLC_SEMA_OPERATOR_H
#define TMLC_SEMA_OPERATOR_H

#include "sema/checker.h"
#include "sema/component/optional.h"

TirExpr *check_unary(Checker *checker, const AstExpr *expr);
TirExpr *check_transpose(Checker *checker, const AstExpr *expr);
// The operator on operands already checked, for `op=` (which adapts constants, L2.7).
TirExpr *check_apply(Checker *checker, AstBinaryOp op, Span span, Span op_span, TirExpr *left,
                     TirExpr *right, bool compound);
// The type `left op right` has, as shape_broadcast or shape_same says; reports E0501 or E0502.
// NULL after an error.
const Type *check_operands(Checker *checker, bool strict, const char *op, Span op_span,
                           const TirExpr *left, const TirExpr *right);

// An operator other than `?:`.
Operand check_binary(Checker *checker, const AstExpr *expr);

#endif
