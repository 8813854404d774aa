// Interned names: two names are equal exactly when their pointers are.
#ifndef TMLC_SUPPORT_INTERN_H
#define TMLC_SUPPORT_INTERN_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A piece of text that is not zero-terminated; it owns nothing.
typedef struct Slice {
    const char *data;
    size_t len;
} Slice;

typedef LIST_OF(Slice) SliceList;

// Without blanks and ends of lines around it.
Slice slice_trim(Slice text);

typedef struct NameEntry {
    uint32_t id; // dense: 0, 1, 2, ... in order of first use
    uint32_t len;
    const char *text; // zero-terminated
} NameEntry;

typedef const NameEntry *Name;

typedef struct NameTable NameTable;

NameTable *names_create(Arena *arena);
Name names_intern(NameTable *names, const char *text, size_t len);
Name names_intern_text(NameTable *names, const char *text);

bool text_begins_with(const char *text, const char *start);

#endif
