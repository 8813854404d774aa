// Which files a command line names, and what each is for. Whether two of them are one is asked by
// device and inode, so that links and spellings do not matter, and before anything is opened. A
// state may be kept where it was read: it was read whole, and is replaced whole.
#include "runtime/run/uses.h"

#include "runtime/file/formats.h"
#include "runtime/file/open_file.h"
#include "runtime/run/bindings.h"
#include "runtime/run/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Use {
    const char *path; // NULL: not given
    const char *what;
    enum { USE_READ, USE_WRITTEN, USE_VALUES_WRITTEN, USE_STATE_READ, USE_STATE_WRITTEN } kind;
} Use;

static const char *const words[] = {[TML_INPUT] = "an input", [TML_OUTPUT] = "an output"};

static Use use_of_binding(const Bindings *bindings, size_t index, tml_role role) {
    const Binding *binding = &bindings->items[index];
    return (Use){binding->kind == BINDING_FILE ? binding->path : NULL, words[role],
                 role == TML_INPUT ? USE_READ : USE_VALUES_WRITTEN};
}

// The use with this number. False behind the last one.
static bool find_use(const Options *options, size_t number, Use *use) {
    for (int role = TML_INPUT; role <= TML_OUTPUT; role++) {
        const Bindings *bindings = &options->bindings[role];
        if (number < bindings->count) {
            *use = use_of_binding(bindings, number, (tml_role)role);
            return true;
        }
        number -= bindings->count;
    }
    const Use others[] = {
        {options->ensemble.params, "the parameters", USE_READ},
        {options->plot, "the plot", USE_WRITTEN},
        {options->trace, "the trace", USE_VALUES_WRITTEN},
        {options->save_state, "the state", USE_STATE_WRITTEN},
        {options->from_state, "the state", USE_STATE_READ},
        {options->linearize, "the matrices", USE_WRITTEN},
    };
    bool is_one = number < sizeof others / sizeof others[0];
    if (is_one) {
        *use = others[number];
    }
    return is_one;
}

// The name without its folder.
static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The folder of the path, with "." behind it; from malloc, NULL without memory.
static char *folder_of(const char *path) {
    size_t len = (size_t)(file_name(path) - path);
    char *folder = malloc(len + 2);
    if (folder) {
        snprintf(folder, len + 2, "%.*s.", (int)len, path);
    }
    return folder;
}

// Whether two files would be one that is not there yet.
static bool is_same_place(const char *a, const char *b) {
    struct stat one, other;
    char *first = folder_of(a), *second = folder_of(b);
    bool is_same = first && second && strcmp(file_name(a), file_name(b)) == 0 &&
                   stat(first, &one) == 0 && stat(second, &other) == 0 &&
                   tml_same_file(&one, &other);
    free(first);
    free(second);
    return is_same;
}

// Devices take and give anything to anyone; what does not exist has its folder and name, and `-` is
// itself alone.
static bool is_same(const char *a, const char *b) {
    struct stat one, other;
    if (path_is_stream(a) || path_is_stream(b)) {
        return strcmp(a, b) == 0;
    }
    bool has_one = stat(a, &one) == 0, has_other = stat(b, &other) == 0;
    if (!has_one || !has_other) {
        return !has_one && !has_other && is_same_place(a, b);
    }
    return S_ISREG(one.st_mode) && tml_same_file(&one, &other);
}

static bool is_written(const Use *use) {
    return use->kind != USE_READ && use->kind != USE_STATE_READ;
}

static bool may_be_one(const Use *a, const Use *b) {
    bool is_state = a->kind >= USE_STATE_READ && b->kind >= USE_STATE_READ;
    bool are_streams = path_is_stream(a->path) && is_written(a) != is_written(b);
    return is_state || are_streams || (a->kind == USE_READ && b->kind == USE_READ);
}

static void report_same(const Options *options, const Use *use, const Use *other) {
    if (use->what == other->what) {
        tml_report(options->command, "`%s` and `%s` are the same file", other->path, use->path);
    } else {
        tml_report(options->command, "`%s` is given for %s and %s", use->path, other->what,
                   use->what);
    }
}

// Whether `use` has a file of its own, among those that came before it.
static bool is_apart(const Options *options, const Use *use, size_t number) {
    Use other;
    for (size_t i = 0; i < number && find_use(options, i, &other); i++) {
        if (other.path && !may_be_one(use, &other) && is_same(use->path, other.path)) {
            report_same(options, use, &other);
            return false;
        }
    }
    return true;
}

// The sources are known by the names that the compiler was given. A program may write a .tml file,
// which elsewhere may have the name of one, so an executable of a program does not ask for them.
static bool knows_sources(const Options *options) {
    const tml_model *model = options->model;
    bool is_source = false; // what was called: it was compiled in memory
    for (uint32_t i = 0; i < model->file_count; i++) {
        is_source |= strcmp(model->files[i], options->command) == 0;
    }
    return is_source || model->kind == TML_COMPONENT;
}

// Whether what will be written is none of what the model was made from.
static bool spares_model(const Options *options, const Use *use) {
    const tml_model *model = options->model;
    const char *what = is_same(use->path, options->command) ? "the model" : NULL;
    for (uint32_t i = 0; i < model->file_count && !what && knows_sources(options); i++) {
        what = is_same(use->path, model->files[i]) ? "a source of the model" : NULL;
    }
    if (what) {
        tml_report(options->command, "cannot write `%s`: it is %s", use->path, what);
    }
    return !what;
}

// Values are CSV under any name that promises nothing else.
static bool has_known_format(const Options *options, const Use *use) {
    static const char *const others[] = {".mat",  ".h5",      ".hdf5", ".json", ".xlsx",
                                         ".xls",  ".ods",     ".vcd",  ".nc",   ".parquet",
                                         ".arff", ".feather", ".pkl",  ".zip",  ".gz"};
    for (size_t i = 0; use->kind == USE_VALUES_WRITTEN && i < sizeof others / sizeof others[0];
         i++) {
        if (tml_path_ends_in(use->path, others[i])) {
            tml_report(options->command, "cannot write `%s`: %s is .csv or .npy, not %s", use->path,
                       use->what, others[i]);
            return false;
        }
    }
    return true;
}

bool tml_uses_are_right(const Options *options) {
    Use use;
    bool right = true;
    for (size_t i = 0; right && find_use(options, i, &use); i++) {
        right = !use.path || ((options_are_of_program(options) || is_apart(options, &use, i)) &&
                              (!is_written(&use) ||
                               (has_known_format(options, &use) && spares_model(options, &use))));
    }
    return right;
}

// What keeps a file from being made at the path, as far as its folder tells; 0 or an errno.
static int find_obstacle(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0) {
        return S_ISDIR(status.st_mode) ? EISDIR : 0;
    }
    char *folder = folder_of(path);
    if (!folder) {
        return ENOMEM;
    }
    int error = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    return error;
}

bool tml_uses_have_places(const Options *options) {
    Use use;
    for (size_t i = 0; find_use(options, i, &use); i++) {
        bool is_file = use.path && is_written(&use) && !path_is_stream(use.path) &&
                       !tml_path_is_zarr(use.path);
        int error = is_file ? find_obstacle(use.path) : 0;
        if (error != 0) {
            tml_report(options->command, "cannot write `%s`: %s", use.path, strerror(error));
            return false;
        }
    }
    return true;
}
