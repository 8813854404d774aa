// Memory of runs: the scalar at byte b of a struct becomes `lanes` scalars from byte b * lanes on.
// So an address of a struct is scaled, and loads and stores are of whole vectors. Words that are
// wider than the scalars in memory would mix runs: they are fine where they are only moved, or
// zero.
#include "codegen/runs/copy.h"

enum { ALIGNMENT = 64, COPIED_LIMIT = 512 };

static uint64_t bytes_of(const Runs *runs, LLVMTypeRef type) {
    return LLVMABISizeOfType(runs->gen->target.layout, type);
}

// An index as i64, or a vector of these.
static LLVMValueRef wide_index(RunCopy *copy, LLVMValueRef index) {
    LLVMTypeRef i64 = copy->runs->gen->i64;
    LLVMValueRef value = run_value(copy, index);
    bool varies = run_varies(copy, index);
    if (LLVMGetIntTypeWidth(LLVMTypeOf(index)) == 64) {
        return value;
    }
    return LLVMBuildSExt(copy->builder, value, varies ? run_type(copy->runs, i64) : i64, "");
}

static LLVMValueRef factor(RunCopy *copy, LLVMValueRef index, bool varies, uint64_t bytes) {
    LLVMTypeRef i64 = copy->runs->gen->i64;
    LLVMValueRef size = LLVMConstInt(i64, bytes, false);
    if (varies) {
        LLVMValueRef *sizes = ARENA_ARRAY(copy->runs->gen->arena, LLVMValueRef, copy->runs->lanes);
        for (unsigned i = 0; i < copy->runs->lanes; i++) {
            sizes[i] = size;
        }
        size = LLVMConstVector(sizes, copy->runs->lanes);
    }
    return LLVMBuildMul(copy->builder, index, size, "");
}

// One byte offset after the other, in memory of runs scaled.
LLVMValueRef run_address(RunCopy *copy, LLVMValueRef source) {
    Runs *runs = copy->runs;
    LLVMValueRef base = LLVMGetOperand(source, 0);
    uint64_t scale = run_kind(copy, base) == RUN_OWN ? runs->lanes : 1;
    LLVMValueRef address = run_value(copy, base);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(source);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(source); i++) {
        LLVMValueRef index = LLVMGetOperand(source, i);
        if (LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind) {
            run_refuse(runs, "addresses are in a vector");
            return address;
        }
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            run_refuse(runs, "an address is of a member");
            return address;
        }
        type = i > 1 ? LLVMGetElementType(type) : type;
        LLVMValueRef offset = factor(copy, wide_index(copy, index), run_varies(copy, index),
                                     bytes_of(runs, type) * scale);
        address = LLVMBuildGEP2(copy->builder, runs->gen->i8, address, &offset, 1, "");
    }
    return address;
}

LLVMValueRef run_alloca(RunCopy *copy, LLVMValueRef source) {
    Runs *runs = copy->runs;
    if (!LLVMIsConstant(LLVMGetOperand(source, 0))) {
        run_refuse(runs, "memory of a size that is not known");
    }
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(source, 0));
    uint64_t bytes = bytes_of(runs, LLVMGetAllocatedType(source)) * count * runs->lanes;
    LLVMValueRef memory = LLVMBuildAlloca(copy->at_entry, LLVMArrayType2(runs->gen->i8, bytes), "");
    LLVMSetAlignment(memory, ALIGNMENT);
    return memory;
}

static unsigned own_alignment(const Runs *runs, LLVMValueRef source) {
    unsigned bytes = LLVMGetAlignment(source) * runs->lanes;
    return bytes < ALIGNMENT ? bytes : ALIGNMENT;
}

// A word of a double, or one that is only moved.
static bool is_moved_to(const Runs *runs, LLVMValueRef load) {
    for (LLVMUseRef use = LLVMGetFirstUse(load); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMTypeRef type = LLVMTypeOf(user);
        bool is_double = LLVMIsABitCastInst(user) && run_scalar(type) == runs->gen->real &&
                         run_elements(type) == run_elements(LLVMTypeOf(load));
        if (!LLVMIsAStoreInst(user) && !is_double) {
            return false;
        }
    }
    return true;
}

static bool is_plain(RunCopy *copy, LLVMValueRef access, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(run_scalar(type));
    bool is_number =
        kind == LLVMIntegerTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind;
    if (!is_number || LLVMGetVolatile(access)) {
        run_refuse(copy->runs, is_number ? "hardware is accessed" : "an address is in memory");
    }
    return is_number;
}

