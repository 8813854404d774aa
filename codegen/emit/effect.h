// Statements that the runtime carries out: print, input, output; and assert.
#ifndef TMLC_CODEGEN_EMIT_EFFECT_H
#define TMLC_CODEGEN_EMIT_EFFECT_H

#include "codegen/gen.h"

void effect_print(Gen *gen, const TirStmt *stmt);
void effect_input(Gen *gen, const TirStmt *stmt);
void effect_output(Gen *gen, const TirStmt *stmt);
void effect_assert(Gen *gen, const TirStmt *stmt);

#endif
