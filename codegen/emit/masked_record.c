// All lanes are compared with what is kept at once. Where none beats it, which is nearly always,
// that is all; else the best of them is found, and the turn that has it: the first one as a rule,
// the last one where what is as good takes the place of what is kept.
#include "codegen/emit/masked_record.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

#include <math.h>

static bool is_greater(const LanesRecord *record) {
    return record->op == OP_GT || record->op == OP_GE;
}

static bool is_strict(const LanesRecord *record) {
    return record->op == OP_GT || record->op == OP_LT;
}

static LLVMValueRef compare(Gen *gen, const LanesRecord *record, bool strict, LLVMValueRef a,
                            LLVMValueRef b) {
    Root root = record->best->type->root;
    bool greater = is_greater(record);
    if (root == ROOT_REAL) {
        LLVMRealPredicate relation =
            greater ? (strict ? LLVMRealOGT : LLVMRealOGE) : (strict ? LLVMRealOLT : LLVMRealOLE);
        return LLVMBuildFCmp(gen->builder, relation, a, b, "");
    }
    // Of integers it is strict (LanesRecord).
    LLVMIntPredicate relation = root == ROOT_UINT ? (greater ? LLVMIntUGT : LLVMIntULT)
                                                  : (greater ? LLVMIntSGT : LLVMIntSLT);
    return LLVMBuildICmp(gen->builder, relation, a, b, "");
}

static LLVMValueRef beats(Gen *gen, const LanesRecord *record, LLVMValueRef turns,
                          LLVMValueRef best) {
    return compare(gen, record, is_strict(record), turns, best);
}

static LLVMValueRef better(Gen *gen, const LanesRecord *record, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(gen->builder, compare(gen, record, true, a, b), a, b, "");
}

// What nothing is worse than.
static LLVMValueRef worst(Gen *gen, const LanesRecord *record) {
    Root root = record->best->type->root;
    if (root == ROOT_REAL) {
        return gen_real(gen, is_greater(record) ? -INFINITY : INFINITY);
    }
    int64_t least = root == ROOT_INT ? INT32_MIN : 0;
    int64_t most = root == ROOT_INT ? INT32_MAX : UINT32_MAX;
    return gen_i32(gen, is_greater(record) ? least : most);
}

// What beats nothing.
static LLVMValueRef beaten(Gen *gen, const LanesRecord *record) {
    bool is_real = record->best->type->root == ROOT_REAL;
    return is_real ? gen_real(gen, (double)NAN) : worst(gen, record);
}

// What the turns of the part at hand have.
static LLVMValueRef values_of_turns(Gen *gen, const LanesRecord *record, const Parts *active) {
    const Masked *masked = gen->masked;
    LLVMValueRef values = masked_lanes(gen, record->value);
    LLVMValueRef mask = masked_bits(gen, masked_load_mask(gen, active->of[masked->part]));
    LLVMValueRef none = lanes_splat(gen, beaten(gen, record), masked->lanes);
    return LLVMBuildSelect(gen->builder, mask, values, none, "");
}

// A bit for each lane, the lowest for the first.
static LLVMValueRef lanes_number(Gen *gen, LLVMValueRef bits) {
    LLVMTypeRef type = LLVMIntTypeInContext(gen->llvm, gen->masked->lanes);
    LLVMValueRef number = LLVMBuildBitCast(gen->builder, bits, type, "");
    bool is_reversed = LLVMByteOrder(LLVMGetModuleDataLayout(gen->module)) == LLVMBigEndian;
    return is_reversed ? gen_intrinsic(gen, "llvm.bitreverse", &type, 1, &number, 1) : number;
}

static LLVMValueRef any(Gen *gen, LLVMValueRef bits) {
    LLVMValueRef number = lanes_number(gen, bits);
    return LLVMBuildICmp(gen->builder, LLVMIntNE, number, LLVMConstNull(LLVMTypeOf(number)), "");
}

// Of what turns have and later ones, what is kept: where they are equal, which zeros of both signs
// are, that goes by their order.
static LLVMValueRef kept_of(Gen *gen, const LanesRecord *record, LLVMValueRef earlier,
                            LLVMValueRef later) {
    return is_strict(record) ? better(gen, record, later, earlier)
                             : better(gen, record, earlier, later);
}

// Each lane has what the one `step` further on has; the last ones anything.
static LLVMValueRef later_lanes(Gen *gen, LLVMValueRef vector, unsigned step) {
    LLVMValueRef numbers[LANES_LIMIT];
    unsigned lanes = lanes_of(vector);
    for (unsigned i = 0; i < lanes; i++) {
        numbers[i] = i + step < lanes ? gen_i32(gen, i + step) : LLVMGetPoison(gen->i32);
    }
    return LLVMBuildShuffleVector(gen->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(numbers, lanes), "");
}

