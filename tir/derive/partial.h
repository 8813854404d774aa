// By how much the result of an element-wise operation changes with an operand: the rows of
// tir/derive.def as expressions.
#ifndef TMLC_TIR_DERIVE_PARTIAL_H
#define TMLC_TIR_DERIVE_PARTIAL_H

#include "tir/build.h"

// A node of such an operation.
typedef struct Partial {
    Tir *tir;
    const TirExpr *map;
    // Its operands, and its value, which is NULL until it is needed. What is needed is `keep` of
    // it, of which copies stand in what is made.
    TirExpr *args[3];
    bool is_kept[3];
    TirExpr *result;
    TirExpr *(*keep)(void *context, TirExpr *value);
    void *context;
} Partial;

// Whether its result changes with real operands.
bool partial_exists(TirOp op);
// Keeps the operands that may trap, so that they do in their order.
void partial_trap_in_order(Partial *partial);
// By how much with operand `k`, in the type of the node.
TirExpr *partial_by(Partial *partial, unsigned k);

// Where a minimum or maximum is its first operand: the first of equals, and the first that is nan.
TirExpr *partial_chooses_first(Partial *partial);

// a times b, or 0 where one of them is; NULL where that is always so.
TirExpr *partial_times(Tir *tir, TirExpr *a, TirExpr *b);
// a times b, of which zeros are 0 beside finite numbers only.
TirExpr *partial_times_plain(Tir *tir, TirExpr *a, TirExpr *b);
// a plus b, of which NULL are 0.
TirExpr *partial_plus(Tir *tir, TirExpr *a, TirExpr *b);

// The number in all elements.
TirExpr *partial_fill(Tir *tir, const Type *type, double value, Span span);
// A copy that shares nothing with it.
TirExpr *partial_copy(Tir *tir, const TirExpr *expr);

#endif
