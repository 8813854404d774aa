// The header is a Python dictionary; only what NumPy itself writes is taken. The data goes straight
// to its place, where it is widened if the file's scalars are smaller than ours.
#include "runtime/formats.h"
#include "runtime/npy.h"
#include "runtime/type.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    HEADER_LIMIT = 1 << 16, // bytes; NumPy's own limit is 10000
    DTYPE_BYTES = 32,
    SHAPE_TEXT_BYTES = 256,
    DIMS_LIMIT = 512, // L2.2
};

typedef struct NpyHeader {
    char dtype[DTYPE_BYTES];
    bool fortran_order;
    size_t rank;
    uint64_t dims[DIMS_LIMIT];
} NpyHeader;

__attribute__((format(printf, 2, 3))) static bool fail(const char *path, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: error: %s\n", path, text);
    return false;
}

static bool read_exactly(int fd, const char *path, void *bytes, size_t count) {
    char *next = bytes;
    while (count > 0) {
        ssize_t got = read(fd, next, count);
        if (got == 0) {
            return fail(path, "the file is cut short, %zu bytes are missing", count);
        }
        if (got > 0) {
            next += got;
            count -= (size_t)got;
        } else if (errno != EINTR) {
            return fail(path, "cannot read: %s", strerror(errno));
        }
    }
    return true;
}

// The dictionary's text, NUL-terminated and from calloc, or NULL after a message.
static char *read_header_text(int fd, const char *path) {
    unsigned char start[TML_NPY_MAGIC_BYTES + 2], length[4] = {0};
    if (!read_exactly(fd, path, start, sizeof start)) {
        return NULL;
    }
    if (memcmp(start, TML_NPY_MAGIC, TML_NPY_MAGIC_BYTES) != 0) {
        fail(path, "not a .npy file");
        return NULL;
    }
    unsigned version = start[TML_NPY_MAGIC_BYTES];
    if (version < 1 || version > 3) {
        fail(path, "version %u of .npy is not known", version);
        return NULL;
    }
    if (!read_exactly(fd, path, length, version == 1 ? 2 : 4)) {
        return NULL;
    }
    size_t bytes =
        length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    if (bytes > HEADER_LIMIT) {
        fail(path, "the header of %zu bytes is too long", bytes);
        return NULL;
    }
    char *text = calloc(bytes + 1, 1);
    if (!text) {
        fail(path, "cannot get memory");
        return NULL;
    }
    if (!read_exactly(fd, path, text, bytes)) {
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
        if (header->rank == DIMS_LIMIT || !take_length(c, &header->dims[header->rank])) {
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
        char key[DTYPE_BYTES];
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

typedef enum NpyScalar { NPY_BOOL, NPY_UINT, NPY_INT, NPY_SINGLE, NPY_DOUBLE, NPY_OTHER } NpyScalar;

static NpyScalar scalar_of_dtype(const char *dtype) {
    static const struct {
        const char *name;
        NpyScalar scalar;
    } names[] = {{"|b1", NPY_BOOL}, {"<b1", NPY_BOOL},   {"<u4", NPY_UINT},
                 {"<i4", NPY_INT},  {"<f4", NPY_SINGLE}, {"<f8", NPY_DOUBLE}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].name, dtype) == 0) {
            return names[i].scalar;
        }
    }
    return NPY_OTHER;
}

static bool converts(NpyScalar from, const tml_type *type) {
    bool is_double = type->root == TML_REAL && type->real_bytes == 8;
    switch (from) {
    case NPY_BOOL: return true;
    case NPY_UINT: return type->root == TML_UINT || is_double;
    case NPY_INT: return type->root == TML_INT || is_double;
    case NPY_SINGLE: return type->root == TML_REAL;
    case NPY_DOUBLE: return is_double;
    case NPY_OTHER: return false;
    }
    __builtin_unreachable();
}

static size_t scalar_bytes(NpyScalar scalar) {
    switch (scalar) {
    case NPY_BOOL: return 1;
    case NPY_UINT:
    case NPY_INT:
    case NPY_SINGLE: return 4;
    case NPY_DOUBLE: return 8;
    case NPY_OTHER: return 0;
    }
    __builtin_unreachable();
}

static double load_scalar(NpyScalar scalar, const char *bytes) {
    uint32_t bits = 0;
    double real = 0;
    float single;
    memcpy(&bits, bytes, scalar == NPY_BOOL ? 1 : sizeof bits);
    memcpy(&single, &bits, sizeof single);
    switch (scalar) {
    case NPY_BOOL: return bits != 0;
    case NPY_UINT: return bits;
    case NPY_INT: return (int32_t)bits;
    case NPY_SINGLE: return (double)single;
    case NPY_DOUBLE: memcpy(&real, bytes, sizeof real); return real;
    case NPY_OTHER: return 0;
    }
    __builtin_unreachable();
}

