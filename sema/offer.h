// What would be legal in place of an operand or value. Everything is tried on the shape algebra
// before it becomes the help of a message, with the edit that makes the change.
#ifndef TMLC_SEMA_OFFER_H
#define TMLC_SEMA_OFFER_H

#include "sema/checker.h"

typedef enum WantedRule { WANTED_BROADCAST, WANTED_SAME, WANTED_DOT, WANTED_ASSIGN } WantedRule;

// What a changed operand has to fit: the other side of an operator, or a target.
typedef struct Wanted {
    WantedRule rule;
    const Type *other;
    bool changes_left;  // of an operator: which side is the changed one
    const Type *target; // what the result has to fit, in `op=`; or NULL
} Wanted;

// At most one change of an operand; false when there is none.
bool check_offer_change(Checker *checker, Diag *diag, const TirExpr *operand, const Wanted *wanted);
// The same for either side of an operator; the left one of an `op=` stays.
void check_offer_changes(Checker *checker, Diag *diag, WantedRule rule, const TirExpr *left,
                         const TirExpr *right);
// The placement that broadcasting gives an operand with fewer dims than the other one, which
// changes nothing; `text` is the operand's.
void check_offer_padding(Checker *checker, Diag *diag, const TirExpr *operand, const char *text,
                         const Wanted *wanted);
// `n != 0` for a number where a bool is needed, in place of what stands at `span`.
void check_offer_comparison(Checker *checker, Diag *diag, const AstExpr *number, Span span,
                            const char *op);
// `real x = ...` where a variable of integers was declared that is assigned a real. `symbol` is the
// variable; false when its declaration is not to be changed.
bool check_offer_real(Checker *checker, Diag *diag, const Symbol *symbol);
// A cast to `root`, which the caller knows to be legal.
void check_offer_cast(Checker *checker, Diag *diag, const TirExpr *operand, Root root);

#endif
