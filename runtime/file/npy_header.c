// The header is a Python dictionary; only what NumPy itself writes is taken.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/file/npy.h"
#include "runtime/file/open_file.h"
#include "runtime/run/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_LIMIT = 1 << 16, // bytes; NumPy's own limit is 10000
    SHAPE_TEXT_BYTES = 256,
};

bool tml_npy_fail_short(const char *path, size_t missing) {
    return tml_report_file(path, "the file is cut short, %zu bytes are missing", missing);
}

static bool read_bytes(int fd, const char *path, void *bytes, size_t count) {
    int error = 0;
    size_t got = tml_read_all(fd, bytes, count, &error);
    if (error != 0) {
        return tml_report_file(path, "cannot read: %s", strerror(error));
    }
    return got == count || tml_npy_fail_short(path, count - got);
}

// The dictionary's text, NUL-terminated and from calloc, whether all of it could be read or not.
static bool read_header_text(int fd, const char *path, char **text) {
    unsigned char start[TML_NPY_MAGIC_BYTES + 2], length[4] = {0};
    if (!read_bytes(fd, path, start, sizeof start)) {
        return false;
    }
    if (memcmp(start, TML_NPY_MAGIC, TML_NPY_MAGIC_BYTES) != 0) {
        const char *known = tml_known_content((const char *)start, sizeof start);
        return tml_report_file(path, "%s", known ? known : "not a .npy file");
    }
    unsigned version = start[TML_NPY_MAGIC_BYTES];
    if (version < 1 || version > 3) {
        return tml_report_file(path, "version %u of .npy is not known", version);
    }
    if (!read_bytes(fd, path, length, version == 1 ? 2 : 4)) {
        return false;
    }
    size_t bytes =
        length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    if (bytes > HEADER_LIMIT) {
        return tml_report_file(path, "the header of %zu bytes is too long", bytes);
    }
    *text = calloc(bytes + 1, 1);
    return *text ? read_bytes(fd, path, *text, bytes) : tml_report_file(path, "cannot get memory");
}

static void skip_spaces(const char **c) {
    while (isspace((unsigned char)**c)) {
        ++*c;
    }
}

static bool take(const char **c, const char *wanted) {
    skip_spaces(c);
    size_t len = strlen(wanted);
    bool found = strncmp(*c, wanted, len) == 0;
    *c += found ? len : 0;
    return found;
}

static bool is_plain(char c) {
    return isalnum((unsigned char)c) || (c != '\0' && strchr("_<>|=?", c));
}

// A string in quotes of either kind; keys and dtypes are plain, so messages can show them.
static bool take_string(const char **c, char *string, size_t size) {
    skip_spaces(c);
    char quote = **c;
    if (quote != '\'' && quote != '"') {
        return false;
    }
    const char *start = ++*c;
    while (is_plain(**c)) {
        ++*c;
    }
    size_t len = (size_t)(*c - start);
    if (**c != quote || len >= size) {
        return false;
    }
    ++*c;
    memcpy(string, start, len);
    string[len] = '\0';
    return true;
}

static bool take_length(const char **c, uint64_t *length) {
    skip_spaces(c);
    if (!isdigit((unsigned char)**c)) {
        return false;
    }
    char *end;
    errno = 0;
    *length = strtoull(*c, &end, 10);
    *c = end;
    return errno == 0;
}

// (), (2,) or (2, 3)
static bool take_shape(const char **c, NpyHeader *header) {
    header->rank = 0;
    if (!take(c, "(")) {
        return false;
    }
    while (!take(c, ")")) {
        if (header->rank == TML_NPY_DIMS_LIMIT || !take_length(c, &header->dims[header->rank])) {
            return false;
        }
        header->rank++;
        skip_spaces(c);
        if (!take(c, ",") && **c != ')') {
            return false;
        }
    }
    return true;
}

static bool take_truth(const char **c, bool *truth) {
    *truth = take(c, "True");
    return *truth || take(c, "False");
}

// The three entries in any order, each once.
static bool parse_header(const char *c, NpyHeader *header) {
    bool has_dtype = false, has_order = false, has_shape = false;
    if (!take(&c, "{")) {
        return false;
    }
    while (!take(&c, "}")) {
        char key[TML_NPY_DTYPE_BYTES];
        if (!take_string(&c, key, sizeof key) || !take(&c, ":")) {
            return false;
        }
        bool taken = false;
        if (strcmp(key, "descr") == 0 && !has_dtype) {
            taken = has_dtype = take_string(&c, header->dtype, sizeof header->dtype);
        } else if (strcmp(key, "fortran_order") == 0 && !has_order) {
            taken = has_order = take_truth(&c, &header->fortran_order);
        } else if (strcmp(key, "shape") == 0 && !has_shape) {
            taken = has_shape = take_shape(&c, header);
        }
        skip_spaces(&c);
        if (!taken || (!take(&c, ",") && *c != '}')) {
            return false;
        }
    }
    skip_spaces(&c);
    return *c == '\0' && has_dtype && has_order && has_shape;
}

