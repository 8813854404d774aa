// One record without dims, so that `numpy.load(FILE)["A"]` is the matrix.
#include "runtime/file/matrices.h"
#include "runtime/file/npy.h"

static size_t text_width(const NamedMatrix *item) {
    size_t width = 1;
    for (size_t i = 0; i < item->rows; i++) {
        size_t len = strlen(item->texts[i]);
        width = len > width ? len : width;
    }
    return width;
}

static size_t format_header(char bytes[TML_NPY_HEADER_BYTES], const NamedMatrix *items,
                            size_t count) {
    NpyRecord record;
    tml_npy_record_begin(&record);
    for (size_t i = 0; i < count; i++) {
        const NamedMatrix *item = &items[i];
        if (item->data == NULL) {
            tml_npy_record_add_texts(&record, item->name, text_width(item), item->rows);
            continue;
        }
        uint32_t dims[] = {(uint32_t)item->rows, (uint32_t)item->columns};
        tml_type type = {.root = TML_REAL,
                         .real_bytes = sizeof(double),
                         .flat_rank = (uint16_t)item->rank,
                         .dims = dims};
        tml_npy_record_add(&record, item->name, &type, true);
    }
    return tml_npy_record_format(bytes, &record, NULL);
}

static void write_texts(Writer *out, const NamedMatrix *item) {
    size_t width = text_width(item);
    for (size_t i = 0; i < item->rows; i++) {
        size_t len = strlen(item->texts[i]);
        for (size_t k = 0; k < width; k++) {
            uint32_t character = k < len ? (unsigned char)item->texts[i][k] : 0;
            tml_write_bytes(out, &character, sizeof character);
        }
    }
}

void tml_npy_matrices_write(Writer *out, const NamedMatrix *items, size_t count) {
    char bytes[TML_NPY_HEADER_BYTES];
    tml_write_bytes(out, bytes, format_header(bytes, items, count));
    for (size_t i = 0; i < count; i++) {
        if (items[i].data == NULL) {
            write_texts(out, &items[i]);
        } else {
            tml_write_bytes(out, items[i].data, items[i].rows * items[i].columns * sizeof(double));
        }
    }
}
