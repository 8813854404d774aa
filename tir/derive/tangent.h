// Tangents of expressions: by how much they change along directions, given how variables do.
#ifndef TMLC_TIR_DERIVE_TANGENT_H
#define TMLC_TIR_DERIVE_TANGENT_H

#include "tir/clone.h"
#include "tir/derive/directions.h"

// The function that is made, as far as expressions need it.
typedef struct Tangents {
    TirClone clone; // to the variables of the made function
    Directions directions;
    TirFunction *function;
    TirBlock *out;     // where statements that an expression needs before it go
    TirExpr **changes; // how each variable of the other changes, by id, a variable or constant;
                       // NULL: it does not
    bool is_linear;    // products are those of matrices, beside which no zeros are told
} Tangents;

// A value, in the variables of the made function, and its change; NULL: it does not change.
typedef struct Tangent {
    TirExpr *value;
    TirExpr *change;
} Tangent;

// Of a value or place. What both need of an expression is computed once, in variables set before.
Tangent tangent_of(Tangents *tangents, const TirExpr *expr);
// Something of the same value that may be copied.
TirExpr *tangent_keep(Tangents *tangents, TirExpr *value);
// The change, or zeros of the type where it is NULL.
TirExpr *tangent_change(const Tangents *tangents, const Tangent *tangent);

#endif
