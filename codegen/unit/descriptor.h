// What the table of a model (runtime/abi/model.h) is made of: types, ports, texts.
#ifndef TMLC_CODEGEN_UNIT_DESCRIPTOR_H
#define TMLC_CODEGEN_UNIT_DESCRIPTOR_H

#include "codegen/gen.h"
#include "codegen/unit/model_rows.h"

LLVMValueRef descriptor_struct(Gen *gen, LLVMValueRef *members, unsigned count);
// A constant array, or a null pointer when it is empty.
LLVMValueRef descriptor_array(Gen *gen, const char *name, LLVMTypeRef type, LLVMValueRef *items,
                              size_t count);
// The tml_type of a type.
LLVMValueRef descriptor_type(Gen *gen, const Type *type);
// A tml_variable, with what the target has for its name and value.
LLVMValueRef descriptor_variable(Gen *gen, const ModelRow *row, LLVMValueRef name,
                                 LLVMValueRef value);
// Records a named input or output once and returns its name as a C string.
LLVMValueRef descriptor_port(Gen *gen, Slice name, bool is_output, const Type *type);
// Records the text of an assertion and returns its number.
size_t descriptor_text(Gen *gen, Slice text);
// The symbol of the tml_model; NULL where there is none.
const char *descriptor_symbol(Gen *gen);

#endif
