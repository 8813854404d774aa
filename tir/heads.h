// What the integers that a `while` writes can be where a turn of it begins, found by trying:
//
//     h = 1                       size = 8
//     while h < 64: h *= 2        while size > 1: size /= 2
#ifndef TMLC_TIR_HEADS_H
#define TMLC_TIR_HEADS_H

#include "tir/interval.h"

enum { HEADS_MOST = 16, HEAD_ENDS_MOST = 32 };

typedef struct Head {
    uint32_t var;
    Root root;
    Interval begin; // before the loop
    Interval range; // what it is thought to be where a turn begins
    Interval seen;  // all that a turn gives it on its way, while one is tried
} Head;

typedef struct Heads {
    Head items[HEADS_MOST];
    size_t count;
    int64_t ends[HEAD_ENDS_MOST]; // at which ranges may come to rest
    size_t end_count;
    unsigned rounds; // tried so far
} Heads;

// Those of a loop, as they are before it (`vars`, by id). None where the loop is long or there are
// too many.
Heads heads_before(const Interval *vars, TirStmt *loop);
// NULL: it is not among them.
Head *heads_find(Heads *heads, uint32_t var);
// A turn left a variable in this range: whether it may have begun there. Where not, what it is
// thought to be is stretched.
bool heads_stay(Heads *heads, Head *head, Interval left);

#endif
