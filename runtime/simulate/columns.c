// Names of columns are made and read here alone, so that what one simulation writes another reads.
#include "runtime/simulate/columns.h"

#include "runtime/abi/type.h"
#include "runtime/run/variables.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tml_variable tml_time_signal = {
    .name = "time",
    .space = "",
    .role = TML_VARIABLE,
    .type = &(const tml_type){.root = TML_REAL, .real_bytes = sizeof(double)},
};

// The variable's first column, or the count.
static size_t find_variable(const Columns *columns, const tml_variable *variable) {
    size_t i = 0;
    while (i < columns->count && columns->items[i].terminal != variable) {
        i++;
    }
    return i;
}

static bool is_column(const Columns *columns, size_t at, const tml_variable *variable,
                      uint64_t element) {
    return at < columns->count && columns->items[at].terminal == variable &&
           columns->items[at].element == element;
}

// Whether the column is there already; where the variable is whole its elements stand in order.
static bool has_column(const Columns *columns, const tml_variable *variable, uint64_t element) {
    size_t at = find_variable(columns, variable);
    if (is_column(columns, at + element, variable, element)) {
        return true;
    }
    while (at < columns->count && !is_column(columns, at, variable, element)) {
        at++;
    }
    return at < columns->count;
}

bool tml_columns_add(Columns *columns, const tml_variable *variable, uint64_t first,
                     uint64_t count) {
    size_t bytes = tml_scalar_bytes(variable->type);
    Column *items = realloc(columns->items, (columns->count + count + 1) * sizeof *items);
    if (!items) {
        return false;
    }
    columns->items = items;
    bool is_new = find_variable(columns, variable) == columns->count;
    for (uint64_t element = first; element < first + count; element++) {
        if (is_new || !has_column(columns, variable, element)) {
            items[columns->count++] =
                (Column){variable, element, variable->offset + element * bytes};
        }
    }
    return true;
}

Columns tml_model_columns(const tml_model *model, tml_role role, const tml_variable *terminal) {
    Columns columns = {.items = malloc(sizeof *columns.items)};
    bool done = columns.items != NULL;
    for (size_t i = 0; i < model->variable_count && done; i++) {
        const tml_variable *variable = &model->variables[i];
        if (variable->role == role && (!terminal || variable == terminal)) {
            done = tml_columns_add(&columns, variable, 0, tml_type_numel(variable->type));
        }
    }
    if (!done) {
        free(columns.items);
        columns = (Columns){0};
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

// Whether the text names an element of the column's terminal, which may have any characters in its
// name (`--in u=FILE.csv:COLUMN`).
static bool names_element(const Column *column, const char *text, size_t len, uint64_t *element) {
    size_t own = strlen(column->terminal->name);
    return own <= len && memcmp(column->terminal->name, text, own) == 0 &&
           read_indices(column->terminal->type, text + own, text + len, element);
}

size_t tml_model_find_column(const Columns *columns, const char *name, size_t len, size_t guess) {
    uint64_t element;
    if (guess < columns->count && names_element(&columns->items[guess], name, len, &element)) {
        return guess - columns->items[guess].element + element;
    }
    size_t first = 0;
    while (first < columns->count) {
        if (names_element(&columns->items[first], name, len, &element)) {
            return first + element;
        }
        first += tml_type_numel(columns->items[first].terminal->type);
    }
    return columns->count;
}

bool tml_columns_have_state(const Columns *columns) {
    bool has_state = false;
    for (size_t i = 0; i < columns->count && !has_state; i++) {
        has_state = column_place(&columns->items[i]) == PLACE_WATCH;
    }
    return has_state;
}

const char *tml_model_column_space(const tml_model *model, const Column *column) {
    const char *name = column->terminal->name;
    Place place = column_place(column);
    bool is_terminal = place == PLACE_INPUTS || place == PLACE_OUTPUTS;
    return is_terminal && tml_model_variable(model, TML_VARIABLE, name, strlen(name)) ? "t." : "";
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
