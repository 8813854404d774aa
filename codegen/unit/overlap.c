// A few pointers are compared pair by pair, more in two loops over tables: 128 results are 8,000
// pairs.
#include "codegen/unit/overlap.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

enum { PAIRS_LIMIT = 32 };

// The parameters that are pointers, those that are written first.
typedef struct Pointers {
    const HostParam *params;
    unsigned *numbers;
    unsigned count, written;
} Pointers;

static Pointers find_pointers(Gen *gen, const HostParam *params, unsigned count) {
    Pointers pointers = {.params = params, .numbers = ARENA_ARRAY(gen->arena, unsigned, count)};
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < count; i++) {
            if (params[i].type == gen->pointer && params[i].read_only == (pass == 1)) {
                pointers.numbers[pointers.count++] = i;
            }
        }
        pointers.written = pass == 0 ? pointers.count : pointers.written;
    }
    return pointers;
}

// How many of the others a pointer is compared with: those before it that are written.
static unsigned others_of(const Pointers *pointers, unsigned number) {
    return number < pointers->written ? number : pointers->written;
}

// i1 overlap(a, b, from, length): whether the memory of two pointers has a byte in common. A
// function that is taken in late: most passes find nothing in it, and its instructions in every
// function that hosts may call took them a tenth of their time.
static void define_overlap(Gen *gen, LLVMTypeRef type) {
    gen->overlap = LLVMAddFunction(gen->module, "overlap", type);
    LLVMSetLinkage(gen->overlap, LLVMInternalLinkage);
    gen_take_in_late(gen, gen->overlap);
    gen_own_function(gen, gen->overlap);

    LLVMBuilderRef builder = LLVMCreateBuilderInContext(gen->llvm);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(gen->llvm, gen->overlap, ""));
    LLVMValueRef at[2];
    for (unsigned i = 0; i < 2; i++) {
        at[i] = LLVMBuildPtrToInt(builder, LLVMGetParam(gen->overlap, i), gen->size, "");
    }
    LLVMValueRef distance = LLVMBuildSub(builder, at[0], at[1], "");
    LLVMValueRef begin = LLVMBuildAdd(builder, distance, LLVMGetParam(gen->overlap, 2), "");
    LLVMBuildRet(builder, LLVMBuildICmp(builder, LLVMIntULT, begin, LLVMGetParam(gen->overlap, 3),
                                        "overlap"));
    LLVMDisposeBuilder(builder);
}

// `a` begins less than `a_bytes` before `b`, or less than `b_bytes` behind it.
static LLVMValueRef overlap(Gen *gen, LLVMValueRef a, LLVMValueRef a_bytes, LLVMValueRef b,
                            LLVMValueRef b_bytes) {
    LLVMTypeRef types[] = {gen->pointer, gen->pointer, gen->size, gen->size};
    LLVMTypeRef type = LLVMFunctionType(gen->i1, types, 4, false);
    if (gen->overlap == NULL) {
        define_overlap(gen, type);
    }
    LLVMValueRef one = gen_size(gen, 1);
    LLVMValueRef from = LLVMBuildSub(gen->builder, a_bytes, one, "");
    LLVMValueRef args[] = {a, b, from, LLVMBuildAdd(gen->builder, from, b_bytes, "")};
    return LLVMBuildCall2(gen->builder, type, gen->overlap, args, 4, "");
}

static LLVMValueRef bytes_of(Gen *gen, const Pointers *pointers, unsigned number) {
    return gen_size(gen, pointers->params[pointers->numbers[number]].bytes);
}

static LLVMValueRef pointer_of(Gen *gen, const Pointers *pointers, unsigned number) {
    return LLVMGetParam(gen->value, pointers->numbers[number]);
}

static LLVMValueRef overlap_of_pairs(Gen *gen, const Pointers *pointers) {
    LLVMValueRef any = NULL;
    for (unsigned i = 0; i < pointers->count; i++) {
        for (unsigned k = 0; k < others_of(pointers, i); k++) {
            LLVMValueRef one =
                overlap(gen, pointer_of(gen, pointers, i), bytes_of(gen, pointers, i),
                        pointer_of(gen, pointers, k), bytes_of(gen, pointers, k));
            any = any == NULL ? one : LLVMBuildOr(gen->builder, any, one, "");
        }
    }
    return any;
}

