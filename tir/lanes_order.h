// Whether turns pay that run side by side where something goes on from one to the next in order.
#ifndef TMLC_TIR_LANES_ORDER_H
#define TMLC_TIR_LANES_ORDER_H

#include "tir/lanes_body.h"

typedef enum LanesOrder {
    LANES_ORDER_NONE, // nothing does, or integers, which have no order
    LANES_ORDER_PAYS,
    LANES_ORDER_COSTS,
} LanesOrder;

// Of a loop of `count` turns without long loops inside, to whose body `block` belongs. LLVM
// computes turn by turn what such a loop does.
LanesOrder lanes_order(const Interval *ranges, const LanesBody *body, TirBlock *block,
                       uint64_t count);

#endif
