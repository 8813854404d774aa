// The checker's longer messages: which shapes or types do not fit, where they came from, and what
// would be legal instead.
#ifndef TMLC_SEMA_EXPLAIN_H
#define TMLC_SEMA_EXPLAIN_H

#include "sema/checker.h"

// Underlines the operand with its type. A variable whose type was inferred has the type where it
// got it.
void explain_operand(Checker *checker, Diag *diag, const TirExpr *operand);
// E0501 or, when strict, E0502: operands whose shapes do not combine; E0902 for a result too large.
void explain_shapes(Checker *checker, const ShapeFit *fit, bool strict, const char *op,
                    Span op_span, const TirExpr *left, const TirExpr *right);
// L5.7: tensors of unequal rank, refused (E0501) or with a warning.
void explain_promotion(Checker *checker, bool refused, const char *op, Span op_span,
                       const TirExpr *left, const TirExpr *right);
// What the operator takes, and the types it got; `right` may be NULL. When `cast` is an operand,
// the cast of it to `root` is offered. Returns poison.
TirExpr *explain_roots(Checker *checker, DiagCode code, const char *op, Span op_span,
                       const char *takes, const TirExpr *left, const TirExpr *right,
                       const TirExpr *cast, Root root);
// E0404: numbers and bools that do not compare.
TirExpr *explain_comparison(Checker *checker, const char *op, Span op_span, bool equality,
                            const TirExpr *left, const TirExpr *right);
// E0406, with the operator or the cast that was meant.
TirExpr *explain_bitwise(Checker *checker, const char *op, Span op_span, TirExpr *left,
                         TirExpr *right);
// E0503: tensors that `.*` does not take.
TirExpr *explain_dot_operands(Checker *checker, Span op_span, const TirExpr *left,
                              const TirExpr *right);
// E0504.
void explain_dot(Checker *checker, Span op_span, const TirExpr *left, const TirExpr *right);
// E0401 or E0510: a value that cannot be assigned to `target`; see check_assignable.
void explain_assignment(Checker *checker, const ShapeFit *fit, const Type *target,
                        const TirExpr *value, const char *what, Span origin);

// Stands for an index whose text is too long for a message.
#define INDEX_TOO_LONG "?"

// Indices given for the dims of `object`, as texts.
typedef struct IndexTexts {
    const TirExpr *object;
    const char *const *items;
    size_t count;
} IndexTexts;

// E0603: a constant index outside its dim.
void explain_bounds(Checker *checker, const ShapeFit *fit, Span span, const IndexTexts *indices);
// E0602: too few or too many indices. `brackets` is where they stand; `...` in them is offered
// where that makes the rest legal.
void explain_count(Checker *checker, Span brackets, const IndexTexts *indices, bool can_complete);

#endif
