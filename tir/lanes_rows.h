// Rows that turns side by side read in a loop inside, one element after the other, as in
// `for j = 0:n: s[i] += a[i, j] * x[j]`: some elements of each are read at once, and turned.
#ifndef TMLC_TIR_LANES_ROWS_H
#define TMLC_TIR_LANES_ROWS_H

#include "tir/lanes_body.h"

// The views of a loop inside of the body that read rows.
typedef struct LanesRows {
    struct {
        const TirExpr **items;
        size_t count, capacity;
    } views;
} LanesRows;

// None where the loop does more than such reading ahead allows.
LanesRows lanes_rows(Arena *arena, const LanesBody *body, TirStmt *loop);
typedef struct LanesRowsInside {
    bool any, all; // of what the loops inside of a block read apart from turn to turn are rows
    bool twice;    // one is read at two places
} LanesRowsInside;

LanesRowsInside lanes_rows_inside(Arena *arena, const LanesBody *body, TirBlock *block);

#endif
