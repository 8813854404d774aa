// Loops whose turns search: what they read says where they read next.
#ifndef TMLC_CODEGEN_EMIT_SEARCH_H
#define TMLC_CODEGEN_EMIT_SEARCH_H

#include "codegen/gen.h"

// Whether turns of the loop had better search one after the other, on a machine where loads one by
// one take less time than a gather, as without mask registers: vectors would wait for one gather
// after the other.
bool search_is_one(Gen *gen, TirStmt *loop);

#endif
