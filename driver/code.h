// From a compilation's TIR to machine code, where the options go so far.
#ifndef TMLC_DRIVER_CODE_H
#define TMLC_DRIVER_CODE_H

#include "driver/compile.h"

// The rest of a compilation that is EXIT_OK so far: at STAGE_CODEGEN the LLVM module. Also where no
// code is made, a target that there is not is refused.
ExitStatus code_make(Compilation *compilation, const CompileOptions *options);
// Frees the LLVM module, if there is one, which may take memory; nothing more can be emitted.
void code_drop(Compilation *compilation);

#endif
