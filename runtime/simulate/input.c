// A source is a CSV or .npy file, of one terminal or all, or a wave; all fill the same array of
// structs, each its own members.
#include "runtime/simulate/input.h"

#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/file/open_file.h"
#include "runtime/run/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool open_file(Source *source, const Options *options, const char *path) {
    bool is_stdin = strcmp(path, "-") == 0;
    source->name = is_stdin ? "standard input" : path;
    source->fd = is_stdin ? dup(STDIN_FILENO) : tml_open(path, O_RDONLY);
    if (source->fd < 0) {
        tml_report(options->command, "cannot open `%s`: %s", path, strerror(errno));
        return false;
    }
    struct stat file;
    source->waits = fstat(source->fd, &file) == 0 && !S_ISREG(file.st_mode);
    return true;
}

// Whether the file has been opened for another input, and what it has besides been told.
static bool is_given_before(const Options *options, const Binding *binding) {
    const Binding *first = options->bindings[TML_INPUT].items;
    while (first < binding && strcmp(first->path, binding->path) != 0) {
        first++;
    }
    return first < binding;
}

// Behind the others, as a column of the file that is none of the inputs.
static bool add_time(Source *source, const Options *options, Columns *columns) {
    source->time = tml_time_signal;
    source->time.name = options->time;
    source->time.offset = tml_time_rows_stride(source->stride) - sizeof(double);
    return tml_columns_add(columns, &source->time, 0, 1);
}

// Of one input, or of all that are not named. `items` is NULL without memory.
static Columns columns_of(const Options *options, const Binding *binding) {
    const tml_model *model = options->model;
    if (binding->terminal) {
        return tml_model_columns(model, TML_INPUT, binding->terminal);
    }
    Columns columns = {.items = malloc(sizeof *columns.items)};
    for (size_t i = 0; i < model->variable_count && columns.items; i++) {
        const tml_variable *variable = &model->variables[i];
        if (variable->role == TML_INPUT && !tml_input_is_named(options, variable) &&
            !tml_columns_add(&columns, variable, 0, tml_type_numel(variable->type))) {
            free(columns.items);
            columns.items = NULL;
        }
    }
    return columns;
}

static bool open_csv(Source *source, const Options *options, const Binding *binding) {
    Columns columns = columns_of(options, binding);
    OtherColumns others = {.model = options->model,
                           .refused = options->strict_columns && !binding->column,
                           .noted = !binding->column && !is_given_before(options, binding),
                           .picked = binding->column != NULL,
                           .may_lack_defaults = !binding->terminal};
    if (binding->column && binding->terminal) {
        source->renamed = *binding->terminal;
        source->renamed.name = binding->column;
        for (size_t i = 0; i < columns.count; i++) {
            columns.items[i].terminal = &source->renamed;
        }
    }
    size_t stride = options->time ? tml_time_rows_stride(source->stride) : source->stride;
    if (columns.items && options->time && !add_time(source, options, &columns)) {
        free(columns.items);
        columns = (Columns){0};
    }
    source->csv = tml_csv_rows_open(source->fd, source->name, columns, stride, others);
    if (source->csv && options->time) {
        source->timed = tml_time_rows_open(source->csv, &source->time, source->stride, source->dt,
                                           options->interpolate);
        return source->timed || tml_report_file(source->name, "cannot get memory");
    }
    return source->csv != NULL;
}

bool tml_source_open(Source *source, const Options *options, const Binding *binding) {
    *source = (Source){.fd = -1,
                       .name = binding->path,
                       .terminal = binding->terminal,
                       .stride = options->model->inputs_bytes,
                       .dt = options->dt};
    if (binding->kind == BINDING_WAVE) {
        source->wave = &binding->wave;
        return true;
    }
    if (!open_file(source, options, binding->path)) {
        return false;
    }
    bool done = tml_path_is_npy(binding->path)
                    ? tml_npy_open(&source->npy, source->fd, source->name, source->terminal->type,
                                   source->stride)
                    : open_csv(source, options, binding);
    if (!done) {
        tml_source_close(source);
    }
    return done;
}

void tml_source_close(Source *source) {
    tml_time_rows_close(source->timed);
    if (source->csv) {
        tml_csv_rows_close(source->csv);
    }
    tml_npy_close(&source->npy);
    if (source->fd >= 0) {
        close(source->fd);
    }
    *source = (Source){.fd = -1};
}

void tml_source_start(Source *source, uint64_t step) {
    source->step = step;
    if (source->timed) {
        tml_time_rows_start(source->timed, step);
    }
}

bool tml_source_row_count(const Source *source, uint64_t *count) {
    *count = source->npy.count;
    return !source->csv && !source->wave;
}

// Every element of the terminal gets the value.
static size_t read_wave(Source *source, size_t limit, char *inputs) {
    const tml_type *type = source->terminal->type;
    uint64_t numel = tml_type_numel(type);
    size_t bytes = tml_scalar_bytes(type);
    for (size_t i = 0; i < limit; i++) {
        double value = tml_wave_value(source->wave, source->step++, source->dt);
        char *place = inputs + i * source->stride + source->terminal->offset;
        for (uint64_t k = 0; k < numel; k++, place += bytes) {
            tml_scalar_store(type, place, value);
        }
    }
    return limit;
}

size_t tml_source_read(Source *source, size_t limit, bool all, char *inputs) {
    if (source->wave) {
        return read_wave(source, limit, inputs);
    }
    if (source->timed) {
        return tml_time_rows_read(source->timed, limit, all, inputs);
    }
    return source->csv ? tml_csv_rows_read(source->csv, limit, all, inputs)
                       : tml_npy_read_rows(&source->npy, limit, inputs + source->terminal->offset);
}

bool tml_source_report_failure(const Source *source) {
    return source->csv ? tml_csv_rows_report_failure(source->csv)
                       : tml_npy_report_failure(&source->npy);
}

const char *tml_source_place(const Source *source, char text[SOURCE_PLACE_BYTES]) {
    if (source->csv) {
        Position position = tml_csv_rows_position(source->csv);
        snprintf(text, SOURCE_PLACE_BYTES, "%.400s:%llu:%llu", source->name,
                 (unsigned long long)position.line, (unsigned long long)position.column);
    } else {
        snprintf(text, SOURCE_PLACE_BYTES, "%.400s", source->name);
    }
    return text;
}
