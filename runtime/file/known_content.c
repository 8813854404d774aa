// Files that people take for text or .npy, told by how they begin.
#include "runtime/file/formats.h"
#include "runtime/file/npy.h"

const char *tml_known_content(const char *bytes, size_t len) {
    static const struct {
        const char *start, *message;
    } rows[] = {
        {TML_NPY_MAGIC, "this is a NumPy array; its name must end in .npy"},
        {"PK\x03\x04",
         "this is an archive (.npz, .xlsx), which is not read; save one array of it as "
         ".npy or CSV"},
        {"\x89HDF\r\n",
         "this is an HDF5 file (.h5, .mat), which is not read; save one array of it as "
         ".npy or CSV"},
        {"MATLAB 5.0",
         "this is a file of MATLAB (.mat), which is not read; save one array of it as "
         ".npy or CSV"},
        {"\xFF\xFE", "this text is UTF-16; save it as UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t start = strlen(rows[i].start);
        if (len >= start && memcmp(bytes, rows[i].start, start) == 0) {
            return rows[i].message;
        }
    }
    return NULL;
}
