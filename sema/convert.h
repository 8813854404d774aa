// Values as other types: assignment (L6), casts (L2.9), constants taken as uint (L2.7).
#ifndef TMLC_SEMA_CONVERT_H
#define TMLC_SEMA_CONVERT_H

#include "sema/checker.h"

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
