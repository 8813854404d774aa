// Tables are short and searched from the front. A name may have its namespace before it.
#include "runtime/run/variables.h"

#include "runtime/text/suggest.h"

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

const tml_variable *tml_model_variable(const tml_model *model, tml_role role, const char *name,
                                       size_t len) {
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (variable->role == role && name_is(variable, name, len)) {
            return variable;
        }
    }
    return NULL;
}

const char *tml_model_nearest_variable(const tml_model *model, tml_role role, const char *name,
                                       size_t len) {
    Suggestion suggestion = tml_suggestion_for(name, len);
    for (size_t i = 0; i < model->variable_count; i++) {
        if (model->variables[i].role == role) {
            tml_suggestion_try(&suggestion, model->variables[i].name);
        }
    }
    return suggestion.nearest;
}

size_t tml_model_count(const tml_model *model, tml_role role) {
    size_t count = 0;
    for (size_t i = 0; i < model->variable_count; i++) {
        count += model->variables[i].role == role;
    }
    return count;
}