// Column order is row order when at most one dim is longer than 1.
static bool order_matters(const NpyHeader *header) {
    size_t longer = 0;
    for (size_t i = 0; i < header->rank; i++) {
        longer += header->dims[i] > 1;
    }
    return longer > 1;
}

// "(2, 3)", as NumPy shows it. The first dim is `first` when that is not NULL.
static void shape_text(char text[SHAPE_TEXT_BYTES], const NpyHeader *header, const char *first) {
    size_t used = (size_t)snprintf(text, SHAPE_TEXT_BYTES, "(%s", first ? first : "");
    for (size_t i = first ? 1 : 0; i < header->rank && used < SHAPE_TEXT_BYTES - 32; i++) {
        used += (size_t)snprintf(text + used, SHAPE_TEXT_BYTES - used, "%s%llu", i > 0 ? ", " : "",
                                 (unsigned long long)header->dims[i]);
    }
    snprintf(text + used, SHAPE_TEXT_BYTES - used, "%s", header->rank == 1 ? ",)" : ")");
}

// The shape that the type asks for; with `by_rows` the first dim is what the file has.
static NpyHeader expected_header(const tml_type *type, const NpyHeader *found, bool by_rows) {
    NpyHeader header = {.rank = (size_t)type->flat_rank + by_rows};
    if (by_rows && found->rank > 0) {
        header.dims[0] = found->dims[0];
    }
    for (size_t i = 0; i < type->flat_rank; i++) {
        header.dims[i + by_rows] = type->dims[i];
    }
    return header;
}

static bool same_shape(const NpyHeader *a, const NpyHeader *b) {
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof a->dims[0]) == 0;
}

static NpyScalar scalar_of_dtype(const char *dtype) {
    static const char *const known[] = {"|b1", "<b1", "|u1", "|i1", "<u2", "<i2", "<u4",
                                        "<i4", "<u8", "<i8", "<f2", "<f4", "<f8"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i], dtype) == 0) {
            return (NpyScalar){dtype[1], (uint8_t)(dtype[2] - '0')};
        }
    }
    return (NpyScalar){0};
}

// Singles hold integers of 16 bits, doubles those of 32.
bool tml_npy_all_fit(NpyScalar scalar, const tml_type *type) {
    bool is_real = type->root == TML_REAL;
    bool in_real = is_real && scalar.bytes < type->real_bytes;
    bool is_narrower = scalar.bytes < 4;
    switch (scalar.kind) {
    case 'b': return true;
    case 'u':
        return in_real || (type->root == TML_UINT && scalar.bytes <= 4) ||
               (type->root == TML_INT && is_narrower);
    case 'i': return in_real || (type->root == TML_INT && scalar.bytes <= 4);
    case 'f': return is_real && scalar.bytes <= type->real_bytes;
    default: return false;
    }
}

// Integers are looked at one by one.
static bool may_convert(NpyScalar scalar, const tml_type *type) {
    bool is_integer = scalar.kind == 'i' || scalar.kind == 'u';
    return tml_npy_all_fit(scalar, type) || (is_integer && type->root != TML_BOOL);
}

bool tml_npy_read_header(int fd, const char *path, NpyHeader *header) {
    char *text = NULL;
    bool done = read_header_text(fd, path, &text);
    if (done && (text == NULL || !parse_header(text, header))) {
        done = tml_report_file(path, "the header is not that of an array of plain numbers");
    }
    free(text);
    header->scalar = scalar_of_dtype(done ? header->dtype : "");
    return done;
}

bool tml_npy_check_header(const char *path, const NpyHeader *header, const tml_type *type,
                          bool by_rows) {
    char type_text[TML_TYPE_TEXT_BYTES];
    tml_type_text(type_text, type);
    if (header->dtype[0] == '>') {
        return tml_report_file(path,
                               "dtype `%s` is big-endian, %s is `%s`; save it `.astype('%s')`",
                               header->dtype, type_text, tml_npy_dtype(type), tml_npy_dtype(type));
    }
    if (!may_convert(header->scalar, type)) {
        return tml_report_file(
            path, "dtype `%s` does not convert without loss to %s; save it `.astype('%s')`",
            header->dtype, type_text, tml_npy_dtype(type));
    }
    NpyHeader expected = expected_header(type, header, by_rows);
    if (!same_shape(header, &expected)) {
        char found_text[SHAPE_TEXT_BYTES], expected_text[SHAPE_TEXT_BYTES];
        shape_text(found_text, header, NULL);
        shape_text(expected_text, &expected, by_rows ? "steps" : NULL);
        return tml_report_file(path, "expected shape %s for %s, found %s", expected_text, type_text,
                               found_text);
    }
    if (header->fortran_order && order_matters(header)) {
        return tml_report_file(path,
                               "the array is in Fortran order; save `np.ascontiguousarray` of it");
    }
    return true;
}
