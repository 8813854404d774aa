// The data goes straight to its place, where it is widened if the file's scalars are smaller than
// ours.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/file/npy.h"

bool tml_npy_read(int fd, const char *path, const tml_type *type, void *data) {
    NpyHeader header;
    if (!tml_npy_read_header(fd, path, &header) ||
        !tml_npy_check_header(path, &header, type, false)) {
        return false;
    }
    size_t numel = tml_type_numel(type);
    size_t from = tml_npy_scalar_bytes(header.scalar);
    char *raw = (char *)data + numel * (tml_scalar_bytes(type) - from);
    if (!tml_npy_read_bytes(fd, path, raw, numel * from)) {
        return false;
    }
    tml_npy_convert(header.scalar, raw, type, data, numel);
    return true;
}
