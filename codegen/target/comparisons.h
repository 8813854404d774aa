// Comparisons of reals in LLVM's form.
#ifndef TMLC_CODEGEN_TARGET_COMPARISONS_H
#define TMLC_CODEGEN_TARGET_COMPARISONS_H

#include "codegen/gen.h"

// May put something else in the place of the comparison.
typedef void ComparisonVisitor(Gen *gen, LLVMValueRef comparison, void *data);

void comparisons_visit(Gen *gen, ComparisonVisitor *visit, void *data);

#endif
