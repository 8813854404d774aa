// The header is a Python dictionary; only what NumPy itself writes is taken.
#include "runtime/abi/type.h"
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

// The dictionary's text, NUL-terminated and from calloc, or NULL after a message.
static char *read_header_text(int fd, const char *path) {
    unsigned char start[TML_NPY_MAGIC_BYTES + 2], length[4] = {0};
    if (!read_bytes(fd, path, start, sizeof start)) {
        return NULL;
    }
    if (memcmp(start, TML_NPY_MAGIC, TML_NPY_MAGIC_BYTES) != 0) {
        tml_report_file(path, "not a .npy file");
        return NULL;
    }
    unsigned version = start[TML_NPY_MAGIC_BYTES];
    if (version < 1 || version > 3) {
        tml_report_file(path, "version %u of .npy is not known", version);
        return NULL;
    }
    if (!read_bytes(fd, path, length, version == 1 ? 2 : 4)) {
        return NULL;
    }
    size_t bytes =
        length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    if (bytes > HEADER_LIMIT) {
        tml_report_file(path, "the header of %zu bytes is too long", bytes);
        return NULL;
    }
    char *text = calloc(bytes + 1, 1);
    if (!text) {
        tml_report_file(path, "cannot get memory");
        return NULL;
    }
    if (!read_bytes(fd, path, text, bytes)) {
        free(text);
        return NULL;
    }
    return text;
}

static void skip_spaces(const char **c) {
    while (isspace((unsigned char)**c)) {
        ++*c;
    }
}

static bool take_char(const char **c, char wanted) {
    skip_spaces(c);
    if (**c != wanted) {
        return false;
    }
    ++*c;
    return true;
}

static bool take_word(const char **c, const char *word) {
    skip_spaces(c);
    size_t len = strlen(word);
    if (strncmp(*c, word, len) != 0) {
        return false;
    }
    *c += len;
    return true;
}

static bool is_plain(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (!isalnum((unsigned char)text[i]) && !strchr("_<>|=?", text[i])) {
            return false;
        }
    }
    return true;
}

// A string in quotes of either kind; keys and dtypes are plain, so messages can show them.
static bool take_string(const char **c, char *string, size_t size) {
    skip_spaces(c);
    char quote = **c;
    if (quote != '\'' && quote != '"') {
        return false;
    }
    const char *start = *c + 1;
    const char *end = strchr(start, quote);
    size_t len = end ? (size_t)(end - start) : size;
    if (len >= size || !is_plain(start, len)) {
        return false;
    }
    memcpy(string, start, len);
    string[len] = '\0';
    *c = end + 1;
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
    if (!take_char(c, '(')) {
        return false;
    }
    while (!take_char(c, ')')) {
        if (header->rank == TML_NPY_DIMS_LIMIT || !take_length(c, &header->dims[header->rank])) {
            return false;
        }
        header->rank++;
        skip_spaces(c);
        if (!take_char(c, ',') && **c != ')') {
            return false;
        }
    }
    return true;
}

static bool take_truth(const char **c, bool *truth) {
    *truth = take_word(c, "True");
    return *truth || take_word(c, "False");
}

// The three entries in any order, each once.
static bool parse_header(const char *c, NpyHeader *header) {
    bool has_dtype = false, has_order = false, has_shape = false;
    if (!take_char(&c, '{')) {
        return false;
    }
    while (!take_char(&c, '}')) {
        char key[TML_NPY_DTYPE_BYTES];
        if (!take_string(&c, key, sizeof key) || !take_char(&c, ':')) {
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
        if (!taken || (!take_char(&c, ',') && *c != '}')) {
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

// "(2, 3)", as NumPy shows it.
// The first dim is `first` when that is not NULL.
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
    static const struct {
        const char *name;
        NpyScalar scalar;
    } names[] = {{"|b1", NPY_BOOL},   {"<b1", NPY_BOOL},  {"|u1", NPY_UINT8},  {"|i1", NPY_INT8},
                 {"<u2", NPY_UINT16}, {"<i2", NPY_INT16}, {"<u4", NPY_UINT32}, {"<i4", NPY_INT32},
                 {"<f4", NPY_SINGLE}, {"<f8", NPY_DOUBLE}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].name, dtype) == 0) {
            return names[i].scalar;
        }
    }
    return NPY_OTHER;
}

// Singles hold integers of 16 bits.
static bool converts(NpyScalar from, const tml_type *type) {
    bool is_real = type->root == TML_REAL;
    bool is_double = is_real && type->real_bytes == 8;
    switch (from) {
    case NPY_BOOL: return true;
    case NPY_UINT8:
    case NPY_UINT16: return type->root == TML_UINT || type->root == TML_INT || is_real;
    case NPY_INT8:
    case NPY_INT16: return type->root == TML_INT || is_real;
    case NPY_UINT32: return type->root == TML_UINT || is_double;
    case NPY_INT32: return type->root == TML_INT || is_double;
    case NPY_SINGLE: return is_real;
    case NPY_DOUBLE: return is_double;
    case NPY_OTHER: return false;
    }
    __builtin_unreachable();
}

bool tml_npy_read_header(int fd, const char *path, NpyHeader *header) {
    char *text = read_header_text(fd, path);
    if (!text) {
        return false;
    }
    bool parsed = parse_header(text, header);
    free(text);
    if (!parsed) {
        return tml_report_file(path, "the header is not that of an array of plain numbers");
    }
    header->scalar = scalar_of_dtype(header->dtype);
    return true;
}

bool tml_npy_check_header(const char *path, const NpyHeader *header, const tml_type *type,
                          bool by_rows) {
    char type_text[TML_TYPE_TEXT_BYTES];
    tml_type_text(type_text, type);
    if (header->dtype[0] == '>') {
        return tml_report_file(path, "dtype `%s` is big-endian, %s is `%s`", header->dtype,
                               type_text, tml_npy_dtype(type));
    }
    if (!converts(header->scalar, type)) {
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
