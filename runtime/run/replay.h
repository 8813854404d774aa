// The files that a test replays: rows of inputs, and of the outputs that they should give.
#ifndef TML_RUNTIME_RUN_REPLAY_H
#define TML_RUNTIME_RUN_REPLAY_H

#include "runtime/file/csv_rows.h"

// Of one role; with no file open all is zero.
typedef struct ReplayFile {
    char *path;
    int fd;
    CsvRows *rows;
    char *row;     // a struct of the role
    Position line; // where the row stands in the file
} ReplayFile;

typedef struct Replay {
    const tml_model *model;
    const char *command;
    ReplayFile inputs, outputs;
} Replay;

// A port of a test (sema/builtin/test.c, Note [Ports of a replay]). False after saying what failed.
bool tml_replay_input(Replay *replay, const char *name, const tml_type *type, void *data);
// Notes which rows are at hand.
void tml_replay_report_rows(const Replay *replay);
void tml_replay_close(Replay *replay);

#endif
