// Arguments that fit in another order than that in which they stand.
#ifndef TMLC_SEMA_ARGUMENT_ORDER_H
#define TMLC_SEMA_ARGUMENT_ORDER_H

#include "sema/checker.h"

// Offers `interp(0.5, xs, ys)` for `interp(xs, ys, 0.5)`, where the parameters of a function with
// sizes take the arguments so: with the fewest exchanged. Else `[x]` for the scalar argument `at`,
// if it fits so. `call` is the span of the call.
void argument_order_offer(Checker *checker, const FunctionDecl *decl, TirExpr *const *args,
                          size_t at, Span call, Diag *diag);

#endif
