// Loops whose turns run side by side: each lane of a vector is a turn, and masks say which lanes a
// statement is for.
#ifndef TMLC_CODEGEN_EMIT_MASKED_H
#define TMLC_CODEGEN_EMIT_MASKED_H

#include "codegen/gen.h"

// True when the loop was one of those (tir/lanes_loop.h) and has been generated.
bool masked_for(Gen *gen, TirStmt *loop);

#endif
