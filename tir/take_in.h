// A called function's statements in the place of its call.
#ifndef TMLC_TIR_TAKE_IN_H
#define TMLC_TIR_TAKE_IN_H

#include "tir/build.h"

// What a body is made of.
typedef struct TirBody {
    size_t statements;
    bool has_loops;
    bool stays; // has a statement that cannot be taken in
} TirBody;

TirBody tir_body_of(TirFunction *function);
// Appends the statements of the function that the call, which is none of an instance, runs. Its
// variables may keep their names, for messages.
void tir_take_in(Tir *tir, TirFunction *caller, const TirStmt *call, bool keeps_names,
                 TirBlock *out);

#endif
