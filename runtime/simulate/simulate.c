// Steps run in blocks: each source fills the inputs of a block, the model makes its outputs, each
// sink takes them. Nothing grows with the number of steps.
#include "runtime/simulate/simulate.h"

#include "runtime/file/formats.h"
#include "runtime/file/open_file.h"
#include "runtime/run/host.h"
#include "runtime/run/progress.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/simulate/feed.h"
#include "runtime/simulate/linearize.h"
#include "runtime/simulate/output.h"
#include "runtime/simulate/plot.h"
#include "runtime/simulate/signals.h"
#include "runtime/simulate/state_file.h"
#include "runtime/simulate/watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BLOCK_STEPS = 1024,    // at most
    BLOCK_BYTES = 1 << 18, // of inputs, outputs or what is watched, unless one step has more
    ALIGNMENT = 64,
};

static const double flush_after = 1.0; // seconds; rows of slow models show meanwhile

typedef struct Simulation {
    const Options *options;
    const tml_model *model;
    Feed feed;
    size_t sink_count;
    Sink *sinks;
    Plot *plot; // or NULL
    Progress progress;
    size_t block; // steps
    void *state;
    char *inputs, *outputs, *watched;
    char *point;   // the inputs of the last step
    double *times; // of the block's steps, where the time of a step is known
    Watch watch;
    uint64_t first; // step of the run: 0, or what --from-state says
    uint64_t done;  // steps, those before the run too
    bool stopped;   // by --until
    double flushed; // when, on tml_progress_clock
} Simulation;

static size_t block_steps(const Simulation *run) {
    const tml_model *model = run->model;
    size_t bytes =
        model->inputs_bytes > model->outputs_bytes ? model->inputs_bytes : model->outputs_bytes;
    bytes = run->watch.row_bytes > bytes ? run->watch.row_bytes : bytes;
    size_t steps = bytes > 0 ? BLOCK_BYTES / bytes : BLOCK_STEPS;
    return steps < 1 ? 1 : steps > BLOCK_STEPS ? BLOCK_STEPS : steps;
}

static bool get_sinks(Simulation *run) {
    run->sinks = calloc(run->options->bindings[TML_OUTPUT].count + 2, sizeof *run->sinks);
    if (!run->sinks) {
        tml_report(run->options->command, "cannot get memory");
        return false;
    }
    return true;
}

// When all that is watched is known.
static bool get_memory(Simulation *run) {
    const tml_model *model = run->model;
    const char *command = run->options->command;
    run->block = block_steps(run);
    return (run->state = tml_memory_map(command, model->state_bytes)) != NULL &&
           (run->inputs = tml_memory_map(command, run->block * model->inputs_bytes)) != NULL &&
           (run->point = tml_memory_map(command, model->inputs_bytes)) != NULL &&
           (run->outputs = tml_memory_map(command, run->block * model->outputs_bytes)) != NULL &&
           (run->watched = tml_memory_map(command, run->block * run->watch.row_bytes)) != NULL &&
           (run->times = tml_memory_map(command, run->block * sizeof *run->times)) != NULL;
}

// What no source gives keeps its value.
static void set_values(Simulation *run) {
    size_t bytes = run->model->inputs_bytes;
    for (size_t i = 0; i < run->block; i++) {
        memcpy(run->inputs + i * bytes, run->options->inputs, bytes);
    }
}

static void free_memory(Simulation *run) {
    const tml_model *model = run->model;
    tml_memory_unmap(run->times, run->block * sizeof *run->times);
    tml_memory_unmap(run->watched, run->block * run->watch.row_bytes);
    tml_memory_unmap(run->outputs, run->block * model->outputs_bytes);
    tml_memory_unmap(run->point, model->inputs_bytes);
    tml_memory_unmap(run->inputs, run->block * model->inputs_bytes);
    tml_memory_unmap(run->state, model->state_bytes);
    tml_watch_free(&run->watch);
    free(run->sinks);
}

// Rows by time give rows with the time, first; a signal that is called so stands for it.
static bool add_time(const Options *options, Columns *columns) {
    for (size_t i = 0; i < columns->count; i++) {
        if (strcmp(columns->items[i].terminal->name, tml_time_signal.name) == 0) {
            return true;
        }
    }
    if (!options->time || !columns->items || !tml_columns_add(columns, &tml_time_signal, 0, 1)) {
        return !options->time;
    }
    Column time = columns->items[columns->count - 1];
    memmove(columns->items + 1, columns->items, (columns->count - 1) * sizeof time);
    columns->items[0] = time;
    return true;
}

