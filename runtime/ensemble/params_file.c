// The columns are read as those of inputs are (csv_rows.h): all properties may be missing, and a
// column that is none is refused.
#include "runtime/ensemble/params_file.h"

#include "runtime/file/csv_rows.h"
#include "runtime/file/open_file.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROWS = 256 };

// Reads up to `limit` rows, or all of them; stores how many there are.
static bool read_rows(const Options *options, CsvRows *csv, uint64_t limit, char **rows,
                      uint64_t *count) {
    size_t bytes = options->model->params_bytes, capacity = 0;
    *count = 0;
    while (*count < limit) {
        if (*count == capacity) {
            size_t more = capacity > 0 ? 2 * capacity : FIRST_ROWS;
            char *grown =
                more <= SIZE_MAX / 2 / (bytes + 1) ? realloc(*rows, more * bytes + 1) : NULL;
            if (!grown) {
                tml_report(options->command, "cannot get memory");
                return false;
            }
            for (size_t i = capacity; i < more; i++) {
                memcpy(grown + i * bytes, options->params, bytes);
            }
            *rows = grown;
            capacity = more;
        }
        size_t room = capacity - *count;
        size_t got = tml_csv_rows_read(csv, limit - *count < room ? limit - *count : room, true,
                                       *rows + *count * bytes);
        *count += got;
        if (got == 0) {
            break;
        }
    }
    return !tml_csv_rows_report_failure(csv);
}

// A property has one value: of --set, of the file, or random.
static bool is_free(const Options *options, const tml_variable *property) {
    const Ensemble *ensemble = &options->ensemble;
    const char *other = options->set[property - options->model->variables] ? "--set" : NULL;
    for (size_t i = 0; i < ensemble->sample_count && !other; i++) {
        other = ensemble->samples[i].property == property ? "--sample" : NULL;
    }
    if (other) {
        tml_report(options->command, "`%s` is given by `%s` and by `%s`", property->name, other,
                   ensemble->params);
    }
    return !other;
}

static bool note_columns(const Options *options, const Columns *columns, bool *varies) {
    for (size_t i = 0; i < columns->count; i++) {
        const tml_variable *property = columns->items[i].terminal;
        bool *mark = &varies[property - options->model->variables];
        if (!*mark && !is_free(options, property)) {
            return false;
        }
        *mark = true;
    }
    return true;
}

bool tml_params_read(const Options *options, char **rows, uint64_t *runs, bool *varies) {
    const char *path = options->ensemble.params;
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    uint64_t wanted = *runs;
    if (tml_model_count(options->model, TML_PARAM) == 0) {
        tml_report(options->command, "`--params`: this model has no tunable properties");
        return false;
    }
    int fd = is_stdin ? dup(STDIN_FILENO) : tml_open(path, O_RDONLY);
    if (fd < 0) {
        tml_report(options->command, "cannot open `%s`: %s", path, strerror(errno));
        return false;
    }
    CsvRows *csv = tml_csv_rows_open(
        fd, name, tml_model_columns(options->model, TML_PARAM, NULL), options->model->params_bytes,
        (OtherColumns){.model = options->model, .refused = true, .may_lack_defaults = true});
    bool done = csv && note_columns(options, tml_csv_rows_columns(csv), varies) &&
                read_rows(options, csv, wanted > 0 ? wanted : UINT64_MAX, rows, runs);
    if (csv) {
        tml_csv_rows_close(csv);
    }
    close(fd);
    if (done && *runs < wanted) {
        return tml_report_file(name, "%llu rows, `--runs` asks for %llu", (unsigned long long)*runs,
                               (unsigned long long)wanted);
    }
    if (done && *runs == 0) {
        return tml_report_file(name, "the file has no rows, which would be the runs");
    }
    return done;
}
