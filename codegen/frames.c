// See frames.h. The texts are those of LLVM 19's passes `prologepilog` and `stack-frame-layout`.
#include "codegen/frames.h"

#include <llvm-c/Support.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void frames_enable_remarks(void) {
    static const char *const options[] = {
        "tmlc",
        "-pass-remarks-analysis=^(prologepilog|stack-frame-layout)$",
    };
    LLVMParseCommandLineOptions(sizeof(options) / sizeof(options[0]), options, NULL);
}

// The frame of the function whose name is the text up to `end`; NULL when there is none.
static Frame *frame_named(Frames *frames, const char *name, char end) {
    const char *stop = strchr(name, end);
    if (stop == NULL) {
        return NULL;
    }
    const char *copy = arena_copy_text(frames->arena, name, (size_t)(stop - name));
    LLVMValueRef function = LLVMGetNamedFunction(frames->module, copy);
    if (function == NULL) {
        return NULL;
    }
    Frame *frame = pointer_map_get(&frames->by_function, function);
    if (frame == NULL) {
        frame = ARENA_NEW(frames->arena, Frame);
        pointer_map_set(frames->arena, &frames->by_function, function, frame);
    }
    return frame;
}

// "...: 24 stack bytes in function 'f'"
static void note_size(Frames *frames, const char *remark) {
    static const char words[] = " stack bytes in function '";
    const char *at = strstr(remark, words);
    if (at == NULL) {
        return;
    }
    const char *number = at;
    while (number > remark && isdigit((unsigned char)number[-1])) {
        number--;
    }
    Frame *frame = frame_named(frames, at + sizeof(words) - 1, '\'');
    if (frame != NULL) {
        frame->bytes = strtoull(number, NULL, 10);
    }
}

// "\nFunction: f\nOffset: [SP-64], Type: Variable, Align: 64, Size: 64\n..."
static void note_layout(Frames *frames, const char *remark) {
    static const char head[] = "\nFunction: ";
    static const char word[] = ", Align: ";
    const char *at = strstr(remark, head);
    Frame *frame = at == NULL ? NULL : frame_named(frames, at + sizeof(head) - 1, '\n');
    while (frame != NULL && (at = strstr(at, word)) != NULL) {
        at += sizeof(word) - 1;
        uint64_t align = strtoull(at, NULL, 10);
        frame->align = align > frame->align ? align : frame->align;
    }
}

void frames_note(Frames *frames, const char *remark) {
    note_size(frames, remark);
    note_layout(frames, remark);
}

Frame frames_of(const Frames *frames, LLVMValueRef function) {
    const Frame *frame = pointer_map_get(&frames->by_function, function);
    return frame == NULL ? (Frame){0} : *frame;
}
