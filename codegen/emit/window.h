// A window that moves and is multiplied, as codegen/plan/window.h says.
#ifndef TMLC_CODEGEN_EMIT_WINDOW_H
#define TMLC_CODEGEN_EMIT_WINDOW_H

#include "codegen/gen.h"
#include "codegen/plan/window.h"

void window_emit(Gen *gen, const WindowPlan *plan);

#endif
