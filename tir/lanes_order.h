// Whether turns pay that run side by side where something goes on from one to the next in order.
#ifndef TMLC_TIR_LANES_ORDER_H
#define TMLC_TIR_LANES_ORDER_H

#include "tir/lanes_body.h"

// Of a loop of `count` turns without long loops inside, to whose body `block` belongs. LLVM
// computes turn by turn what such a loop does.
bool lanes_order_pays(const Interval *ranges, const LanesBody *body, TirBlock *block,
                      uint64_t count);

#endif
