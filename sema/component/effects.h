// What the functions of a component do to its terminals, found on the TIR that checking has made:
// access rights (L10.2) and whether outputs have values where they are read and at the end of a
// step (L10.3).
#ifndef TMLC_SEMA_COMPONENT_EFFECTS_H
#define TMLC_SEMA_COMPONENT_EFFECTS_H

#include "support/context.h"
#include "tir/tir.h"

// Reports E0721, E0722, E0723 and the warning `partial-output`, and sets `is_direct` of the
// outputs. For components, before any pass; the program's init, output and update are set.
void effects_check(Context *context, TirProgram *program);

#endif
