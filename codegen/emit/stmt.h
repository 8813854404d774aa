// Statements.
#ifndef TMLC_CODEGEN_EMIT_STMT_H
#define TMLC_CODEGEN_EMIT_STMT_H

#include "codegen/gen.h"

void stmt_block(Gen *gen, const TirBlock *block);

#endif
