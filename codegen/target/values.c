#include "codegen/target/values.h"

bool value_is_vector(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

LLVMValueRef value_array(LLVMValueRef address) {
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef block) {
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        if (LLVMGetIncomingBlock(phi, k) == block) {
            return LLVMGetIncomingValue(phi, k);
        }
    }
    return NULL;
}
