// The oracle's derivatives: runs a function once for each direction, with numbers of one level more
// (dual.h) that say how its arguments change in this direction, and reads off how its result does.
// Nothing of what pass_derive makes is used.
#include "eval/run.h"

#include "support/bug.h"
#include "support/memory.h"

#include <stdlib.h>

static size_t parts_of(unsigned level) {
    return ((size_t)1 << level) - 1;
}

// The value with numbers of the next level, none of which changes in the new direction.
static RefArray raised(unsigned level, const Type *type, RefArray from) {
    RefArray to = ref_array(level + 1, type);
    size_t parts = parts_of(level);
    for (size_t i = 0; i < type->numel; i++) {
        to.scalars[i] = from.scalars[i];
        for (size_t k = 0; k < parts && from.parts != NULL && to.parts != NULL; k++) {
            to.parts[i * parts_of(level + 1) + k] = from.parts[i * parts + k];
        }
    }
    return to;
}

// Where part `k` of the change of an element in the new direction is.
static long double *change(unsigned level, RefArray array, size_t i, size_t k) {
    return &array.parts[i * parts_of(level + 1) + parts_of(level) + k];
}

// How an element of the result changed, as an element of a derivative.
static void take(bool single, unsigned level, RefArray from, size_t i, RefArray to, size_t at) {
    double value = (double)*change(level, from, i, 0);
    to.scalars[at].real = single ? (double)(float)value : value;
    for (size_t k = 0; k < parts_of(level); k++) {
        to.parts[at * parts_of(level) + k] = *change(level, from, i, k + 1);
    }
}

// Runs the function with arguments that change so.
typedef struct Derivation {
    RefRun *run;
    const TirStmt *call;
    unsigned level;
    RefArray *args; // of the next level
    RefArray value;
} Derivation;

static void run_direction(const Derivation *derivation) {
    ref_call(derivation->run, derivation->call->call.function, derivation->level + 1,
             derivation->args, &derivation->value);
}

static void run_along(const Derivation *derivation, RefArray along, RefArray result) {
    unsigned level = derivation->level;
    const TirDerivative *derivative = derivation->call->call.derivative;
    RefArray arg = derivation->args[derivative->by[0]];
    for (size_t i = 0; i < derivative->along->type->numel; i++) {
        *change(level, arg, i, 0) = (long double)along.scalars[i].real;
        for (size_t k = 0; k < parts_of(level) && along.parts != NULL; k++) {
            *change(level, arg, i, k + 1) = along.parts[i * parts_of(level) + k];
        }
    }
    run_direction(derivation);
    const Type *type = derivation->call->call.function->results.items[0]->type;
    for (size_t i = 0; i < type->numel; i++) {
        take(derivation->run->program->single, level, derivation->value, i, result, i);
    }
}

// By each element of parameter number `k` of the call.
static void run_elements(const Derivation *derivation, size_t k, RefArray result) {
    const TirFunction *function = derivation->call->call.function;
    uint32_t by = derivation->call->call.derivative->by[k];
    size_t columns = function->params[by]->type->numel;
    for (size_t j = 0; j < columns && derivation->run->fault->code == 0; j++) {
        *change(derivation->level, derivation->args[by], j, 0) = 1;
        run_direction(derivation);
        *change(derivation->level, derivation->args[by], j, 0) = 0;
        for (size_t i = 0; i < function->results.items[0]->type->numel; i++) {
            take(derivation->run->program->single, derivation->level, derivation->value, i, result,
                 i * columns + j);
        }
    }
}

void ref_derive(RefRun *run, const TirStmt *call, unsigned level, const RefArray *args,
                RefArray along, const RefArray *results) {
    CHECK(level < DUAL_LEVELS);
    const TirFunction *function = call->call.function;
    const TirDerivative *derivative = call->call.derivative;
    size_t count = function->param_count;
    Derivation derivation = {
        .run = run,
        .call = call,
        .level = level,
        .args = memory_zeroed(memory_product(count + 1, sizeof(RefArray))),
        .value = ref_array(level + 1, function->results.items[0]->type),
    };
    for (size_t k = 0; k < count; k++) {
        derivation.args[k] = raised(level, function->params[k]->type, args[k]);
    }
    if (derivative->along != NULL) {
        run_along(&derivation, along, results[0]);
    }
    for (size_t k = 0; k < derivative->by_count && derivative->along == NULL; k++) {
        run_elements(&derivation, k, results[k]);
    }
    ref_free_arrays(derivation.args, count);
    free(derivation.value.scalars);
}
