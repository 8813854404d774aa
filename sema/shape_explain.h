// Why shapes do not fit, in words and as a table of dims by level.
#ifndef TMLC_SEMA_SHAPE_EXPLAIN_H
#define TMLC_SEMA_SHAPE_EXPLAIN_H

#include "sema/shape.h"
#include "support/arena.h"
#include "support/diag.h"

// What disagrees, in one phrase: "2 and 3 differ and neither is 1".
const char *shape_explain(Arena *arena, const ShapeFit *fit, bool strict);
// Two rows of lengths, right-aligned level by level as the rules align them, with the pair that
// disagrees marked. `left` and `right` name the rows.
const char *shape_table(Arena *arena, const ShapeFit *fit, const char *left_name, const Type *left,
                        const char *right_name, const Type *right, const char *reason);

// The same as data.
const DiagAlignment *shape_alignment(Arena *arena, const ShapeFit *fit, const char *left_name,
                                     const Type *left, const char *right_name, const Type *right);

#endif
