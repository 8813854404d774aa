// Accesses of hardware at its address (L16, --io=mmio): one volatile load or store per element, in
// order, which LLVM neither moves across others nor merges nor leaves out.
#include "codegen/emit/hardware.h"

#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"

enum { STRAIGHT = 8 }; // elements without a loop

typedef struct Transfer {
    const TirHardware *at;
    LLVMValueRef first;  // i64: the position of the first element
    LLVMValueRef memory; // the program's, side by side
    Root root;
    bool is_write;
} Transfer;

static void volatile_access(LLVMValueRef access, unsigned bytes) {
    LLVMSetVolatile(access, true);
    LLVMSetAlignment(access, bytes);
}

static LLVMValueRef read_at(Gen *gen, LLVMTypeRef type, LLVMValueRef address, unsigned bytes) {
    LLVMValueRef value = LLVMBuildLoad2(gen->builder, type, address, "hardware");
    volatile_access(value, bytes);
    return value;
}

// `k` is an i64.
static void transfer_element(Gen *gen, const Transfer *transfer, LLVMValueRef k) {
    LLVMTypeRef type = gen_scalar_type(gen, transfer->root);
    unsigned bytes = transfer->root == ROOT_REAL && !gen->program->single ? 8 : 4;
    LLVMValueRef step = gen_i64(gen, transfer->at->step * (int64_t)bytes);
    LLVMValueRef first =
        LLVMBuildMul(gen->builder, transfer->first, gen_i64(gen, (int64_t)bytes), "");
    LLVMValueRef base = gen_i64(gen, (int64_t)transfer->at->io->address);
    LLVMValueRef number = LLVMBuildAdd(gen->builder, LLVMBuildAdd(gen->builder, base, first, ""),
                                       LLVMBuildMul(gen->builder, k, step, ""), "");
    LLVMValueRef address = LLVMBuildIntToPtr(gen->builder, number, gen->pointer, "");
    LLVMValueRef own = LLVMBuildInBoundsGEP2(gen->builder, gen_memory_type(gen, transfer->root),
                                             transfer->memory, &k, 1, "");
    if (transfer->is_write) {
        LLVMValueRef value = gen_load(gen, transfer->root, own, 1);
        volatile_access(LLVMBuildStore(gen->builder, value, address), bytes);
    } else {
        gen_store(gen, transfer->root, read_at(gen, type, address, bytes), own);
    }
}

static void transfer_all(Gen *gen, const Transfer *transfer, uint64_t count) {
    for (uint64_t k = 0; k < count && count <= STRAIGHT; k++) {
        transfer_element(gen, transfer, gen_i64(gen, (int64_t)k));
    }
    if (count <= STRAIGHT) {
        return;
    }
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, (int64_t)count), NULL, 0);
    loop.is_short = true;
    transfer_element(gen, transfer, loop.index);
    loop_end(gen, &loop, NULL);
}

void hardware_read(Gen *gen, const TirStmt *stmt) {
    const TirVar *var = stmt->input.var;
    Transfer transfer = {.at = &stmt->input.at,
                         .first = element_wide(gen, stmt->input.at.position),
                         .memory = frame_var_address(gen, var),
                         .root = var->type->root};
    transfer_all(gen, &transfer, var->type->numel);
}

void hardware_write(Gen *gen, const TirStmt *stmt) {
    const TirExpr *value = stmt->output.value;
    Transfer transfer = {.at = &stmt->output.at,
                         .first = element_wide(gen, stmt->output.at.position),
                         .root = value->type->root,
                         .is_write = true};
    if (type_is_tensor(value->type)) {
        transfer.memory = frame_var_address(gen, value->var);
    } else {
        transfer.memory = frame_slot(gen, value->type);
        gen_store(gen, transfer.root, element_scalar(gen, value), transfer.memory);
    }
    transfer_all(gen, &transfer, value->type->numel);
}
