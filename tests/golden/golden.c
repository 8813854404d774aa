// Runs golden files: golden [--update] [--quick] [--linked TMLC | --cpu CPU] [--shard SHARE]
// [--O2 SHARE] PATH... A share is I/N, or day/N: that of today. A path is a file or a folder; of a
// folder, the .tml files directly in it. Every expectation of a file is compared; a program that
// has an output runs in every way, and all ways must agree with it. --linked makes executables and
// nothing else, --cpu code of -O2 for another processor of the family. --O2 runs that share of the
// programs at -O2, which takes as long as all other ways together. --quick leaves out -O2 and ends
// with the first failure.
#include "support/arena.h"
#include "support/bug.h"
#include "tests/golden/golden_action.h"
#include "tests/seed.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One of so many.
typedef struct Share {
    unsigned number, of;
} Share;

typedef struct Settings {
    bool update, quick;
    GoldenTools tools; // with a command or a processor: nothing but what is made with it
    Share programs;
    Share optimised; // of these, by their number among all
} Settings;

typedef struct Totals {
    unsigned programs, checks, failures;
} Totals;

typedef struct Paths {
    char **items;
    size_t count, capacity;
} Paths;

// The section that an action which prints compiler text is compared with.
static Section section_of(Action action) {
    switch (action) {
    case ACTION_TOKENS: return SECTION_TOKENS;
    case ACTION_AST: return SECTION_AST;
    case ACTION_NOTES: return SECTION_NOTES;
    case ACTION_ERROR: return SECTION_ERROR;
    case ACTION_WARNING: return SECTION_WARNING;
    case ACTION_ERRORS: return SECTION_ERRORS;
    case ACTION_TIR_CHECKED: return SECTION_TIR_CHECKED;
    case ACTION_TIR: return SECTION_TIR;
    case ACTION_PLAN: return SECTION_PLAN;
    case ACTION_REF_CHECKED:
    case ACTION_REF_PASSES:
    case ACTION_JIT_O0:
    case ACTION_JIT_O2:
    case ACTION_LINKED:
    case ACTION_COUNT: break;
    }
    UNREACHABLE();
}

static bool expects_run(const GoldenFile *file) {
    return file->sections[SECTION_OUTPUT] || file->sections[SECTION_STDERR] ||
           file->sections[SECTION_EXIT] || file->sections[SECTION_TESTS];
}

static bool is_of(Share share, size_t position) {
    return position % share.of == share.number;
}

// Is the action wanted for this file?
static bool is_wanted(const Settings *settings, const GoldenFile *file, size_t position,
                      Action action) {
    if (action_links(action) || settings->tools.tmlc) {
        return action_links(action) && settings->tools.tmlc && expects_run(file) &&
               !file->sections[SECTION_TESTS];
    }
    if (settings->tools.cpu) {
        return action == ACTION_JIT_O2 && expects_run(file);
    }
    if (!action_runs(action)) {
        return file->sections[section_of(action)] != NULL;
    }
    bool is_left_out =
        action == ACTION_JIT_O2 && (settings->quick || !is_of(settings->optimised, position));
    return expects_run(file) && !is_left_out;
}

// Prints the lines in which two texts differ, without what is equal at both ends.
static void print_difference(const char *expected, const char *actual) {
    while (*expected) {
        size_t len = strcspn(expected, "\n");
        if (strncmp(expected, actual, len + 1) != 0) {
            break;
        }
        expected += len + (expected[len] == '\n');
        actual += len + (actual[len] == '\n');
    }
    size_t expected_len = strlen(expected);
    size_t actual_len = strlen(actual);
    while (expected_len > 0 && actual_len > 0 &&
           expected[expected_len - 1] == actual[actual_len - 1]) {
        expected_len--;
        actual_len--;
    }
    expected_len += strcspn(expected + expected_len, "\n");
    actual_len += strcspn(actual + actual_len, "\n");
    for (const char *at = expected; at < expected + expected_len; at += strcspn(at, "\n") + 1) {
        printf("    - %.*s\n", (int)strcspn(at, "\n"), at);
    }
    for (const char *at = actual; at < actual + actual_len; at += strcspn(at, "\n") + 1) {
        printf("    + %.*s\n", (int)strcspn(at, "\n"), at);
    }
}

static bool same_text(const GoldenFile *file, Action action, const char *what, const char *expected,
                      const char *actual) {
    if (strcmp(expected, actual) == 0) {
        return true;
    }
    printf("%s: %s: %s differs (- expected, + actual)\n", file->path, action_text(action), what);
    print_difference(expected, actual);
    return false;
}

static const char *text_or_empty(const char *text) {
    return text ? text : "";
}

static bool check_run(const GoldenFile *file, Action action, const Outcome *outcome) {
    const char *exit_text = file->sections[SECTION_EXIT];
    int exit_status = exit_text ? atoi(exit_text) : 0;
    Section printed = file->sections[SECTION_TESTS] ? SECTION_TESTS : SECTION_OUTPUT;
    bool same = same_text(file, action, "standard output", text_or_empty(file->sections[printed]),
                          outcome->output.data);
    same &= same_text(file, action, "standard error", text_or_empty(file->sections[SECTION_STDERR]),
                      outcome->errors.data);
    if (outcome->exit_status != exit_status) {
        printf("%s: %s: exit status %d, expected %d\n", file->path, action_text(action),
               outcome->exit_status, exit_status);
        same = false;
    }
    return same;
}

