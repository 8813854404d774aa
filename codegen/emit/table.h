// Elements of a small array at places of which each lane has its own: registers hold all of the
// array, and an instruction picks from them, where a gather would load lane by lane.
#ifndef TMLC_CODEGEN_EMIT_TABLE_H
#define TMLC_CODEGEN_EMIT_TABLE_H

#include "codegen/emit/address.h"
#include "codegen/gen.h"

// Whether there are such instructions for so many lanes of an array of this type.
bool table_fits(Gen *gen, const Type *type, unsigned lanes);
// `places` are i32 and row-major; a lane whose place is outside has any value.
LLVMValueRef table_pick(Gen *gen, const Type *type, Address array, LLVMValueRef places);

#endif
