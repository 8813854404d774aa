// See zip.h. By minizip; times and modes are fixed, so that nothing of the machine is in the
// archive.
#include "driver/fmu/zip.h"

#include <errno.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    MADE_BY_UNIX = 3 << 8 | 20, // with version 2.0 of the format
    NAMES_ARE_UTF8 = 1 << 11,
    FIRST_YEAR = 1980,
};

static bool add(zipFile zip, const ZipFile *file) {
    const unsigned mode = strstr(file->name, ".so") == NULL ? 0100644 : 0100755;
    zip_fileinfo info = {
        .tmz_date = {.tm_mday = 1, .tm_year = FIRST_YEAR},
        .external_fa = (uLong)mode << 16,
    };
    int opened = zipOpenNewFileInZip4_64(zip, file->name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED,
                                         Z_BEST_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                                         Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY_UNIX, NAMES_ARE_UTF8,
                                         file->data.len > UINT32_MAX);
    if (opened != ZIP_OK) {
        return false;
    }
    bool written = zipWriteInFileInZip(zip, file->data.data, (unsigned)file->data.len) == ZIP_OK;
    return zipCloseFileInZip(zip) == ZIP_OK && written;
}

bool zip_write(const char *path, const ZipFile *files, size_t count, const char **error) {
    errno = 0;
    zipFile zip = zipOpen64(path, APPEND_STATUS_CREATE);
    bool done = zip != NULL;
    for (size_t i = 0; done && i < count; i++) {
        done = add(zip, &files[i]);
    }
    done = (zip == NULL || zipClose(zip, NULL) == ZIP_OK) && done;
    if (!done) {
        *error = errno == 0 ? "the archive cannot be written" : strerror(errno);
    }
    return done;
}

// The beginning is enough: what is looked for stands there.
static bool entry_has_text(unzFile zip, const char *text) {
    enum { LONGEST = 4096 };
    char data[LONGEST + 1];
    if (unzOpenCurrentFile(zip) != UNZ_OK) {
        return false;
    }
    int len = unzReadCurrentFile(zip, data, LONGEST);
    data[len > 0 ? len : 0] = '\0';
    unzCloseCurrentFile(zip);
    return strstr(data, text) != NULL;
}

bool zip_has_text(const char *path, const char *name, const char *text) {
    unzFile zip = unzOpen64(path);
    if (zip == NULL) {
        return false;
    }
    bool found = unzLocateFile(zip, name, 1) == UNZ_OK && entry_has_text(zip, text);
    unzClose(zip);
    return found;
}
