// Files have names that do not depend on who writes them, and two processes that write the same one
// write the same bytes, so nothing is locked. What a process that was killed leaves is written
// over. The attributes of the folder say what its runs are of; they come first, are put there by
// one process alone, and are compared by all.
#include "runtime/ensemble/store.h"

#include "runtime/ensemble/attributes.h"
#include "runtime/file/open_file.h"
#include "runtime/file/whole_file.h"
#include "runtime/run/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNKS = 256,           // unless chunks become too large, or --chunk says otherwise
    CHUNK_BYTES = 64 << 20, // of an array
    NAME_BYTES = 4096,
};

static const char fault_array[] = "run.fault";

const char *tml_store_file(Store *store, const char *array, const char *file) {
    snprintf(store->name, store->name_bytes, "%s/%s%s%s", store->path, array,
             array[0] == '\0' ? "" : "/", file);
    return store->name;
}

static bool fail(Store *store, const char *verb, const char *path, int error) {
    tml_report(store->plan->options->command, "cannot %s `%s`: %s", verb, path, strerror(error));
    return false;
}

static uint64_t largest_row(const Plan *plan) {
    uint64_t bytes = sizeof(tml_fault);
    for (size_t i = 0; i < plan->part_count; i++) {
        uint64_t row = part_scalars(&plan->parts[i]) * sizeof(double);
        bytes = row > bytes ? row : bytes;
    }
    return bytes;
}

static uint64_t default_chunk(const Plan *plan) {
    uint64_t runs = (plan->runs - 1) / CHUNKS + 1;
    uint64_t most = CHUNK_BYTES / largest_row(plan);
    return runs < most ? runs : most > 0 ? most : 1;
}

// Closes what has been written. Returns errno of what failed first, or 0.
static int close_written(int fd, int error) {
    return close(fd) != 0 && errno != EINTR && error == 0 ? errno : error;
}

// Writes a file of the folder whole. Others that write it meanwhile write the same bytes.
static bool write_file(Store *store, const char *array, const char *file, const void *bytes,
                       size_t count) {
    char part[NAME_BYTES];
    const char *path = tml_store_file(store, array, file);
    snprintf(part, sizeof part, "%s.part", path);
    int error = 0;
    int fd = tml_open(part, O_WRONLY | O_CREAT);
    if (fd < 0) {
        return fail(store, "write", path, errno);
    }
    if (tml_write_all(fd, bytes, count, &error) == count && ftruncate(fd, (off_t)count) != 0) {
        error = errno;
    }
    error = close_written(fd, error);
    if (error == 0 && rename(part, path) != 0 && (errno != ENOENT || access(path, F_OK) != 0)) {
        error = errno;
    }
    if (error != 0) {
        unlink(part);
        return fail(store, "write", path, error);
    }
    return true;
}

// Makes a folder in the store, or the store for an empty name.
static bool make_folder(Store *store, const char *array) {
    const char *path = tml_store_file(store, array, "");
    return mkdir(path, 0777) == 0 || errno == EEXIST || fail(store, "make the folder", path, errno);
}

static void array_name(char name[NAME_BYTES], const Part *part) {
    snprintf(name, NAME_BYTES, "%s%s", part->space, part->variable->name);
}

// The dims of an array behind that of the runs.
static size_t part_rank(const Part *part, const Plan *plan) {
    bool by_steps = part_is_output(part) && plan->options->ensemble.keep == TML_KEEP_ALL;
    return (size_t)by_steps + part->variable->type->flat_rank;
}

// "K.0.0": the file of a chunk.
static const char *chunk_file(char *text, size_t size, uint64_t chunk, size_t rank) {
    size_t used = (size_t)snprintf(text, size, "%llu", (unsigned long long)chunk);
    for (size_t i = 0; i < rank && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, ".0");
    }
    return text;
}

static bool write_texts(Store *store) {
    const Plan *plan = store->plan;
    Text text;
    char name[NAME_BYTES];
    bool done = true;
    for (size_t i = 0; i < plan->part_count && done; i++) {
        array_name(name, &plan->parts[i]);
        done = make_folder(store, name) &&
               tml_array_text(&text, plan, &plan->parts[i], store->chunk) &&
               write_file(store, name, ".zarray", text.bytes, text.used);
    }
    done = done && make_folder(store, fault_array) &&
           tml_fault_array_text(&text, plan, store->chunk) &&
           write_file(store, fault_array, ".zarray", text.bytes, text.used);
    static const char group[] = "{\n    \"zarr_format\": 2\n}\n";
    return done && write_file(store, "", ".zgroup", group, sizeof group - 1);
}