// The best of all lanes, of which one has beaten what was kept; nan is none. What was kept has no
// part in it, so that a row of records need not wait for each other.
static LLVMValueRef best_of_turns(Gen *gen, const LanesRecord *record, const Parts *turns) {
    const Masked *masked = gen->masked;
    LLVMValueRef bound = lanes_splat(gen, worst(gen, record), masked->lanes);
    LLVMValueRef most = NULL;
    for (unsigned part = 0; part < masked->parts; part++) {
        LLVMValueRef here = better(gen, record, turns->of[part], bound);
        for (unsigned step = 1; step < masked->lanes; step *= 2) { // neighbours first
            here = kept_of(gen, record, here, later_lanes(gen, here, step));
        }
        here = lanes_extract(gen, here, 0);
        most = most == NULL ? here : kept_of(gen, record, most, here);
    }
    return most;
}

// The number of the lane, of all parts, that is kept.
static LLVMValueRef lane_of(Gen *gen, const LanesRecord *record, const Parts *turns,
                            LLVMValueRef most) {
    const Masked *masked = gen->masked;
    LLVMValueRef all = gen_i64(gen, 0);
    LLVMValueRef mosts = lanes_splat(gen, most, masked->lanes);
    for (unsigned part = 0; part < masked->parts; part++) {
        LLVMValueRef turn = turns->of[part];
        LLVMValueRef equal = record->best->type->root == ROOT_REAL
                                 ? LLVMBuildFCmp(gen->builder, LLVMRealOEQ, turn, mosts, "")
                                 : LLVMBuildICmp(gen->builder, LLVMIntEQ, turn, mosts, "");
        LLVMValueRef here = LLVMBuildZExt(gen->builder, lanes_number(gen, equal), gen->i64, "");
        LLVMValueRef shift = gen_i64(gen, part * masked->lanes);
        all = LLVMBuildOr(gen->builder, all, LLVMBuildShl(gen->builder, here, shift, ""), "");
    }
    LLVMValueRef args[] = {all, LLVMConstInt(gen->i1, 1, false)}; // it is not zero
    const char *zeros = is_strict(record) ? "llvm.cttz" : "llvm.ctlz";
    LLVMValueRef count = gen_intrinsic(gen, zeros, &gen->i64, 1, args, 2);
    return is_strict(record) ? count : LLVMBuildSub(gen->builder, gen_i64(gen, 63), count, "");
}

// What lane `lane` of all parts has.
static LLVMValueRef value_of_lane(Gen *gen, const TirExpr *value, LLVMValueRef lane) {
    Masked *masked = gen->masked;
    Root root = value->type->root;
    int64_t growth = 0;
    if (root_is_integer(root) && lanes_growth(&masked->body, NULL, value, &growth)) {
        masked->part = 0;
        LLVMValueRef grown = gen_index_mul(gen, lane, (uint64_t)growth);
        LLVMValueRef turn = LLVMBuildAdd(gen->builder, masked_first(gen, value), grown, "");
        return LLVMBuildTrunc(gen->builder, turn, gen->i32, "");
    }
    LLVMValueRef turns = frame_elements(gen, root, masked->parts * masked->lanes);
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef first = gen_i64(gen, masked->part * masked->lanes);
        LLVMValueRef here = lanes_splat(gen, masked_if_reached(gen, value), masked->lanes);
        gen_store(gen, root, here, gen_offset(gen, root, turns, first));
    }
    return gen_load(gen, root, gen_offset(gen, root, turns, lane), 1);
}

static void keep_best(Gen *gen, const TirBlock *then, const LanesRecord *record,
                      const Parts *turns) {
    LLVMValueRef most = best_of_turns(gen, record, turns);
    LLVMValueRef lane = then->count == 1 ? NULL : lane_of(gen, record, turns, most);
    for (size_t i = 0; i < then->count; i++) {
        const TirExpr *place = then->items[i]->set.place;
        LLVMValueRef kept =
            place->var == record->best ? most : value_of_lane(gen, then->items[i]->set.value, lane);
        gen_store(gen, place->type->root, kept, frame_var_address(gen, place->var));
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
    Parts turns = {0};
    LLVMValueRef found = NULL;
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef turn = values_of_turns(gen, record, active);
        turns.of[masked->part] = turn;
        LLVMValueRef here = beats(gen, record, turn, best);
        found = found == NULL ? here : LLVMBuildOr(gen->builder, found, here, "");
    }
    LLVMBasicBlockRef take = gen_block(gen, "take");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildCondBr(gen->builder, any(gen, found), take, after);
    gen_enter(gen, take);
    keep_best(gen, &branch->branch.then, record, &turns);
    gen_jump(gen, after);
    gen_enter(gen, after);
    return true;
}
