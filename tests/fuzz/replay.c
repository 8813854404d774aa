// Feeds files to a fuzz target, each once and without libFuzzer: the corpus as an ordinary test.
// replay FILE-OR-FOLDER...
#include "support/file.h"

#include <fts.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool replay(const char *path) {
    char *data = NULL;
    size_t len = 0;
    const char *error = NULL;
    if (!file_read(path, &data, &len, &error)) {
        fprintf(stderr, "replay: cannot read %s: %s\n", path, error);
        return false;
    }
    printf("%s\n", path); // what a failure is about
    fflush(stdout);
    LLVMFuzzerTestOneInput((const uint8_t *)data, len);
    free(data);
    return true;
}

int main(int argc, char **argv) {
    char *nothing[] = {NULL};
    FTS *files = fts_open(argc > 1 ? argv + 1 : nothing, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    if (!files) {
        perror("replay");
        return 1;
    }
    unsigned count = 0;
    bool good = true;
    for (FTSENT *entry; (entry = fts_read(files)) != NULL;) {
        if (entry->fts_info == FTS_F) {
            good &= replay(entry->fts_path);
            count++;
        } else if (entry->fts_info != FTS_D && entry->fts_info != FTS_DP) {
            fprintf(stderr, "replay: cannot read %s\n", entry->fts_path);
            good = false;
        }
    }
    fts_close(files);
    printf("%u files\n", count);
    return good && count > 0 ? 0 : 1;
}
