// A frame's arrays and scalars are allocas of the entry block, so that mem2reg finds all of them;
// addresses in the structs of the context are computed there too, once.
#include "codegen/emit/frame.h"

#include "codegen/emit/debug_info.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

LLVMValueRef frame_slot(Gen *gen, const Type *type) {
    LLVMTypeRef memory =
        type_is_scalar(type) ? gen_memory_type(gen, type->root) : gen_array_type(gen, type);
    LLVMValueRef slot = LLVMBuildAlloca(gen->at_entry, memory, "");
    LLVMSetAlignment(slot, gen_type_align(gen, type));
    return slot;
}

LLVMValueRef frame_elements(Gen *gen, Root root, uint32_t count) {
    const Type type = {
        .kind = TYPE_TENSOR, .root = root, .numel = count, .flat_rank = 1, .dims = &count};
    return frame_slot(gen, &type);
}

LLVMValueRef frame_member_address(Gen *gen, LLVMValueRef base, uint64_t offset) {
    CHECK(base != NULL);
    LLVMValueRef bytes = gen_i64(gen, (int64_t)offset);
    return LLVMBuildInBoundsGEP2(gen->at_entry, gen->i8, base, &bytes, 1, "");
}

static LLVMValueRef create_address(Gen *gen, const TirVar *var) {
    switch (var->storage) {
    case STORAGE_NONE:
    case STORAGE_REGISTER:
    case STORAGE_STACK: return frame_slot(gen, var->type);
    case STORAGE_STATE:
        return frame_member_address(gen, gen->at.state, gen->layout.globals_at + var->offset);
    case STORAGE_SCRATCH:
        return frame_member_address(
            gen, gen->at.host, gen->layout.scratch_at + gen->program->scratch_at + var->offset);
    case STORAGE_INPUTS: return frame_member_address(gen, gen->at.inputs, var->offset);
    case STORAGE_OUTPUTS: return frame_member_address(gen, gen->at.outputs, var->offset);
    case STORAGE_PARAMS: return frame_member_address(gen, gen->at.params, var->offset);
    case STORAGE_ELEMENT: BUG("an array that is not in memory has no address");
    case STORAGE_PART: return frame_var_address(gen, var->part_of); // until its loop comes
    case STORAGE_ARGUMENT: BUG("an argument without a pointer");
    }
    UNREACHABLE();
}

LLVMValueRef frame_var_address(Gen *gen, const TirVar *var) {
    LLVMValueRef address = table_get(&gen->vars, var);
    if (address != NULL) {
        return address;
    }
    address = create_address(gen, var);
    table_set(gen->arena, &gen->vars, var, address);
    if (var->storage == STORAGE_PART) {
        return address;
    }
    if (var->name != NULL) {
        LLVMSetValueName2(address, var->name->text, var->name->len);
    }
    debug_variable(gen, var, address, 0);
    return address;
}
