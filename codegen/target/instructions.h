// The instructions of a module in LLVM's form.
#ifndef TMLC_CODEGEN_TARGET_INSTRUCTIONS_H
#define TMLC_CODEGEN_TARGET_INSTRUCTIONS_H

#include "codegen/gen.h"

// May put something else in the place of the instruction.
typedef void InstructionVisitor(Gen *gen, LLVMValueRef instruction, void *data);

// Calls `visit` on all with this opcode.
void instructions_visit(Gen *gen, LLVMOpcode opcode, InstructionVisitor *visit, void *data);

#endif
