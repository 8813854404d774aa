// What a linker that drops unreferenced sections keeps of an object.
#ifndef TMLC_CODEGEN_TARGET_KEPT_H
#define TMLC_CODEGEN_TARGET_KEPT_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct KeptBytes {
    uint64_t code, constants;
} KeptBytes;

// The sections that hold the `count` symbols `roots`, and all that these refer to. False where the
// object is no ELF file, or does not define one of the symbols. The object is one of LLVM's making.
__attribute__((warn_unused_result)) bool kept_bytes(Arena *arena, const char *object, size_t len,
                                                    const char *const *roots, size_t count,
                                                    KeptBytes *kept);

#endif
