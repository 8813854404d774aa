// A reader of ELF objects, apart from the one that the compiler uses.
#ifndef TMLC_TESTS_UNIT_CODEGEN_OBJECT_FILE_H
#define TMLC_TESTS_UNIT_CODEGEN_OBJECT_FILE_H

#include "support/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OBJECT_SYMBOL_LIMIT = 200 };

typedef struct ObjectFile {
    uint64_t code_bytes;
    uint64_t constant_bytes; // loaded and not code; relocated constants too
    const char *writable;    // the name of a section that the host would write; or NULL
    const char *extra;       // of one for constructors or thread-local data; or NULL
    size_t undefined_count;
    const char *undefined[OBJECT_SYMBOL_LIMIT]; // names in the object's own bytes
} ObjectFile;

// ELF of 32 or 64 bits, little-endian.
ObjectFile object_file_read(const Buffer *object);

#endif
