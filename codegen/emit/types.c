// What types of the language are in LLVM: a scalar as a value (a bool is i1) and in memory (a
// byte), the bytes and the alignment of arrays, which is less in objects to embed. Further
// constants of these types and private tables of them, loads and stores of scalars or lanes, and
// the arithmetic of positions.
#include "codegen/emit/types.h"

#include "codegen/emit/lanes.h"
#include "codegen/gen.h"
#include "codegen/target/target.h"

#include <string.h>

LLVMTypeRef gen_scalar_type(Gen *gen, Root root) {
    switch (root) {
    case ROOT_BOOL: return gen->i1;
    case ROOT_UINT:
    case ROOT_INT: return gen->i32;
    case ROOT_REAL: return gen->real;
    case ROOT_CHAR:
    case ROOT_STR: BUG("text reached code generation");
    }
    UNREACHABLE();
}

LLVMTypeRef gen_memory_type(Gen *gen, Root root) {
    return root == ROOT_BOOL ? gen->i8 : gen_scalar_type(gen, root);
}

uint64_t gen_root_bytes(Gen *gen, Root root) {
    return root_bytes(root, gen->program->single);
}

uint64_t gen_type_bytes(Gen *gen, const Type *type) {
    return type_bytes(type, gen->program->single);
}

// Objects to embed align no more than their vectors gain from: frames that are aligned further cost
// stack and code, tables cost flash.
static unsigned array_align(Gen *gen) {
    if (!gen->is_embedded) {
        return CACHE_LINE;
    }
    if (!gen->target.has->wide_integers) {
        return 1;
    }
    return gen->options->opt_level >= 2 ? target_vector_bytes(&gen->target) : GEN_STACK_ALIGN;
}

unsigned gen_type_align(Gen *gen, const Type *type) {
    unsigned align = gen_type_bytes(gen, type) >= CACHE_LINE ? array_align(gen) : 1;
    unsigned root = (unsigned)gen_root_bytes(gen, type->root);
    return align > root ? align : root;
}

LLVMTypeRef gen_array_type(Gen *gen, const Type *type) {
    return LLVMArrayType2(gen_memory_type(gen, type->root), type->numel);
}

static bool has_pointers(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind) {
        return has_pointers(LLVMGetElementType(type));
    }
    bool found = kind == LLVMPointerTypeKind;
    for (unsigned i = 0; kind == LLVMStructTypeKind && i < LLVMCountStructElementTypes(type); i++) {
        found = found || has_pointers(LLVMStructGetTypeAtIndex(type, i));
    }
    return found;
}

// Of the table, what loaders relocate has sections of their own, and the rest those of the
// compiler, which nothing else has a part in.
static void choose_section(Gen *gen, LLVMValueRef global) {
    if (gen->constant_section != NULL) {
        LLVMSetSection(global, gen->constant_section);
    } else if (gen->is_embedded && !gen->is_table) {
        gen_own_section(gen, global, ".rodata");
    } else if (gen->is_embedded && has_pointers(LLVMGlobalGetValueType(global))) {
        gen_own_section(gen, global, ".data.rel.ro");
    }
}

LLVMValueRef gen_constant(Gen *gen, const char *name, LLVMValueRef value, unsigned align) {
    LLVMValueRef global = LLVMAddGlobal(gen->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, align);
    choose_section(gen, global);
    return global;
}

void gen_own_section(Gen *gen, LLVMValueRef global, const char *kind) {
    if (target_is_elf(&gen->target)) {
        size_t len;
        const char *name = LLVMGetValueName2(global, &len);
        LLVMSetSection(global, arena_format(gen->arena, "%s.%s", kind, name));
    }
}

LLVMValueRef gen_string(Gen *gen, const char *text, size_t len) {
    return gen_constant(gen, "text", LLVMConstStringInContext2(gen->llvm, text, len, false), 1);
}

LLVMValueRef gen_i1(Gen *gen, bool value) {
    return LLVMConstInt(gen->i1, value, false);
}

LLVMValueRef gen_i32(Gen *gen, int64_t value) {
    return LLVMConstInt(gen->i32, (uint32_t)value, false);
}

LLVMValueRef gen_i64(Gen *gen, int64_t value) {
    return LLVMConstInt(gen->i64, (uint64_t)value, true);
}

LLVMValueRef gen_size(Gen *gen, uint64_t value) {
    return LLVMConstInt(gen->size, value, false);
}

// From the bits, because LLVMConstReal cannot make every nan.
LLVMValueRef gen_real(Gen *gen, double value) {
    if (gen->program->single) {
        float single = (float)value;
        uint32_t bits;
        memcpy(&bits, &single, sizeof(bits));
        return LLVMConstBitCast(LLVMConstInt(gen->i32, bits, false), gen->real);
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return LLVMConstBitCast(LLVMConstInt(gen->i64, bits, false), gen->real);
}

LLVMValueRef gen_scalar(Gen *gen, Root root, TirScalar scalar) {
    switch (root) {
    case ROOT_BOOL: return gen_i1(gen, scalar.boolean);
    case ROOT_UINT: return gen_i32(gen, scalar.uint);
    case ROOT_INT: return gen_i32(gen, scalar.integer);
    case ROOT_REAL: return gen_real(gen, scalar.real);
    case ROOT_CHAR:
    case ROOT_STR: BUG("text reached code generation");
    }
    UNREACHABLE();
}

LLVMValueRef gen_load(Gen *gen, Root root, LLVMValueRef address, unsigned lanes) {
    LLVMTypeRef type = lanes_type(gen_memory_type(gen, root), lanes);
    LLVMValueRef value = LLVMBuildLoad2(gen->builder, type, address, "");
    LLVMSetAlignment(value, (unsigned)gen_root_bytes(gen, root));
    return root == ROOT_BOOL ? gen_loaded_bool(gen, value) : value;
}

LLVMValueRef gen_loaded_bool(Gen *gen, LLVMValueRef bytes) {
    LLVMTypeRef type = LLVMTypeOf(bytes);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMBuildICmp(gen->builder, LLVMIntSGT, bytes, LLVMConstNull(type), "")
               : LLVMBuildTrunc(gen->builder, bytes, gen->i1, "");
}

LLVMValueRef gen_store(Gen *gen, Root root, LLVMValueRef value, LLVMValueRef address) {
    if (root == ROOT_BOOL) {
        value = LLVMBuildZExt(gen->builder, value, lanes_type(gen->i8, lanes_of(value)), "");
    }
    LLVMValueRef store = LLVMBuildStore(gen->builder, value, address);
    LLVMSetAlignment(store, (unsigned)gen_root_bytes(gen, root));
    return store;
}

static bool is_constant_zero(LLVMValueRef value) {
    return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetZExtValue(value) == 0;
}

LLVMValueRef gen_offset(Gen *gen, Root root, LLVMValueRef address, LLVMValueRef position) {
    if (is_constant_zero(position)) {
        return address;
    }
    return LLVMBuildInBoundsGEP2(gen->builder, gen_memory_type(gen, root), address, &position, 1,
                                 "");
}

LLVMValueRef gen_index_add(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    if (is_constant_zero(a)) {
        return b;
    }
    return is_constant_zero(b) ? a : LLVMBuildNSWAdd(gen->builder, a, b, "");
}

LLVMValueRef gen_index_mul(Gen *gen, LLVMValueRef a, uint64_t factor) {
    return factor == 1 ? a : LLVMBuildNSWMul(gen->builder, a, gen_i64(gen, (int64_t)factor), "");
}
