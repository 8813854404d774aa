// What would be legal in place of an operand or value. Everything is tried on the shape algebra
// before it becomes the help of a message: with the edit that makes the change where there is one
// only, else in words, because only the author knows which is meant.
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

typedef enum CureSide { CURE_OPERATOR, CURE_LEFT, CURE_RIGHT } CureSide;

// One change that fits.
typedef struct Cure {
    Span span;         // what it replaces
    const char *edit;  // by what
    const char *alone; // the help when there is no other
    const char *among; // its name among others
    const Type *type;  // what comes of it
    CureSide side;
} Cure;

enum { CURES_NAMED = 3 };

// All changes that fit, the likely ones first.
typedef struct Cures {
    Cure items[CURES_NAMED];
    size_t count; // with those that are not named
    bool on_left, on_right;
} Cures;

void cures_add(Cures *cures, Cure cure);
// `gt(m, v)` for `m > v` of shapes that stretch to each other; `op` is the text of the operator.
void check_propose_stretching(Checker *checker, Cures *cures, const char *op, const TirExpr *left,
                              const TirExpr *right);
// `a .* x` for `a * x` in a value that would fit the target then; false: there is no such.
bool check_offer_products(Checker *checker, Diag *diag, const Type *target, const TirExpr *value);
// The same of `narrow(b)` for the columns and rows among its variables, or of the columns of the
// vectors among them.
bool check_offer_vectors(Checker *checker, Diag *diag, const Type *target, const TirExpr *value,
                         bool makes_columns);
// Changes of an operand.
void check_offer_change(Checker *checker, Diag *diag, const TirExpr *operand, const Wanted *wanted);
// Changes of either side of an operator, besides `cures`; the left one of an `op=` stays.
void check_offer_changes(Checker *checker, Diag *diag, Cures cures, WantedRule rule,
                         const TirExpr *left, const TirExpr *right);
// The placement that broadcasting gives an operand with fewer dims than the other one, which
// changes nothing; if not `alone`, besides the others that fit. `text` is the operand's.
void check_offer_padding(Checker *checker, Diag *diag, const TirExpr *operand, const char *text,
                         const Wanted *wanted, bool alone);
// The text of a side of a comparison that is to be written; NULL when it is too long.
const char *check_compared_text(Checker *checker, const AstExpr *side);
// Puts the text of a `not` or a comparison in place of a value, in the parentheses that it has, or
// has to have behind an operator.
void check_edit_value(Checker *checker, Diag *diag, Span span, const char *text);
// `n != 0` for a number where a bool is needed, in place of what stands at `span`.
void check_offer_comparison(Checker *checker, Diag *diag, const AstExpr *number, Span span,
                            const char *op);
// `real x = ...` where a variable of integers was declared that is assigned a real. `symbol` is the
// variable; false when its declaration is not to be changed.
bool check_offer_real(Checker *checker, Diag *diag, const Symbol *symbol);
// What an operand was before it was made to fit.
const TirExpr *check_written(const TirExpr *expr);
// `x / 3u` for `x / 3`, whose `3` makes uints ints: the constants with a `u` (L2.7). False when the
// value is int for other reasons.
bool check_offer_unsigned(Checker *checker, Diag *diag, const TirExpr *value);
// The text of a number as a uint: `2u` for `2` and `2.0`, `uint(n)` for `n`.
const char *check_unsigned_text(Checker *checker, const char *text);
// The type of a cast to `root`, without sizes where these are of one call of several.
const char *check_cast_text(Checker *checker, const Type *from, Root root);
// A cast to `root`, which the caller knows to be legal.
void check_offer_cast(Checker *checker, Diag *diag, const TirExpr *operand, Root root);

#endif
