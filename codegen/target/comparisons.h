// Comparisons of reals, as LLVM's passes have left them.
#ifndef TMLC_CODEGEN_TARGET_COMPARISONS_H
#define TMLC_CODEGEN_TARGET_COMPARISONS_H

#include "codegen/gen.h"

// May put something else in the place of the comparison.
typedef void ComparisonVisitor(Gen *gen, LLVMValueRef comparison);

void comparisons_visit(Gen *gen, ComparisonVisitor *visit);

#endif
