// Changes along several directions at once: what belongs to a value has its dims and one more, the
// last, along which the directions lie. So elements of a change run side by side, and the changes
// with all elements of a variable are the rows of a Jacobian.
#ifndef TMLC_TIR_DERIVE_DIRECTIONS_H
#define TMLC_TIR_DERIVE_DIRECTIONS_H

#include "tir/build.h"

typedef struct Directions {
    Tir *tir;
    uint32_t count; // at least 2, or 0: one, without an axis of its own
} Directions;

// The type of changes of values of a type, with any root; NULL: too large.
const Type *directions_type(const Directions *directions, const Type *type);
// The same in all directions.
TirExpr *directions_stretch(const Directions *directions, TirExpr *value);
// No change of a value of the type.
TirExpr *directions_zero(const Directions *directions, const Type *type, Span span);
// The view of a value, with these axes, of its change.
TirExpr *directions_view(const Directions *directions, const Type *type, TirExpr *change,
                         const TirAxis *axes, Span span);
// The axes [first, first + count) of it rotated by one place: to the left, the first one becoming
// the last of them, or to the right.
TirExpr *directions_rotate(Tir *tir, TirExpr *expr, uint32_t first, uint32_t count, bool to_left);
// The product of two of which one is changed.
TirExpr *directions_dot_left(const Directions *directions, const Type *type, TirExpr *change,
                             TirExpr *right);
TirExpr *directions_dot_right(const Directions *directions, const Type *type, TirExpr *left,
                              TirExpr *change);

#endif
