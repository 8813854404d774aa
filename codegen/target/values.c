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
