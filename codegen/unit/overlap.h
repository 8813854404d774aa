// What hosts pass to a function of the source: nothing that is written overlaps anything else.
#ifndef TMLC_CODEGEN_UNIT_OVERLAP_H
#define TMLC_CODEGEN_UNIT_OVERLAP_H

#include "codegen/unit/host_function.h"

// The function that has been begun returns TML_E_ARG where it does: the code behind relies on it.
void overlap_refuse(Gen *gen, const HostParam *params, unsigned count);

#endif