// Where lane `lane` has element `element`, of a wide address.
static LLVMValueRef lane_address(RunCopy *copy, LLVMValueRef addresses, RunKind kind,
                                 uint64_t bytes, unsigned element, unsigned lane) {
    const Runs *runs = copy->runs;
    uint64_t at = kind == RUN_OWN ? element * runs->lanes + lane : element;
    LLVMValueRef offset = LLVMConstInt(runs->gen->i64, at * bytes, false);
    return LLVMBuildGEP2(copy->builder, runs->gen->i8, run_lane(copy, addresses, lane), &offset, 1,
                         "");
}

// Of runs that are elsewhere nobody knows the address: they take that of the first one that is
// there.
static LLVMValueRef addresses_of(RunCopy *copy, LLVMValueRef address) {
    const Runs *runs = copy->runs;
    LLVMValueRef addresses = run_value(copy, address);
    if (copy->mask == NULL) {
        return addresses;
    }
    LLVMValueRef any = run_lane(copy, addresses, runs->lanes - 1);
    for (unsigned lane = runs->lanes - 1; lane-- > 0;) {
        any = LLVMBuildSelect(copy->builder, run_lane(copy, copy->mask, lane),
                              run_lane(copy, addresses, lane), any, "");
    }
    LLVMValueRef same = LLVMGetPoison(LLVMTypeOf(addresses));
    for (unsigned lane = 0; lane < runs->lanes; lane++) {
        same = run_set_lane(copy, same, any, lane);
    }
    return run_blend(copy, copy->mask, addresses, same);
}

static LLVMValueRef gather(RunCopy *copy, LLVMTypeRef type, LLVMValueRef addresses, RunKind kind) {
    Runs *runs = copy->runs;
    LLVMTypeRef scalar = run_scalar(type);
    LLVMValueRef all = LLVMGetPoison(run_type(runs, type));
    uint64_t bytes = bytes_of(runs, scalar);
    for (unsigned e = 0; e < run_elements(type); e++) {
        for (unsigned lane = 0; lane < runs->lanes; lane++) {
            LLVMValueRef place = lane_address(copy, addresses, kind, bytes, e, lane);
            LLVMValueRef one = LLVMBuildLoad2(copy->builder, scalar, place, "");
            LLVMSetAlignment(one, (unsigned)bytes);
            all = run_set_lane(copy, all, one, e * runs->lanes + lane);
        }
    }
    return all;
}

LLVMValueRef run_load(RunCopy *copy, LLVMValueRef source) {
    Runs *runs = copy->runs;
    LLVMTypeRef type = LLVMTypeOf(source);
    LLVMValueRef address = LLVMGetOperand(source, 0);
    RunKind kind = run_kind(copy, address);
    if (!is_plain(copy, source, type)) {
        return LLVMGetUndef(type);
    }
    if (kind == RUN_OWN && run_is_wide_word(type) && !is_moved_to(runs, source)) {
        run_refuse(runs, "several scalars are read as one word");
    }
    if (run_varies(copy, address)) {
        return gather(copy, type, addresses_of(copy, address), kind);
    }
    bool own = kind == RUN_OWN;
    LLVMValueRef value = LLVMBuildLoad2(copy->builder, own ? run_type(runs, type) : type,
                                        run_value(copy, address), "");
    LLVMSetAlignment(value, own ? own_alignment(runs, source) : LLVMGetAlignment(source));
    return value;
}

static void scatter(RunCopy *copy, LLVMValueRef value, LLVMTypeRef type, LLVMValueRef address) {
    const Runs *runs = copy->runs;
    LLVMValueRef wide = run_wide(copy, value), addresses = addresses_of(copy, address);
    if (copy->mask != NULL) {
        LLVMValueRef old = gather(copy, type, addresses, RUN_OWN);
        wide = run_blend(copy, copy->mask, wide, old);
    }
    uint64_t bytes = bytes_of(runs, run_scalar(type));
    for (unsigned e = 0; e < run_elements(type); e++) {
        for (unsigned lane = 0; lane < runs->lanes; lane++) {
            LLVMValueRef place = lane_address(copy, addresses, RUN_OWN, bytes, e, lane);
            LLVMValueRef one = run_lane(copy, wide, e * runs->lanes + lane);
            LLVMSetAlignment(LLVMBuildStore(copy->builder, one, place), (unsigned)bytes);
        }
    }
}