static bool prepare_sink(Simulation *run, const char *path, const tml_variable *terminal,
                         Columns columns) {
    Sink *sink = &run->sinks[run->sink_count++];
    bool is_array = terminal && path && tml_path_is_npy(path); // of one signal
    if (columns.items && !is_array && !add_time(run->options, &columns)) {
        free(columns.items);
        columns = (Columns){0};
    }
    if (columns.items && !tml_watch_add(&run->watch, &columns)) {
        free(columns.items);
        columns = (Columns){0};
    }
    bool done = tml_sink_prepare(sink, run->options, path, terminal, columns);
    sink->progress = &run->progress;
    return done;
}

// The columns of --watch, copied.
static bool add_watched(const Simulation *run, Columns *columns) {
    const Columns *watched = &run->options->watch;
    bool done = true;
    for (size_t i = 0, span; i < watched->count && done; i += span) {
        const Column *first = &watched->items[i];
        span = 1;
        while (i + span < watched->count && first[span].terminal == first->terminal &&
               first[span].element == first->element + span) {
            span++;
        }
        done = tml_columns_add(columns, first->terminal, first->element, span);
    }
    return done;
}

// All outputs, and what is watched if that has no file of its own.
static bool prepare_outputs(Simulation *run, const char *path) {
    Columns columns = tml_model_columns(run->model, TML_OUTPUT, NULL);
    if (columns.items && !run->options->trace && !add_watched(run, &columns)) {
        free(columns.items);
        columns = (Columns){0};
    }
    return prepare_sink(run, path, NULL, columns);
}

static bool prepare_trace(Simulation *run) {
    Columns columns = {.items = malloc(sizeof *columns.items)};
    bool done =
        columns.items && (run->options->watch.count > 0 ? add_watched(run, &columns)
                                                        : tml_signals_all(run->options, &columns));
    if (!done) {
        free(columns.items);
        columns = (Columns){0};
    }
    return prepare_sink(run, run->options->trace, NULL, columns);
}

static bool prepare_plot(Simulation *run) {
    if (!run->options->plot) {
        return true;
    }
    run->plot = tml_plot_open(run->options);
    if (run->plot && !tml_watch_add(&run->watch, tml_plot_columns(run->plot))) {
        tml_report(run->options->command, "cannot plot: %s", strerror(ENOMEM));
        return false;
    }
    return run->plot != NULL;
}

// Without --out, all outputs go to standard output.
static bool prepare_sinks(Simulation *run) {
    const Options *options = run->options;
    const Bindings *outputs = &options->bindings[TML_OUTPUT];
    bool watches = options->watch.count > 0 && !options->trace;
    bool done = true;
    for (size_t i = 0; i < outputs->count; i++) {
        const Binding *binding = &outputs->items[i];
        done &= binding->terminal
                    ? prepare_sink(run, binding->path, binding->terminal,
                                   tml_model_columns(run->model, TML_OUTPUT, binding->terminal))
                    : prepare_outputs(run, binding->path);
    }
    bool shows = tml_model_count(run->model, TML_OUTPUT) > 0 && !options->linearize;
    if (outputs->count == 0 && (shows || watches)) {
        done &= prepare_outputs(run, NULL);
    }
    if (options->trace) {
        done &= prepare_trace(run);
    }
    return done;
}

// Whether two files that both must be ours alone are the same one. A device takes anything.
static bool collide(int a, int b) {
    struct stat first, second;
    return fstat(a, &first) == 0 && fstat(b, &second) == 0 && tml_same_file(&first, &second) &&
           !S_ISCHR(first.st_mode);
}

static const char *sink_name(const Sink *sink) {
    return sink->path ? sink->path : "-";
}

static bool sink_collides(const Simulation *run, size_t index) {
    const Sink *sink = &run->sinks[index];
    const char *command = run->options->command;
    for (size_t i = 0; i < run->feed.count; i++) {
        if (sink->regular && collide(sink->fd, run->feed.sources[i].fd)) {
            tml_report(command, "`%s` is an input and an output", sink_name(sink));
            return true;
        }
    }
    for (size_t i = 0; i < index; i++) {
        if (collide(sink->fd, run->sinks[i].fd)) {
            tml_report(command, "`%s` and `%s` are the same file", sink_name(&run->sinks[i]),
                       sink_name(sink));
            return true;
        }
    }
    return false;
}

// Returns the exit status, EXIT_OK when all are open.
static ExitStatus open_sinks(Simulation *run) {
    for (size_t i = 0; i < run->sink_count; i++) {
        if (!tml_sink_open(&run->sinks[i])) {
            return EXIT_WORLD;
        }
        if (sink_collides(run, i)) {
            return EXIT_USAGE;
        }
    }
    for (size_t i = 0; i < run->sink_count; i++) {
        if (!tml_sink_start(&run->sinks[i])) {
            return EXIT_WORLD;
        }
    }
    return EXIT_OK;
}

