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

enum { BUFFER_BYTES = 1 << 16 };

static bool read_header(NpyReader *npy, bool by_rows) {
    NpyHeader header;
    if (!tml_npy_read_header(npy->fd, npy->name, &header) ||
        !tml_npy_check_header(npy->name, &header, npy->type, by_rows)) {
        return false;
    }
    npy->scalar = header.scalar;
    npy->numel = tml_type_numel(npy->type);
    npy->file_row = npy->numel * header.scalar.bytes;
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

bool tml_npy_open(NpyReader *npy, int fd, const char *name, const tml_type *type, size_t stride) {
    *npy = (NpyReader){.fd = fd, .name = name, .type = type, .stride = stride};
    return read_header(npy, true) && is_whole(npy) && get_buffer(npy);
}

void tml_npy_close(NpyReader *npy) {
    free(npy->buffer);
}

// Of at most four bytes: doubles go to doubles as they are.
static double load_scalar(NpyScalar scalar, const char *bytes) {
    uint32_t bits = 0;
    float single;
    unsigned unused = 32 - 8u * scalar.bytes;
    memcpy(&bits, bytes, scalar.bytes);
    memcpy(&single, &bits, sizeof single);
    switch (scalar.kind) {
    case 'b': return bits != 0;
    case 'u': return bits;
    case 'i': return (int32_t)(bits << unused) >> unused;
    default: return (double)single;
    }
}

// Converts `count` scalars of the file at `raw` to the type's root. `data` may be `raw` or end
// where it ends: what is written never passes what is still to be read.
static void convert(NpyScalar scalar, const char *raw, const tml_type *type, char *data,
                    size_t count) {
    size_t bytes = tml_scalar_bytes(type);
    if (scalar.bytes == bytes && scalar.kind != 'b') {
        if (data != raw) {
            memmove(data, raw, count * bytes);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        tml_scalar_store(type, data + i * bytes, load_scalar(scalar, raw + i * scalar.bytes));
    }
}

// Returns how many whole rows there were.
static size_t read_part(NpyReader *npy, size_t count, char *place) {
    char *rows = npy->buffer ? npy->buffer : place;
    char *raw = rows + count * (npy->row - npy->file_row);
    size_t bytes = count * npy->file_row;
    size_t got = tml_read_all(npy->fd, raw, bytes, &npy->error);
    npy->missing = bytes - got;
    count = got / npy->file_row;
    convert(npy->scalar, raw, npy->type, rows, count * npy->numel);
    if (npy->buffer) {
        strided_copy(place, npy->stride, rows, npy->row, npy->row, count);
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
