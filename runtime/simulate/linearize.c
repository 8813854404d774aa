// The model gives one matrix of all that changes with all that it changes with, of which A to D are
// blocks; the columns of tunable properties are for others.
#include "runtime/simulate/linearize.h"

#include "runtime/abi/type.h"
#include "runtime/file/matrices.h"
#include "runtime/file/open_file.h"
#include "runtime/file/whole_file.h"
#include "runtime/run/report.h"
#include "runtime/text/format_scalar.h"

#include <stdio.h>
#include <stdlib.h>

// Elements of some of the model's variables.
typedef struct Part {
    const char *name;
    uint32_t count; // variables
    const tml_variable *variables;
    size_t elements;
    char **names; // of these
    double *values;
} Part;

enum { STATES, INPUTS, OUTPUTS, PARTS };

static const char *const block_names[2][2] = {{"A", "B"}, {"C", "D"}};
static const char *const value_names[] = {"x0", "u0", "y0"};

typedef struct Matrices {
    const Options *options;
    const tml_linear *linear;
    Part parts[PARTS];
    void *matrix;         // as the model stores it
    double *blocks[2][2]; // by row and column
    void *outputs;
} Matrices;

static double real_at(const void *data, size_t k, unsigned bytes) {
    return bytes == sizeof(float) ? (double)((const float *)data)[k] : ((const double *)data)[k];
}

// Names and values of the elements, in the struct that holds the variables.
static bool fill_part(Part *part, const void *from) {
    for (uint32_t i = 0; i < part->count; i++) {
        part->elements += tml_type_numel(part->variables[i].type);
    }
    part->names = calloc(part->elements + 1, sizeof *part->names);
    part->values = calloc(part->elements + 1, sizeof *part->values);
    size_t at = 0;
    for (uint32_t i = 0; i < part->count && part->names && part->values; i++) {
        const tml_variable *variable = &part->variables[i];
        for (uint64_t k = 0; k < tml_type_numel(variable->type); k++, at++) {
            char indices[COLUMN_INDEX_BYTES];
            Column column = {.terminal = variable, .element = k};
            tml_model_column_indices(indices, &column);
            size_t size = strlen(variable->name) + strlen(indices) + 1;
            part->names[at] = malloc(size);
            if (!part->names[at]) {
                return false;
            }
            snprintf(part->names[at], size, "%s%s", variable->name, indices);
            part->values[at] =
                real_at((const char *)from + variable->offset, k, variable->type->real_bytes);
        }
    }
    return part->names && part->values;
}

static bool fill_blocks(Matrices *all) {
    unsigned bytes = all->linear->variables[0].type->real_bytes;
    const size_t rows[] = {all->parts[STATES].elements, all->parts[OUTPUTS].elements};
    const size_t columns[] = {rows[0], all->parts[INPUTS].elements};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            double *block = calloc(rows[i] * columns[k] + 1, sizeof *block);
            all->blocks[i][k] = block;
            for (size_t row = 0; block && row < rows[i]; row++) {
                size_t from = (row + (i > 0 ? rows[0] : 0)) * all->linear->columns;
                for (size_t column = 0; column < columns[k]; column++) {
                    block[row * columns[k] + column] =
                        real_at(all->matrix, from + column + (k > 0 ? columns[0] : 0), bytes);
                }
            }
            if (!block) {
                return false;
            }
        }
    }
    return true;
}

static void free_all(Matrices *all) {
    for (int i = 0; i < PARTS; i++) {
        Part *part = &all->parts[i];
        for (size_t k = 0; part->names && k < part->elements; k++) {
            free(part->names[k]);
        }
        free(part->names);
        free(part->values);
    }
    for (int i = 0; i < 4; i++) {
        free(all->blocks[i / 2][i % 2]);
    }
    free(all->matrix);
    free(all->outputs);
}

