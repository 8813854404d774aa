// Rows go through a buffer to where they belong, packed ones straight there. Scalars that are wider
// in memory than in the file are read to the end of their place and widened from the front; those
// that are narrower, 64-bit integers, are read into the buffer. A single value is one row without
// the dim that counts rows.
#include "runtime/file/npy_read.h"

#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/file/npy.h"
#include "runtime/file/open_file.h"
#include "runtime/file/strided.h"
#include "runtime/run/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16, MISFIT_INDEX_BYTES = 256 };

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
    npy->by_rows = by_rows;
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

// Rows that lie apart, or are longer in the file, do not fit where they go.
static bool get_buffer(NpyReader *npy) {
    size_t row = npy->file_row > npy->row ? npy->file_row : npy->row;
    bool is_needed = npy->stride != npy->row || npy->file_row > npy->row;
    npy->buffered = row < BUFFER_BYTES ? BUFFER_BYTES / row : 1;
    npy->buffer = is_needed ? malloc(npy->buffered * row) : NULL;
    return npy->buffer || !is_needed || tml_report_file(npy->name, "cannot get memory");
}

bool tml_npy_open(NpyReader *npy, int fd, const char *name, const tml_type *type, size_t stride) {
    *npy = (NpyReader){.fd = fd, .name = name, .type = type, .stride = stride};
    return read_header(npy, true) && is_whole(npy) && get_buffer(npy);
}

void tml_npy_close(NpyReader *npy) {
    free(npy->buffer);
}

static void load_integer(NpyScalar scalar, const char *bytes, __int128 *value) {
    uint64_t bits = 0;
    unsigned unused = 64 - 8u * scalar.bytes;
    memcpy(&bits, bytes, scalar.bytes);
    *value = scalar.kind == 'i' ? (__int128)((int64_t)(bits << unused) >> unused) : (__int128)bits;
}

