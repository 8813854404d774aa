// What is kept of a node from ahead to back.
#ifndef TMLC_TIR_DERIVE_RECORD_H
#define TMLC_TIR_DERIVE_RECORD_H

#include "tir/derive/partial.h"
#include "tir/derive/sweep.h"

typedef struct Record {
    TirExpr *by[3]; // the factors of its operands; the other operand of a product of matrices
    // Which operand was chosen, the position of an extreme element, or factors in three axes.
    TirExpr *kept;
    TirAxis *axes; // of a view
} Record;

// That of a node, empty at first.
Record *sweep_record(Sweep *sweep, const TirExpr *expr);

#endif
