// Rows go through a buffer to where they belong, packed ones straight there. Scalars of a file are
// never wider than ours (tml_npy_check_header), so they are read to the end of their place and
// widened from the front. A single value is one row without the dim that counts rows.
#include "runtime/file/npy_read.h"

#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/file/npy.h"
#include "runtime/file/open_file.h"
#include "runtime/file/strided.h"
#include "runtime/run/report.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct NpyReader {
    int fd;
    const char *name;
    const tml_type *type;
    size_t stride;
    NpyScalar scalar;
    size_t numel;
    size_t file_row, row; // bytes in the file and in memory
    uint64_t count, done; // rows
    int error;            // errno of a failed read
    size_t missing;       // bytes that a file cut short lacks
    size_t buffered;      // rows that `buffer` holds
    char *buffer;         // NULL when rows are packed
};

enum { BUFFER_BYTES = 1 << 16 };

static bool read_header(NpyReader *npy, bool by_rows) {
    NpyHeader header;
    if (!tml_npy_read_header(npy->fd, npy->name, &header) ||
        !tml_npy_check_header(npy->name, &header, npy->type, by_rows)) {
        return false;
    }
    npy->scalar = header.scalar;
    npy->numel = tml_type_numel(npy->type);
    npy->file_row = npy->numel * tml_npy_scalar_bytes(header.scalar);
    npy->row = npy->numel * tml_scalar_bytes(npy->type);
    npy->count = by_rows ? header.dims[0] : 1;
    return true;
}

static bool fail_short(const NpyReader *npy, uint64_t rows) {
    return tml_report_file(npy->name, "the file is cut short: %llu of %llu rows are there",
                           (unsigned long long)rows, (unsigned long long)npy->count);
}

// What a regular file lacks is known at once.
static bool is_whole(const NpyReader *npy) {
    struct stat file;
    off_t at = lseek(npy->fd, 0, SEEK_CUR);
    if (at < 0 || fstat(npy->fd, &file) != 0 || !S_ISREG(file.st_mode)) {
        return true;
    }
    uint64_t found = file.st_size > at ? (uint64_t)(file.st_size - at) : 0;
    unsigned __int128 expected = (unsigned __int128)npy->count * npy->file_row;
    return found >= expected || fail_short(npy, found / npy->file_row);
}

static bool get_buffer(NpyReader *npy) {
    npy->buffered = npy->row < BUFFER_BYTES ? BUFFER_BYTES / npy->row : 1;
    npy->buffer = npy->stride == npy->row ? NULL : malloc(npy->buffered * npy->row);
    return npy->buffer || npy->stride == npy->row ||
           tml_report_file(npy->name, "cannot get memory");
}

NpyReader *tml_npy_open(int fd, const char *name, const tml_type *type, size_t stride) {
    NpyReader *npy = malloc(sizeof *npy);
    if (!npy) {
        tml_report_file(name, "cannot get memory");
        return NULL;
    }
    *npy = (NpyReader){.fd = fd, .name = name, .type = type, .stride = stride};
    if (!read_header(npy, true) || !is_whole(npy) || !get_buffer(npy)) {
        tml_npy_close(npy);
        return NULL;
    }
    return npy;
}

void tml_npy_close(NpyReader *npy) {
    free(npy->buffer);
    free(npy);
}

uint64_t tml_npy_row_count(const NpyReader *npy) {
    return npy->count;
}

// Returns how many whole rows there were.
static size_t read_part(NpyReader *npy, size_t count, char *place) {
    char *rows = npy->buffer ? npy->buffer : place;
    char *raw = rows + count * (npy->row - npy->file_row);
    size_t bytes = count * npy->file_row;
    size_t got = tml_read_all(npy->fd, raw, bytes, &npy->error);
    npy->missing = bytes - got;
    count = got / npy->file_row;
    tml_npy_convert(npy->scalar, raw, npy->type, rows, count * npy->numel);
    if (npy->buffer) {
        strided_scatter(place, npy->stride, rows, npy->row, count);
    }
    return count;
}

size_t tml_npy_read_rows(NpyReader *npy, size_t limit, char *place) {
    uint64_t left = npy->count - npy->done;
    limit = limit < left ? limit : (size_t)left;
    size_t count = 0;
    while (count < limit && npy->missing == 0) {
        size_t part = limit - count;
        part = npy->buffer && part > npy->buffered ? npy->buffered : part;
        count += read_part(npy, part, place + count * npy->stride);
    }
    npy->done += count;
    return count;
}

bool tml_npy_report_failure(const NpyReader *npy) {
    if (npy->error != 0) {
        return !tml_report_file(npy->name, "cannot read: %s", strerror(npy->error));
    }
    return npy->missing != 0 && !fail_short(npy, npy->done);
}

bool tml_npy_read(int fd, const char *path, const tml_type *type, void *data) {
    NpyReader npy = {.fd = fd, .name = path, .type = type};
    if (!read_header(&npy, false)) {
        return false;
    }
    if (read_part(&npy, 1, data) == 1) {
        return true;
    }
    return npy.error != 0 ? !tml_npy_report_failure(&npy) : tml_npy_fail_short(path, npy.missing);
}
