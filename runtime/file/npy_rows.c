#include "runtime/file/npy_rows.h"

#include "runtime/abi/type.h"
#include "runtime/file/npy.h"
#include "runtime/file/strided.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct NpyRows {
    int fd;
    const char *name;
    const tml_variable *terminal;
    size_t stride;
    NpyScalar scalar;
    size_t numel;
    size_t file_row, row; // bytes in the file and in memory
    uint64_t count, done; // rows
    int error;            // errno of a failed read
    uint64_t missing;     // bytes that a file cut short lacks
    size_t raw_rows;      // rows that `raw` holds
    char *raw;            // the widest of both forms for each row
};

enum { RAW_BYTES = 1 << 16 };

// What a regular file lacks is known at once.
static bool is_whole(const NpyRows *npy) {
    struct stat file;
    off_t at = lseek(npy->fd, 0, SEEK_CUR);
    if (at < 0 || fstat(npy->fd, &file) != 0 || !S_ISREG(file.st_mode)) {
        return true;
    }
    uint64_t found = file.st_size > at ? (uint64_t)(file.st_size - at) : 0;
    unsigned __int128 expected = (unsigned __int128)npy->count * npy->file_row;
    if (found >= expected) {
        return true;
    }
    return tml_npy_fail(npy->name, "the file is cut short: %llu of %llu rows are there",
                        (unsigned long long)(found / npy->file_row),
                        (unsigned long long)npy->count);
}

static bool get_memory(NpyRows *npy) {
    size_t wide = npy->row > npy->file_row ? npy->row : npy->file_row;
    npy->raw_rows = wide < RAW_BYTES ? RAW_BYTES / wide : 1;
    npy->raw = malloc(npy->raw_rows * wide);
    return npy->raw || tml_npy_fail(npy->name, "cannot get memory");
}

NpyRows *npy_rows_open(int fd, const char *name, const tml_variable *terminal, size_t stride) {
    NpyHeader header;
    if (!tml_npy_read_header(fd, name, &header) ||
        !tml_npy_check_header(name, &header, terminal->type, true)) {
        return NULL;
    }
    NpyRows *npy = calloc(1, sizeof *npy);
    if (!npy) {
        tml_npy_fail(name, "cannot get memory");
        return NULL;
    }
    npy->fd = fd;
    npy->name = name;
    npy->terminal = terminal;
    npy->stride = stride;
    npy->scalar = header.scalar;
    npy->numel = tml_type_numel(terminal->type);
    npy->file_row = npy->numel * tml_npy_scalar_bytes(header.scalar);
    npy->row = npy->numel * tml_scalar_bytes(terminal->type);
    npy->count = header.dims[0];
    if (!is_whole(npy) || !get_memory(npy)) {
        npy_rows_close(npy);
        return NULL;
    }
    return npy;
}

void npy_rows_close(NpyRows *npy) {
    free(npy->raw);
    free(npy);
}

uint64_t npy_rows_count(const NpyRows *npy) {
    return npy->count;
}

// Returns how many bytes there were.
static size_t read_bytes(NpyRows *npy, char *bytes, size_t count) {
    size_t done = 0;
    while (done < count && npy->error == 0) {
        ssize_t got = read(npy->fd, bytes + done, count - done);
        if (got == 0) {
            break;
        }
        if (got > 0) {
            done += (size_t)got;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = npy->fd, .events = POLLIN}, 1, -1);
        } else if (errno != EINTR) {
            npy->error = errno;
        }
    }
    return done;
}

static size_t read_rows(NpyRows *npy, size_t count, char *place) {
    size_t bytes = count * npy->file_row;
    bool packed = npy->stride == npy->row && npy->row == npy->file_row &&
                  npy->scalar != NPY_BOOL; // bools may be other bytes than 0 and 1
    // Narrow scalars lie at the end of their place, to be widened from the front.
    char *raw = packed                     ? place
                : npy->row > npy->file_row ? npy->raw + count * (npy->row - npy->file_row)
                                           : npy->raw;
    size_t got = read_bytes(npy, raw, bytes);
    npy->missing = bytes - got;
    size_t rows = got / npy->file_row;
    if (!packed) {
        tml_npy_convert(npy->scalar, raw, npy->terminal->type, npy->raw, rows * npy->numel);
        strided_scatter(place, npy->stride, npy->raw, npy->row, rows);
    }
    return rows;
}

size_t npy_rows_read(NpyRows *npy, size_t limit, char *inputs) {
    uint64_t left = npy->count - npy->done;
    limit = limit < left ? limit : (size_t)left;
    size_t count = 0;
    while (count < limit && npy->missing == 0) {
        size_t part = limit - count < npy->raw_rows ? limit - count : npy->raw_rows;
        count += read_rows(npy, part, inputs + count * npy->stride + npy->terminal->offset);
    }
    npy->done += count;
    return count;
}

bool npy_rows_report_failure(const NpyRows *npy) {
    if (npy->error != 0) {
        return !tml_npy_fail(npy->name, "cannot read: %s", strerror(npy->error));
    }
    if (npy->missing != 0) {
        return !tml_npy_fail(npy->name, "the file is cut short: %llu of %llu rows are there",
                             (unsigned long long)npy->done, (unsigned long long)npy->count);
    }
    return false;
}
