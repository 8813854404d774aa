// The file is a header, the model's name and the bytes of the state. All that tells whether these
// bytes are a state of this model is in the header: its layout has names, types and offsets of all
// variables, and a hash of the bytes shows those that are damaged. Before the fault, which is last,
// a state has scratch memory, of which variants of a model have more or less: nothing in it is
// kept.
#include "runtime/simulate/state_file.h"

#include "runtime/file/open_file.h"
#include "runtime/file/whole_file.h"
#include "runtime/run/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAGIC_BYTES = 8, VERSION = 1, BYTE_ORDER_MARK = 0x01020304, NAME_LIMIT = 1 << 16 };

static const char magic[MAGIC_BYTES] = "TMLSTATE";

typedef struct Header {
    char magic[MAGIC_BYTES];
    uint32_t byte_order; // BYTE_ORDER_MARK as the writer has it
    uint32_t version;
    uint64_t layout;
    uint64_t steps;
    uint64_t state_bytes;
    uint64_t hash; // of the state
    uint64_t name_bytes;
} Header;

// FNV-1a.
static uint64_t hash_bytes(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ at[i]) * 1099511628211U;
    }
    return hash;
}

typedef struct Content {
    const tml_model *model;
    const void *state;
    uint64_t steps;
} Content;

static void write_state(Writer *out, const void *data) {
    const Content *content = data;
    const tml_model *model = content->model;
    Header header = {
        .byte_order = BYTE_ORDER_MARK,
        .version = VERSION,
        .layout = model->layout,
        .steps = content->steps,
        .state_bytes = model->state_bytes,
        .hash = hash_bytes(content->state, model->state_bytes),
        .name_bytes = strlen(model->name),
    };
    memcpy(header.magic, magic, MAGIC_BYTES);
    tml_write_bytes(out, &header, sizeof header);
    tml_write_text(out, model->name);
    tml_write_bytes(out, content->state, model->state_bytes);
}

bool tml_state_save(const Options *options, const void *state, uint64_t steps) {
    Content content = {options->model, state, steps};
    int error = tml_write_whole(options->save_state, write_state, &content);
    if (error != 0) {
        tml_report(options->command, "cannot write `%s`: %s", options->save_state, strerror(error));
    }
    return error == 0;
}

typedef struct Reader {
    const char *path;
    int fd;
    Header *header; // zeros before it is read
} Reader;

// The next bytes of the file; one that does not begin as a state does is none, short or not.
static bool read_part(const Reader *reader, void *bytes, size_t count) {
    int error = 0;
    size_t got = tml_read_all(reader->fd, bytes, count, &error);
    if (error != 0) {
        return tml_report_file(reader->path, "cannot be read: %s", strerror(error));
    }
    if (bytes == reader->header && memcmp(reader->header->magic, magic, MAGIC_BYTES) != 0) {
        return tml_report_file(reader->path, "the file is no state of a simulation");
    }
    return got == count || tml_report_file(reader->path,
                                           "the file is cut short, %zu bytes are "
                                           "missing",
                                           count - got);
}

static bool check_kind(const char *path, const Header *header) {
    if (header->byte_order == __builtin_bswap32(BYTE_ORDER_MARK)) {
        return tml_report_file(path, "the state is of a machine with the other byte order");
    }
    return (header->byte_order == BYTE_ORDER_MARK && header->version == VERSION) ||
           tml_report_file(path, "version %u of states is not known", header->version);
}

static bool check_model(const char *path, const Header *header, const char *name,
                        const tml_model *model) {
    if (strcmp(name, model->name) != 0) {
        return tml_report_file(path, "the state is of the model `%s`, this is `%s`", name,
                               model->name);
    }
    return header->layout >> 32 == model->layout >> 32 ||
           tml_report_file(path,
                           "the state is of another `%s`: its variables are not those of "
                           "this one",
                           name);
}

static bool read_name(const Reader *reader, const Header *header, const tml_model *model) {
    if (header->name_bytes >= NAME_LIMIT) {
        return tml_report_file(reader->path, "the file is damaged");
    }
    char *name = calloc(1, header->name_bytes + 1);
    bool done = name ? read_part(reader, name, header->name_bytes) &&
                           check_model(reader->path, header, name, model)
                     : tml_report_file(reader->path, "cannot get memory");
    free(name);
    return done;
}

// The file's bytes go to the variables in front and the fault at the end; scratch is between them.
static void take_state(const Header *header, const tml_model *model, const char *bytes,
                       char *state) {
    size_t fault_bytes = model->state_bytes - model->fault_offset;
    size_t front = header->state_bytes - fault_bytes;
    memcpy(state, bytes, front < model->fault_offset ? front : model->fault_offset);
    memcpy(state + model->fault_offset, bytes + front, fault_bytes);
}

static bool is_whole(const Header *header, const tml_model *model, const char *bytes) {
    return header->state_bytes >= model->state_bytes - model->fault_offset &&
           hash_bytes(bytes, header->state_bytes) == header->hash;
}

static bool read_state(const Reader *reader, const Header *header, const tml_model *model,
                       void *state) {
    char more;
    size_t count = (size_t)header->state_bytes;
    char *bytes = header->state_bytes <= PTRDIFF_MAX ? malloc(count) : NULL; // no object is larger
    if (!bytes) {
        return tml_report_file(reader->path, "cannot get memory");
    }
    bool done = read_part(reader, bytes, count);
    if (done && !is_whole(header, model, bytes)) {
        done = tml_report_file(reader->path, "the file is damaged");
    }
    if (done && tml_read_all(reader->fd, &more, 1, &(int){0}) != 0) {
        done = tml_report_file(reader->path, "more follows after the state");
    }
    if (done) {
        take_state(header, model, bytes, state);
    }
    free(bytes);
    return done;
}

bool tml_state_load(const Options *options, void *state, uint64_t *steps) {
    Header header = {0};
    Reader reader = {options->from_state, tml_open(options->from_state, O_RDONLY), &header};
    if (reader.fd < 0) {
        tml_report(options->command, "cannot open `%s`: %s", reader.path, strerror(errno));
        return false;
    }
    bool done = read_part(&reader, &header, sizeof header) && check_kind(reader.path, &header) &&
                read_name(&reader, &header, options->model) &&
                read_state(&reader, &header, options->model, state);
    close(reader.fd);
    *steps = done ? header.steps : 0;
    return done;
}
