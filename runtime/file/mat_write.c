// MAT-files as "MAT-File Format" (MathWorks) has them at level 5: a header, then an element for
// each variable, which has elements of its own for its class, dims, name and data. Data is column
// by column. Nothing is compressed, and the header tells no time, so that equal values give equal
// files.
#include "runtime/file/matrices.h"

#include <stdint.h>

enum {
    HEADER_BYTES = 128,
    TEXT_BYTES = 116,
    ALIGNMENT = 8,
    // Types of elements, and classes of arrays.
    TYPE_INT8 = 1,
    TYPE_UINT16 = 4,
    TYPE_INT32 = 5,
    TYPE_UINT32 = 6,
    TYPE_DOUBLE = 9,
    TYPE_MATRIX = 14,
    CLASS_CELL = 1,
    CLASS_CHAR = 4,
    CLASS_DOUBLE = 6,
};

static size_t padded(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void write_tag(Writer *out, uint32_t type, size_t bytes) {
    uint32_t tag[] = {type, (uint32_t)bytes};
    tml_write_bytes(out, tag, sizeof tag);
}

static void write_padding(Writer *out, size_t bytes) {
    for (size_t i = bytes; i < padded(bytes); i++) {
        tml_write_char(out, '\0');
    }
}

// Flags, dims and name with their tags.
static size_t head_bytes(const char *name) {
    return 5 * ALIGNMENT + padded(strlen(name));
}

static void write_head(Writer *out, uint32_t class, size_t rows, size_t columns, const char *name) {
    uint32_t flags[] = {class, 0};
    int32_t dims[] = {(int32_t)rows, (int32_t)columns};
    write_tag(out, TYPE_UINT32, sizeof flags);
    tml_write_bytes(out, flags, sizeof flags);
    write_tag(out, TYPE_INT32, sizeof dims);
    tml_write_bytes(out, dims, sizeof dims);
    write_tag(out, TYPE_INT8, strlen(name));
    tml_write_text(out, name);
    write_padding(out, strlen(name));
}

static size_t text_bytes(const char *text) {
    return head_bytes("") + ALIGNMENT + padded(2 * strlen(text));
}

static void write_name(Writer *out, const char *text) {
    size_t bytes = 2 * strlen(text);
    write_tag(out, TYPE_MATRIX, text_bytes(text));
    write_head(out, CLASS_CHAR, 1, strlen(text), "");
    write_tag(out, TYPE_UINT16, bytes);
    for (const char *at = text; *at != '\0'; at++) {
        tml_write_char(out, *at);
        tml_write_char(out, '\0');
    }
    write_padding(out, bytes);
}

static void write_cell(Writer *out, const NamedMatrix *item) {
    size_t bytes = head_bytes(item->name);
    for (size_t i = 0; i < item->rows; i++) {
        bytes += ALIGNMENT + text_bytes(item->texts[i]);
    }
    write_tag(out, TYPE_MATRIX, bytes);
    write_head(out, CLASS_CELL, item->rows, 1, item->name);
    for (size_t i = 0; i < item->rows; i++) {
        write_name(out, item->texts[i]);
    }
}

static void write_matrix(Writer *out, const NamedMatrix *item) {
    size_t bytes = item->rows * item->columns * sizeof(double);
    write_tag(out, TYPE_MATRIX, head_bytes(item->name) + ALIGNMENT + bytes);
    write_head(out, CLASS_DOUBLE, item->rows, item->columns, item->name);
    write_tag(out, TYPE_DOUBLE, bytes);
    for (size_t column = 0; column < item->columns; column++) {
        for (size_t row = 0; row < item->rows; row++) {
            tml_write_bytes(out, &item->data[row * item->columns + column], sizeof(double));
        }
    }
}

void tml_mat_write(Writer *out, const NamedMatrix *items, size_t count) {
    static const char text[] = "MATLAB 5.0 MAT-file, written by a model of tmlc";
    static const char version[] = {0x00, 0x01, 'I', 'M'}; // and the order of bytes
    char header[HEADER_BYTES];
    memset(header, ' ', TEXT_BYTES);
    memset(header + TEXT_BYTES, 0, sizeof header - TEXT_BYTES);
    memcpy(header, text, sizeof text - 1);
    memcpy(header + sizeof header - sizeof version, version, sizeof version);
    tml_write_bytes(out, header, sizeof header);
    for (size_t i = 0; i < count; i++) {
        if (items[i].data == NULL) {
            write_cell(out, &items[i]);
        } else {
            write_matrix(out, &items[i]);
        }
    }
}
