// What the files of derivatives share (L17).
#ifndef TMLC_SEMA_BUILTIN_DERIVATIVE_H
#define TMLC_SEMA_BUILTIN_DERIVATIVE_H

#include "sema/builtin/builtin.h"
#include "sema/library/library.h"

// An expression as a function of the variables that it reads, those by which it is differentiated
// first.
typedef struct Derivation {
    Checker *checker;
    const BuiltinCall *call;
    TirFunction *function;
    TirVars params;      // of it
    TirVars outside;     // the variables that these have the values of
    LIST_OF(Span) reads; // where these are read first
    bool has_debug;      // a function that it calls has a debug signal
} Derivation;

// In pure.c:

// Whether the body, in which variables are not captured yet, has no effects (E0764), and calls
// nothing that reads a variable by itself by which it is differentiated (E0762).
bool derivative_is_pure(const Derivation *derivation);

// In activity.c:

// Whether a way of reals leads from each of the first `count` parameters to the result (E0760), by
// which there are derivatives (E0765). Gives the warnings, too.
bool derivative_depends(const Derivation *derivation, size_t count);
// Which results of the library's function have no derivative: a bit for each.
uint8_t derivative_refused(const LibraryRow *row);

#endif
