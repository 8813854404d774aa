// Tells LLVM that variables of the state do not overlap: they are members of one struct, which a
// store at an index that is not known would otherwise be taken to reach all of.
#ifndef TMLC_CODEGEN_EMIT_ALIAS_H
#define TMLC_CODEGEN_EMIT_ALIAS_H

#include "codegen/gen.h"

// `access` is a load from or store to `var`; NULL is any memory.
void alias_mark(Gen *gen, LLVMValueRef access, const TirVar *var);

#endif
