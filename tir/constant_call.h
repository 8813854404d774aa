// The values of constants with calls in them (L10.9): what statements compute, run while compiling.
#ifndef TMLC_TIR_CONSTANT_CALL_H
#define TMLC_TIR_CONSTANT_CALL_H

#include "support/table.h"
#include "tir/build.h"

// Operators, indices and assignments on scalars, and turns of loops.
enum { CONSTANT_WORK_LIMIT = 10000000 };

typedef enum ConstantWhy {
    CONSTANT_KNOWN,
    CONSTANT_VARIES,   // reads a variable of elsewhere, or calls a function that is not pure
    CONSTANT_TRAPS,    // would trap, with code `trap`
    CONSTANT_TOO_LONG, // more than CONSTANT_WORK_LIMIT
    CONSTANT_BROKEN,   // calls a function in which errors were reported
} ConstantWhy;

// Why there is no value.
typedef struct ConstantTrouble {
    ConstantWhy why;
    Span span; // of what traps
    unsigned trap;
    int64_t index; // of trap 1001, and the length that it is outside of
    uint32_t length;
    const TirFunction *function; // that is not pure; else NULL
} ConstantTrouble;

// The values of `expr` after statements that checking made, row-major and in the arena of `tir`;
// NULL, with *trouble, when there are none. The statements give values to variables of one function
// with ids from first_var on, var_count of them, and read no others but those in `known` (NULL:
// none), which gives EXPR_CONSTs to variables.
const TirScalar *constant_run(Tir *tir, const TirBlock *statements, const TirExpr *expr,
                              uint32_t first_var, uint32_t var_count, const Table *known,
                              ConstantTrouble *trouble);

#endif
