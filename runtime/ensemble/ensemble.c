// Runs are made in chunks, one after the other, by all threads. Those of a store are written when
// they are made, and only those that are missing are; the results of other files stay in memory
// until all runs are done.
#include "runtime/ensemble/ensemble.h"

#include "runtime/ensemble/faults.h"
#include "runtime/ensemble/sheet.h"
#include "runtime/ensemble/store.h"
#include "runtime/file/formats.h"
#include "runtime/file/open_file.h"
#include "runtime/run/progress.h"
#include "runtime/run/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double piece_seconds = 0.1; // of runs that are no chunks: progress shows between them

// Progress on the same terminal as rows comes before them.
static void start_progress(Progress *progress, uint64_t runs) {
    tml_progress_start(progress, runs, isatty(STDERR_FILENO) == 1);
    progress->unit = "runs";
}

static bool is_mine(const Ensemble *ensemble, uint64_t chunk) {
    return chunk % ensemble->shards == ensemble->shard - 1;
}

// Runs of the chunks of this process that are missing. Of very many chunks only the first ones are
// looked at: it is for progress.
static uint64_t missing_runs(Store *store) {
    enum { LOOKS = 100000 };
    const Ensemble *ensemble = &store->plan->options->ensemble;
    bool are_few = store->chunks <= LOOKS;
    uint64_t seen = are_few ? store->chunks : LOOKS;
    uint64_t runs = are_few ? 0 : (store->plan->runs - seen * store->chunk) / ensemble->shards;
    for (uint64_t k = 0; k < seen; k++) {
        runs += is_mine(ensemble, k) && !tml_store_has(store, k) ? tml_store_runs(store, k) : 0;
    }
    return runs;
}

static void fill_rest(Table *table, uint64_t from) {
    const Plan *plan = table->plan;
    for (size_t i = 0; i < plan->part_count; i++) {
        uint64_t scalars = part_scalars(&plan->parts[i]);
        for (uint64_t k = from * scalars; k < table->capacity * scalars; k++) {
            table->data[i][k] = (double)NAN;
        }
    }
    memset(table->faults + from, 0, (table->capacity - from) * sizeof *table->faults);
}

static bool make_chunks(Store *store, Table *table) {
    const Ensemble *ensemble = &store->plan->options->ensemble;
    Progress progress;
    uint64_t done = 0;
    bool right = true;
    start_progress(&progress, missing_runs(store));
    for (uint64_t k = 0; k < store->chunks && right; k++) {
        if (!is_mine(ensemble, k) || tml_store_has(store, k)) {
            continue;
        }
        uint64_t count = tml_store_runs(store, k);
        right = tml_table_run(table, k * store->chunk, count, 0);
        fill_rest(table, count);
        right = right && tml_store_write(store, k, table);
        tml_progress_update(&progress, done += count, tml_progress_clock());
    }
    tml_progress_end(&progress);
    return right;
}

// The faults of all chunks that are there, or of those of this process alone. Stores how many runs
// these are.
static bool collect(Store *store, bool all, Faults *faults, uint64_t *runs) {
    const Ensemble *ensemble = &store->plan->options->ensemble;
    tml_fault *items = malloc(store->chunk * sizeof *items);
    bool right = items != NULL;
    *runs = 0;
    for (uint64_t k = 0; k < store->chunks && right; k++) {
        uint64_t count = tml_store_runs(store, k);
        if (all || is_mine(ensemble, k)) {
            right = tml_store_read_faults(store, k, items) &&
                    tml_faults_add(faults, store->plan, k * store->chunk, count, items);
            *runs += count;
        }
    }
    free(items);
    return right;
}

static bool is_complete(Store *store) {
    uint64_t k = 0;
    while (k < store->chunks && tml_store_has(store, k)) {
        k++;
    }
    return k == store->chunks;
}

// Whoever finds the store complete lists its faults.
static bool list_faults(Store *store) {
    Faults all = {0};
    if (!tml_store_is_writable(store) &&
        access(tml_store_file(store, "", "faults.csv"), F_OK) == 0) {
        return true;
    }
    uint64_t runs;
    bool right = collect(store, true, &all, &runs) &&
                 tml_faults_write(&all, store->plan, tml_store_file(store, "", "faults.csv"));
    free(all.items);
    return right;
}

