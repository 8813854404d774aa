// What a component tells about itself: PREFIX_defaults, its tunable properties as the source gives
// them, and PREFIX_model, the tml_model of runtime/abi/model.h.
#ifndef TMLC_CODEGEN_UNIT_MODEL_TABLE_H
#define TMLC_CODEGEN_UNIT_MODEL_TABLE_H

#include "codegen/unit/entry.h"

void model_table(Gen *gen, const EntryPoints *entries);

#endif
