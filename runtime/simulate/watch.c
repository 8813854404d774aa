// Elements of a variable that follow one another are one part. A run that watches the state calls
// the model's functions step by step; the state may be looked at only between them.
#include "runtime/simulate/watch.h"

#include "runtime/abi/type.h"

#include <stdlib.h>
#include <string.h>

bool tml_watch_add(Watch *watch, Columns *columns) {
    WatchPart *parts = realloc(watch->parts, (watch->count + columns->count + 1) * sizeof *parts);
    if (!parts) {
        return false;
    }
    watch->parts = parts;
    for (size_t i = 0; i < columns->count; i++) {
        Column *column = &columns->items[i];
        if (column_place(column) != PLACE_WATCH) {
            continue;
        }
        size_t bytes = tml_scalar_bytes(column->terminal->type);
        bool is_debug = column->terminal->role == TML_DEBUG;
        WatchPart *last = watch->count > 0 ? &parts[watch->count - 1] : NULL;
        if (last && last->offset + last->bytes == column->offset && last->is_debug == is_debug &&
            last->row_offset + last->bytes == watch->row_bytes) {
            last->bytes += bytes;
        } else {
            parts[watch->count++] = (WatchPart){column->offset, bytes, watch->row_bytes, is_debug};
        }
        column->offset = watch->row_bytes;
        watch->row_bytes += bytes;
    }
    return true;
}

void tml_watch_free(Watch *watch) {
    free(watch->parts);
}

static void copy(const Watch *watch, const char *state, char *row, bool debug) {
    for (size_t i = 0; i < watch->count; i++) {
        const WatchPart *part = &watch->parts[i];
        if (part->is_debug == debug) {
            memcpy(row + part->row_offset, state + part->offset, part->bytes);
        }
    }
}

tml_status tml_watch_run(const Watch *watch, const tml_model *model, void *state,
                         const void *params, const Rows *rows, size_t count, size_t *done) {
    for (*done = 0; *done < count; ++*done) {
        const char *inputs = rows->first[PLACE_INPUTS] + *done * rows->stride[PLACE_INPUTS];
        char *outputs = (char *)rows->first[PLACE_OUTPUTS] + *done * rows->stride[PLACE_OUTPUTS];
        char *row = (char *)rows->first[PLACE_WATCH] + *done * rows->stride[PLACE_WATCH];
        tml_status status = model->output(state, params, inputs, outputs);
        copy(watch, state, row, false);
        status = status == TML_OK ? model->update(state, params, inputs, outputs) : status;
        if (status != TML_OK) {
            return status;
        }
        copy(watch, state, row, true);
    }
    return TML_OK;
}
