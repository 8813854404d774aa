// Which loops may run as vectors whose lanes are their turns, side by side: what one turn computes
// and reads must not depend on another one, and nothing in it may trap or have an effect, as lanes
// that are not active compute too.
#ifndef TMLC_TIR_LANES_LOOP_H
#define TMLC_TIR_LANES_LOOP_H

#include "tir/lanes_body.h"

// NULL where the turns of a `for` may run side by side; else why not, in a few words. `ranges` says
// what variables can be inside of it, whatever conditions hold there; it is as before afterwards.
const char *lanes_loop_obstacle(Arena *arena, const uint32_t *uses, Interval *ranges,
                                TirStmt *loop);

// Says that they do.
void lanes_loop_mark(Arena *arena, TirStmt *loop);

// Whether turns side by side write elements in a loop inside that do not lie side by side, so that
// the turns of that loop are better taken.
bool lanes_are_for_loops_inside(Arena *arena, TirStmt *loop);

#endif
