// Why shapes do not fit, in words and as a table of dims by level.
#ifndef TMLC_TYPES_SHAPE_EXPLAIN_H
#define TMLC_TYPES_SHAPE_EXPLAIN_H

#include "support/arena.h"
#include "support/diag/diag.h"
#include "types/shape.h"

// What disagrees, in one phrase: "2 and 3 differ and neither is 1".
const char *shape_explain(Arena *arena, const ShapeFit *fit, bool strict);
// Two rows of lengths, right-aligned level by level as the rules align them, with the pair that
// disagrees marked. `left` and `right` name the rows.
const char *shape_table(Arena *arena, const ShapeFit *fit, const char *left_name, const Type *left,
                        const char *right_name, const Type *right, const char *reason);

// What shape_table shows, as data.
const DiagAlignment *shape_alignment(Arena *arena, const ShapeFit *fit, const char *left_name,
                                     const Type *left, const char *right_name, const Type *right);

// The own dims of a type above the texts of the indices given for them; `wrong` is the one that is
// marked, or -1.
const char *shape_index_table(Arena *arena, const char *name, const Type *type,
                              const char *const *indices, size_t count, int wrong,
                              const char *reason);

// The dims of a dot product's operands, the last of the left above the first of the right: below
// them those of the result or, when it is NULL, a mark at the two that differ.
const char *shape_dot_table(Arena *arena, const char *left_name, const Type *left,
                            const char *right_name, const Type *right, const Type *result);

// Of operands that fit, of `.*` or of another operator, whichever of these shows it; NULL for two
// scalars.
const char *shape_fitting_table(Arena *arena, bool is_dot, const char *left_name, const Type *left,
                                const char *right_name, const Type *right, const Type *result);

#endif
