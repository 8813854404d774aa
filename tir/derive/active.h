// Which variables of a function change with some of its parameters: what derivatives are of.
#ifndef TMLC_TIR_DERIVE_ACTIVE_H
#define TMLC_TIR_DERIVE_ACTIVE_H

#include "tir/build.h"

// By variable id. Reals alone change, where a real path of the text leads to them: not through an
// integer, a comparison, or an operation that is a step (floor and the like).
typedef struct Active {
    const TirFunction *function;
    bool *vars;
} Active;

// What is known of functions already.
typedef struct Actives {
    Tir *tir;
    LIST_OF(const Active *) known;
} Actives;

// With those parameters `by` position that are set; in-out ones that change in it are active, too.
const Active *active_in(Actives *actives, const TirFunction *function, const bool *by);
// Whether an expression of the function changes.
bool active_expr(const Active *active, const TirExpr *expr);
// What is active in the function that a call runs, given the arguments of the call; or in the slope
// of its rule, whose first parameters and results stand for those of the function (TirRule).
const Active *active_callee(Actives *actives, const Active *active, const TirStmt *call);
// The same without the rule.
const Active *active_of_statements(Actives *actives, const Active *active, const TirStmt *call);
// Whether its parameter, or result, number `k` is active.
bool active_param(const Active *active, size_t k);
bool active_result(const Active *active, size_t k);

#endif