static bool flush_sinks(Simulation *run) {
    bool done = true;
    for (size_t i = 0; i < run->sink_count; i++) {
        done &= tml_sink_flush(&run->sinks[i]);
    }
    return done;
}

static Rows block_rows(const Simulation *run) {
    return (Rows){{run->inputs, run->outputs, run->watched, (const char *)run->times},
                  {run->model->inputs_bytes, run->model->outputs_bytes, run->watch.row_bytes,
                   sizeof *run->times}};
}

static void set_times(Simulation *run, size_t count) {
    for (size_t i = 0; i < count; i++) {
        run->times[i] = (double)(run->done + i) * run->options->dt;
    }
}

static bool write_outputs(Simulation *run, size_t count) {
    Rows rows = block_rows(run);
    uint64_t every = run->options->every;
    uint64_t phase = run->done % every; // of the block's first step
    uint64_t skip = phase == 0 ? 0 : every - phase;
    bool done = true;
    for (size_t i = 0; i < run->sink_count && skip < count; i++) {
        size_t step = every < count ? (size_t)every : count; // beyond the block there is no other
        done &= tml_sink_write(&run->sinks[i], &rows, (size_t)skip, count, step);
    }
    if (run->plot) {
        tml_plot_add(run->plot, &rows, count);
    }
    return done;
}

static tml_fault last_fault(const Simulation *run) {
    tml_fault fault;
    memcpy(&fault, (char *)run->state + run->model->fault_offset, sizeof fault);
    return fault;
}

static ExitStatus report_trap(Simulation *run, bool in_init) {
    char when[64] = " (init)";
    tml_fault fault = last_fault(run);
    if (!in_init) {
        snprintf(when, sizeof when, " (step %llu)", (unsigned long long)run->done);
    }
    tml_progress_end(&run->progress);
    tml_report_trap(&fault, run->model, when);
    return EXIT_TRAP;
}

// Runs the steps of `count` rows and stores how many have finished.
static tml_status run_rows(Simulation *run, const Rows *rows, size_t count, size_t *done) {
    const tml_model *model = run->model;
    const void *params = run->options->params;
    if (run->watch.count > 0) {
        return tml_watch_run(&run->watch, model, run->state, params, rows, count, done);
    }
    tml_status status = model->step_n(run->state, params, count, rows->first[PLACE_INPUTS],
                                      (char *)rows->first[PLACE_OUTPUTS]);
    *done = status == TML_OK ? count : (size_t)last_fault(run).step;
    return status;
}

// The same, up to the first step in which the condition of --until holds.
static tml_status run_until(Simulation *run, size_t count, size_t *done) {
    Rows rows = block_rows(run);
    for (*done = 0; *done < count && !run->stopped; ++*done) {
        size_t one;
        tml_status status = run_rows(run, &rows, 1, &one);
        if (status != TML_OK) {
            return status;
        }
        run->stopped = tml_condition_holds(&run->options->until, &rows, run->done + *done);
        for (int place = 0; place < PLACE_COUNT; place++) {
            rows.first[place] += rows.stride[place];
        }
    }
    return TML_OK;
}

// Runs `count` steps whose inputs are there.
static ExitStatus run_block(Simulation *run, size_t wanted) {
    Rows rows = block_rows(run);
    size_t count;
    set_times(run, wanted);
    tml_status status = run->options->has_until ? run_until(run, wanted, &count)
                                                : run_rows(run, &rows, wanted, &count);
    bool written = write_outputs(run, count);
    run->done += count;
    if (count > 0) {
        size_t bytes = run->model->inputs_bytes;
        memcpy(run->point, run->inputs + (count - 1) * bytes, bytes);
    }
    double now = tml_progress_clock();
    if (run->feed.waits || now - run->flushed > flush_after || status != TML_OK) {
        written = flush_sinks(run) && written;
        run->flushed = now;
    }
    if (status != TML_OK) {
        return report_trap(run, false);
    }
    tml_progress_update(&run->progress, run->done - run->first, now);
    return written ? EXIT_OK : EXIT_WORLD;
}

