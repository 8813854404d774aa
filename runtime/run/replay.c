// A file is opened when its first row is asked for, and closed behind the last one, so that another
// replay of it begins anew.
#include "runtime/run/replay.h"

#include "runtime/abi/type.h"
#include "runtime/file/open_file.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void close_file(ReplayFile *file) {
    if (file->rows != NULL) {
        tml_csv_rows_close(file->rows);
    }
    if (file->path != NULL && file->fd >= 0) {
        close(file->fd);
    }
    free(file->path);
    free(file->row);
    *file = (ReplayFile){0};
}

static bool open_file(Replay *replay, ReplayFile *file, tml_role role, const char *path) {
    const tml_model *model = replay->model;
    size_t bytes = role == TML_INPUT ? model->inputs_bytes : model->outputs_bytes;
    Columns columns = tml_model_columns(model, role, NULL);
    file->path = strdup(path);
    file->row = calloc(1, bytes);
    file->fd = file->path == NULL ? -1 : tml_open(path, O_RDONLY);
    if (columns.items == NULL || file->path == NULL || file->row == NULL || file->fd < 0) {
        tml_report(replay->command, "cannot open `%s`: %s", path, strerror(errno));
        free(columns.items);
        return false;
    }
    if (role == TML_INPUT && model->inputs_defaults != NULL) {
        memcpy(file->row, model->inputs_defaults, bytes);
    }
    OtherColumns others = {.model = model, .may_lack_defaults = true};
    file->rows = tml_csv_rows_open(file->fd, file->path, columns, bytes, others);
    return file->rows != NULL;
}

// Whether there is another row.
static bool next_row(Replay *replay, ReplayFile *file, tml_role role, const char *path,
                     bool *is_there) {
    if (file->rows == NULL && !open_file(replay, file, role, path)) {
        close_file(file);
        return false;
    }
    file->line = tml_csv_rows_position(file->rows);
    *is_there = tml_csv_rows_read(file->rows, 1, true, file->row) == 1;
    bool failed = !*is_there && tml_csv_rows_report_failure(file->rows);
    if (!*is_there) {
        close_file(file);
    }
    return !failed;
}

bool tml_replay_input(Replay *replay, const char *name, const tml_type *type, void *data) {
    if (replay->model->kind == TML_PROGRAM) {
        tml_report(replay->command, "there is no file for the input `%s` in a test", name);
        return false;
    }
    tml_role role = name[0] == 'i' ? TML_INPUT : TML_OUTPUT;
    ReplayFile *file = role == TML_INPUT ? &replay->inputs : &replay->outputs;
    const char *of = name + 2;
    if (name[1] == 'r') {
        bool is_there = false;
        bool done = next_row(replay, file, role, of, &is_there);
        tml_scalar_store(type, data, is_there);
        return done;
    }
    const tml_variable *terminal = tml_model_variable(replay->model, role, of, strlen(of));
    memcpy(data, file->row + terminal->offset, tml_type_numel(type) * tml_scalar_bytes(type));
    return true;
}

static void report_row(const ReplayFile *file) {
    if (file->rows != NULL) {
        tml_report_note(file->path, file->line.line, file->line.column, "in this row");
    }
}

void tml_replay_report_rows(const Replay *replay) {
    report_row(&replay->inputs);
    report_row(&replay->outputs);
}

void tml_replay_close(Replay *replay) {
    close_file(&replay->inputs);
    close_file(&replay->outputs);
}
