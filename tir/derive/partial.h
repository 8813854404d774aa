// By how much the result of an element-wise operation changes with an operand: the rows of
// tir/derive.def as expressions.
#ifndef TMLC_TIR_DERIVE_PARTIAL_H
#define TMLC_TIR_DERIVE_PARTIAL_H

#include "tir/build.h"

// A node of such an operation.
typedef struct Partial {
    Tir *tir;
    const TirExpr *map;
    TirExpr *args[3]; // its operands, of which copies stand in what is made
    TirExpr *result;  // its value; NULL until it is needed: then it is `keep` of the node
    TirExpr *(*keep)(void *context, TirExpr *value);
    void *context;
} Partial;

// Whether its result changes with real operands.
bool partial_exists(TirOp op);
// By how much with operand `k`, in the type of the node.
TirExpr *partial_by(Partial *partial, unsigned k);

// a times b, or 0 where one of them is; NULL where that is always so.
TirExpr *partial_times(Tir *tir, TirExpr *a, TirExpr *b);
// a plus b, of which NULL are 0.
TirExpr *partial_plus(Tir *tir, TirExpr *a, TirExpr *b);

// The number in all elements.
TirExpr *partial_fill(Tir *tir, const Type *type, double value, Span span);
// A copy that shares nothing with it.
TirExpr *partial_copy(Tir *tir, const TirExpr *expr);

#endif
