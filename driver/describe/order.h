// The order in which the parts of a system run (L15.4), for people: as text, and as a graph.
#ifndef TMLC_DRIVER_DESCRIBE_ORDER_H
#define TMLC_DRIVER_DESCRIBE_ORDER_H

#include "support/buffer.h"
#include "tir/tir.h"

// Of each component with instances, those that others hold first.
void order_print(Buffer *out, const TirProgram *program);
// Of the program alone, in the language of Graphviz.
void order_print_dot(Buffer *out, const TirProgram *program);

#endif
