// Which loops may run as vectors whose lanes are their turns, side by side: what one turn computes
// and reads must not depend on another one, and nothing in it may trap or have an effect, as lanes
// that are not active compute too.
#ifndef TMLC_TIR_LANES_LOOP_H
#define TMLC_TIR_LANES_LOOP_H

#include "support/table.h"
#include "tir/interval.h"
#include "tir/tir.h"

// How often each local variable of a function is read or written in a block of it, by its id.
uint32_t *lanes_loop_uses(Arena *arena, const TirFunction *function, TirBlock *block);
// NULL where the turns of a `for` may run side by side; else why not, in a few words. `ranges` says
// what variables can be inside of it, whatever conditions hold there; it is as before afterwards.
const char *lanes_loop_obstacle(Arena *arena, const uint32_t *uses, Interval *ranges,
                                TirStmt *loop);

// Whether turns side by side write elements in a loop inside that do not lie side by side, so that
// the turns of that loop are better taken.
bool lanes_are_for_loops_inside(Arena *arena, TirStmt *loop);

// What one needs to know of a loop to ask about its expressions.
typedef struct LanesBody {
    const TirVar *counter; // the loop's variable
    Table written;         // the variables that the body writes, each with itself
    struct {
        const TirVar **items;
        size_t count, capacity;
    } scalars;  // those of them that are scalars
    Table sums; // ints that the body sets once, to the loop's variable and what it does not change,
                // with that expression
} LanesBody;

LanesBody lanes_body(Arena *arena, TirStmt *loop);
// Whether each turn has a value of its own.
bool lanes_varies(const LanesBody *body, const TirExpr *expr);
// How far an integer grows from turn to turn. False: that is not known. With `ranges`, also where
// it could wrap around.
bool lanes_growth(const LanesBody *body, const Interval *ranges, const TirExpr *expr,
                  int64_t *growth);
// By how many elements what a view of one element reads or writes moves from turn to turn.
bool lanes_step(const LanesBody *body, const Interval *ranges, const TirExpr *view, int64_t *step);

// Whether turns read elements that lie neither side by side nor are the same. Lanes that are not
// active may have any indices then.
bool lanes_gathers(const LanesBody *body, const TirExpr *view);

#endif
