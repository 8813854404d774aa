// Putting statements where one is.
#ifndef TMLC_TIR_REWRITE_H
#define TMLC_TIR_REWRITE_H

#include "tir/build.h"

// Appends what comes before the statement and is false, or what stands for it and is true.
typedef bool TirRewrite(TirStmt *stmt, TirBlock *out, void *data);
// Asks it of all statements of a block, first of those that they have inside.
void tir_rewrite_inner_first(Tir *tir, TirBlock *block, TirRewrite *rewrite, void *data);
// First of those around; what stands for one is not looked at.
void tir_rewrite_outer_first(Tir *tir, TirBlock *block, TirRewrite *rewrite, void *data);

#endif
