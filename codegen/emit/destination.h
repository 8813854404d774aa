// The addresses of what a `set` writes.
#ifndef TMLC_CODEGEN_EMIT_DESTINATION_H
#define TMLC_CODEGEN_EMIT_DESTINATION_H

#include "codegen/emit/index.h"
#include "codegen/plan/destination.h"

// Where the element at a position of the destination's type is.
Address destination_address(Gen *gen, const Destination *to, Index index);

#endif
