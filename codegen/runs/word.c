// Words that LLVM made of several scalars: two ints that are set together, four bools of an array
// that is cleared. In memory of runs they are not one word, and which run a byte is of depends on
// the scalar that it belongs to. That is known of members of the state. Where all runs are there,
// words that are only moved, or zero, are right whatever they are.
#include "codegen/emit/types.h"
#include "codegen/runs/copy.h"
#include "types/memory.h"

bool run_is_wide_word(LLVMTypeRef type) {
    unsigned bits = LLVMGetTypeKind(run_scalar(type)) == LLVMIntegerTypeKind
                        ? LLVMGetIntTypeWidth(run_scalar(type))
                        : 0;
    return bits != 0 && bits != 8 && bits != 32;
}

// Bytes 0 and 1 that are put together may be bools.
static bool may_be_bools(LLVMValueRef value) {
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) != 32) {
        return false;
    }
    uint64_t bits = LLVMConstIntGetZExtValue(value);
    return bits > 1 && (bits & ~(uint64_t)0x01010101) == 0;
}

// Whether it may come from memory as it is, and so be several scalars.
static bool is_moved(LLVMValueRef value) {
    return LLVMIsALoadInst(value) || LLVMIsAPHINode(value) || LLVMIsASelectInst(value) ||
           LLVMIsAFreezeInst(value) || LLVMIsAShuffleVectorInst(value);
}

static bool has_bool_tensor(const TirProgram *program) {
    bool has = false;
    for (size_t i = 0; i < program->globals.count; i++) {
        has |= program->globals.items[i]->type->root == ROOT_BOOL &&
               type_is_tensor(program->globals.items[i]->type);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        const TirFunction *function = program->functions.items[i];
        for (size_t k = 0; k < function->vars.count; k++) {
            const Type *type = function->vars.items[k]->type;
            has |= type->root == ROOT_BOOL && type_is_tensor(type);
        }
    }
    for (size_t i = 0; i < program->components.count && !has; i++) {
        has = has_bool_tensor(program->components.items[i]);
    }
    return has;
}

// The offset in the state where the address is; false if nobody knows.
static bool offset_in_state(const RunCopy *copy, LLVMValueRef address, uint64_t *offset) {
    *offset = 0;
    while (LLVMIsAGetElementPtrInst(address)) {
        if (LLVMGetNumOperands(address) != 2 || !LLVMIsAConstantInt(LLVMGetOperand(address, 1))) {
            return false;
        }
        uint64_t bytes =
            LLVMABISizeOfType(copy->runs->gen->target.layout, LLVMGetGEPSourceElementType(address));
        *offset += bytes * LLVMConstIntGetZExtValue(LLVMGetOperand(address, 1));
        address = LLVMGetOperand(address, 0);
    }
    return copy->function->is_entry && address == LLVMGetParam(copy->function->source, 0);
}

// Bytes of the scalars of the type, if the byte at `offset` is in the variable at `at`.
static unsigned scalar_in(const Gen *gen, const Type *type, uint64_t at, uint64_t offset) {
    unsigned bytes = root_bytes(type->root, gen->program->single);
    return offset >= at && offset - at < (uint64_t)type->numel * bytes ? bytes : 0;
}

// Of the scalar at that byte of the state; 0: nobody knows.
static unsigned scalar_at(const Gen *gen, uint64_t offset) {
    unsigned bytes = 0;
    for (size_t i = 0; i < gen->program->globals.count && bytes == 0; i++) {
        const TirVar *var = gen->program->globals.items[i];
        if (var->storage == STORAGE_STATE) {
            bytes = scalar_in(gen, var->type, gen->layout.globals_at + var->offset, offset);
        }
    }
    for (size_t i = 0; i < gen->instance_members.count && bytes == 0; i++) {
        const InstanceMember *member = &gen->instance_members.items[i];
        if (!member->is_param) {
            bytes = scalar_in(gen, member->type, gen->layout.globals_at + member->offset, offset);
        }
    }
    return bytes;
}

// Stores a constant scalar by scalar. False if it is not known what these are.
static bool store_parts(RunCopy *copy, LLVMValueRef value, LLVMValueRef address) {
    const Runs *runs = copy->runs;
    const Gen *gen = runs->gen;
    uint64_t offset, bits = LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
    unsigned bytes = LLVMGetIntTypeWidth(run_scalar(LLVMTypeOf(value))) / 8;
    bytes *= run_elements(LLVMTypeOf(value));
    if (!offset_in_state(copy, address, &offset) ||
        !(LLVMIsAConstantInt(value) || LLVMIsNull(value))) {
        return false;
    }
    for (unsigned at = 0, one; at < bytes; at += one) {
        one = scalar_at(gen, offset + at);
        if (one == 0 || at + one > bytes) {
            return false;
        }
    }
    for (unsigned at = 0, one; at < bytes; at += one) {
        one = scalar_at(gen, offset + at);
        LLVMTypeRef type = LLVMIntTypeInContext(gen->llvm, 8 * one);
        LLVMValueRef part = LLVMConstInt(type, bytes > 8 ? 0 : bits >> (8 * at), false);
        LLVMValueRef place = LLVMConstInt(gen->i64, (uint64_t)at * runs->lanes, false);
        place = LLVMBuildGEP2(copy->builder, gen->i8, run_value(copy, address), &place, 1, "");
        run_store_wide(copy, run_wide(copy, part), place, one);
    }
    return true;
}

bool run_store_word(RunCopy *copy, LLVMValueRef store) {
    const Runs *runs = copy->runs;
    LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_int = LLVMGetTypeKind(run_scalar(type)) == LLVMIntegerTypeKind;
    bool is_constant = LLVMIsConstant(value) && !LLVMIsUndef(value);
    bool is_zero = is_constant && LLVMIsNull(value);
    bool is_wide = run_is_wide_word(type);
    if (!is_int || LLVMGetIntTypeWidth(run_scalar(type)) == 8) {
        return false;
    }
    if (copy->mask == NULL) {
        bool is_word = may_be_bools(value) || (is_wide && is_constant && !is_zero);
        bool is_done = is_word && store_parts(copy, value, address);
        if (is_word && !is_done) {
            run_refuse(copy->runs, "several scalars are written as one word");
        }
        return is_done;
    }
    uint64_t offset;
    if ((!is_constant && !is_moved(value)) || (!is_wide && !has_bool_tensor(runs->gen->program)) ||
        (offset_in_state(copy, address, &offset) &&
         8 * scalar_at(runs->gen, offset) == LLVMGetIntTypeWidth(run_scalar(type)))) {
        return false;
    }
    bool is_done = store_parts(copy, value, address);
    if (!is_done) {
        run_refuse(copy->runs, "several scalars are written as one word in a branch");
    }
    return is_done;
}
