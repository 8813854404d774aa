// Accesses of hardware at its address (L16, --io=mmio).
#ifndef TMLC_CODEGEN_EMIT_HARDWARE_H
#define TMLC_CODEGEN_EMIT_HARDWARE_H

#include "codegen/gen.h"

void hardware_read(Gen *gen, const TirStmt *stmt);
void hardware_write(Gen *gen, const TirStmt *stmt);

#endif
