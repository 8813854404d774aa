// Checks every invariant that tir/tir.h states. A broken one is a bug of the compiler.
#ifndef TMLC_TIR_VERIFY_H
#define TMLC_TIR_VERIFY_H

#include "support/buffer.h"
#include "tir/tir.h"

#include <stdbool.h>

// True when all holds; else false, with one line per broken invariant in *out.
bool tir_verify(const TirProgram *program, Buffer *out);

// What is wrong with this one node, given its operands; NULL when nothing is. Static text.
const char *tir_node_error(const TirExpr *expr);

#endif
