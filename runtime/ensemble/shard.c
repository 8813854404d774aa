// Schedulers count in variables of the environment, some from 0 and some from any number.
#include "runtime/ensemble/shard.h"

#include "runtime/file/formats.h"
#include "runtime/run/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Reads decimal digits up to `end`.
static bool read_number(const char *text, const char *end, uint64_t *number) {
    *number = 0;
    for (const char *c = text; c < end; c++) {
        if (!isdigit((unsigned char)*c) || *number > UINT32_MAX) {
            return false;
        }
        *number = *number * 10 + (uint64_t)(*c - '0');
    }
    return text < end;
}

bool tml_shard_read(Options *options, const char *text) {
    Ensemble *ensemble = &options->ensemble;
    const char *slash = strchr(text, '/');
    const char *end = text + strlen(text);
    bool right = slash && read_number(text, slash, &ensemble->shard) &&
                 read_number(slash + 1, end, &ensemble->shards) && ensemble->shard >= 1 &&
                 ensemble->shard <= ensemble->shards;
    if (!right) {
        tml_report(options->command, "`--shard` needs I/N with I from 1 to N, found `%s`", text);
    }
    ensemble->shard_from = "--shard";
    return right;
}

static bool read_variable(const char *name, uint64_t *number) {
    const char *text = getenv(name);
    return text && read_number(text, text + strlen(text), number);
}

// The variables of one scheduler: who we are, how many there are, from where it counts (or NULL).
static const struct {
    const char *index, *count, *least, *step;
} schedulers[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_STEP"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, NULL},
    {"PMI_RANK", "PMI_SIZE", NULL, NULL},
};

static bool take_scheduler(Options *options, size_t which) {
    Ensemble *ensemble = &options->ensemble;
    uint64_t index, count, least = 0, step = 1;
    bool right = read_variable(schedulers[which].index, &index) &&
                 read_variable(schedulers[which].count, &count) &&
                 (!schedulers[which].least || read_variable(schedulers[which].least, &least));
    if (schedulers[which].step && getenv(schedulers[which].step)) {
        right = right && read_variable(schedulers[which].step, &step) && step > 0;
    }
    if (!right || index < least || (index - least) % step != 0 || (index - least) / step >= count) {
        tml_report(
            options->command,
            "cannot tell the shard from `%s` and `%s` of the environment; give `--shard I/N`",
            schedulers[which].index, schedulers[which].count);
        return false;
    }
    ensemble->shard = (index - least) / step + 1;
    ensemble->shards = count;
    ensemble->shard_from = schedulers[which].index;
    return true;
}

static bool has_store(const Options *options) {
    const Bindings *outputs = &options->bindings[TML_OUTPUT];
    return outputs->count == 1 && tml_path_is_zarr(outputs->items[0].path);
}

bool tml_shard_settle(Options *options) {
    Ensemble *ensemble = &options->ensemble;
    for (size_t i = 0; i < sizeof schedulers / sizeof schedulers[0] && ensemble->shards == 0; i++) {
        if (getenv(schedulers[i].index) && !take_scheduler(options, i)) {
            return false;
        }
    }
    if (ensemble->shards > 1 && !has_store(options)) {
        tml_report(
            options->command,
            "shard %llu of %llu (`%s`) needs a store that the shards share: `--out NAME.zarr`",
            (unsigned long long)ensemble->shard, (unsigned long long)ensemble->shards,
            ensemble->shard_from);
        return false;
    }
    if (ensemble->shards == 0) {
        ensemble->shard = ensemble->shards = 1;
    }
    return true;
}
