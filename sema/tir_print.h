// TIR as text, for `--emit=tir` and tests. docs/tir.md describes the notation.
#ifndef TMLC_SEMA_TIR_PRINT_H
#define TMLC_SEMA_TIR_PRINT_H

#include "sema/tir.h"
#include "support/buffer.h"

void tir_print_program(Buffer *out, const TirProgram *program);
void tir_print_function(Buffer *out, const TirFunction *function);
void tir_print_expr(Buffer *out, const TirExpr *expr);

#endif
