// The values of constant expressions (L2.8).
#ifndef TMLC_TIR_CONSTANT_H
#define TMLC_TIR_CONSTANT_H

#include "tir/build.h"

#include <stdbool.h>

enum {
    CONSTANT_FOLD_LIMIT = 1024,     // scalars that replace an expression at once
    CONSTANT_VALUE_LIMIT = 1 << 22, // scalars that are computed when a rule asks for them
};

// The scalars of a constant expression, row-major; NULL when it is not constant, traps, or has more
// than CONSTANT_VALUE_LIMIT scalars somewhere.
const TirScalar *constant_values(Tir *tir, const TirExpr *expr);
// The expression as a EXPR_CONST where it is constant and small, else itself. Fills stay views.
TirExpr *constant_fold(Tir *tir, TirExpr *expr);
// Whether it adds reals up, which may be other bits in the code that is generated.
bool constant_has_grouped_sum(const TirExpr *expr);
// A constant int or uint scalar as a number.
bool constant_integer(Tir *tir, const TirExpr *expr, int64_t *value);
// A constant int scalar as it stands in the tree.
bool constant_is_int(const TirExpr *expr);
// The constant int that the variable has behind the first `count` statements of a block. False:
// that is not known.
bool constant_int_behind(const TirBlock *block, size_t count, const TirVar *var, int32_t *value);
// The turns of a `for` from `first` on, before `last`, and how many they are.
typedef struct ConstantTurns {
    int64_t first, last, step, count;
} ConstantTurns;
// False: its bounds are not all constant, or its step is 0.
bool constant_turns(Tir *tir, const TirStmt *loop, ConstantTurns *turns);
// A constant with root int whose values are all >= 0 (L2.7).
bool constant_is_nonnegative(Tir *tir, const TirExpr *expr);

#endif