// A label for each column and row; the first cell has the time of a step.
static void write_csv(Writer *out, const Matrices *all) {
    char text[TML_REAL_TEXT_BYTES];
    if (all->options->dt > 0) {
        tml_write_text(out, "Ts=");
        tml_write_bytes(out, text, tml_format_real(text, all->options->dt, sizeof(double)));
    }
    static const int kinds[2][2] = {{STATES, OUTPUTS}, {STATES, INPUTS}}; // of rows, of columns
    for (int k = 0; k < 2; k++) {
        const Part *part = &all->parts[kinds[1][k]];
        for (size_t i = 0; i < part->elements; i++) {
            tml_write_char(out, ',');
            tml_write_text(out, part->names[i]);
        }
    }
    tml_write_char(out, '\n');
    for (int i = 0; i < 2; i++) {
        const Part *rows = &all->parts[kinds[0][i]];
        for (size_t row = 0; row < rows->elements; row++) {
            tml_write_text(out, rows->names[row]);
            for (int k = 0; k < 2; k++) {
                size_t columns = all->parts[kinds[1][k]].elements;
                for (size_t column = 0; column < columns; column++) {
                    double value = all->blocks[i][k][row * columns + column];
                    tml_write_char(out, ',');
                    tml_write_bytes(out, text, tml_format_real(text, value, sizeof(double)));
                }
            }
            tml_write_char(out, '\n');
        }
    }
}

static void write_file(Writer *out, const void *data) {
    const Matrices *all = data;
    const char *path = all->options->linearize;
    if (!tml_path_ends_in(path, ".mat") && !tml_path_ends_in(path, ".npy")) {
        write_csv(out, all);
        return;
    }
    // What MATLAB has for a time that is not known.
    double time = all->options->dt > 0 ? all->options->dt : -1;
    NamedMatrix items[4 + 2 * PARTS + 1];
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            items[count++] = (NamedMatrix){.name = block_names[i][k],
                                           .rows = all->parts[i == 0 ? STATES : OUTPUTS].elements,
                                           .columns = all->parts[k == 0 ? STATES : INPUTS].elements,
                                           .rank = 2,
                                           .data = all->blocks[i][k]};
        }
    }
    items[count++] = (NamedMatrix){.name = "Ts", .rows = 1, .columns = 1, .rank = 0, .data = &time};
    for (int i = 0; i < PARTS; i++) {
        const Part *part = &all->parts[i];
        items[count++] = (NamedMatrix){.name = value_names[i],
                                       .rows = part->elements,
                                       .columns = 1,
                                       .rank = 1,
                                       .data = part->values};
        items[count++] =
            (NamedMatrix){.name = part->name, .rows = part->elements, .texts = part->names};
    }
    if (tml_path_ends_in(path, ".mat")) {
        tml_mat_write(out, items, count);
    } else {
        tml_npy_matrices_write(out, items, count);
    }
}

static void note_fixed(const Matrices *all) {
    const tml_linear *linear = all->linear;
    for (uint32_t i = 0; i < linear->fixed_count; i++) {
        tml_report(all->options->command, "note: `%s` is no real and is held", linear->fixed[i]);
    }
}

static bool make(Matrices *all, void *state, const void *inputs, tml_status *status) {
    const tml_model *model = all->options->model;
    const tml_linear *linear = all->linear;
    const tml_variable *variables = linear->variables;
    uint32_t others = linear->state_count + linear->input_count + linear->param_count;
    all->parts[STATES] = (Part){"states", linear->state_count, variables, 0, NULL, NULL};
    all->parts[INPUTS] =
        (Part){"inputs", linear->input_count, variables + linear->state_count, 0, NULL, NULL};
    all->parts[OUTPUTS] =
        (Part){"outputs", linear->output_count, variables + others, 0, NULL, NULL};
    all->outputs = calloc(1, model->outputs_bytes + 1);
    all->matrix = calloc((size_t)linear->rows * linear->columns + 1, sizeof(double));
    if (!all->outputs || !all->matrix) {
        return false;
    }
    const void *params = all->options->params;
    bool done = fill_part(&all->parts[STATES], state) && fill_part(&all->parts[INPUTS], inputs);
    if (done) {
        *status = linear->step(state, params, inputs, all->matrix);
    }
    if (done && *status == TML_OK) {
        *status = model->output(state, params, inputs, all->outputs);
    }
    return done && (*status != TML_OK ||
                    (fill_part(&all->parts[OUTPUTS], all->outputs) && fill_blocks(all)));
}

bool tml_linearize(const Options *options, void *state, const void *inputs, tml_status *status) {
    Matrices all = {.options = options, .linear = options->model->linear};
    bool done = make(&all, state, inputs, status);
    if (!done) {
        tml_report(options->command, "cannot get memory");
    } else if (*status == TML_OK) {
        int error = tml_write_whole(options->linearize, write_file, &all);
        done = error == 0;
        if (error != 0) {
            tml_report(options->command, "cannot write `%s`: %s", options->linearize,
                       strerror(error));
        } else {
            note_fixed(&all);
        }
    }
    free_all(&all);
    return done;
}
