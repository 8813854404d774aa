// Which values of a loop whose turns are lanes must be kept in lanes that are not active.
#ifndef TMLC_TIR_LANES_VALUES_H
#define TMLC_TIR_LANES_VALUES_H

#include "support/table.h"
#include "tir/tir.h"

typedef struct LanesValues {
    TirBlock *body;
    Table blocks; // TirBlock to its node
    Table vars;   // TirVar to where it is used
} LanesValues;

LanesValues lanes_values(Arena *arena, TirStmt *loop);
// Whether an assignment to the scalar that stands in this block itself must leave its value in the
// lanes for which the block does not run. False: they give it another one before they read it.
bool lanes_values_keep(const LanesValues *values, const TirVar *var, TirBlock *block);
// Whether the scalar may be read before it is given a value.
bool lanes_values_begin(const LanesValues *values, const TirVar *var);

#endif
