#include "codegen/emit/table.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/plan/limits.h"

// Instructions of AVX-512 that pick from a register, and from two; NULL: there is none for all
// processors that have AVX-512.
typedef struct Pick {
    bool is_real;
    unsigned bytes, lanes; // of an element; of a register
    const char *one, *two;
} Pick;

static const Pick picks[] = {
    {true, 8, 8, "llvm.x86.avx512.permvar.df.512", "llvm.x86.avx512.vpermi2var.pd.512"},
    {true, 4, 16, "llvm.x86.avx512.permvar.sf.512", "llvm.x86.avx512.vpermi2var.ps.512"},
    {false, 4, 16, "llvm.x86.avx512.permvar.si.512", "llvm.x86.avx512.vpermi2var.d.512"},
    {false, 4, 8, "llvm.x86.avx2.permd", NULL},
};

static const Pick *find_pick(Gen *gen, const Type *type, unsigned lanes) {
    unsigned bytes = (unsigned)gen_root_bytes(gen, type->root);
    for (size_t i = 0; i < sizeof(picks) / sizeof(picks[0]); i++) {
        const Pick *pick = &picks[i];
        if (pick->is_real == (type->root == ROOT_REAL) && pick->bytes == bytes &&
            pick->lanes == lanes) {
            return gen->facts.tables ? pick : NULL;
        }
    }
    return NULL;
}

static unsigned registers_for(const Type *type, unsigned lanes) {
    unsigned count = 1;
    while ((uint64_t)count * lanes < type->numel && count <= TABLE_REGISTERS) {
        count *= 2;
    }
    return count;
}

bool table_fits(Gen *gen, const Type *type, unsigned lanes) {
    return find_pick(gen, type, lanes) != NULL && registers_for(type, lanes) <= TABLE_REGISTERS;
}

typedef struct Read {
    const Pick *pick;
    const Type *type;
    Address array;
    LLVMValueRef places;
} Read;

// Elements from number `first` on, as far as there are any.
static LLVMValueRef load_register(Gen *gen, const Read *read, unsigned first) {
    unsigned lanes = read->pick->lanes;
    unsigned numel = (unsigned)read->type->numel;
    unsigned left = first < numel ? numel - first : 0;
    if (left == 0) {
        return LLVMGetPoison(LLVMVectorType(gen_memory_type(gen, read->type->root), lanes));
    }
    LLVMValueRef at = gen_i64(gen, first);
    LLVMTypeRef scalar = gen_memory_type(gen, read->type->root);
    LLVMValueRef address = LLVMBuildGEP2(gen->builder, scalar, read->array.pointer, &at, 1, "");
    LLVMValueRef elements = gen_load(gen, read->type->root, address, left < lanes ? left : lanes);
    alias_mark(gen, elements, read->array.var);
    return lanes_of(elements) == 1 ? lanes_splat(gen, elements, lanes)
                                   : lanes_with_zeros(gen, elements, lanes);
}

static LLVMValueRef bits_at(Gen *gen, LLVMValueRef places, unsigned bits) {
    LLVMTypeRef scalar = LLVMGetElementType(LLVMTypeOf(places));
    LLVMValueRef mask = lanes_like(gen, LLVMConstInt(scalar, bits, false), places);
    return LLVMBuildAnd(gen->builder, places, mask, "");
}

// From `count` registers, of which the first holds element `first`.
static LLVMValueRef pick_from(Gen *gen, const Read *read, unsigned first, unsigned count) {
    const Pick *pick = read->pick;
    if (count == 1) {
        LLVMValueRef args[] = {load_register(gen, read, first), read->places};
        return gen_intrinsic(gen, pick->one, NULL, 0, args, 2);
    }
    unsigned half = count / 2 * pick->lanes;
    if (count == 2 && pick->two != NULL) {
        LLVMValueRef args[] = {load_register(gen, read, first), read->places,
                               load_register(gen, read, first + half)};
        return gen_intrinsic(gen, pick->two, NULL, 0, args, 3);
    }
    LLVMValueRef low = pick_from(gen, read, first, count / 2);
    LLVMValueRef high = pick_from(gen, read, first + half, count / 2);
    LLVMValueRef is_low = LLVMBuildICmp(gen->builder, LLVMIntEQ, bits_at(gen, read->places, half),
                                        LLVMConstNull(LLVMTypeOf(read->places)), "");
    return LLVMBuildSelect(gen->builder, is_low, low, high, "");
}

LLVMValueRef table_pick(Gen *gen, const Type *type, Address array, LLVMValueRef places) {
    unsigned lanes = lanes_of(places);
    Read read = {find_pick(gen, type, lanes), type, array, places};
    CHECK(read.pick != NULL);
    if (read.pick->bytes == 8) {
        LLVMTypeRef wide = LLVMVectorType(gen->i64, lanes);
        read.places = LLVMBuildZExt(gen->builder, places, wide, "");
    }
    return pick_from(gen, &read, 0, registers_for(type, lanes));
}
