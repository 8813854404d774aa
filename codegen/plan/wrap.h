// Rows shorter than two vectors: lanes run over their ends, and what is the same for all rows is
// laid out once for each vector of a block of rows.
#ifndef TMLC_CODEGEN_PLAN_WRAP_H
#define TMLC_CODEGEN_PLAN_WRAP_H

#include "tir/tir.h"

typedef struct WrapPlan {
    size_t split;    // the first dim of a row
    uint32_t period; // the elements of a row; 0: rows do not wrap
    uint32_t rows;   // of a block, which fills `vectors` vectors
    uint32_t vectors;
    size_t outer; // dims around, at each position of which blocks begin anew
} WrapPlan;

// For values of this type, that many at once; all of them have to agree to the split.
WrapPlan wrap_rows(const Type *type, size_t split, size_t outer, unsigned lanes);
// Whether lanes of the expression may run over the ends of rows that begin at dim `split`: views
// read variables, by positions in the row or by the number of the row.
bool element_wraps(const TirExpr *expr, size_t split, size_t outer);

#endif
