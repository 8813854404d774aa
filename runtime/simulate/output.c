// Rows collect in a buffer, which is handed over up to its last whole row. `written` and `whole`
// say after a failure where to cut the file, and how many rows a .npy header counts.
#include "runtime/simulate/output.h"

#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/file/npy.h"
#include "runtime/file/open_file.h"
#include "runtime/file/strided.h"
#include "runtime/file/writer.h"
#include "runtime/run/report.h"
#include "runtime/text/format_scalar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 17 };

// `error` is an errno.
static bool fail(Sink *sink, int error) {
    if (sink->failed) {
        return false;
    }
    sink->failed = true;
    if (sink->progress) {
        tml_progress_end(sink->progress);
    }
    if (sink->path) {
        tml_report(sink->command, "cannot write `%s`: %s", sink->path, strerror(error));
    } else {
        tml_report_output(sink->command, error);
    }
    return false;
}

// The variable whose elements begin at the column, all of them, or NULL: the element stands alone.
static const tml_variable *whole_variable(const Columns *columns, size_t first) {
    const tml_variable *variable = columns->items[first].terminal;
    uint64_t numel = tml_type_numel(variable->type);
    bool is_whole = columns->count - first >= numel;
    for (uint64_t element = 0; element < numel && is_whole; element++) {
        const Column *column = &columns->items[first + element];
        is_whole = column->terminal == variable && column->element == element;
    }
    return is_whole ? variable : NULL;
}

// The columns of the variable that begins there; 1 for an element that stands alone.
static size_t column_span(const Columns *columns, size_t first) {
    const tml_variable *whole = whole_variable(columns, first);
    return whole ? tml_type_numel(whole->type) : 1;
}

static bool add_fields(Sink *sink) {
    const Columns *columns = &sink->columns;
    sink->fields = malloc((columns->count + 1) * sizeof *sink->fields);
    if (!sink->fields) {
        return false;
    }
    for (size_t i = 0, span; i < columns->count; i += span) {
        const Column *column = &columns->items[i];
        span = column_span(columns, i);
        size_t bytes = span * tml_scalar_bytes(column->terminal->type);
        sink->fields[sink->field_count++] = (Field){column_place(column), column->offset, bytes};
        sink->row_bytes += bytes;
    }
    return true;
}

static const char *space_of(const Sink *sink, const Column *column) {
    return sink->has_state ? tml_model_column_space(sink->model, column) : "";
}

// The header of a .npy file, or 0 when there is no room for it.
static size_t format_header(const Sink *sink, char bytes[TML_NPY_HEADER_BYTES], uint64_t rows) {
    const Columns *columns = &sink->columns;
    if (sink->terminal) {
        return tml_npy_format_header(bytes, sink->terminal->type, &rows);
    }
    NpyRecord record;
    tml_npy_record_begin(&record);
    for (size_t i = 0; i < columns->count; i += column_span(columns, i)) {
        char name[COLUMN_NAME_BYTES + COLUMN_INDEX_BYTES], indices[COLUMN_INDEX_BYTES];
        const Column *column = &columns->items[i];
        bool is_whole = whole_variable(columns, i) != NULL;
        snprintf(name, sizeof name, "%s%s%s", space_of(sink, column), column->terminal->name,
                 is_whole ? "" : tml_model_column_indices(indices, column));
        tml_npy_record_add(&record, name, column->terminal->type, is_whole);
    }
    return tml_npy_record_format(bytes, &record, &rows);
}

bool tml_sink_prepare(Sink *sink, const Options *options, const char *path,
                      const tml_variable *terminal, Columns columns) {
    *sink = (Sink){.model = options->model, .command = options->command, .fd = -1};
    sink->terminal = terminal;
    sink->columns = columns;
    sink->has_state = tml_columns_have_state(&columns);
    sink->path = path && strcmp(path, "-") != 0 ? path : NULL;
    sink->npy = sink->path && tml_path_is_npy(sink->path);
    sink->buffer = malloc(BUFFER_BYTES);
    if (!sink->buffer || !columns.items || (sink->npy && !add_fields(sink))) {
        return fail(sink, ENOMEM);
    }
    if (sink->npy && format_header(sink, (char[TML_NPY_HEADER_BYTES]){0}, 0) == 0) {
        tml_report(sink->command,
                   "`%s`: a .npy file has no room for the names of so many signals; write CSV",
                   sink->path);
        sink->failed = true;
    }
    return !sink->failed;
}

