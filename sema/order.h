// The order of evaluation (L5.8), and the last step of every new expression.
#ifndef TMLC_SEMA_ORDER_H
#define TMLC_SEMA_ORDER_H

#include "sema/checker.h"

// Folds constants; every builder's result passes through it.
TirExpr *check_built(Checker *checker, TirExpr *expr);
// Keeps *slot safe while later operands are checked; release in reverse order.
void check_hold(Checker *checker, TirExpr **slot);
void check_release(Checker *checker);
// Before a statement with effects: held operands that it could change or overtake are computed now.
void check_spill_held(Checker *checker);
// Computes `expr` into a temporary now and reads that.
TirExpr *check_into_temporary(Checker *checker, TirExpr *expr);
// Emits statements that were kept apart.
void check_emit_apart(Checker *checker, const TirBlock *statements);

#endif
