// From the columns to plot to the file: what is kept of them is in curves.h, what shares axes in
// panels.h, and what gnuplot is told in picture.h.
#include "runtime/simulate/plot.h"

#include "runtime/abi/type.h"
#include "runtime/file/open_file.h"
#include "runtime/run/report.h"
#include "runtime/simulate/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Plot {
    const Options *options;
    size_t wanted; // curves, of which the first CURVE_LIMIT are drawn
    Curves curves;
};

// Whether the search path has the program.
static bool is_installed(const char *program) {
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path != '\0') {
        size_t len = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)len, path, program);
        struct stat found;
        if (len > 0 && access(file, X_OK) == 0 && stat(file, &found) == 0 &&
            S_ISREG(found.st_mode)) {
            return true;
        }
        path += len + (path[len] == ':');
    }
    return false;
}

// Those of the groups of --plot, or all outputs, then all inputs.
static bool collect_columns(const Options *options, Columns *columns) {
    bool done = true;
    for (size_t group = 0; group < options->group_count && done; group++) {
        const Columns *from = &options->groups[group];
        Column *items = realloc(columns->items, (columns->count + from->count) * sizeof *items);
        done = items != NULL;
        columns->items = done ? items : columns->items;
        for (size_t i = 0; i < from->count && done; i++) {
            columns->items[columns->count++] = from->items[i];
        }
    }
    for (int pass = 0; pass < 2 && options->group_count == 0; pass++) {
        tml_role role = pass == 0 ? TML_OUTPUT : TML_INPUT;
        for (size_t i = 0; i < options->model->variable_count && done; i++) {
            const tml_variable *variable = &options->model->variables[i];
            done = variable->role != role ||
                   tml_columns_add(columns, variable, 0, tml_type_numel(variable->type));
        }
    }
    return done;
}

Plot *tml_plot_open(const Options *options) {
    if (!is_installed("gnuplot")) {
        tml_report(options->command, "`--plot` needs the program gnuplot, which is not installed; "
                                     "install the package gnuplot");
        return NULL;
    }
    Plot *plot = calloc(1, sizeof *plot);
    Columns columns = {0};
    bool done = plot && collect_columns(options, &columns);
    size_t wanted = columns.count;
    columns.count = wanted < CURVE_LIMIT ? wanted : CURVE_LIMIT;
    if (done && wanted > 0 && tml_curves_open(&plot->curves, columns)) {
        plot->options = options;
        plot->wanted = wanted;
        return plot;
    }
    tml_report(options->command, done && wanted == 0
                                     ? "this model has no inputs and outputs to plot"
                                     : "cannot get memory");
    free(columns.items);
    free(plot);
    return NULL;
}

void tml_plot_free(Plot *plot) {
    if (plot) {
        tml_curves_free(&plot->curves);
        free(plot);
    }
}

Columns *tml_plot_columns(Plot *plot) {
    return &plot->curves.columns;
}

void tml_plot_start(Plot *plot, uint64_t step) {
    plot->curves.first = step;
}

void tml_plot_add(Plot *plot, const Rows *rows, size_t count) {
    tml_curves_add(&plot->curves, rows, count);
}

static Panels group(const Plot *plot) {
    const Options *options = plot->options;
    size_t sizes[PANEL_LIMIT], left = plot->curves.columns.count, count = 0;
    for (size_t i = 0; i < options->group_count && left > 0; i++) {
        size_t wanted = options->groups[i].count;
        sizes[count] = wanted < left ? wanted : left;
        left -= sizes[count++];
    }
    return count > 0 ? tml_panels_by_groups(&plot->curves, sizes, count)
                     : tml_panels_by_magnitude(&plot->curves);
}

// Runs gnuplot. Returns NULL, or what to say.
static const char *run_gnuplot(const Plot *plot, const char *file) {
    Picture picture = {
        .model = plot->options->model,
        .curves = &plot->curves,
        .panels = group(plot),
        .dt = plot->options->dt,
        .is_png = tml_path_ends_in(plot->options->plot, ".png"),
        .file = file,
    };
    FILE *script = popen("exec gnuplot >/dev/null", "w");
    if (!script) {
        return strerror(errno);
    }
    tml_picture_write(&picture, script);
    bool written = fflush(script) == 0 && ferror(script) == 0;
    return pclose(script) == 0 && written ? NULL : "gnuplot failed";
}

bool tml_plot_draw(Plot *plot) {
    const char *path = plot->options->plot;
    size_t size = strlen(path) + 64;
    char *part = malloc(size);
    const char *wrong = "cannot get memory";
    if (part) {
        snprintf(part, size, "%s.%ld.part", path, (long)getpid());
        wrong = run_gnuplot(plot, part);
        if (!wrong && rename(part, path) != 0) {
            wrong = strerror(errno);
        }
        if (wrong) {
            unlink(part);
        }
    }
    free(part);
    if (wrong) {
        tml_report(plot->options->command, "cannot plot to `%s`: %s", path, wrong);
    } else if (plot->wanted > CURVE_LIMIT) {
        tml_report(plot->options->command, "`%s` shows the first %d of %zu signals", path,
                   CURVE_LIMIT, plot->wanted);
    }
    return !wrong;
}
