// What surrounds a statement, as far as plans ask: whether its function reads a variable at all.
#ifndef TMLC_CODEGEN_PLAN_SCOPE_H
#define TMLC_CODEGEN_PLAN_SCOPE_H

#include "support/arena.h"
#include "support/table.h"
#include "tir/tir.h"

// All zero but the arena to begin with.
typedef struct PlanScope {
    Arena *arena;
    const TirFunction *function; // whose reads are known; NULL: none are
    Table reads;                 // variables
} PlanScope;

// Whether any expression of the function reads the variable. Remembers the function that was asked
// for last.
bool scope_reads(PlanScope *scope, const TirFunction *function, const TirVar *var);

#endif