static ExitStatus run_steps(Simulation *run) {
    const Options *options = run->options;
    while (run->done - run->first < options->steps) {
        uint64_t left = options->steps - (run->done - run->first);
        size_t limit = left < run->block ? (size_t)left : run->block;
        size_t count = tml_feed_read(&run->feed, limit, run->inputs);
        ExitStatus status = count > 0 ? run_block(run, count) : EXIT_OK;
        if (status != EXIT_OK || run->stopped) {
            return status;
        }
        if (run->feed.ended && run->done - run->first < options->steps) {
            tml_progress_end(&run->progress);
            bool is_right = tml_feed_check_end(&run->feed, run->done - run->first, run->inputs);
            return is_right ? EXIT_OK : EXIT_WORLD;
        }
    }
    return EXIT_OK;
}

// How many steps there will be, or UINT64_MAX.
static uint64_t expected_steps(const Simulation *run) {
    uint64_t steps = run->options->has_until ? UINT64_MAX : run->options->steps;
    bool is_known = run->options->has_steps || run->options->has_until;
    if (!is_known) {
        tml_feed_row_count(&run->feed, &steps);
    }
    return steps;
}

// Progress would run into rows on the same terminal.
static bool progress_is_wanted(const Simulation *run) {
    bool wanted = isatty(STDERR_FILENO) == 1;
    for (size_t i = 0; i < run->sink_count; i++) {
        wanted = wanted && isatty(run->sinks[i].fd) != 1;
    }
    return wanted;
}

// The state before the first step, as init_fnc or a run before this one has left it.
static ExitStatus begin(Simulation *run) {
    if (!run->options->from_state) {
        return run->model->init(run->state, run->options->params) == TML_OK
                   ? EXIT_OK
                   : report_trap(run, true);
    }
    if (!tml_state_load(run->options, run->state, &run->first)) {
        return EXIT_WORLD;
    }
    run->done = run->first;
    if (run->plot) {
        tml_plot_start(run->plot, run->first);
    }
    tml_feed_start(&run->feed, run->first);
    return EXIT_OK;
}

static ExitStatus run_model(Simulation *run) {
    ExitStatus status = begin(run);
    status = status == EXIT_OK ? open_sinks(run) : status;
    if (status != EXIT_OK) {
        return status;
    }
    tml_progress_start(&run->progress, expected_steps(run), progress_is_wanted(run));
    run->flushed = run->progress.start;
    status = run_steps(run);
    tml_progress_end(&run->progress);
    if (status == EXIT_OK && run->options->has_until && !run->stopped) {
        tml_report(run->options->command, "note: the condition of `--until` held in no step");
    }
    return status;
}

static ExitStatus draw(Simulation *run, ExitStatus status) {
    bool drawn = true;
    if (run->plot && run->done > run->first) {
        drawn = tml_plot_draw(run->plot);
    } else if (run->plot && status == EXIT_OK) {
        tml_report(run->options->command, "there are no steps to plot");
        drawn = false;
    }
    return status == EXIT_OK && !drawn ? EXIT_WORLD : status;
}

// At the inputs of the last step, or where there was none of the first one.
static ExitStatus linearize(Simulation *run) {
    tml_status status = TML_OK;
    if (run->done == run->first) {
        memcpy(run->point, run->inputs, run->model->inputs_bytes);
        if (tml_feed_read(&run->feed, 1, run->point) == 0) {
            if (!tml_feed_report_failure(&run->feed)) {
                tml_report(run->options->command, "there is no row to linearize at");
            }
            return EXIT_WORLD;
        }
    }
    bool done = tml_linearize(run->options, run->state, run->point, &status);
    return !done ? EXIT_WORLD : status == TML_OK ? EXIT_OK : report_trap(run, false);
}

// Closes what run_model has opened and draws; what fails only then changes a good status.
static ExitStatus finish(Simulation *run, ExitStatus status) {
    bool closed = true;
    for (size_t i = 0; i < run->sink_count; i++) {
        closed &= tml_sink_close(&run->sinks[i]);
    }
    status = status == EXIT_OK && !closed ? EXIT_WORLD : status;
    if (status == EXIT_OK && run->options->save_state &&
        !tml_state_save(run->options, run->state, run->done)) {
        status = EXIT_WORLD;
    }
    if (status == EXIT_OK && run->options->linearize) {
        status = linearize(run);
    }
    tml_feed_close(&run->feed);
    return draw(run, status);
}

ExitStatus tml_simulate(const Options *options) {
    Simulation run = {.options = options, .model = options->model};
    bool ready = get_sinks(&run) && tml_condition_watch(&options->until, &run.watch) &&
                 prepare_plot(&run) && tml_feed_open(&run.feed, options) && prepare_sinks(&run) &&
                 get_memory(&run);
    if (ready) {
        set_values(&run);
    }
    ExitStatus status = finish(&run, ready ? run_model(&run) : EXIT_WORLD);
    tml_plot_free(run.plot);
    free_memory(&run);
    return status;
}