// Stores the bytes of a file, at most `size`, and how many. Returns 0 or an errno.
static int read_file(const char *path, void *bytes, size_t size, size_t *count) {
    int error = 0;
    int fd = tml_open(path, O_RDONLY);
    if (fd < 0) {
        return errno;
    }
    *count = tml_read_all(fd, bytes, size, &error);
    close(fd);
    return error;
}

// As the attributes of any store do that are all there.
static bool ends_in_brace(const char *text) {
    size_t len = strlen(text);
    while (len > 0 && text[len - 1] == '\n') {
        len--;
    }
    return len > 0 && text[len - 1] == '}';
}

// What is there already is to be of the same runs.
static bool compare(Store *store, const Text *wanted) {
    static char found[sizeof wanted->bytes];
    const char *path = tml_store_file(store, "", ".zattrs");
    size_t count = 0;
    int error = read_file(path, found, sizeof found - 1, &count);
    if (error != 0) {
        return fail(store, "read", path, error);
    }
    found[count] = '\0';
    if (!ends_in_brace(found)) {
        return tml_report_file(path, "the file is damaged; remove the store, or give another name");
    }
    return tml_attributes_equal(store->path, wanted, found);
}

static bool is_attributes_part(const char *name) {
    return strncmp(name, ".zattrs.", strlen(".zattrs.")) == 0 && tml_path_ends_in(name, ".part");
}

// Whether the folder has nothing but what processes leave that were killed when they had just made
// it.
static bool is_new(const char *path) {
    DIR *folder = opendir(path);
    bool is_empty = folder != NULL;
    for (struct dirent *entry; is_empty && (entry = readdir(folder));) {
        is_empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                   is_attributes_part(entry->d_name);
    }
    if (folder) {
        closedir(folder);
    }
    return is_empty;
}

// Takes away what such processes have left, when the attributes are there: whoever still writes
// some finds these.
static void remove_attributes_parts(Store *store) {
    DIR *folder = opendir(store->path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (is_attributes_part(entry->d_name)) {
            unlink(tml_store_file(store, "", entry->d_name));
        }
    }
    if (folder) {
        closedir(folder);
    }
}

// Gives the attributes their place, unless another process has done so: a link, unlike rename,
// replaces nothing. File systems without links are left with rename.
static bool publish(Store *store, const Text *attributes) {
    char path[NAME_BYTES], part[NAME_BYTES];
    int error = 0;
    snprintf(path, sizeof path, "%s", tml_store_file(store, "", ".zattrs"));
    int fd = tml_create_beside(path, part, sizeof part);
    if (fd < 0) {
        return fail(store, "write", path, errno);
    }
    tml_write_all(fd, attributes->bytes, attributes->used, &error);
    error = close_written(fd, error);
    if (error == 0 && link(part, path) != 0 && access(path, F_OK) != 0 && rename(part, path) != 0) {
        error = errno;
    }
    unlink(part);
    return error == 0 || fail(store, "write", path, error);
}

static bool begin(Store *store, const Text *attributes) {
    if (!make_folder(store, "")) {
        return false;
    }
    // Another shard may begin it meanwhile: whoever sees more than an empty folder sees the
    // attributes.
    bool new_folder = is_new(store->path);
    bool is_begun = access(tml_store_file(store, "", ".zattrs"), F_OK) == 0;
    if (!is_begun && !new_folder) {
        tml_report(store->plan->options->command,
                   "`%s` is there and is no store of runs; give another name", store->path);
        return false;
    }
    if ((!is_begun && !publish(store, attributes)) || !compare(store, attributes)) {
        return false;
    }
    remove_attributes_parts(store);
    return true;
}

bool tml_store_plan(Store *store, const Plan *plan, const char *path) {
    *store = (Store){.plan = plan, .chunk = plan->options->ensemble.chunk};
    store->chunk = store->chunk > 0 ? store->chunk : default_chunk(plan);
    store->chunk = store->chunk < plan->runs ? store->chunk : plan->runs;
    store->chunks = (plan->runs - 1) / store->chunk + 1;
    store->name_bytes = NAME_BYTES;
    store->name = malloc(NAME_BYTES);
    store->path = strndup(path, strlen(path) - tml_path_ends_in(path, "/"));
    if (!store->name || !store->path) {
        tml_report(plan->options->command, "cannot get memory");
        return false;
    }
    if (strlen(path) > NAME_BYTES / 4) {
        return fail(store, "make the folder", path, ENAMETOOLONG);
    }
    return true;
}

