// What a view does with the elements of its operand.
#ifndef TMLC_TIR_VIEW_H
#define TMLC_TIR_VIEW_H

#include "tir/tir.h"

// Where it is does not depend on a computed index.
bool view_is_constant(const TirExpr *view);
// A variable, or such a view of one.
bool view_is_fixed_part(const TirExpr *expr);
// What stands below the views and reshapes of an expression; NULL when one is not constant.
const TirExpr *view_bottom(const TirExpr *expr);
// Neighbours along the last axis are neighbours along the last dim of the operand, in order, or the
// same element.
bool view_keeps_rows(const TirExpr *view);
// There is an element of the operand at more than one position.
bool view_repeats(const TirExpr *view);
// There are elements of the operand that it does not have.
bool view_drops(const TirExpr *view);
// Whether it shows one element of the operand everywhere, which is known: *element, as it lies.
bool view_element(const TirExpr *view, size_t *element);
// The expression without the reshapes around it.
const TirExpr *reshape_skip(const TirExpr *expr);
// A reshape to the same dims.
bool reshape_is_of_levels(const TirExpr *reshape);
// The expression without such around it.
const TirExpr *reshape_skip_levels(const TirExpr *expr);

#endif
