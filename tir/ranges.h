// What the int, uint and real variables of a function can be at each of its statements: a walk over
// the function in the order in which it runs.
#ifndef TMLC_TIR_RANGES_H
#define TMLC_TIR_RANGES_H

#include "tir/interval.h"
#include "tir/reach.h"
#include "tir/tir.h"

typedef struct RangeChange {
    uint32_t var;
    Interval before;
} RangeChange;

typedef struct Ranges {
    Arena *arena;
    Interval *vars; // by id: what they can be at the place at hand
    struct {
        RangeChange *items;
        size_t count, capacity;
    } changes;        // since the walk began
    uint32_t *joined; // by id: the number of the branch that gave the variable a value
    uint32_t branch_count;
    struct Heads *heads;      // of a `while` that is being tried; else NULL
    bool tries;               // a loop, whose body is walked for what it leaves of variables
    const LoopAround *around; // the place at hand
} Ranges;

// What is done on the way; each may be NULL.
typedef struct RangesVisitor {
    // With each expression of a statement, where what holds for it is known.
    void (*expr)(Ranges *ranges, TirExpr **expr, void *data);
    // Before a `for` is walked, its expressions aside. True: its body is to be left out.
    bool (*loop)(Ranges *ranges, TirStmt *loop, void *data);
    void *data;
} RangesVisitor;

void ranges_walk_function(Ranges *ranges, Arena *arena, const TirFunction *function,
                          const RangesVisitor *visitor);

// What an int, uint or real scalar can be at the place at hand.
Interval ranges_of(const Ranges *ranges, const TirExpr *expr);
// From here on a condition is known to hold, or not to. False: it cannot, nothing is reached here.
bool ranges_assume(Ranges *ranges, const TirExpr *condition, bool holds);
// What follows is undone to here.
size_t ranges_mark(const Ranges *ranges);
void ranges_undo(Ranges *ranges, size_t mark);

#endif
