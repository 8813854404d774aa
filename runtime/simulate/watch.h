// What is looked at inside a model while it runs: the parts of its state that some file or picture
// shows, copied into a row for each step.
#ifndef TML_RUNTIME_SIMULATE_WATCH_H
#define TML_RUNTIME_SIMULATE_WATCH_H

#include "runtime/simulate/columns.h"

typedef struct WatchPart {
    size_t offset, bytes; // in the state
    size_t row_offset;
    bool is_debug;
} WatchPart;

typedef struct Watch {
    size_t row_bytes;
    size_t count;
    WatchPart *parts; // from malloc
} Watch;

// The columns of the state among these are read from the watch's rows from now on. False when there
// is no memory.
bool tml_watch_add(Watch *watch, Columns *columns);
void tml_watch_free(Watch *watch);

// Runs `count` steps as step_n does and fills the watch's rows: variables as they are when the
// outputs are (L10.4), debug signals as the whole cycle left them (L10.11). Stores how many steps
// have finished.
tml_status tml_watch_run(const Watch *watch, const tml_model *model, void *state,
                         const void *params, const Rows *rows, size_t count, size_t *done);

#endif
