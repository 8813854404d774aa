// Each curve keeps the least and the greatest value of up to BUCKETS stretches of equal length,
// which double when they are full: at the width of a picture that looks as all points would.
#include "runtime/simulate/plot.h"

#include "runtime/abi/type.h"
#include "runtime/file/open_file.h"
#include "runtime/run/report.h"
#include "runtime/simulate/columns.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUCKETS = 2048, CURVES = 24 };

typedef struct Bucket {
    double least, greatest;
    uint64_t least_step, greatest_step;
} Bucket;

struct Plot {
    const Options *options;
    Columns columns;
    size_t curves;              // that are drawn, the first of the columns
    uint64_t steps;             // so far
    uint64_t width;             // steps of a bucket
    Bucket (*buckets)[BUCKETS]; // of each curve
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

Plot *tml_plot_open(const Options *options) {
    if (!is_installed("gnuplot")) {
        tml_report(options->command, "`--plot` needs the program gnuplot, which is not installed; "
                                     "install the package gnuplot");
        return NULL;
    }
    Columns columns = tml_model_columns(options->model, TML_OUTPUT, NULL);
    Plot *plot = calloc(1, sizeof *plot);
    size_t curves = columns.count < CURVES ? columns.count : CURVES;
    Bucket(*buckets)[BUCKETS] = calloc(curves + 1, sizeof *buckets);
    if (!columns.items || !plot || !buckets || curves == 0) {
        tml_report(options->command,
                   curves > 0 ? "cannot get memory" : "this model has no outputs to plot");
        free(columns.items);
        free(plot);
        free(buckets);
        return NULL;
    }
    *plot = (Plot){
        .options = options, .columns = columns, .curves = curves, .width = 1, .buckets = buckets};
    return plot;
}

void tml_plot_free(Plot *plot) {
    if (plot) {
        free(plot->columns.items);
        free(plot->buckets);
        free(plot);
    }
}

// A number wins against nan and infinities, which are not drawn.
static void merge(Bucket *into, const Bucket *other) {
    if (!isfinite(into->least) || other->least < into->least) {
        into->least = other->least;
        into->least_step = other->least_step;
    }
    if (!isfinite(into->greatest) || other->greatest > into->greatest) {
        into->greatest = other->greatest;
        into->greatest_step = other->greatest_step;
    }
}

static void halve(Plot *plot) {
    for (size_t curve = 0; curve < plot->curves; curve++) {
        Bucket *buckets = plot->buckets[curve];
        for (size_t i = 0; i < BUCKETS / 2; i++) {
            buckets[i] = buckets[2 * i];
            merge(&buckets[i], &buckets[2 * i + 1]);
        }
    }
    plot->width *= 2;
}

static void add_step(Plot *plot, const Rows *rows, size_t step_of_rows) {
    if (plot->steps / plot->width == BUCKETS) {
        halve(plot);
    }
    size_t index = (size_t)(plot->steps / plot->width);
    bool first = plot->steps % plot->width == 0;
    for (size_t curve = 0; curve < plot->curves; curve++) {
        const Column *column = &plot->columns.items[curve];
        double value =
            tml_scalar_load(column->terminal->type, column_at(rows, column, step_of_rows));
        value = isfinite(value) ? value : NAN;
        Bucket step = {value, value, plot->steps, plot->steps};
        Bucket *bucket = &plot->buckets[curve][index];
        if (first) {
            *bucket = step;
        } else {
            merge(bucket, &step);
        }
    }
    plot->steps++;
}

void tml_plot_add(Plot *plot, const Rows *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        add_step(plot, rows, i);
    }
}

// In gnuplot's single quotes, where a quote is two.
static void write_quoted(FILE *script, const char *text) {
    fputc('\'', script);
    for (; *text != '\0'; text++) {
        fputs(*text == '\'' ? "''" : (char[]){*text, '\0'}, script);
    }
    fputc('\'', script);
}

static void write_point(FILE *script, uint64_t step, double value) {
    if (isnan(value)) {
        fputc('\n', script); // interrupts the curve
    } else {
        fprintf(script, "%llu %.17g\n", (unsigned long long)step, value);
    }
}

static void write_curve(const Plot *plot, FILE *script, size_t curve) {
    fprintf(script, "$c%zu << END\n", curve);
    size_t count = (size_t)((plot->steps + plot->width - 1) / plot->width);
    for (size_t i = 0; i < count; i++) {
        const Bucket *bucket = &plot->buckets[curve][i];
        bool falls = bucket->greatest_step < bucket->least_step;
        if (falls) {
            write_point(script, bucket->greatest_step, bucket->greatest);
        }
        write_point(script, bucket->least_step, bucket->least);
        if (!falls && bucket->least_step != bucket->greatest_step) {
            write_point(script, bucket->greatest_step, bucket->greatest);
        }
    }
    fprintf(script, "END\n");
}

static void write_script(const Plot *plot, FILE *script, const char *file) {
    char indices[COLUMN_INDEX_BYTES];
    for (size_t curve = 0; curve < plot->curves; curve++) {
        write_curve(plot, script, curve);
    }
    fputs(tml_path_ends_in(plot->options->plot, ".png")
              ? "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) "
                "{ set terminal pngcairo size 960,600 } else { set terminal png size 960,600 }\n"
              : "set terminal svg size 960,600 background 'white'\n",
          script);
    fputs("set output ", script);
    write_quoted(script, file);
    fputs("\nset title ", script);
    write_quoted(script, plot->options->model->name);
    fputs(" noenhanced\nset key noenhanced outside\nset xlabel 'step'\nset grid\n"
          // A curve that stays at a limit must not hide behind the frame.
          "set offsets graph 0, graph 0, graph 0.04, graph 0.04\nplot ",
          script);
    for (size_t curve = 0; curve < plot->curves; curve++) {
        const Column *column = &plot->columns.items[curve];
        fprintf(script, "%s$c%zu with %s title '%s%s'", curve > 0 ? ", " : "", curve,
                plot->steps > 1 ? "lines linewidth 1.5" : "points", column->terminal->name,
                tml_model_column_indices(indices, column));
    }
    fputs("\nunset output\n", script);
}

// Runs gnuplot. Returns 0, or what to say.
static const char *run_gnuplot(const Plot *plot, const char *file) {
    FILE *script = popen("exec gnuplot >/dev/null", "w");
    if (!script) {
        return strerror(errno);
    }
    write_script(plot, script, file);
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
    } else if (plot->curves < plot->columns.count) {
        tml_report(plot->options->command, "`%s` shows the first %zu of %zu outputs", path,
                   plot->curves, plot->columns.count);
    }
    return !wrong;
}
