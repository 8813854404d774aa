// Values as they are computed: the last step of every new expression, the order of evaluation
// (L5.8), and what makes a value one of another type: assignment (L6), casts (L2.9).
#ifndef TMLC_SEMA_VALUE_H
#define TMLC_SEMA_VALUE_H

#include "sema/checker.h"

// Folds constants; every builder's result passes through it.
TirExpr *check_built(Checker *checker, TirExpr *expr);
// An operation on operands of the shape of `type`, and a conversion, built in this sense.
TirExpr *check_map(Checker *checker, TirOp op, const Type *type, TirExpr *a, TirExpr *b, TirExpr *c,
                   Span span);
TirExpr *check_convert(Checker *checker, Root root, TirExpr *value);
// `positions[i]` says along which axis of `type` (of one flat dim per axis) axis i of expr lies.
TirExpr *check_along(Checker *checker, TirExpr *expr, const Type *type, const int32_t *positions,
                     Span span);
// An expression without value, of calls without result.
TirExpr *check_nothing(Checker *checker, Span span);
// Keeps *slot safe while later operands are checked; release in reverse order.
void check_hold(Checker *checker, TirExpr **slot);
void check_release(Checker *checker);
// Before a statement with effects: held operands that it could change or overtake are computed now.
void check_spill_held(Checker *checker);
// The same before the variable is written: those that read it.
void check_spill_readers(Checker *checker, const TirVar *var);
// Computes `expr` into a temporary now and reads that.
TirExpr *check_into_temporary(Checker *checker, TirExpr *expr);
// Emits statements that were kept apart.
void check_emit_apart(Checker *checker, const TirBlock *statements);

// To the shape of `type`, which the shape algebra has accepted, with the value's own root.
TirExpr *check_spread(Checker *checker, TirExpr *value, const Type *type);
// Both: root and shape of `type`.
TirExpr *check_fit(Checker *checker, TirExpr *value, const Type *type);
// An int constant without negative values as uint (L2.7); others as they are.
TirExpr *check_adapt(Checker *checker, TirExpr *value);
// L6.1: the value as `target`, or poison after E0401 or E0510. `what` names the target in messages:
// "`x`", "argument 2 of `f`"; `origin` is where it got its type, or nowhere.
TirExpr *check_assignable(Checker *checker, const Type *target, TirExpr *value, const char *what,
                          Span origin);
// L2.9.
TirExpr *check_cast(Checker *checker, const Type *type, TirExpr *value, Span span);

#endif
