// Options of many runs mean nothing for one, and some of one mean nothing for many: both are told.
#include "runtime/ensemble/take.h"

#include "runtime/abi/type.h"
#include "runtime/ensemble/sample_text.h"
#include "runtime/ensemble/shard.h"
#include "runtime/file/formats.h"
#include "runtime/run/count.h"
#include "runtime/run/report.h"

#include <string.h>

static void note(Options *options, const char *option) {
    if (!options->ensemble.given) {
        options->ensemble.given = option;
    }
}

static bool take_count(Options *options, const char *option, const char *what, const char *text,
                       uint64_t least, uint64_t *count) {
    note(options, option);
    return tml_count_read(options->command, option, what, text, least, count);
}

bool tml_take_runs(Options *options, const char *text) {
    return take_count(options, "--runs", "runs", text, 1, &options->ensemble.runs);
}

bool tml_take_params(Options *options, const char *path) {
    note(options, "--params");
    if (options->ensemble.params || path[0] == '\0') {
        tml_report(options->command, options->ensemble.params ? "`--params` is given twice"
                                                              : "`--params` needs FILE, found ``");
        return false;
    }
    options->ensemble.params = path;
    return true;
}

bool tml_take_sample(Options *options, const char *text) {
    note(options, "--sample");
    return tml_sample_add(options, text);
}

bool tml_take_seed(Options *options, const char *text) {
    return take_count(options, "--seed", "the sequence", text, 0, &options->ensemble.seed);
}

bool tml_take_threads(Options *options, const char *text) {
    return take_count(options, "--threads", "threads", text, 1, &options->ensemble.threads);
}

bool tml_take_keep(Options *options, const char *text) {
    static const char *const names[] = {[TML_KEEP_LAST] = "last",
                                        [TML_KEEP_ALL] = "all",
                                        [TML_KEEP_MAX] = "max",
                                        [TML_KEEP_MEAN] = "mean",
                                        [TML_KEEP_RMS] = "rms"};
    note(options, "--keep");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], text) == 0) {
            options->ensemble.keep = (tml_keep)i;
            return true;
        }
    }
    tml_report(options->command, "`--keep` is last, all, max, mean or rms, found `%s`", text);
    return false;
}

bool tml_take_shard(Options *options, const char *text) {
    note(options, "--shard");
    return tml_shard_read(options, text);
}

bool tml_take_chunk(Options *options, const char *text) {
    return take_count(options, "--chunk", "runs", text, 1, &options->ensemble.chunk);
}

bool tml_take_strict(Options *options, const char *value) {
    (void)value;
    note(options, "--strict");
    options->ensemble.strict = true;
    return true;
}

// What has no meaning for many runs.
static bool has_options_of_one(const Options *options) {
    const char *found = options->has_until     ? "--until"
                        : options->every != 1  ? "--every"
                        : options->watch.items ? "--watch"
                        : options->trace       ? "--trace"
                        : options->group_count ? "--plot"
                        : options->plot        ? "--plot"
                        : options->save_state  ? "--save-state"
                        : options->from_state  ? "--from-state"
                        : options->linearize   ? "--linearize"
                                               : NULL;
    if (found) {
        tml_report(options->command, "`%s` is for one run, `%s` for many", found,
                   options->ensemble.given);
    }
    return found != NULL;
}

// A sample of what --set has given a value would make that pointless.
static bool samples_are_free(const Options *options) {
    for (size_t i = 0; i < options->ensemble.sample_count; i++) {
        const tml_variable *property = options->ensemble.samples[i].property;
        if (options->set[property - options->model->variables] &&
            tml_type_numel(property->type) == 1) {
            tml_report(options->command, "`%s` is given by `--set` and by `--sample`",
                       property->name);
            return false;
        }
    }
    return true;
}

// A store holds all outputs, a .npy file of all outputs is one of records; neither is for one run.
static bool files_fit(Options *options) {
    const Bindings *outputs = &options->bindings[TML_OUTPUT];
    bool is_ensemble = options->ensemble.given != NULL;
    for (size_t i = 0; i < outputs->count; i++) {
        const Binding *output = &outputs->items[i];
        bool is_store = tml_path_is_zarr(output->path);
        if (is_store && !is_ensemble) {
            tml_report(options->command, "`%s` is a store of many runs; give `--runs N`",
                       output->path);
            return false;
        }
        if (is_store && (output->terminal || outputs->count > 1)) {
            tml_report(options->command,
                       "a store holds all outputs, and is the only file: `--out %s`", output->path);
            return false;
        }
        if (!is_ensemble && !output->terminal && tml_path_is_npy(output->path)) {
            tml_report(options->command,
                       "a .npy file holds one terminal; give its name: `--out NAME=%s`",
                       output->path);
            return false;
        }
    }
    return true;
}

bool tml_ensemble_settle(Options *options) {
    Ensemble *ensemble = &options->ensemble;
    if (!files_fit(options)) {
        return false;
    }
    if (!ensemble->given) {
        return true;
    }
    if (ensemble->runs == 0 && !ensemble->params) {
        tml_report(options->command, "`%s` needs `--runs N` or `--params FILE`", ensemble->given);
        return false;
    }
    return !has_options_of_one(options) && samples_are_free(options) && tml_shard_settle(options);
}