// The value fits: `converts` has been asked.
static void store_scalar(const tml_type *type, char *bytes, double value) {
    switch ((tml_root)type->root) {
    case TML_BOOL: *bytes = value != 0; return;
    case TML_UINT: memcpy(bytes, &(uint32_t){(uint32_t)value}, 4); return;
    case TML_INT: memcpy(bytes, &(int32_t){(int32_t)value}, 4); return;
    case TML_REAL:
        if (type->real_bytes == 4) {
            memcpy(bytes, &(float){(float)value}, 4);
        } else {
            memcpy(bytes, &value, 8);
        }
        return;
    }
    __builtin_unreachable();
}

// Reads `numel` scalars. Smaller ones are read to the end of their place and widened from the
// front: what is written never passes what is still to be read.
static bool read_data(int fd, const char *path, NpyScalar scalar, const tml_type *type,
                      char *data) {
    size_t numel = tml_type_numel(type);
    size_t from = scalar_bytes(scalar), to = tml_scalar_bytes(type);
    char *raw = data + numel * (to - from);
    if (!read_exactly(fd, path, raw, numel * from)) {
        return false;
    }
    if (from == to && scalar != NPY_BOOL) {
        return true;
    }
    for (size_t i = 0; i < numel; i++) {
        store_scalar(type, data + i * to, load_scalar(scalar, raw + i * from));
    }
    return true;
}

static bool shape_is(const NpyHeader *header, const tml_type *type) {
    bool same = header->rank == type->flat_rank;
    for (size_t i = 0; same && i < header->rank; i++) {
        same = header->dims[i] == type->dims[i];
    }
    return same;
}

// Column order is row order when at most one dim is longer than 1.
static bool order_matters(const tml_type *type) {
    size_t longer = 0;
    for (size_t i = 0; i < type->flat_rank; i++) {
        longer += type->dims[i] > 1;
    }
    return longer > 1;
}

// "(2, 3)", as NumPy shows it.
static void shape_text(char text[SHAPE_TEXT_BYTES], const NpyHeader *header) {
    size_t used = (size_t)snprintf(text, SHAPE_TEXT_BYTES, "(");
    for (size_t i = 0; i < header->rank && used < SHAPE_TEXT_BYTES - 32; i++) {
        used += (size_t)snprintf(text + used, SHAPE_TEXT_BYTES - used, "%s%llu", i > 0 ? ", " : "",
                                 (unsigned long long)header->dims[i]);
    }
    snprintf(text + used, SHAPE_TEXT_BYTES - used, "%s", header->rank == 1 ? ",)" : ")");
}

static NpyHeader header_of_type(const tml_type *type) {
    NpyHeader header = {.rank = type->flat_rank};
    for (size_t i = 0; i < header.rank; i++) {
        header.dims[i] = type->dims[i];
    }
    return header;
}

static bool check_header(const char *path, const NpyHeader *header, const tml_type *type) {
    char type_text[TML_TYPE_TEXT_BYTES], found[SHAPE_TEXT_BYTES], expected[SHAPE_TEXT_BYTES];
    tml_type_text(type_text, type);
    if (header->dtype[0] == '>') {
        return fail(path, "dtype `%s` is big-endian, %s is `%s`", header->dtype, type_text,
                    tml_npy_dtype(type));
    }
    if (!converts(scalar_of_dtype(header->dtype), type)) {
        return fail(path, "dtype `%s` does not convert without loss to %s; save it `.astype('%s')`",
                    header->dtype, type_text, tml_npy_dtype(type));
    }
    if (!shape_is(header, type)) {
        NpyHeader wanted = header_of_type(type);
        shape_text(found, header);
        shape_text(expected, &wanted);
        return fail(path, "expected shape %s for %s, found %s", expected, type_text, found);
    }
    if (header->fortran_order && order_matters(type)) {
        return fail(path, "the array is in Fortran order; save `np.ascontiguousarray` of it");
    }
    return true;
}

bool tml_npy_read(int fd, const char *path, const tml_type *type, void *data) {
    char *text = read_header_text(fd, path);
    if (!text) {
        return false;
    }
    NpyHeader header;
    bool parsed = parse_header(text, &header);
    free(text);
    if (!parsed) {
        return fail(path, "the header is not that of an array of plain numbers");
    }
    return check_header(path, &header, type) &&
           read_data(fd, path, scalar_of_dtype(header.dtype), type, data);
}
