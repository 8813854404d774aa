// Squares past the caches where each row of the result lies differently in cache lines.
#ifndef TMLC_CODEGEN_EMIT_TILE_SKEW_H
#define TMLC_CODEGEN_EMIT_TILE_SKEW_H

#include "codegen/plan/tiles.h"

#include "codegen/gen.h"

// Emits the plane of the two dims at `at`, of which those of the plan are moved.
void tile_skew_plane(Gen *gen, const Destination *to, const TirExpr *value, const TilesPlan *plan,
                     LLVMValueRef *at);

#endif
