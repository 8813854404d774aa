// Products of two matrices as whole values of a `set`.
#ifndef TMLC_CODEGEN_EMIT_PRODUCT_H
#define TMLC_CODEGEN_EMIT_PRODUCT_H

#include "codegen/emit/destination.h"

// Emits `destination = value` when the value is a product of two matrices whose columns come in
// lanes; false, with nothing emitted, when it is not.
bool product_set(Gen *gen, const Destination *to, const TirExpr *value);

#endif
