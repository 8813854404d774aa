#include "codegen/target/comparisons.h"

void comparisons_visit(Gen *gen, ComparisonVisitor *visit, void *data) {
    for (LLVMValueRef function = LLVMGetFirstFunction(gen->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef next;
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
                next = LLVMGetNextInstruction(at);
                if (LLVMIsAFCmpInst(at) != NULL) {
                    visit(gen, at, data);
                }
            }
        }
    }
}
