// A golden file: a TML program with what is expected of it in the comments at its end. The format
// is described in tests/golden/README.md.
#ifndef TMLC_TESTS_GOLDEN_FILE_H
#define TMLC_TESTS_GOLDEN_FILE_H

#include "support/arena.h"
#include "support/buffer.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum Section {
#define SECTION(NAME, text, FORM, is_made) SECTION_##NAME,
#include "tests/golden/sections.def"
    SECTION_COUNT,
} Section;

typedef struct GoldenFile {
    const char *path;
    const char *text; // all of the file, zero-terminated
    size_t len;
    size_t program_len;                  // where the first section begins
    const char *sections[SECTION_COUNT]; // what stands in each; NULL when it is absent
    Section order[SECTION_COUNT];
    size_t order_count;
} GoldenFile;

const char *section_text(Section section);
// May be rewritten by --update.
bool section_is_made(Section section);

// Reads a golden file. On failure returns false and *error says what is wrong with it.
bool golden_read(GoldenFile *file, Arena *arena, const char *path, const char **error);
// Writes the file with the sections as they are in `file` now.
bool golden_write(const GoldenFile *file, const char **error);

#endif
