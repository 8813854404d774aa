// The cells of a value, row by row; the layout is that of reading (formats.h). Scalars are those of
// data files: no `u`, bool as 0 or 1.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/text/print.h"

void tml_csv_write(Writer *out, const tml_type *type, const void *data) {
    const char *scalar = data;
    size_t last = type->flat_rank > 0 ? type->flat_rank - 1u : 0;
    uint64_t rows = tml_dims_product(type->dims, 0, last);
    uint64_t columns = tml_dims_product(type->dims, last, type->flat_rank);
    for (uint64_t row = 0; row < rows; row++) {
        for (uint64_t column = 0; column < columns; column++) {
            if (column > 0) {
                tml_write_char(out, ',');
            }
            tml_write_scalar(out, type, scalar, SCALAR_DATA);
            scalar += tml_scalar_bytes(type);
        }
        tml_write_char(out, '\n');
    }
}
