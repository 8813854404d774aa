#include "runtime/simulate/variables.h"

#include "runtime/run/arguments.h"

#include <stdbool.h>
#include <string.h>

static bool name_is(const tml_variable *variable, const char *name, size_t len) {
    size_t space = strlen(variable->space);
    if (space > 0 && len > space && memcmp(name, variable->space, space) == 0 &&
        name[space] == '.') {
        name += space + 1;
        len -= space + 1;
    }
    return strlen(variable->name) == len && memcmp(variable->name, name, len) == 0;
}

const tml_variable *model_variable(const tml_model *model, tml_role role, const char *name,
                                   size_t len) {
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (variable->role == role && name_is(variable, name, len)) {
            return variable;
        }
    }
    return NULL;
}

const tml_variable *model_nearest_variable(const tml_model *model, tml_role role, const char *name,
                                           size_t len) {
    const tml_variable *nearest = NULL;
    size_t least = tml_name_distance_limit(len);
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        size_t distance =
            variable->role == role ? tml_name_distance(name, len, variable->name) : SIZE_MAX;
        if (distance < least) {
            least = distance;
            nearest = variable;
        }
    }
    return nearest;
}

size_t model_count(const tml_model *model, tml_role role) {
    size_t count = 0;
    for (size_t i = 0; i < model->variable_count; i++) {
        count += model->variables[i].role == role;
    }
    return count;
}
