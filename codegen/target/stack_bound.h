// How much stack the functions of an emitted module may use, with all that they call.
#ifndef TMLC_CODEGEN_TARGET_STACK_BOUND_H
#define TMLC_CODEGEN_TARGET_STACK_BOUND_H

#include "codegen/module.h"

// A row for each function that other objects see. `report` has the undefined symbols already: an
// intrinsic of LLVM is a call only when one of them is its namesake.
void stack_bound_report(CodegenModule *module, CodegenReport *report);

#endif
