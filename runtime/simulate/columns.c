// Names of columns are made and read here alone, so that what one simulation writes another reads.
#include "runtime/simulate/columns.h"

#include "runtime/abi/type.h"
#include "runtime/run/variables.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_wanted(const tml_variable *variable, tml_role role, const tml_variable *terminal) {
    return variable->role == role && (!terminal || variable == terminal);
}

Columns tml_model_columns(const tml_model *model, tml_role role, const tml_variable *terminal) {
    Columns columns = {0};
    size_t count = 0;
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (is_wanted(variable, role, terminal)) {
            count += tml_type_numel(variable->type);
        }
    }
    columns.items = calloc(count + 1, sizeof *columns.items);
    for (size_t i = 0; columns.items && i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (!is_wanted(variable, role, terminal)) {
            continue;
        }
        uint64_t numel = tml_type_numel(variable->type);
        size_t bytes = tml_scalar_bytes(variable->type);
        for (uint64_t element = 0; element < numel; element++) {
            columns.items[columns.count++] =
                (Column){variable, element, variable->offset + element * bytes};
        }
    }
    return columns;
}

// Reads "[0][1]" up to `end`. False when these are no indices of the type.
static bool read_indices(const tml_type *type, const char *c, const char *end, uint64_t *element) {
    *element = 0;
    for (size_t i = 0; i < type->flat_rank; i++) {
        uint64_t index = 0;
        if (end - c < 3 || c[0] != '[' || !isdigit((unsigned char)c[1])) {
            return false;
        }
        for (c++; c < end && isdigit((unsigned char)*c); c++) {
            index = index * 10 + (uint64_t)(*c - '0');
            if (index >= type->dims[i]) {
                return false;
            }
        }
        if (c == end || *c != ']') {
            return false;
        }
        c++;
        *element = *element * type->dims[i] + index;
    }
    return c == end;
}

static bool name_is(const Column *column, const char *name, size_t len) {
    return strlen(column->terminal->name) == len && memcmp(column->terminal->name, name, len) == 0;
}

size_t tml_model_find_column(const Columns *columns, const char *name, size_t len, size_t guess) {
    if (len > 2 && memcmp(name, "t.", 2) == 0) {
        name += 2;
        len -= 2;
    }
    const char *bracket = memchr(name, '[', len);
    size_t name_len = bracket ? (size_t)(bracket - name) : len;
    size_t first = guess < columns->count && name_is(&columns->items[guess], name, name_len)
                       ? guess - columns->items[guess].element
                       : 0;
    while (first < columns->count && !name_is(&columns->items[first], name, name_len)) {
        first += tml_type_numel(columns->items[first].terminal->type);
    }
    if (first >= columns->count) {
        return columns->count;
    }
    uint64_t element;
    const tml_type *type = columns->items[first].terminal->type;
    bool found = read_indices(type, name + name_len, name + len, &element);
    return found ? first + element : columns->count;
}

const char *tml_model_column_indices(char text[COLUMN_INDEX_BYTES], const Column *column) {
    const tml_type *type = column->terminal->type;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < type->flat_rank; i++) {
        uint64_t below = tml_dims_product(type->dims, i + 1, type->flat_rank);
        used += (size_t)snprintf(text + used, COLUMN_INDEX_BYTES - used, "[%llu]",
                                 (unsigned long long)(column->element / below % type->dims[i]));
    }
    return text;
}

const char *tml_model_column_name(char text[COLUMN_NAME_BYTES], const Column *column) {
    char indices[COLUMN_INDEX_BYTES];
    snprintf(text, COLUMN_NAME_BYTES, "`%s%s`", column->terminal->name,
             tml_model_column_indices(indices, column));
    return text;
}
