// Products of a matrix and a vector, several rows at once.
#ifndef TMLC_CODEGEN_EMIT_MATRIX_VECTOR_H
#define TMLC_CODEGEN_EMIT_MATRIX_VECTOR_H

#include "codegen/emit/index.h"
#include "codegen/plan/terms.h"

// One lane for each row at the lanes of `index`; every bit is that of the rows one by one.
LLVMValueRef matrix_vector(Gen *gen, const TirExpr *dot, Index index, const TermsPlan *plan);

#endif