void run_store_wide(RunCopy *copy, LLVMValueRef wide, LLVMValueRef place, unsigned alignment) {
    if (copy->mask != NULL) {
        LLVMValueRef old = LLVMBuildLoad2(copy->builder, LLVMTypeOf(wide), place, "");
        LLVMSetAlignment(old, alignment);
        wide = run_blend(copy, copy->mask, wide, old);
    }
    LLVMSetAlignment(LLVMBuildStore(copy->builder, wide, place), alignment);
}

void run_store(RunCopy *copy, LLVMValueRef source) {
    Runs *runs = copy->runs;
    LLVMValueRef value = LLVMGetOperand(source, 0), address = LLVMGetOperand(source, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!is_plain(copy, source, type)) {
        return;
    }
    if (run_store_word(copy, source)) {
        return;
    }
    if (run_varies(copy, address)) {
        scatter(copy, value, type, address);
        return;
    }
    run_store_wide(copy, run_wide(copy, value), run_value(copy, address),
                   own_alignment(runs, source));
}

// Constants into memory of runs, scalar by scalar.
static void spread(RunCopy *copy, LLVMValueRef to, LLVMValueRef from, uint64_t bytes) {
    Runs *runs = copy->runs;
    LLVMTypeRef type = LLVMIsAGlobalVariable(from) ? LLVMGlobalGetValueType(from) : NULL;
    while (type != NULL && LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        type = LLVMGetElementType(type);
    }
    uint64_t one = type != NULL ? bytes_of(runs, run_scalar(type)) : 0;
    LLVMTypeKind kind = type != NULL ? LLVMGetTypeKind(run_scalar(type)) : LLVMVoidTypeKind;
    if ((kind != LLVMDoubleTypeKind && kind != LLVMFloatTypeKind && kind != LLVMIntegerTypeKind) ||
        bytes / one > COPIED_LIMIT) {
        run_refuse(runs, "long constants are copied");
        return;
    }
    for (uint64_t at = 0; at < bytes; at += one) {
        LLVMValueRef offset = LLVMConstInt(runs->gen->i64, at, false);
        LLVMValueRef scaled = LLVMConstInt(runs->gen->i64, at * runs->lanes, false);
        LLVMValueRef place = LLVMBuildGEP2(copy->builder, runs->gen->i8, from, &offset, 1, "");
        LLVMValueRef value = LLVMBuildLoad2(copy->builder, run_scalar(type), place, "");
        LLVMValueRef wide = LLVMGetPoison(run_type(runs, run_scalar(type)));
        for (unsigned lane = 0; lane < runs->lanes; lane++) {
            wide = run_set_lane(copy, wide, value, lane);
        }
        place = LLVMBuildGEP2(copy->builder, runs->gen->i8, to, &scaled, 1, "");
        run_store_wide(copy, wide, place, (unsigned)one);
    }
}

// llvm.memcpy, llvm.memmove and llvm.memset.
void run_move(RunCopy *copy, LLVMValueRef source) {
    Runs *runs = copy->runs;
    LLVMValueRef to = LLVMGetOperand(source, 0), from = LLVMGetOperand(source, 1),
                 length = LLVMGetOperand(source, 2);
    bool is_set = LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMIntegerTypeKind;
    if (run_varies(copy, to) || run_varies(copy, from) || run_varies(copy, length)) {
        run_refuse(runs, "memory is copied whose place depends on the run");
        return;
    }
    LLVMValueRef bytes = factor(copy, wide_index(copy, length), false, runs->lanes);
    LLVMValueRef target = run_value(copy, to);
    if (copy->mask != NULL && (is_set || run_kind(copy, from) == RUN_OWN)) {
        run_refuse(runs, "memory is copied in a branch that not all runs take");
    } else if (is_set) {
        LLVMBuildMemSet(copy->builder, target, run_value(copy, from), bytes, 1);
    } else if (run_kind(copy, from) == RUN_OWN) {
        LLVMBuildMemMove(copy->builder, target, 1, run_value(copy, from), 1, bytes);
    } else if (LLVMIsConstant(length)) {
        spread(copy, target, from, LLVMConstIntGetZExtValue(length));
    } else {
        run_refuse(runs, "long constants are copied");
    }
}
