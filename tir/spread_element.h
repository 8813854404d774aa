// Elements of what a turn of a loop computes, as scalars: what tir/spread.c knows while it writes
// the body of the loop anew.
#ifndef TMLC_TIR_SPREAD_ELEMENT_H
#define TMLC_TIR_SPREAD_ELEMENT_H

#include "support/table.h"
#include "tir/spread.h"

// The elements of an array that belong to a turn.
typedef struct SpreadRow {
    TirVar *array;
    TirVar *elements[SPREAD_LIMIT];
    bool has_value[SPREAD_LIMIT], is_read[SPREAD_LIMIT], is_written[SPREAD_LIMIT];
    bool has_writes; // of any of them
} SpreadRow;

typedef struct Spread {
    Tir *tir;
    TirFunction *function;
    const uint32_t *uses, *inside;
    const TirVar *counter;
    const TirFunction *callee; // whose statements are at hand; NULL: the loop's own
    Table elements;            // TirVar of the callee or the loop to its TirVars, by position
    Table passed;              // parameters to arrays that callees only read, where they lie
    Table constants;           // what stands for variables of loops inside
    Table known;               // and for temporary ints, as they are at the statement at hand
    LIST_OF(SpreadRow *) rows;
    Table read, written; // arrays, elsewhere
    TirBlock *out;
    unsigned branches; // around the statement at hand
    size_t left;       // statements
    bool is_place;     // what is asked for is written
    bool in_loop;      // that is kept
    size_t operations; // on reals
    bool has_arrays, has_products, has_branches, has_loops, computes, gains, fails;
} Spread;

// The scalar at a position, over what the turn has; for a place, while `is_place` is set. NULL, and
// `fails`: there is none.
TirExpr *spread_element(Spread *spread, const TirExpr *expr, const uint32_t *at);
// The value of a scalar.
TirExpr *spread_scalar(Spread *spread, const TirExpr *expr);
TirExpr *spread_fail(Spread *spread);

// The scalars for the elements of a variable; NULL: it stays what it is.
TirVar **spread_elements_of(Spread *spread, const TirVar *var);
TirVar *spread_new_scalar(Spread *spread, Root root, Span span);

// The position in each dim of element `position` of an array.
void spread_positions_at(const Type *type, size_t position, uint32_t *at);

#endif
