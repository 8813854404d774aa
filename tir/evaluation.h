// What tir/constant.c, which has the expressions, and tir/constant_call.c, which has statements and
// functions, know of each other while a value is computed.
#ifndef TMLC_TIR_EVALUATION_H
#define TMLC_TIR_EVALUATION_H

#include "support/table.h"
#include "tir/constant.h"
#include "tir/constant_call.h"

#include <stdbool.h>
#include <stdint.h>

// Of one constant with calls in it.
typedef struct EvaluationWork {
    uint64_t left;       // operations
    Arena *arena;        // takes the values of the statement at hand
    uint64_t arena_left; // of `left` when this arena was empty
    const Table *known;
    ConstantTrouble trouble;
} EvaluationWork;

// Of one function that runs, or of a constant expression without variables.
typedef struct Evaluation {
    Tir *tir;
    EvaluationWork *work; // NULL: without variables; such work is not counted
    TirScalar **vars;     // values of the variables with ids from first_var on; NULL: none yet
    uint32_t first_var, var_count;
} Evaluation;

// NULL and false: it varies or traps, which the trouble of the work tells. The values are those of
// variables themselves, or live as long as the statement.
const TirScalar *evaluation_values(Evaluation *evaluation, const TirExpr *expr);
bool evaluation_scalar(Evaluation *evaluation, const TirExpr *expr, TirScalar *value);
// Turns positions among the scalars of a view into those among the scalars of its operand.
bool evaluation_through_view(Evaluation *evaluation, const TirExpr *view, uint32_t *positions,
                             size_t count);
// Counts operations; false when there are too many.
bool evaluation_spend(Evaluation *evaluation, uint64_t operations);
// Notes why there is no value, if nothing is noted yet. Always false.
bool evaluation_fails(Evaluation *evaluation, ConstantTrouble trouble);
// Where there is room for an array until the statement ends.
Arena *evaluation_arena(const Evaluation *evaluation);

#endif
