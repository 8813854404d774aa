// Variables that the turns of a `for` count round, as positions in ring buffers:
//
//     at = (at + 1) % 16          at += 1
//                                 if at == 16: at = 0
#ifndef TMLC_TIR_RINGS_H
#define TMLC_TIR_RINGS_H

#include "tir/interval.h"

enum { RINGS_MOST = 8 };

// An int or uint, and what it is thought to stay in from turn to turn, which is for others to try.
typedef struct Ring {
    uint32_t var;
    Interval range;
} Ring;

typedef struct Rings {
    Ring items[RINGS_MOST];
    size_t count;
} Rings;

// Those of a loop, from what they are before it (`vars`, by id), by the ends that its body names.
// None where the body is long, or turns may end in the middle of it.
Rings rings_before(const Interval *vars, TirStmt *loop);

#endif
