// Loops in reverse: how often they turn, and which variables a turn finds as the one before left
// them.
#ifndef TMLC_TIR_DERIVE_TURNS_H
#define TMLC_TIR_DERIVE_TURNS_H

#include "tir/derive/active.h"

// Whether a statement, or one in it, gives a value to a variable that is active.
bool turns_are_active(const Active *active, TirStmt *stmt);
// The turns of a loop whose bounds are constants; false where they are not.
bool turns_of(Tir *tir, const TirStmt *loop, int64_t *first, int64_t *step, uint32_t *count);
// By the id of the function's variables: those that a turn writes.
bool *turns_written(Tir *tir, const TirFunction *function, const TirStmt *loop);
// The same of those that a turn writes and may read before it has given
// them a value whole, so that a turn that is run again needs what they were at its start.
bool *turns_carried(Tir *tir, const TirFunction *function, const TirStmt *loop);
// Of these, by `vars` the variables that a turn which is run again and its adjoints have for them,
// those that something but they themselves is made of. Statements of the turn that set the others
// go.
TirVars turns_needed(Tir *tir, TirVar *const *vars, size_t count, const bool *carried,
                     TirBlock *rerun, TirBlock *adjoints);

// Those of `vars` that a turn back reads and the loop does not write.
TirVars turns_given(Tir *tir, TirVar *const *vars, size_t count, const TirStmt *loop,
                    const TirBlock *rerun, const TirBlock *adjoints);

#endif
