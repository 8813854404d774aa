// Scalars, operations and variables of TIR; part of tir/tir.h.
#ifndef TMLC_TIR_VAR_H
#define TMLC_TIR_VAR_H

#include "support/intern.h"
#include "support/source.h"
#include "types/type.h"

#include <stdbool.h>
#include <stdint.h>

// One scalar; the root says which member.
typedef union TirScalar {
    bool boolean;
    uint32_t uint;
    int32_t integer;
    double real; // rounded to single where the program's reals are single
} TirScalar;

typedef enum TirOp {
#define TIR_OP(NAME, text, arity, signature, cost) OP_##NAME,
#include "tir/ops.def"
} TirOp;

typedef enum TirReduction {
#define TIR_REDUCTION(NAME, text) REDUCE_##NAME,
#include "tir/ops.def"
} TirReduction;

const char *tir_op_text(TirOp op);
unsigned tir_op_arity(TirOp op);
const char *tir_reduction_text(TirReduction reduction);

typedef enum TirStorage {
    STORAGE_NONE,     // not planned yet, or never used
    STORAGE_REGISTER, // a scalar local
    STORAGE_STACK,    // a small array local
    STORAGE_ELEMENT,  // an array of which only the element at hand lives, within one nest
    STORAGE_STATE,    // `offset` bytes into the program's state: file-level variables
    STORAGE_SCRATCH,  // `offset` bytes into the program's scratch: large array locals
    STORAGE_ARGUMENT, // an array parameter or result: the caller's memory
    STORAGE_INPUTS,   // `offset` bytes into the inputs that the host passes
    STORAGE_OUTPUTS,  // the same of the outputs
    STORAGE_PARAMS,   // the same of the tunable properties
} TirStorage;

typedef enum TirVarRole {
    VAR_LOCAL,   // named in the source
    VAR_TEMP,    // made by the compiler
    VAR_PARAM,   // read-only: checking copies a parameter that is assigned into a local
    VAR_RESULT,  // what the function returns
    VAR_LOOP,    // int, set by its `for` only
    VAR_GLOBAL,  // file level; lives in the state
    VAR_INPUT,   // an input terminal; nothing writes it
    VAR_OUTPUT,  // an output terminal
    VAR_TUNABLE, // a property that the host may change; nothing writes it
} TirVarRole;

typedef struct TirVar {
    uint32_t id; // position in its function's vars (global ones: in the program's)
    TirVarRole role;
    Name name; // NULL for temporaries
    const Type *type;
    Span span; // declaration
    TirStorage storage;
    uint64_t offset;
} TirVar;

#endif
