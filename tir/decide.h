// Comparisons, remainders, least and greatest of ints whose outcome what ints can be decides.
#ifndef TMLC_TIR_DECIDE_H
#define TMLC_TIR_DECIDE_H

#include "tir/build.h"
#include "tir/interval.h"

#include <stdbool.h>

// Whether it is one of those.
bool decide_is_choice(const TirExpr *expr);
// Whether it is decided where variables, by id, are within `vars`.
bool decide_holds(const Interval *vars, const TirExpr *choice);
// The expression with all that is decided put in, in copies of the nodes around it.
TirExpr *decide_expr(Tir *tir, const Interval *vars, TirExpr *expr);

#endif
