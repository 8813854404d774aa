// The columns of a simulation's CSV files: `u` for a scalar terminal, `m[0][1]` for each element of
// a tensor, all levels outermost first.
#ifndef TML_RUNTIME_SIMULATE_COLUMNS_H
#define TML_RUNTIME_SIMULATE_COLUMNS_H

#include "runtime/abi/model.h"

#include <stdbool.h>

typedef struct Column {
    const tml_variable *terminal; // or a variable of the state; NULL: of a file, and not read
    uint64_t element;             // of the terminal, counted row by row
    size_t offset;                // in the struct of its role, or in the row of a watch
} Column;

typedef struct Columns {
    size_t count;
    Column *items; // from malloc
} Columns;

// All columns of one terminal, or of all of the role when `terminal` is NULL, in the order of the
// source. `items` is NULL when there is no memory.
Columns tml_model_columns(const tml_model *model, tml_role role, const tml_variable *terminal);

// The time at which a step begins, in seconds: a real scalar `time` that no model declares.
extern const tml_variable tml_time_signal;

// Where the values of some steps stand: arrays of the structs of inputs and outputs, of the rows of
// a watch (watch.h), and of times.
typedef enum Place { PLACE_INPUTS, PLACE_OUTPUTS, PLACE_WATCH, PLACE_TIME, PLACE_COUNT } Place;

typedef struct Rows {
    const char *first[PLACE_COUNT];
    size_t stride[PLACE_COUNT]; // from one step to the next
} Rows;

static inline Place column_place(const Column *column) {
    if (column->terminal == &tml_time_signal) {
        return PLACE_TIME;
    }
    switch (column->terminal->role) {
    case TML_INPUT: return PLACE_INPUTS;
    case TML_OUTPUT: return PLACE_OUTPUTS;
    default: return PLACE_WATCH;
    }
}

static inline const char *column_at(const Rows *rows, const Column *column, size_t step) {
    Place place = column_place(column);
    return rows->first[place] + step * rows->stride[place] + column->offset;
}

// Adds a variable's elements from `first` on, those that are not there yet. False without memory.
bool tml_columns_add(Columns *columns, const tml_variable *variable, uint64_t first,
                     uint64_t count);

// Finds a name among the columns; the count when it is none of them. `guess`
// is where a search that goes from left to right expects it.
size_t tml_model_find_column(const Columns *columns, const char *name, size_t len, size_t guess);

// Enough for the 512 dims of L2.2.
enum { COLUMN_INDEX_BYTES = 512 * 12 + 1 };

// Whether some are of the state.
bool tml_columns_have_state(const Columns *columns);

// What stands before the terminal's name in files that hold the state too: "t." where a variable of
// the state has that name, else "".
const char *tml_model_column_space(const tml_model *model, const Column *column);

// What follows the terminal's name: "[0][1]", or "" for a scalar. Returns `text`.
const char *tml_model_column_indices(char text[COLUMN_INDEX_BYTES], const Column *column);

enum { COLUMN_NAME_BYTES = 512 };

// The whole name in backticks, for a message: "`m[0][1]`". Returns `text`.
const char *tml_model_column_name(char text[COLUMN_NAME_BYTES], const Column *column);

#endif
