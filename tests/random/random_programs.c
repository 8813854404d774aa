// Compares compiled random programs with the oracle, or, with --broken, gives the compiler random
// programs with a mistake:
// random_programs [--components|--loops] [--broken] [--seed S] [--count N] [--first K] [--print]
// Program K of seed S is always the same one. Without --seed it is that
// of today, as tests/seeds.py has it.
#include "support/bug.h"
#include "tests/random/broken.h"
#include "tests/random/generate.h"
#include "tests/random/random.h"
#include "tests/random/run_program.h"
#include "tests/random/shrink.h"
#include "tests/seed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Settings {
    uint64_t seed;
    unsigned first, count;
    GenerateKind kind;
    bool broken;
    bool print; // the programs, without running them
} Settings;

enum { FAILURE_LIMIT = 10, SHRINK_LIMIT = 3, PROGRESS = 1000 };

static bool read_arguments(Settings *settings, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        uint64_t value = 0;
        if (strcmp(argv[i], "--print") == 0) {
            settings->print = true;
            continue;
        }
        if (strcmp(argv[i], "--broken") == 0) {
            settings->broken = true;
            continue;
        }
        if (strcmp(argv[i], "--components") == 0) {
            settings->kind = GENERATE_COMPONENT;
            continue;
        }
        if (strcmp(argv[i], "--loops") == 0) {
            settings->kind = GENERATE_LOOPS;
            continue;
        }
        if (i + 1 == argc || !seed_read(argv[i + 1], &value)) {
            return false;
        }
        if (strcmp(argv[i], "--seed") == 0) {
            settings->seed = value;
        } else if (strcmp(argv[i], "--first") == 0) {
            settings->first = (unsigned)value;
        } else if (strcmp(argv[i], "--count") == 0) {
            settings->count = (unsigned)value;
        } else {
            return false;
        }
        i++;
    }
    return true;
}

static RunFunction *function_of(const Settings *settings) {
    return settings->broken ? run_compiler : run_program;
}

static const char *option_of(GenerateKind kind) {
    switch (kind) {
    case GENERATE_PROGRAM: return "";
    case GENERATE_COMPONENT: return " --components";
    case GENERATE_LOOPS: return " --loops";
    }
    UNREACHABLE();
}

static void print_failure(const Settings *settings, unsigned program, const Buffer *source,
                          const RunReport *report, bool shrinks) {
    Buffer small = {0};
    printf("\nprogram %u of seed %" PRIu64 ": %s", program, settings->seed, report->text.data);
    printf("rerun: random_programs%s%s --seed %" PRIu64 " --first %u --count 1\n",
           option_of(settings->kind), settings->broken ? " --broken" : "", settings->seed, program);
    printf("---- source\n%s----\n", source->data);
    fflush(stdout);
    if (!shrinks) {
        return;
    }
    RunReport small_report = {0};
    shrink_program(function_of(settings), source, report, &small, &small_report);
    printf("---- shrunk: %s\n%s----\n", small_report.text.data, small.data);
    fflush(stdout);
    buffer_free(&small_report.text);
    buffer_free(&small);
}

typedef struct Tally {
    unsigned done, failures;
    unsigned verdicts[VERDICT_DIFFERS + 1];
} Tally;

static void make_program(const Settings *settings, unsigned program, Buffer *source) {
    Random random = {settings->seed};
    random.state = random_next(&random) + program;
    if (!settings->broken) {
        generate_program(settings->kind, random_next(&random), source);
        return;
    }
    Buffer whole = {0};
    generate_program(settings->kind, random_next(&random), &whole);
    break_program(&random, &whole, source);
    buffer_free(&whole);
}

static void check_program(const Settings *settings, unsigned program, Tally *tally) {
    Buffer source = {0};
    make_program(settings, program, &source);
    tally->done++;
    if (settings->print) {
        printf("%s", source.data);
    } else {
        RunReport report;
        function_of(settings)(source.data, source.len, &report);
        tally->verdicts[report.verdict]++;
        if (report.is_failure) {
            tally->failures++;
            print_failure(settings, program, &source, &report, tally->failures <= SHRINK_LIMIT);
        }
        buffer_free(&report.text);
    }
    buffer_free(&source);
}

static void print_tally(const Tally *tally) {
    const unsigned *verdicts = tally->verdicts;
    unsigned elsewhere = verdicts[VERDICT_TRAPPED_ELSEWHERE];
    printf("%u programs: %u finished, %u trapped (%u elsewhere), %u rejected, %u crashed, %u hung, "
           "%u differed\n",
           tally->done, verdicts[VERDICT_FINISHED], verdicts[VERDICT_TRAPPED] + elsewhere,
           elsewhere, verdicts[VERDICT_REJECTED], verdicts[VERDICT_CRASHED],
           verdicts[VERDICT_HANGS], verdicts[VERDICT_DIFFERS]);
}

int main(int argc, char **argv) {
    Settings settings = {.count = 100};
    if (!seed_of_today(&settings.seed) || !read_arguments(&settings, argc, argv)) {
        fputs("usage: random_programs [--components|--loops] [--broken] [--seed S] [--count N] "
              "[--first K] [--print]\n",
              stderr);
        return 2;
    }
    if (!settings.print) {
        printf("seed %" PRIu64 "\n", settings.seed);
    }
    Tally tally = {0};
    while (tally.done < settings.count && tally.failures < FAILURE_LIMIT) {
        check_program(&settings, settings.first + tally.done, &tally);
        if (!settings.print && tally.done % PROGRESS == 0 && tally.done < settings.count) {
            print_tally(&tally); // long runs tell how far they are
            fflush(stdout);
        }
    }
    if (!settings.print) {
        print_tally(&tally);
    }
    return tally.failures > 0;
}
