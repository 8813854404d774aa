// Whether a linker did what its exit status says: some overlook writes that fail.
#ifndef TMLC_DRIVER_LINKED_FILE_H
#define TMLC_DRIVER_LINKED_FILE_H

#include "support/buffer.h"

#include <stdbool.h>

// Whether the file is a whole executable or shared library for the machine of `object`, which it
// was linked from. *error is a static or strerror text. Of formats other than ELF it knows the
// beginning.
__attribute__((warn_unused_result)) bool linked_file_check(const char *path, const Buffer *object,
                                                           bool is_shared, const char **error);

#endif
