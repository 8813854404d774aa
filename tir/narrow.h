// Values and places at one position of their first dim, the opposite of tir/widen.h.
#ifndef TMLC_TIR_NARROW_H
#define TMLC_TIR_NARROW_H

#include "support/table.h"
#include "tir/build.h"

typedef struct Narrowing {
    Tir *tir;
    uint32_t rows;   // the first dim of what is narrowed
    TirVar *counter; // an int, which says where
    Table written;   // variables that are read at this row only, each with itself
    Table rows_of;   // those of them that are not in memory, each with the one that has its row
} Narrowing;

// The type of one row.
const Type *narrowing_type(const Narrowing *narrowing, const Type *type);
// NULL where that is not this value, element by element and sum by sum, with the same bits.
TirExpr *narrowing_value(Narrowing *narrowing, TirExpr *value);
// The row of a variable.
TirExpr *narrowing_var(const Narrowing *narrowing, TirVar *var, Span span);

#endif