// A number of 16 bits: a sign, 5 bits of exponent and 10 of fraction (IEEE 754 binary16).
static double load_half(const char *bytes) {
    uint16_t half;
    memcpy(&half, bytes, sizeof half);
    uint64_t exponent = half >> 10 & 31;
    uint64_t fraction = half & 1023;
    uint64_t sign = half >> 15;
    if (exponent == 0) {
        double size = (double)fraction * 0x1p-24;
        return sign != 0 ? -size : size;
    }
    uint64_t wide = exponent == 31 ? 2047 : exponent + 1008;
    uint64_t bits = sign << 63 | wide << 52 | fraction << 42;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Doubles go to doubles as they are.
static double load_scalar(NpyScalar scalar, const char *bytes) {
    __int128 integer;
    float single;
    switch (scalar.kind) {
    case 'b': return *bytes != 0;
    case 'f':
        if (scalar.bytes == 2) {
            return load_half(bytes);
        }
        memcpy(&single, bytes, sizeof single);
        return (double)single;
    default: load_integer(scalar, bytes, &integer); return (double)integer;
    }
}

// Whether the integer is one of the root's values.
static bool integer_fits(const tml_type *type, __int128 value) {
    switch ((tml_root)type->root) {
    case TML_UINT: return value >= 0 && value <= UINT32_MAX;
    case TML_INT: return value >= INT32_MIN && value <= INT32_MAX;
    case TML_REAL:
        return value == (type->real_bytes == 4 ? (__int128)(float)value : (__int128)(double)value);
    case TML_BOOL: break;
    }
    return false;
}

// Keeps the first of `count` integers that does not fit. Returns its index, or `count`.
static size_t find_misfit(NpyReader *npy, const char *raw, size_t count) {
    for (size_t i = 0; i < count; i++) {
        __int128 value;
        load_integer(npy->scalar, raw + i * npy->scalar.bytes, &value);
        if (!integer_fits(npy->type, value)) {
            npy->misfit = true;
            npy->misfit_index = i % npy->numel;
            if (value < 0) {
                snprintf(npy->misfit_text, sizeof npy->misfit_text, "%lld", (long long)value);
            } else {
                snprintf(npy->misfit_text, sizeof npy->misfit_text, "%llu",
                         (unsigned long long)value);
            }
            return i;
        }
    }
    return count;
}

// Converts `count` scalars of the file at `raw` to the type's root. `data` may be `raw`, or end
// where it ends when ours are wider: what is written never passes what is still to be read.
static void convert(NpyScalar scalar, const char *raw, const tml_type *type, char *data,
                    size_t count) {
    size_t bytes = tml_scalar_bytes(type);
    bool same_kind = (scalar.kind == 'f') == (type->root == TML_REAL);
    if (scalar.bytes == bytes && same_kind && scalar.kind != 'b') {
        if (data != raw) {
            memmove(data, raw, count * bytes);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        tml_scalar_store(type, data + i * bytes, load_scalar(scalar, raw + i * scalar.bytes));
    }
}

// Returns how many whole rows there were before one that does not fit.
static size_t read_part(NpyReader *npy, size_t count, char *place) {
    char *rows = npy->buffer ? npy->buffer : place;
    char *raw = rows + (npy->row > npy->file_row ? count * (npy->row - npy->file_row) : 0);
    size_t bytes = count * npy->file_row;
    size_t got = tml_read_all(npy->fd, raw, bytes, &npy->error);
    npy->missing = bytes - got;
    count = got / npy->file_row;
    if (!tml_npy_all_fit(npy->scalar, npy->type)) {
        count = find_misfit(npy, raw, count * npy->numel) / npy->numel;
    }
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
    while (count < limit && npy->missing == 0 && !npy->misfit) {
        size_t part = limit - count;
        part = npy->buffer && part > npy->buffered ? npy->buffered : part;
        count += read_part(npy, part, place + count * npy->stride);
    }
    npy->done += count;
    return count;
}

static bool fail_misfit(const NpyReader *npy) {
    char root[TML_TYPE_TEXT_BYTES], index[MISFIT_INDEX_BYTES] = "";
    const tml_type scalar = {.root = npy->type->root, .real_bytes = npy->type->real_bytes};
    const tml_type *type = npy->type;
    size_t used = 0;
    if (npy->by_rows) {
        used = (size_t)snprintf(index, sizeof index, "%llu", (unsigned long long)npy->done);
    }
    for (size_t i = 0; i < type->flat_rank && used < sizeof index - 16; i++) {
        uint64_t below = tml_dims_product(type->dims, i + 1, type->flat_rank);
        used += (size_t)snprintf(index + used, sizeof index - used, "%s%llu", used > 0 ? ", " : "",
                                 (unsigned long long)(npy->misfit_index / below % type->dims[i]));
    }
    return tml_report_file(npy->name, "%s%s%s%s is not a value of %s", npy->misfit_text,
                           used > 0 ? " at [" : "", index, used > 0 ? "]" : "",
                           tml_type_text(root, &scalar));
}

bool tml_npy_report_failure(const NpyReader *npy) {
    if (npy->error != 0) {
        return !tml_report_file(npy->name, "cannot read: %s", strerror(npy->error));
    }
    return npy->misfit ? !fail_misfit(npy) : npy->missing != 0 && !fail_short(npy, npy->done);
}

bool tml_npy_read(int fd, const char *path, const tml_type *type, void *data) {
    NpyReader npy = {.fd = fd, .name = path, .type = type};
    bool done = read_header(&npy, false);
    npy.stride = npy.row;
    done = done && get_buffer(&npy);
    if (done && read_part(&npy, 1, data) < 1) {
        done = npy.misfit || npy.error != 0 ? !tml_npy_report_failure(&npy)
                                            : tml_npy_fail_short(path, npy.missing);
    }
    tml_npy_close(&npy);
    return done;
}
