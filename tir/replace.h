// Putting an expression where a variable is read.
#ifndef TMLC_TIR_REPLACE_H
#define TMLC_TIR_REPLACE_H

#include "tir/build.h"

// In copies of the nodes around it, as others may share these; views of what is a view now are one.
void tir_replace(Tir *tir, TirExpr **expr, const TirVar *var, TirExpr *value);
// In all expressions of a statement and of the blocks in it.
void tir_replace_in(Tir *tir, TirStmt *stmt, const TirVar *var, TirExpr *value);

// The same of a value for the variable of a loop, with which integers are computed that are
// constant then. Reals would be the compiler's.
void tir_put(Tir *tir, TirExpr **expr, const TirVar *var, TirExpr *value);
void tir_put_in(Tir *tir, TirStmt *stmt, const TirVar *var, TirExpr *value);

#endif
