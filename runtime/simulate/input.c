// A source is a CSV or .npy file, of one terminal or all; both readers fill the same array of
// structs, each its own members.
#include "runtime/simulate/input.h"

#include "runtime/file/formats.h"
#include "runtime/file/open_file.h"
#include "runtime/run/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

bool tml_source_open(Source *source, const Options *options, const Binding *binding) {
    *source = (Source){.fd = -1};
    if (!open_file(source, options, binding->path)) {
        return false;
    }
    size_t stride = options->model->inputs_bytes;
    bool done = false;
    if (tml_path_is_npy(binding->path)) {
        const tml_variable *terminal = binding->terminal;
        source->offset = terminal->offset;
        done = tml_npy_open(&source->npy, source->fd, source->name, terminal->type, stride);
    } else {
        Columns columns = tml_model_columns(options->model, TML_INPUT, binding->terminal);
        OtherColumns others = {options->model, options->strict_columns,
                               !is_given_before(options, binding), !binding->terminal};
        source->csv = tml_csv_rows_open(source->fd, source->name, columns, stride, others);
        done = source->csv != NULL;
    }
    if (!done) {
        tml_source_close(source);
    }
    return done;
}

void tml_source_close(Source *source) {
    if (source->csv) {
        tml_csv_rows_close(source->csv);
    }
    tml_npy_close(&source->npy);
    if (source->fd >= 0) {
        close(source->fd);
    }
    *source = (Source){.fd = -1};
}

bool tml_source_row_count(const Source *source, uint64_t *count) {
    *count = source->npy.count;
    return !source->csv;
}

size_t tml_source_read(Source *source, size_t limit, bool all, char *inputs) {
    return source->csv ? tml_csv_rows_read(source->csv, limit, all, inputs)
                       : tml_npy_read_rows(&source->npy, limit, inputs + source->offset);
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
