// What an object tells about itself: the tml_model of runtime/abi/model.h, and PREFIX_defaults, the
// tunable properties of a component as the source gives them.
#ifndef TMLC_CODEGEN_UNIT_MODEL_TABLE_H
#define TMLC_CODEGEN_UNIT_MODEL_TABLE_H

#include "codegen/unit/entry.h"

void model_table(Gen *gen, const EntryPoints *entries);

#endif
