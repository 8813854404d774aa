// Functions of the source that hosts may call.
#ifndef TMLC_CODEGEN_UNIT_EXPORT_H
#define TMLC_CODEGEN_UNIT_EXPORT_H

#include "codegen/gen.h"

// PREFIX_fn_NAME of each exported function, as far as the program's kind has a state for it.
void export_functions(Gen *gen);

#endif
