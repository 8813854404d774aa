// All lanes are compared with what is kept at once. Where none beats it, which is nearly always,
// that is all; else they are taken one after the other, each compared with what the one before has
// left.
#include "codegen/emit/masked_record.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

#include <math.h>

static LLVMValueRef beats(Gen *gen, const LanesRecord *record, LLVMValueRef a, LLVMValueRef b) {
    Root root = record->best->type->root;
    bool is_greater = record->op == OP_GT || record->op == OP_GE;
    if (root == ROOT_REAL) {
        bool is_strict = record->op == OP_GT || record->op == OP_LT;
        LLVMRealPredicate relation = is_greater ? (is_strict ? LLVMRealOGT : LLVMRealOGE)
                                                : (is_strict ? LLVMRealOLT : LLVMRealOLE);
        return LLVMBuildFCmp(gen->builder, relation, a, b, "");
    }
    LLVMIntPredicate relation = root == ROOT_UINT ? (is_greater ? LLVMIntUGT : LLVMIntULT)
                                                  : (is_greater ? LLVMIntSGT : LLVMIntSLT);
    return LLVMBuildICmp(gen->builder, relation, a, b, "");
}

// What beats nothing.
static LLVMValueRef beaten(Gen *gen, const LanesRecord *record) {
    bool is_greater = record->op == OP_GT || record->op == OP_GE;
    Root root = record->best->type->root;
    if (root == ROOT_REAL) {
        return gen_real(gen, (double)NAN);
    }
    int64_t least = root == ROOT_INT ? INT32_MIN : 0;
    int64_t most = root == ROOT_INT ? INT32_MAX : UINT32_MAX;
    return gen_i32(gen, is_greater ? least : most);
}

// What the turns of the part at hand have.
static LLVMValueRef values_of_turns(Gen *gen, const LanesRecord *record, const Parts *active) {
    const Masked *masked = gen->masked;
    LLVMValueRef values = masked_lanes(gen, record->value);
    LLVMValueRef mask = masked_bits(gen, masked_load_mask(gen, active->of[masked->part]));
    LLVMValueRef none = lanes_splat(gen, beaten(gen, record), masked->lanes);
    return LLVMBuildSelect(gen->builder, mask, values, none, "");
}

static LLVMValueRef any(Gen *gen, LLVMValueRef bits) {
    LLVMTypeRef type = LLVMIntTypeInContext(gen->llvm, gen->masked->lanes);
    LLVMValueRef number = LLVMBuildBitCast(gen->builder, bits, type, "");
    return LLVMBuildICmp(gen->builder, LLVMIntNE, number, LLVMConstNull(type), "");
}

// Keeps what lane `lane` of the part at hand has.
static void keep(Gen *gen, const TirBlock *then, const LLVMValueRef *values, unsigned lane) {
    for (size_t i = 0; i < then->count; i++) {
        const TirExpr *place = then->items[i]->set.place;
        gen_store(gen, place->type->root, lanes_extract(gen, values[i], lane),
                  frame_var_address(gen, place->var));
    }
}

// Takes the lanes of the part at hand one after the other.
static void take_lanes(Gen *gen, const TirStmt *branch, const LanesRecord *record,
                       LLVMValueRef turns) {
    const TirBlock *then = &branch->branch.then;
    Root root = record->best->type->root;
    LLVMValueRef best = frame_var_address(gen, record->best);
    LLVMValueRef *values = ARENA_ARRAY(gen->arena, LLVMValueRef, then->count);
    for (size_t i = 0; i < then->count; i++) {
        values[i] = masked_lanes(gen, then->items[i]->set.value);
    }
    for (unsigned lane = 0; lane < gen->masked->lanes; lane++) {
        LLVMBasicBlockRef better = gen_block(gen, "better");
        LLVMBasicBlockRef next = gen_block(gen, "next");
        LLVMValueRef value = lanes_extract(gen, turns, lane);
        LLVMValueRef before = gen_load(gen, root, best, 1);
        LLVMBuildCondBr(gen->builder, beats(gen, record, value, before), better, next);
        gen_enter(gen, better);
        keep(gen, then, values, lane);
        gen_jump(gen, next);
        gen_enter(gen, next);
    }
}

bool masked_record(Gen *gen, const TirStmt *branch, const Parts *active) {
    Masked *masked = gen->masked;
    const LanesRecord *record = table_get(&masked->body.records, branch);
    if (record == NULL) {
        return false;
    }
    LLVMValueRef address = frame_var_address(gen, record->best);
    LLVMValueRef best = gen_load(gen, record->best->type->root, address, 1);
    best = lanes_splat(gen, best, masked->lanes);
    LLVMValueRef turns[MASKED_PARTS];
    LLVMValueRef found = NULL;
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        turns[masked->part] = values_of_turns(gen, record, active);
        LLVMValueRef here = beats(gen, record, turns[masked->part], best);
        found = found == NULL ? here : LLVMBuildOr(gen->builder, found, here, "");
    }
    LLVMBasicBlockRef take = gen_block(gen, "take");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildCondBr(gen->builder, any(gen, found), take, after);
    gen_enter(gen, take);
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        take_lanes(gen, branch, record, turns[masked->part]);
    }
    gen_jump(gen, after);
    gen_enter(gen, after);
    return true;
}
