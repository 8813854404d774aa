// What int, uint and real scalars can be, as intervals: never less than what they are. A real may
// be nan beside what is in its interval. Its ends are counted in halves: 2 n is n, and 2 n + 1 all
// that lies between n and n + 1; they are no ends where interval_all has them.
#ifndef TMLC_TIR_INTERVAL_H
#define TMLC_TIR_INTERVAL_H

#include "tir/tir.h"

#include <stdbool.h>
#include <stdint.h>

// From `least` to `most`; none where `least` is above `most`.
typedef struct Interval {
    int64_t least, most;
} Interval;

// All numbers of an int, a uint or a real.
Interval interval_all(Root root);
// What is on that side of all of a real's interval: above what is greater than `least`.
int64_t interval_real_above(int64_t least);
int64_t interval_real_below(int64_t most);
// What the whole parts of such reals can be, without regard to what an integer can hold; of nan 0.
Interval interval_whole_part(Interval real);
bool interval_is_empty(Interval interval);
// One number.
bool interval_is_exact(Interval interval);
bool interval_is_within(Interval inner, Interval outer);
Interval interval_join(Interval a, Interval b);
Interval interval_meet(Interval a, Interval b);
// For each variable of a function, by its id, all that it can be if nothing is known.
Interval *interval_vars(Arena *arena, const TirFunction *function);
// What an int, uint or real scalar can be, or each element of an array; `vars` has an interval for
// each variable of the function, by its id. Variables that live longer than a call can be anything.
Interval interval_of(const Interval *vars, const TirExpr *expr);
// The same of the operands of + - *, and whether what they give fits the root, so that nothing
// wraps. False for all other expressions.
bool interval_is_sum_within(const Interval *vars, const TirExpr *expr);
// What the variable of a loop can be inside of it, and how often the loop runs at most, in `*turns`
// (which may be NULL).
Interval interval_of_loop(const Interval *vars, const TirStmt *loop, uint64_t *turns);

#endif
