// Finding the variables of a model by name.
#ifndef TML_RUNTIME_RUN_VARIABLES_H
#define TML_RUNTIME_RUN_VARIABLES_H

#include "runtime/abi/model.h"

#include <stdbool.h>

// Whether it may change from step to step: an input, an output, or of the state.
static inline bool signal_is(const tml_variable *variable) {
    return variable->role != TML_PARAM && variable->role != TML_CONSTANT;
}

// The variable of this role with this name, which may have its namespace in front (`t.u`), or NULL.
const tml_variable *tml_model_variable(const tml_model *model, tml_role role, const char *name,
                                       size_t len);
// The closest name of this role, or NULL when none is close.
const char *tml_model_nearest_variable(const tml_model *model, tml_role role, const char *name,
                                       size_t len);
size_t tml_model_count(const tml_model *model, tml_role role);

#endif
