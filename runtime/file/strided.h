// Members of structs in an array, to and from packed memory. Lengths of one scalar are loops of
// their own, which the compiler makes plain loads and stores of.
#ifndef TML_RUNTIME_FILE_STRIDED_H
#define TML_RUNTIME_FILE_STRIDED_H

#include <stddef.h>
#include <string.h>

// Copies `count` times `bytes`, with the two distances.
static inline void strided_copy(char *to, size_t to_stride, const char *from, size_t from_stride,
                                size_t bytes, size_t count) {
#define STRIDED_LOOP(size)                                        \
    for (size_t i = 0; i < count; i++) {                          \
        memcpy(to + i * to_stride, from + i * from_stride, size); \
    }
    if (to_stride == bytes && from_stride == bytes) {
        memcpy(to, from, count * bytes);
    } else if (bytes == 8) {
        STRIDED_LOOP(8)
    } else if (bytes == 4) {
        STRIDED_LOOP(4)
    } else if (bytes == 1) {
        STRIDED_LOOP(1)
    } else {
        STRIDED_LOOP(bytes)
    }
#undef STRIDED_LOOP
}

#endif