// A descriptor of what stands at the path or is created there. -1 with errno.
static int open_path(Sink *sink) {
    struct stat old;
    if (!sink->path) {
        return dup(STDOUT_FILENO);
    }
    if (stat(sink->path, &old) == 0) {
        int stream = tml_standard_stream(&old);
        return stream >= 0 ? dup(stream) : tml_open(sink->path, O_WRONLY);
    }
    int fd = tml_open(sink->path, O_WRONLY | O_CREAT | O_EXCL);
    sink->created = fd >= 0;
    if (fd < 0 && errno == EEXIST) { // a symbolic link that leads nowhere yet
        fd = tml_open(sink->path, O_WRONLY | O_CREAT);
    }
    return fd;
}

bool tml_sink_open(Sink *sink) {
    struct stat file;
    sink->fd = open_path(sink);
    if (sink->fd < 0 || fstat(sink->fd, &file) != 0) {
        return fail(sink, errno);
    }
    sink->regular = S_ISREG(file.st_mode);
    if (sink->npy && !sink->regular) {
        tml_report(sink->command,
                   "cannot write `%s`: the header of a .npy file is written last, which needs a "
                   "regular file",
                   sink->path);
        sink->failed = true;
        return false;
    }
    return true;
}

// Counts the rows in the header of a .npy file.
static bool count_rows(Sink *sink) {
    char bytes[TML_NPY_HEADER_BYTES];
    off_t data = sink->start + (off_t)sink->header_bytes;
    if (!sink->npy || sink->whole < data) {
        return true;
    }
    uint64_t rows = (uint64_t)(sink->whole - data) / sink->row_bytes;
    size_t count = format_header(sink, bytes, rows);
    for (size_t done = 0; done < count;) {
        ssize_t put = pwrite(sink->fd, bytes + done, count - done, sink->start + (off_t)done);
        if (put < 0 && errno != EINTR) {
            return fail(sink, errno);
        }
        done += put < 0 ? 0 : (size_t)put;
    }
    return true;
}

// How many of the buffer's first `count` bytes end with a whole row or the header.
static size_t whole_bytes(const Sink *sink, size_t count) {
    if (!sink->npy) {
        while (count > 0 && sink->buffer[count - 1] != '\n') {
            count--;
        }
        return count;
    }
    uint64_t before = (uint64_t)(sink->written - sink->start);
    uint64_t end = before + count;
    if (end < sink->header_bytes) {
        return 0;
    }
    uint64_t torn = (end - sink->header_bytes) % sink->row_bytes;
    return torn < count ? count - (size_t)torn : 0;
}

// After a write that failed: no part of a row stays in a regular file. When that fails too, nothing
// more can be done; the write's failure is told.
static void keep_whole_rows(Sink *sink) {
    if (sink->regular && sink->written > sink->whole && ftruncate(sink->fd, sink->whole) == 0) {
        lseek(sink->fd, sink->whole, SEEK_SET);
    }
    count_rows(sink);
}

// Hands the buffer's first `count` bytes to the system; the others move to its beginning.
static bool hand_over(Sink *sink, size_t count) {
    int error = 0;
    size_t done = tml_write_all(sink->fd, sink->buffer, count, &error);
    size_t whole = done == count ? sink->row_end : whole_bytes(sink, done);
    off_t counted = sink->whole;
    if (whole > 0) {
        sink->whole = sink->written + (off_t)whole;
    }
    sink->written += (off_t)done;
    if (error != 0) {
        fail(sink, error);
        keep_whole_rows(sink);
        return false;
    }
    if (whole > 0 && !count_rows(sink)) {
        sink->whole = counted;
        keep_whole_rows(sink);
        return false;
    }
    memmove(sink->buffer, sink->buffer + count, sink->used - count);
    sink->used -= count;
    sink->row_end = 0;
    return true;
}

// Makes room for `count` bytes. Writes end with rows, unless one fills the buffer.
static bool make_room(Sink *sink, size_t count) {
    while (BUFFER_BYTES - sink->used < count) {
        if (!hand_over(sink, sink->row_end > 0 ? sink->row_end : sink->used)) {
            return false;
        }
    }
    return true;
}

static bool put(Sink *sink, const char *bytes, size_t count) {
    while (count > 0) {
        size_t part = count < BUFFER_BYTES ? count : BUFFER_BYTES;
        if (!make_room(sink, part)) {
            return false;
        }
        memcpy(sink->buffer + sink->used, bytes, part);
        sink->used += part;
        bytes += part;
        count -= part;
    }
    return true;
}

static bool put_text(Sink *sink, const char *text) {
    return put(sink, text, strlen(text));
}

