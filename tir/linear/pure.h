// The functions of a component and of its instances once more, without a state: what they read and
// write of it are parameters.
#ifndef TMLC_TIR_LINEAR_PURE_H
#define TMLC_TIR_LINEAR_PURE_H

#include "support/table.h"
#include "tir/linear/linear.h"

// Whether a function uses a variable, of all that there are.
typedef enum PureUse { PURE_NONE, PURE_READ, PURE_WRITTEN } PureUse;

typedef struct PureHolder {
    TirHolder as;    // what others see of it
    size_t *numbers; // by id of its program's variables, those of instances of it are theirs
    struct PureHolder **inner; // its instances
    Table made;                // PureFunction of each function
} PureHolder;

typedef struct Pure {
    Tir *tir;
    TirProgram *program;
    PureHolder *root;
    TirHelds all; // variables, by number
} Pure;

typedef struct PureFunction {
    TirFunction *made; // its last parameters are the variables that are used, in their order
    uint8_t *uses;     // PureUse by number
} PureFunction;

Pure pure_begin(Tir *tir, TirProgram *program);
// Joins the program behind those that it calls. NULL: there is none, or an error has been told.
const PureFunction *pure_function(Pure *pure, PureHolder *holder, const TirFunction *from);
// Appends a call of it on variables by number.
void pure_call(const Pure *pure, const PureFunction *function, TirVar *const *vars, TirBlock *out);

#endif
