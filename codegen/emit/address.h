// Where lanes lie in memory.
#ifndef TMLC_CODEGEN_EMIT_ADDRESS_H
#define TMLC_CODEGEN_EMIT_ADDRESS_H

#include "codegen/gen.h"

typedef struct Address {
    LLVMValueRef pointer;
    int64_t step;      // in elements, from lane to lane
    const TirVar *var; // whose element it is; NULL: a constant's
    // How many elements are known to lie before the first lane and behind the last one, below the
    // step.
    unsigned before, behind;
} Address;

#endif
