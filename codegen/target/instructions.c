#include "codegen/target/instructions.h"

void instructions_visit(Gen *gen, LLVMOpcode opcode, InstructionVisitor *visit, void *data) {
    for (LLVMValueRef function = LLVMGetFirstFunction(gen->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef next;
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
                next = LLVMGetNextInstruction(at);
                if (LLVMGetInstructionOpcode(at) == opcode) {
                    visit(gen, at, data);
                }
            }
        }
    }
}