// Whether two `error` or `warning` sections hold the same codes at the same places, in order.
static bool same_places(const char *left, const char *right) {
    while (*left && *right) {
        size_t len = strcspn(right, "+\n");
        if (strncmp(left, right, len) != 0 || (left[len] != '+' && left[len] != '\n')) {
            return false;
        }
        left += strcspn(left, "\n") + 1;
        right += strcspn(right, "\n") + 1;
    }
    return *left == *right;
}

// Which errors and warnings a program has is no matter of --update, but how they are told.
static bool may_rewrite(const GoldenFile *file, Section section, const char *made) {
    bool is_listed = section == SECTION_ERROR || section == SECTION_WARNING;
    return is_listed ? same_places(file->sections[section], made) : section_is_made(section);
}

static bool check_text(const Settings *settings, GoldenFile *file, Arena *arena, Action action,
                       const Outcome *outcome) {
    Section section = section_of(action);
    const Buffer *made = action == ACTION_ERRORS ? &outcome->errors : &outcome->output;
    if (outcome->exit_status != 0) {
        printf("%s: %s: exit status %d\n%s", file->path, action_text(action), outcome->exit_status,
               outcome->errors.data);
        return false;
    }
    if (settings->update && may_rewrite(file, section, made->data)) {
        file->sections[section] = arena_copy_text(arena, made->data, made->len);
        return true;
    }
    return same_text(file, action, section_text(section), file->sections[section], made->data);
}

static void check_file(const Settings *settings, const char *path, size_t position,
                       Totals *totals) {
    Arena *arena = arena_create();
    GoldenFile file;
    const char *error = NULL;
    unsigned checks = 0;
    totals->programs++;
    if (!golden_read(&file, arena, path, &error)) {
        printf("%s: %s\n", path, error);
        totals->failures++;
        arena_destroy(arena);
        return;
    }
    for (int i = 0; i < ACTION_COUNT; i++) {
        Action action = (Action)i;
        if (!is_wanted(settings, &file, position, action) ||
            (settings->update && action_runs(action))) {
            continue;
        }
        Outcome outcome = {0};
        action_perform(action, &file, settings->tools, &outcome);
        bool good = action_runs(action) ? check_run(&file, action, &outcome)
                                        : check_text(settings, &file, arena, action, &outcome);
        totals->failures += !good;
        checks++;
        outcome_free(&outcome);
    }
    if (checks == 0 && !settings->update && !settings->tools.tmlc && !settings->tools.cpu) {
        printf("%s: nothing is expected of it\n", path);
        totals->failures++;
    }
    if (settings->update && !golden_write(&file, &error)) {
        printf("%s: %s\n", path, error);
        totals->failures++;
    }
    totals->checks += checks;
    arena_destroy(arena);
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Adds the file, or the .tml files of the folder, in order of name.
static void add_paths(Arena *arena, Paths *paths, const char *path) {
    DIR *folder = opendir(path);
    if (!folder) {
        char *copy = arena_copy_text(arena, path, strlen(path));
        LIST_PUSH(arena, paths, copy);
        return;
    }
    size_t first = paths->count;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (suffix && strcmp(suffix, ".tml") == 0) {
            char *joined = arena_format(arena, "%s/%s", path, entry->d_name);
            LIST_PUSH(arena, paths, joined);
        }
    }
    closedir(folder);
    if (paths->count == 0) {
        return;
    }
    qsort(paths->items + first, paths->count - first, sizeof(char *), compare_paths);
}

// 0/2, or that of today: day/2.
static bool read_share(Share *share, const char *text) {
    if (sscanf(text, "%u/%u", &share->number, &share->of) == 2) {
        return share->of > 0;
    }
    uint64_t seed = 0;
    if (sscanf(text, "day/%u", &share->of) != 1 || share->of == 0 || !seed_of_today(&seed)) {
        return false;
    }
    share->number = (unsigned)(seed % share->of);
    printf("share %u of %u\n", share->number, share->of);
    return true;
}

static bool read_arguments(Settings *settings, Arena *arena, Paths *paths, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--update") == 0) {
            settings->update = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            settings->quick = true;
        } else if (strcmp(argv[i], "--linked") == 0 && i + 1 < argc) {
            settings->tools.tmlc = argv[++i];
        } else if (strcmp(argv[i], "--cpu") == 0 && i + 1 < argc) {
            settings->tools.cpu = argv[++i];
        } else if (strcmp(argv[i], "--shard") == 0 && i + 1 < argc) {
            if (!read_share(&settings->programs, argv[++i])) {
                return false;
            }
        } else if (strcmp(argv[i], "--O2") == 0 && i + 1 < argc) {
            if (!read_share(&settings->optimised, argv[++i])) {
                return false;
            }
        } else if (argv[i][0] == '-') {
            return false;
        } else {
            add_paths(arena, paths, argv[i]);
        }
    }
    return true;
}

int main(int argc, char **argv) {
    Arena *arena = arena_create();
    Settings settings = {.programs = {.of = 1}, .optimised = {.of = 1}};
    Paths paths = {0};
    if (!read_arguments(&settings, arena, &paths, argc, argv)) {
        fputs("usage: golden [--update] [--quick] [--linked TMLC | --cpu CPU] "
              "[--shard I/N|day/N] [--O2 I/N|day/N] PATH...\n",
              stderr);
        return 2;
    }
    Totals totals = {0};
    for (size_t i = 0; i < paths.count && !(settings.quick && totals.failures > 0); i++) {
        if (is_of(settings.programs, i)) {
            check_file(&settings, paths.items[i], i, &totals);
        }
    }
    arena_destroy(arena);
    printf("golden: %u programs, %u checks, %u failures\n", totals.programs, totals.checks,
           totals.failures);
    return totals.failures > 0 || totals.programs == 0;
}
