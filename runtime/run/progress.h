// How far a long run is, on a terminal's standard error.
#ifndef TML_RUNTIME_RUN_PROGRESS_H
#define TML_RUNTIME_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    bool enabled;       // standard error is a terminal and standard output shows no rows on one
    bool shown;         // a line stands there
    double start, last; // seconds
    uint64_t total;     // steps, or UINT64_MAX when nobody knows
    const char *unit;   // "steps"
} Progress;

// Seconds on a clock that never goes back.
double tml_progress_clock(void);
void tml_progress_start(Progress *progress, uint64_t total, bool enabled);
// Shows the state when the run is long and it is time again.
void tml_progress_update(Progress *progress, uint64_t done, double now);
// Removes the line; to be called before anything else is said.
void tml_progress_end(Progress *progress);

#endif
