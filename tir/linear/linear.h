// The step of a component as a function of its state, of which there are derivatives: what
// `tmlc linearize` and sensitivities are made of.
#ifndef TMLC_TIR_LINEAR_LINEAR_H
#define TMLC_TIR_LINEAR_LINEAR_H

#include "tir/build.h"

// The file, or an instance in it.
typedef struct TirHolder {
    const struct TirHolder *outer; // NULL: the file
    const TirInstance *instance;   // NULL there
    const TirProgram *program;
} TirHolder;

// A variable that lives longer than a call, of the file or of an instance.
typedef struct TirHeld {
    const TirHolder *holder;
    const TirVar *var;
} TirHeld;

typedef LIST_OF(TirHeld) TirHelds;

typedef struct TirLinearFunction {
    TirFunction *function; // one of the program; NULL where its result has no elements
    TirHelds params;       // what its parameters are
} TirLinearFunction;

// What is differentiated are reals: the states, which a step writes and a later one may read, are
// those of the file and then of each instance, in the order of declaration.
typedef struct TirLinear {
    // Gives the derivatives of all states after a step and of all outputs (rows) by all states,
    // inputs and tunable properties (columns).
    TirLinearFunction step;
    // The same of the states before the first step by tunable properties.
    TirLinearFunction start;
    TirHelds states, inputs, tunables, outputs;
    TirHelds fixed;         // what a step writes that has no derivative, integers and bools
    uint32_t rows, columns; // of the result of `step`
} TirLinear;

// Makes `program->linear` of a component that is checked and that no pass has seen. What cannot be
// differentiated is told to `tir->diags`.
void tir_linearize(Tir *tir, TirProgram *program);

#endif
