// Two rows are held, the last one that has come and the one after it, which is read only when the
// first is older than the step, so that rows of a pipe are answered when they come. A row whose
// time is wrong is wrong as one with a bad cell is: the steps before it run.
#include "runtime/simulate/time_rows.h"

#include "runtime/abi/type.h"
#include "runtime/text/format_scalar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-9; // of a step

struct TimeRows {
    CsvRows *csv;
    const tml_variable *time;
    size_t bytes; // of a struct of inputs
    double dt;
    bool interpolates;
    bool has_now, has_next;
    char *now, *next; // rows
    uint64_t step;    // that is read next
    char memory[];
};

// The time stands behind the struct, aligned.
static size_t time_offset(size_t bytes) {
    return (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

size_t tml_time_rows_stride(size_t bytes) {
    return time_offset(bytes) + sizeof(double);
}

TimeRows *tml_time_rows_open(CsvRows *csv, const tml_variable *time, size_t bytes, double dt,
                             bool interpolate) {
    size_t stride = tml_time_rows_stride(bytes);
    TimeRows *rows = calloc(1, sizeof *rows + 2 * stride);
    if (rows) {
        tml_csv_rows_watch(csv, time);
        rows->csv = csv;
        rows->time = time;
        rows->bytes = bytes;
        rows->dt = dt;
        rows->interpolates = interpolate;
        rows->now = rows->memory;
        rows->next = rows->memory + stride;
    }
    return rows;
}

void tml_time_rows_start(TimeRows *rows, uint64_t step) {
    rows->step = step;
}

void tml_time_rows_close(TimeRows *rows) {
    free(rows);
}

static double time_of(const TimeRows *rows, const char *row) {
    double time;
    memcpy(&time, row + time_offset(rows->bytes), sizeof time);
    return time;
}

// How a message shows a time.
static const char *time_text(const TimeRows *rows, char text[TML_REAL_TEXT_BYTES + 1],
                             double time) {
    text[tml_format_scalar(text, rows->time->type, &time)] = '\0';
    return text;
}

// Reads a row; `before` is the one before it, or NULL. False at the end, and after a message.
static bool read_row(TimeRows *rows, char *row, const char *before) {
    if (tml_csv_rows_read(rows->csv, 1, true, row) == 0) {
        return false;
    }
    double time = time_of(rows, row);
    char now[TML_REAL_TEXT_BYTES + 1], last[TML_REAL_TEXT_BYTES + 1];
    TextReader *text = tml_csv_rows_text(rows->csv);
    Position at = tml_csv_rows_place(rows->csv);
    time_text(rows, now, time);
    if (!isfinite(time)) {
        tml_reader_fail(text, at, "`%s` in column `%s` is no time", now, rows->time->name);
        return false;
    }
    if (!before && time > ((double)rows->step + tolerance) * rows->dt) {
        double start = (double)rows->step * rows->dt;
        tml_reader_fail(text, at, "the first row is at the time %s; the first step is at %s", now,
                        rows->step == 0 ? "0" : time_text(rows, last, start));
        return false;
    }
    if (before && !(time > time_of(rows, before))) {
        tml_reader_fail(text, at, "the time %s is not after %s, that of the row before", now,
                        time_text(rows, last, time_of(rows, before)));
        return false;
    }
    return true;
}

// Makes `now` the last row that has come at the step. False at the end.
static bool advance(TimeRows *rows) {
    double step = (double)rows->step;
    if (!rows->has_now && !(rows->has_now = read_row(rows, rows->now, NULL))) {
        return false;
    }
    while (time_of(rows, rows->now) < (step - tolerance) * rows->dt) {
        if (!rows->has_next && !(rows->has_next = read_row(rows, rows->next, rows->now))) {
            return false;
        }
        if (time_of(rows, rows->next) > (step + tolerance) * rows->dt) {
            break;
        }
        char *row = rows->now;
        rows->now = rows->next;
        rows->next = row;
        rows->has_next = false;
    }
    return true;
}

static void interpolate(const TimeRows *rows, const Column *column, double time, char *place) {
    const tml_type *type = column->terminal->type;
    double from = tml_scalar_load(type, rows->now + column->offset);
    double to = tml_scalar_load(type, rows->next + column->offset);
    double start = time_of(rows, rows->now), end = time_of(rows, rows->next);
    tml_scalar_store(type, place, (to - from) / (end - start) * (time - start) + from);
}

// The values of the step; other columns of the inputs are of other sources.
static void give(const TimeRows *rows, char *inputs) {
    const Columns *columns = tml_csv_rows_columns(rows->csv);
    double time = (double)rows->step * rows->dt;
    bool between = rows->interpolates &&
                   time_of(rows, rows->now) < ((double)rows->step - tolerance) * rows->dt;
    for (size_t i = 0; i < columns->count; i++) {
        const Column *column = &columns->items[i];
        const tml_variable *terminal = column->terminal;
        if (!terminal || terminal == rows->time) {
            continue;
        }
        char *place = inputs + column->offset;
        if (between && terminal->type->root == TML_REAL) {
            interpolate(rows, column, time, place);
        } else {
            memcpy(place, rows->now + column->offset, tml_scalar_bytes(terminal->type));
        }
    }
}

size_t tml_time_rows_read(TimeRows *rows, size_t limit, bool all, char *inputs) {
    size_t count = 0;
    while (count < limit && (all || count == 0 || !tml_csv_rows_would_wait(rows->csv)) &&
           advance(rows)) {
        give(rows, inputs + count * rows->bytes);
        rows->step++;
        count++;
    }
    return count;
}