bool tml_store_open(Store *store) {
    Text attributes;
    return tml_attributes_text(&attributes, store->plan, store->chunk) &&
           begin(store, &attributes) && (!tml_store_is_writable(store) || write_texts(store));
}

bool tml_store_is_writable(Store *store) {
    return access(tml_store_file(store, "", ""), W_OK) == 0;
}

void tml_store_close(Store *store) {
    free(store->name);
    free(store->path);
}

static size_t part_bytes(const Store *store, const Part *part) {
    return store->chunk * part_scalars(part) * sizeof(double);
}

// Whether there is a file of this size, as a disk that was full may not have left it.
static bool is_file_of(const char *path, size_t bytes) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && (size_t)status.st_size == bytes;
}

static bool has_file(Store *store, const Part *part, uint64_t chunk) {
    char name[NAME_BYTES], file[NAME_BYTES];
    size_t bytes = part_bytes(store, part);
    array_name(name, part);
    chunk_file(file, sizeof file, chunk, part_rank(part, store->plan));
    return bytes == 0 || is_file_of(tml_store_file(store, name, file), bytes);
}

// A chunk without faults has no file of them.
static bool has_faults(Store *store, uint64_t chunk) {
    char file[64];
    const char *path = tml_store_file(store, fault_array, chunk_file(file, sizeof file, chunk, 0));
    return access(path, F_OK) != 0 || is_file_of(path, store->chunk * sizeof(tml_fault));
}

bool tml_store_has(Store *store, uint64_t chunk) {
    bool has = has_faults(store, chunk);
    for (size_t i = 0; i < store->plan->part_count && has; i++) {
        has = has_file(store, &store->plan->parts[i], chunk);
    }
    return has;
}

// Faults come first: a chunk that is there has them.
static bool write_faults(Store *store, uint64_t chunk, const Table *table) {
    char file[64];
    bool any = false;
    for (uint64_t i = 0; i < tml_store_runs(store, chunk); i++) {
        any |= table->faults[i].code != 0;
    }
    chunk_file(file, sizeof file, chunk, 0);
    if (any) {
        return write_file(store, fault_array, file, table->faults,
                          store->chunk * sizeof *table->faults);
    }
    const char *path = tml_store_file(store, fault_array, file);
    return unlink(path) == 0 || errno == ENOENT || fail(store, "write", path, errno);
}

bool tml_store_write(Store *store, uint64_t chunk, const Table *table) {
    const Plan *plan = store->plan;
    bool done = write_faults(store, chunk, table);
    for (size_t i = 0; i < plan->part_count && done; i++) {
        char name[NAME_BYTES], file[NAME_BYTES];
        const Part *part = &plan->parts[i];
        size_t bytes = part_bytes(store, part);
        array_name(name, part);
        chunk_file(file, sizeof file, chunk, part_rank(part, plan));
        done = bytes == 0 || write_file(store, name, file, table->data[i], bytes);
    }
    return done;
}

// Whether it is none, or one that a run of this model can end with.
static bool is_fault(const Plan *plan, const tml_fault *fault) {
    const tml_model *model = plan->model;
    bool is_known = fault->code == TML_E_INDEX || fault->code == TML_E_DIVISION ||
                    fault->code == TML_E_STEP ||
                    (fault->code == TML_E_ASSERT && (uint64_t)fault->index < model->text_count);
    bool has_place = fault->file < model->file_count && fault->column <= INT_MAX;
    bool has_step = fault->step < plan->steps || fault->step == UINT64_MAX;
    return fault->code == 0 || (is_known && has_place && has_step);
}

bool tml_store_read_faults(Store *store, uint64_t chunk, tml_fault *faults) {
    char file[64];
    size_t count = 0, bytes = store->chunk * sizeof *faults;
    const char *path = tml_store_file(store, fault_array, chunk_file(file, sizeof file, chunk, 0));
    int error = read_file(path, faults, bytes, &count);
    if (error == ENOENT) {
        memset(faults, 0, bytes);
    } else if (error != 0) {
        return fail(store, "read", path, error);
    }
    bool right = error != 0 || count == bytes;
    for (uint64_t i = 0; i < store->chunk && right; i++) {
        right = is_fault(store->plan, &faults[i]);
    }
    return right || tml_report_file(path,
                                    "the file is damaged; remove all files of chunk %llu, "
                                    "and they are made again",
                                    (unsigned long long)chunk);
}
