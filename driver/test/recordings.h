// What the tests of a program replay, for an executable that has no files.
#ifndef TMLC_DRIVER_TEST_RECORDINGS_H
#define TMLC_DRIVER_TEST_RECORDINGS_H

#include "driver/test/run.h"
#include "runtime/run/replay.h"
#include "tir/tir.h"

// A file.
typedef struct Recording {
    const char *port; // by which tests know it: two letters and its path
    Buffer rows;      // structs of inputs or outputs
    LIST_OF(Position) places;
    const char *failure; // what is wrong behind these rows; NULL: nothing
} Recording;

typedef LIST_OF(Recording) Recordings;

// Reads all of them.
Recordings recordings_read(Arena *arena, const TirProgram *program, const TestRun *run);
void recordings_free(Recordings *recordings);
// As C, for on_target.c.in.
void recordings_print(const Recordings *recordings, Buffer *out);

#endif
