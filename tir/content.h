// What the tree of a value is made of, as passes ask before they move or join it.
#ifndef TMLC_TIR_CONTENT_H
#define TMLC_TIR_CONTENT_H

#include "tir/tir.h"

typedef struct TirContent {
    bool walks;        // loops of its own, or its parts one after the other: not element by element
    bool leaves_rows;  // a view takes rows in another order
    bool has_dear_ops; // one takes longer than a few loads
    uint32_t nodes;    // counting stops above the limit
    uint32_t ops;
    uint32_t arrays; // read
} TirContent;

// Adds an expression. Nothing is looked at any more once there are more nodes than `limit`.
void tir_content_add(TirContent *content, const TirExpr *expr, uint32_t limit);

#endif
