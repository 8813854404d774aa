// Stack frames of machine functions. LLVM's back end tells about them in remarks, which the handler
// of diagnostics catches while an object is made; frames_enable_remarks must have run before.
#ifndef TMLC_CODEGEN_FRAMES_H
#define TMLC_CODEGEN_FRAMES_H

#include "codegen/pointer_map.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

#include <stdint.h>

typedef struct Frame {
    uint64_t bytes; // saved registers included, a return address that the call pushes not
    uint64_t align; // the greatest one of what is in it
} Frame;

typedef struct Frames {
    Arena *arena;
    LLVMModuleRef module;
    PointerMap by_function; // LLVM function to Frame
} Frames;

// Once per process, before any compilation.
void frames_enable_remarks(void);
// Takes in a remark; other texts are ignored.
void frames_note(Frames *frames, const char *remark);
// What is known about a function; zeros when nothing is.
Frame frames_of(const Frames *frames, LLVMValueRef function);

#endif
