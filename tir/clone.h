// Copies of expressions and statements, in the variables of another function.
#ifndef TMLC_TIR_CLONE_H
#define TMLC_TIR_CLONE_H

#include "tir/build.h"

typedef struct TirClone {
    Tir *tir;
    TirVar **vars; // what stands for each of the function that is copied, by its id
} TirClone;

// The function with `word` behind its name, and without variables and statements as yet.
TirFunction *clone_function(Tir *tir, const TirFunction *from, const char *word);
// Gives `to` a variable like each one of `from`, for a copy of its body.
TirClone clone_vars(Tir *tir, const TirFunction *from, TirFunction *to);
// What stands for a variable; those of the program stay.
TirVar *clone_var(const TirClone *clone, TirVar *var);
// A copy that shares nothing with the expression.
TirExpr *clone_expr(const TirClone *clone, const TirExpr *expr);
// Copies of the statements, which are none that inputs or outputs, are appended to `to`.
void clone_block(const TirClone *clone, const TirBlock *from, TirBlock *to);

#endif
