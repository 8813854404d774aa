// Scalars to which the turns of a loop add that run side by side (LanesTotal): lanes compute what
// they add, which is then added one turn after the other, as the source has it.
#ifndef TMLC_CODEGEN_EMIT_MASKED_TOTAL_H
#define TMLC_CODEGEN_EMIT_MASKED_TOTAL_H

#include "codegen/emit/masked_value.h"

// Around the body.
void masked_totals_begin(Gen *gen);
void masked_totals_end(Gen *gen);
// True when the statement adds to a total; what its lanes add has been computed.
bool masked_add(Gen *gen, const TirStmt *stmt, const Parts *active);

#endif
