// Sums of the variables of loops, where the bounds of one depend on others, as `i + j` in
// `for i = 0:n: for j = 0:n - i`: of those an interval for each variable says too little.
#ifndef TMLC_TIR_REACH_H
#define TMLC_TIR_REACH_H

#include "tir/interval.h"
#include "tir/visit.h"

// What an int can be there, all if it is no such sum. No part of one that is less wraps around.
// `vars` has an interval for each variable of the function, by its id.
Interval reach_of(const Interval *vars, const LoopAround *around, const TirExpr *expr);

#endif
