// Putting an expression where a variable is read.
#ifndef TMLC_TIR_REPLACE_H
#define TMLC_TIR_REPLACE_H

#include "tir/build.h"

// In copies of the nodes around it, as others may share these; views of what is a view now are one.
void tir_replace(Tir *tir, TirExpr **expr, const TirVar *var, TirExpr *value);
// In all expressions of a statement and of the blocks in it.
void tir_replace_in(Tir *tir, TirStmt *stmt, const TirVar *var, TirExpr *value);

#endif
