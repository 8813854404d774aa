// A window of rows that moves on: all rows go to their neighbours' places, a new one comes, and a
// vector is multiplied with all of them. Three statements, which walk the window once.
#ifndef TMLC_CODEGEN_PLAN_WINDOW_H
#define TMLC_CODEGEN_PLAN_WINDOW_H

#include "codegen/plan/facts.h"
#include "tir/tir.h"

typedef struct WindowPlan {
    const TirVar *window; // of reals, rows by columns
    bool goes_down;       // the new row is the first one, else the last
    uint32_t rows, columns;
    const TirStmt *move;    // the loop over the rows
    const TirStmt *fresh;   // sets the new row
    const TirStmt *product; // sets a vector * window
    size_t count;           // of statements; the others come first
    unsigned lanes;
    unsigned pieces; // vectors at once: columns are a multiple of all their lanes
    unsigned chains; // as in TermsPlan
} WindowPlan;

// Whether the statements of the block from number `first` on are such; what they do, then.
bool plan_window(const PlanFacts *facts, const TirBlock *block, size_t first, WindowPlan *plan);
// Whether a statement among them is one of the others.
bool window_is_aside(const WindowPlan *plan, const TirStmt *stmt);

#endif
