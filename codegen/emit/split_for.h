// Loops of the source whose turns threads share.
#ifndef TMLC_CODEGEN_EMIT_SPLIT_FOR_H
#define TMLC_CODEGEN_EMIT_SPLIT_FOR_H

#include "codegen/gen.h"

// True when the loop was one of those (plan/turns.h) and has been generated.
bool split_for(Gen *gen, TirStmt *loop);

#endif
