// Stack frames of machine functions, as LLVM's back end tells them while it makes an object: in
// warnings of functions with the attribute "warn-stack-size", which the handler of diagnostics
// catches.
#ifndef TMLC_CODEGEN_TARGET_FRAMES_H
#define TMLC_CODEGEN_TARGET_FRAMES_H

#include "support/arena.h"
#include "support/table.h"

#include <llvm-c/Core.h>

#include <stdint.h>

typedef struct Frames {
    Arena *arena;
    LLVMModuleRef module;
    Table sizes; // LLVM function to uint64_t
} Frames;

// Asks for the frame of a function.
void frames_watch(LLVMValueRef function);
// Takes in a warning; other texts are ignored.
void frames_note(Frames *frames, const char *warning);
// The bytes of a frame: saved registers included, a return address that the call pushes not.
uint64_t frames_bytes(const Frames *frames, LLVMValueRef function);

#endif
