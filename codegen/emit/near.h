// Lanes that lie a few elements apart in memory, read as vectors.
#ifndef TMLC_CODEGEN_EMIT_NEAR_H
#define TMLC_CODEGEN_EMIT_NEAR_H

#include "codegen/emit/address.h"

bool near_can_load(Gen *gen, Root root, int64_t step, unsigned lanes);
// What index_load gives. Nothing is read that does not lie between two of the elements, or where
// the address says that something lies.
LLVMValueRef near_load(Gen *gen, Root root, Address address, unsigned lanes);

#endif