// On the stack, in the function's first block.
static LLVMValueRef pointer_table(Gen *gen, const Pointers *pointers) {
    LLVMBuilderRef at_entry = LLVMCreateBuilderInContext(gen->llvm);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(gen->value);
    LLVMPositionBuilderBefore(at_entry, LLVMGetFirstInstruction(entry));
    LLVMTypeRef type = LLVMArrayType2(gen->pointer, pointers->count);
    LLVMValueRef table = LLVMBuildAlloca(at_entry, type, "pointers");
    LLVMDisposeBuilder(at_entry);
    for (unsigned i = 0; i < pointers->count; i++) {
        LLVMValueRef number = gen_size(gen, i);
        LLVMValueRef slot =
            LLVMBuildInBoundsGEP2(gen->builder, gen->pointer, table, &number, 1, "");
        LLVMBuildStore(gen->builder, pointer_of(gen, pointers, i), slot);
    }
    return table;
}

static LLVMValueRef bytes_table(Gen *gen, const Pointers *pointers) {
    LLVMValueRef *bytes = ARENA_ARRAY(gen->arena, LLVMValueRef, pointers->count);
    for (unsigned i = 0; i < pointers->count; i++) {
        bytes[i] = bytes_of(gen, pointers, i);
    }
    LLVMValueRef data = LLVMConstArray2(gen->size, bytes, pointers->count);
    return gen_constant(gen, "bytes", data, LLVMABIAlignmentOfType(gen->target.layout, gen->size));
}

static LLVMValueRef load_entry(Gen *gen, LLVMTypeRef type, LLVMValueRef table, LLVMValueRef at) {
    LLVMValueRef entry = LLVMBuildInBoundsGEP2(gen->builder, type, table, &at, 1, "");
    return LLVMBuildLoad2(gen->builder, type, entry, "");
}

static LLVMValueRef overlap_of_tables(Gen *gen, const Pointers *pointers) {
    LLVMValueRef table = pointer_table(gen, pointers), bytes = bytes_table(gen, pointers);
    LLVMValueRef one = gen_size(gen, 1);
    LLVMValueRef written = gen_size(gen, pointers->written);
    LLVMValueRef any = LLVMConstInt(gen->i1, 0, false);
    Loop each, other;
    loop_begin(gen, &each, gen_i64(gen, pointers->count - 1), &any, 1);
    each.is_short = true;
    LLVMValueRef number = LLVMBuildAdd(gen->builder, each.at, one, "");
    LLVMValueRef pointer = load_entry(gen, gen->pointer, table, number);
    LLVMValueRef length = load_entry(gen, gen->size, bytes, number);
    LLVMValueRef is_less = LLVMBuildICmp(gen->builder, LLVMIntULT, number, written, "");
    LLVMValueRef others = LLVMBuildSelect(gen->builder, is_less, number, written, "");
    loop_begin(gen, &other, LLVMBuildZExt(gen->builder, others, gen->i64, ""), &any, 1);
    other.is_short = true;
    LLVMValueRef found =
        overlap(gen, pointer, length, load_entry(gen, gen->pointer, table, other.at),
                load_entry(gen, gen->size, bytes, other.at));
    any = LLVMBuildOr(gen->builder, any, found, "");
    loop_end(gen, &other, &any);
    loop_end(gen, &each, &any);
    return any;
}

void overlap_refuse(Gen *gen, const HostParam *params, unsigned count) {
    Pointers pointers = find_pointers(gen, params, count);
    unsigned pairs = 0;
    for (unsigned i = 0; i < pointers.count; i++) {
        pairs += others_of(&pointers, i);
    }
    if (pairs > 0) {
        LLVMValueRef any = pairs <= PAIRS_LIMIT ? overlap_of_pairs(gen, &pointers)
                                                : overlap_of_tables(gen, &pointers);
        host_function_refuse(gen, any, true);
    }
}
