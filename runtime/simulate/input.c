#include "runtime/simulate/input.h"

#include "runtime/file/csv_rows.h"
#include "runtime/file/formats.h"
#include "runtime/file/npy_read.h"
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

bool source_open(Source *source, const Options *options, const Binding *binding) {
    *source = (Source){.fd = -1};
    if (!open_file(source, options, binding->path)) {
        return false;
    }
    size_t stride = options->model->inputs_bytes;
    if (tml_path_is_npy(binding->path)) {
        source->npy = npy_open(source->fd, source->name, binding->terminal->type, stride);
        if (source->npy) {
            source->row_count_known = true;
            source->offset = binding->terminal->offset;
            source->row_count = npy_row_count(source->npy);
        }
    } else {
        Columns columns = model_columns(options->model, TML_INPUT, binding->terminal);
        source->csv = csv_rows_open(source->fd, source->name, columns, stride);
    }
    if (!source->csv && !source->npy) {
        source_close(source);
        return false;
    }
    return true;
}

void source_close(Source *source) {
    if (source->csv) {
        csv_rows_close(source->csv);
    }
    if (source->npy) {
        npy_close(source->npy);
    }
    if (source->fd >= 0) {
        close(source->fd);
    }
    *source = (Source){.fd = -1};
}

size_t source_read(Source *source, size_t limit, bool all, char *inputs) {
    return source->csv ? csv_rows_read(source->csv, limit, all, inputs)
                       : npy_read_rows(source->npy, limit, inputs + source->offset);
}

bool source_report_failure(const Source *source) {
    return source->csv ? csv_rows_report_failure(source->csv) : npy_report_failure(source->npy);
}

const char *source_place(const Source *source, char text[SOURCE_PLACE_BYTES]) {
    if (source->csv) {
        Position position = csv_rows_position(source->csv);
        snprintf(text, SOURCE_PLACE_BYTES, "%.400s:%llu:%llu", source->name,
                 (unsigned long long)position.line, (unsigned long long)position.column);
    } else {
        snprintf(text, SOURCE_PLACE_BYTES, "%.400s", source->name);
    }
    return text;
}
