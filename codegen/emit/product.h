// Products of two matrices as whole values of a `set`.
#ifndef TMLC_CODEGEN_EMIT_PRODUCT_H
#define TMLC_CODEGEN_EMIT_PRODUCT_H

#include "codegen/gen.h"
#include "codegen/plan/product.h"

// Emits `destination = value`, as plan/product.h says.
void product_set(Gen *gen, const Destination *to, const TirExpr *value, const ProductPlan *plan);

#endif