static bool run_store(const Plan *plan, const char *path, Faults *faults) {
    Store store;
    Table table = {0};
    uint64_t runs = 0;
    bool right = tml_store_plan(&store, plan, path) &&
                 tml_table_make(&table, plan, store.chunk, "give a smaller `--chunk`") &&
                 tml_store_open(&store) && make_chunks(&store, &table) &&
                 collect(&store, false, faults, &runs);
    if (right) {
        bool is_whole = is_complete(&store);
        right = !is_whole || list_faults(&store);
        tml_faults_report(faults, plan, runs,
                          is_whole && right ? tml_store_file(&store, "", "faults.csv") : NULL);
    }
    tml_table_free(&table);
    tml_store_close(&store);
    return right;
}

static bool make_pieces(const Plan *plan, Table *table) {
    Progress progress;
    uint64_t piece = 64, count;
    bool right = true;
    start_progress(&progress, plan->runs);
    for (uint64_t first = 0; first < plan->runs && right; first += count) {
        double start = tml_progress_clock();
        count = plan->runs - first < piece ? plan->runs - first : piece;
        right = tml_table_run(table, first, count, first);
        double now = tml_progress_clock();
        piece = now - start < piece_seconds ? 2 * piece : piece;
        tml_progress_update(&progress, first + count, now);
    }
    tml_progress_end(&progress);
    return right;
}

// Beside the first file, which has been written: "runs.faults.csv" of "runs.csv". NULL where that
// is a device or our own standard output, beside which nothing has a place.
static char *faults_path(const Bindings *outputs) {
    struct stat file;
    const char *path = outputs->count > 0 ? outputs->items[0].path : "-";
    if (strcmp(path, "-") == 0 || stat(path, &file) != 0 || !S_ISREG(file.st_mode) ||
        tml_standard_stream(&file) >= 0) {
        return NULL;
    }
    const char *dot = strrchr(path, '.');
    size_t stem = dot && !strchr(dot, '/') && dot > path ? (size_t)(dot - path) : strlen(path);
    size_t size = stem + sizeof ".faults.csv";
    char *text = malloc(size);
    if (text) {
        snprintf(text, size, "%.*s.faults.csv", (int)stem, path);
    }
    return text;
}

// An old list of faults does not stay beside new results.
static bool write_faults(const Faults *faults, const Plan *plan, const char *path) {
    bool wanted = path && (faults->count > 0 || access(path, F_OK) == 0);
    return !wanted || tml_faults_write(faults, plan, path);
}

static bool run_files(const Plan *plan, Faults *faults) {
    const Bindings *outputs = &plan->options->bindings[TML_OUTPUT];
    Table table = {0};
    bool right = true;
    for (size_t i = 0; i < outputs->count && right; i++) {
        right = tml_sheet_fits(plan, &outputs->items[i]);
    }
    right = right && tml_table_make(&table, plan, plan->runs, "give `--out NAME.zarr`") &&
            make_pieces(plan, &table) && tml_faults_add(faults, plan, 0, plan->runs, table.faults);
    for (size_t i = 0; i < outputs->count && right; i++) {
        right = tml_sheet_write(&table, &outputs->items[i]);
    }
    right = right && (outputs->count > 0 || tml_sheet_write(&table, NULL));
    if (right) {
        char *path = faults_path(outputs);
        right = write_faults(faults, plan, path);
        tml_faults_report(faults, plan, plan->runs, right ? path : NULL);
        free(path);
    }
    tml_table_free(&table);
    return right;
}

ExitStatus tml_ensemble(const Options *options) {
    Plan plan;
    Faults faults = {0};
    const Bindings *outputs = &options->bindings[TML_OUTPUT];
    bool has_store = outputs->count > 0 && tml_path_is_zarr(outputs->items[0].path);
    bool right =
        tml_plan_make(&plan, options) &&
        (has_store ? run_store(&plan, outputs->items[0].path, &faults) : run_files(&plan, &faults));
    bool trapped = faults.count > 0 && options->ensemble.strict;
    free(faults.items);
    tml_plan_free(&plan);
    return !right ? EXIT_WORLD : trapped ? EXIT_TRAP : EXIT_OK;
}