static bool put_names(Sink *sink) {
    char indices[COLUMN_INDEX_BYTES];
    for (size_t i = 0; i < sink->columns.count; i++) {
        const Column *column = &sink->columns.items[i];
        const char *space = space_of(sink, column);
        if (!put_text(sink, i > 0 ? "," : "") || !put_text(sink, space) ||
            !put_text(sink, column->terminal->name) ||
            !put_text(sink, tml_model_column_indices(indices, column))) {
            return false;
        }
    }
    return put(sink, "\n", 1);
}

static bool put_npy_header(Sink *sink) {
    char bytes[TML_NPY_HEADER_BYTES];
    sink->header_bytes = format_header(sink, bytes, 0);
    return put(sink, bytes, sink->header_bytes);
}

bool tml_sink_start(Sink *sink) {
    struct stat file;
    if (sink->regular && sink->path && fstat(sink->fd, &file) == 0 &&
        tml_standard_stream(&file) < 0 && ftruncate(sink->fd, 0) != 0) {
        return fail(sink, errno);
    }
    sink->started = true;
    if (sink->regular) {
        bool appends = (fcntl(sink->fd, F_GETFL) & O_APPEND) != 0;
        sink->start = lseek(sink->fd, 0, appends ? SEEK_END : SEEK_CUR);
    }
    sink->whole = sink->written = sink->start;
    bool done = sink->npy ? put_npy_header(sink) : put_names(sink);
    sink->row_end = sink->used;
    return done;
}

static bool write_csv_row(Sink *sink, const Rows *rows, size_t step) {
    enum { CELL_BYTES = TML_REAL_TEXT_BYTES + 1 };
    for (size_t i = 0; i < sink->columns.count; i++) {
        const Column *column = &sink->columns.items[i];
        if (BUFFER_BYTES - sink->used < CELL_BYTES && !make_room(sink, CELL_BYTES)) {
            return false;
        }
        char *cell = sink->buffer + sink->used;
        size_t len = tml_format_scalar(cell, column->terminal->type, column_at(rows, column, step));
        cell[len] = ',';
        sink->used += len + 1;
    }
    sink->buffer[sink->used - 1] = '\n'; // instead of the last comma
    sink->row_end = sink->used;
    return true;
}

static bool write_npy_rows(Sink *sink, const char *member, size_t stride, size_t count) {
    while (count > 0) {
        size_t part = 1;
        if (sink->row_bytes >= BUFFER_BYTES) {
            if (!put(sink, member, sink->row_bytes)) {
                return false;
            }
        } else if (make_room(sink, sink->row_bytes)) {
            size_t room = (BUFFER_BYTES - sink->used) / sink->row_bytes;
            part = count < room ? count : room;
            strided_copy(sink->buffer + sink->used, sink->row_bytes, member, stride,
                         sink->row_bytes, part);
            sink->used += part * sink->row_bytes;
        } else {
            return false;
        }
        sink->row_end = sink->used;
        member += part * stride;
        count -= part;
    }
    return true;
}

// Fields side by side, row by row.
static bool write_records(Sink *sink, const Rows *rows, size_t first, size_t end, size_t every) {
    for (size_t step = first; step < end; step += every) {
        for (size_t i = 0; i < sink->field_count; i++) {
            const Field *field = &sink->fields[i];
            const char *row = rows->first[field->place] + step * rows->stride[field->place];
            if (!put(sink, row + field->offset, field->bytes)) {
                return false;
            }
        }
        sink->row_end = sink->used;
    }
    return true;
}

bool tml_sink_write(Sink *sink, const Rows *rows, size_t first, size_t end, size_t every) {
    if (sink->npy && sink->field_count == 1 && first < end) {
        const Field *field = &sink->fields[0];
        size_t stride = rows->stride[field->place];
        const char *member = rows->first[field->place] + first * stride + field->offset;
        return write_npy_rows(sink, member, stride * every, (end - 1 - first) / every + 1);
    }
    if (sink->npy) {
        return write_records(sink, rows, first, end, every);
    }
    for (size_t step = first; step < end; step += every) {
        if (!write_csv_row(sink, rows, step)) {
            return false;
        }
    }
    return true;
}

bool tml_sink_flush(Sink *sink) {
    return !sink->failed && (sink->row_end == 0 || hand_over(sink, sink->row_end));
}

bool tml_sink_close(Sink *sink) {
    if (sink->fd >= 0) {
        if (sink->started && !sink->failed) {
            tml_sink_flush(sink);
        }
        // Closing reports what some file systems find out only then.
        if (close(sink->fd) != 0 && errno != EINTR) {
            fail(sink, errno);
        }
        if (sink->created && !sink->started) {
            unlink(sink->path);
        }
    }
    bool done = !sink->failed;
    free(sink->columns.items);
    free(sink->fields);
    free(sink->buffer);
    *sink = (Sink){.fd = -1};
    return done;
}
