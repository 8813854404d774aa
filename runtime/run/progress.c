// One line that is written over itself, at most five times a second, of runs that take seconds.
#include "runtime/run/progress.h"

#include <stdio.h>
#include <time.h>

static const double first_after = 2.0; // seconds; shorter runs say nothing
static const double again_after = 0.2;

double tml_progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void tml_progress_start(Progress *progress, uint64_t total, bool enabled) {
    double now = tml_progress_clock();
    *progress =
        (Progress){.enabled = enabled, .start = now, .last = now, .total = total, .unit = "steps"};
}

void tml_progress_update(Progress *progress, uint64_t done, double now) {
    double elapsed = now - progress->start;
    if (!progress->enabled || elapsed < first_after || now - progress->last < again_after) {
        return;
    }
    progress->last = now;
    progress->shown = true;
    if (progress->total == UINT64_MAX || done == 0) {
        fprintf(stderr, "\r%llu %s\033[K", (unsigned long long)done, progress->unit);
        return;
    }
    double part = (double)done / (double)progress->total;
    fprintf(stderr, "\r%.1f%%, %llu of %llu %s, %.0f s left\033[K", part * 100,
            (unsigned long long)done, (unsigned long long)progress->total, progress->unit,
            elapsed / part - elapsed);
}

void tml_progress_end(Progress *progress) {
    if (progress->shown) {
        fprintf(stderr, "\r\033[K");
        progress->shown = false;
    }
}
