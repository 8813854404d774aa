// Branches that keep the greatest or the least of what turns have that run side by side
// (LanesRecord).
#ifndef TMLC_CODEGEN_EMIT_MASKED_RECORD_H
#define TMLC_CODEGEN_EMIT_MASKED_RECORD_H

#include "codegen/emit/masked_value.h"

// True when the branch was one of those and has been generated.
bool masked_record(Gen *gen, const TirStmt *branch, const Parts *active);

#endif
