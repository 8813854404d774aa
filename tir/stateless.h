// Components whose steps do not depend on one another: `step_n` may take some side by side.
#ifndef TMLC_TIR_STATELESS_H
#define TMLC_TIR_STATELESS_H

#include "tir/tir.h"

// Whether the function is all that a step runs, and leaves nothing behind but outputs, which are
// the host's then.
bool tir_is_stateless_step(const TirProgram *program, const TirFunction *function);

#endif
