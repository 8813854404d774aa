// Types, values and streams for the tests of the runtime.
#ifndef TMLC_TESTS_RUNTIME_VALUES_H
#define TMLC_TESTS_RUNTIME_VALUES_H

#include "runtime/abi/abi.h"

#include <stddef.h>

enum { VALUES_LEVELS = 16, VALUES_DIMS = 64, VALUES_TEXT = 1 << 14 };

typedef struct TestType {
    tml_type type;
    uint16_t ranks[VALUES_LEVELS];
    uint32_t dims[VALUES_DIMS];
} TestType;

// `root` is b, u, i, r or s (a real of 4 bytes). `levels` lists the dims of each level, outermost
// first: "2x3 4" is tensor<tensor<T, 4>, 2, 3>; "" is a scalar.
void test_type(TestType *type, char root, const char *levels);
// Stores 1, 2, 3, ... (bool: true, false, true, ...) as the type's scalars.
void test_count_up(const tml_type *type, void *data);
// The scalar at `index`, as a double.
double test_scalar(const tml_type *type, const void *data, size_t index);

// A file without a name that holds these bytes, at its beginning.
int test_file(const void *bytes, size_t len);
// A file's bytes from the beginning, NUL-terminated; returns how many. Closes it.
size_t test_file_text(int fd, char text[VALUES_TEXT]);

// A text file that is read as a value of the type: 1, 2, 3, ..., or refused with the message, which
// follows the path.
typedef struct TextCase {
    const char *path;
    char root;
    const char *levels;
    const char *text;
    const char *message; // NULL: it is read
} TextCase;

void test_text_files(const TextCase *cases, size_t count);

// Redirects a standard stream to a file without a name, and back.
typedef struct Capture {
    int stream, saved, file;
} Capture;

Capture capture_start(int stream);
void capture_finish(Capture *capture, char text[VALUES_TEXT]);

#endif
