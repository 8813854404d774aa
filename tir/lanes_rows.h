// Rows that turns side by side read or write in a loop inside, one element after the other, as in
// `for j = 0:n: s[i] += a[i, j] * x[j]`: some elements of each are moved at once, and turned.
#ifndef TMLC_TIR_LANES_ROWS_H
#define TMLC_TIR_LANES_ROWS_H

#include "tir/lanes_body.h"

typedef struct LanesViews {
    const TirExpr **items;
    size_t count, capacity;
} LanesViews;

// The views of a loop inside of the body that read rows, and those that are written in each turn.
typedef struct LanesRows {
    LanesViews reads, writes;
    unsigned places;  // that are read, each by one view or more
    bool is_backward; // the loop goes from the end of the rows to their begin
} LanesRows;

// None where the loop does more than such reading ahead, or writing behind, allows.
LanesRows lanes_rows(Arena *arena, const LanesBody *body, TirStmt *loop);
// Whether one of the views that are written is of the array.
bool lanes_rows_write(const LanesRows *rows, const TirVar *array);
// Whether a loop inside writes a row of what goes on from turn to turn in it, as filters do, which
// only loops around it can make vectors of.
bool lanes_rows_recur(Arena *arena, const LanesBody *body, TirStmt *loop);
typedef struct LanesRowsInside {
    bool any, all; // of what the loops inside of a block read apart from turn to turn are rows
    bool twice;    // one is read at two places
} LanesRowsInside;

LanesRowsInside lanes_rows_inside(Arena *arena, const LanesBody *body, TirBlock *block);

#endif
