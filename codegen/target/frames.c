// See frames.h. The handler of LLVM's diagnostics passes on every warning, and the number is read
// out of the text, which is that of LLVM 19. A version that words it differently would leave all
// frames at 0, and the unit tests of stack bounds would fail.
#include "codegen/target/frames.h"

#include "support/table.h"

#include <stdlib.h>
#include <string.h>

void frames_watch(LLVMValueRef function) {
    LLVMAddTargetDependentFunctionAttr(function, "warn-stack-size", "0");
}

// "...: stack frame size (24) exceeds limit (0) in function 'f'"
void frames_note(Frames *frames, const char *warning) {
    static const char before_size[] = "stack frame size (";
    static const char before_name[] = " in function '";
    const char *size = strstr(warning, before_size);
    const char *name = size == NULL ? NULL : strstr(size, before_name);
    const char *end = name == NULL ? NULL : strrchr(name, '\'');
    if (end == NULL) {
        return;
    }
    name += sizeof(before_name) - 1;
    const char *copy = arena_copy_text(frames->arena, name, (size_t)(end - name));
    LLVMValueRef function = LLVMGetNamedFunction(frames->module, copy);
    if (function != NULL) {
        uint64_t *bytes = ARENA_NEW(frames->arena, uint64_t);
        *bytes = strtoull(size + sizeof(before_size) - 1, NULL, 10);
        table_set(frames->arena, &frames->sizes, function, bytes);
    }
}

uint64_t frames_bytes(const Frames *frames, LLVMValueRef function) {
    const uint64_t *bytes = table_get(&frames->sizes, function);
    return bytes == NULL ? 0 : *bytes;
}
