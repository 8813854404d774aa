// FNV-1a of 64 bits: a hash of bytes that is the same on every machine.
#ifndef TMLC_SUPPORT_HASH_H
#define TMLC_SUPPORT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_OF_NOTHING UINT64_C(14695981039346656037)

// Of what has the hash `before`, and these bytes behind it.
static inline uint64_t hash_bytes(uint64_t before, const void *data, size_t len) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < len; i++) {
        before = (before ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return before;
}

#endif
