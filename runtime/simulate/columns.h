// The columns of a simulation's CSV files: `u` for a scalar terminal, `m[0][1]` for each element of
// a tensor, all levels outermost first.
#ifndef TML_RUNTIME_SIMULATE_COLUMNS_H
#define TML_RUNTIME_SIMULATE_COLUMNS_H

#include "runtime/abi/model.h"

typedef struct Column {
    const tml_variable *terminal; // NULL: of a file, and not read
    uint64_t element;             // of the terminal, counted row by row
    size_t offset;                // in the struct of its role
} Column;

typedef struct Columns {
    size_t count;
    Column *items; // from malloc
} Columns;

// All columns of one terminal, or of all of the role when `terminal` is NULL, in the order of the
// source. `items` is NULL when there is no memory.
Columns tml_model_columns(const tml_model *model, tml_role role, const tml_variable *terminal);

// Finds a name, with or without `t.`, among the columns; the count when it is none of them. `guess`
// is where a search that goes from left to right expects it.
size_t tml_model_find_column(const Columns *columns, const char *name, size_t len, size_t guess);

// Enough for the 512 dims of L2.2.
enum { COLUMN_INDEX_BYTES = 512 * 12 + 1 };

// What follows the terminal's name: "[0][1]", or "" for a scalar. Returns `text`.
const char *tml_model_column_indices(char text[COLUMN_INDEX_BYTES], const Column *column);

enum { COLUMN_NAME_BYTES = 512 };

// The whole name in backticks, for a message: "`m[0][1]`". Returns `text`.
const char *tml_model_column_name(char text[COLUMN_NAME_BYTES], const Column *column);

#endif
