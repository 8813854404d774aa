// Functions that hosts call: exported, with C's calling convention, and with pointers that may be
// null. Everything else about them is in the function of the module that they wrap.
#ifndef TMLC_CODEGEN_UNIT_HOST_FUNCTION_H
#define TMLC_CODEGEN_UNIT_HOST_FUNCTION_H

#include "codegen/gen.h"

typedef struct HostParam {
    const char *name;
    LLVMTypeRef type;
    uint64_t bytes, align; // of what a pointer points to; 0 bytes: only known when called
    bool read_only;
} HostParam;

// The state, and the struct of a component with members of this kind.
HostParam host_state_param(Gen *gen);
HostParam host_struct_param(Gen *gen, TirInterfaceKind kind);

// Begins tml_status PREFIX_NAME(params...) under its link name, after the code that returns
// TML_E_ARG for a null pointer.
// `wrapped` is a function of the source that it stands for; NULL: the file.
LLVMValueRef host_function_begin(Gen *gen, const char *name, const TirFunction *wrapped,
                                 const HostParam *params, unsigned count);
// The same without that code, of what hands all pointers on to one that has it.
LLVMValueRef host_function_begin_unchecked(Gen *gen, const char *name, const TirFunction *wrapped,
                                           const HostParam *params, unsigned count);
// Where `condition` is `when`, the function returns TML_E_ARG; elsewhere it goes on.
void host_function_refuse(Gen *gen, LLVMValueRef condition, bool when);

#endif
