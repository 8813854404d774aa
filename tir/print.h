// TIR as text, for `--emit=tir` and tests. docs/tir.md describes the notation.
#ifndef TMLC_TIR_PRINT_H
#define TMLC_TIR_PRINT_H

#include "support/buffer.h"
#include "tir/tir.h"

void tir_print_program(Buffer *out, const TirProgram *program);
void tir_print_function(Buffer *out, const TirFunction *function);
void tir_print_expr(Buffer *out, const TirExpr *expr);
// The fewest digits that read back equal; positional in the range where people read it so (L12).
void tir_print_real(Buffer *out, double value);

#endif
