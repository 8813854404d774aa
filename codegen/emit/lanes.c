// Building and taking apart vectors. Each function emits what it takes where the builder stands,
// and nothing for a single lane, so that callers need not tell scalars from vectors. What is the
// same in every lane stays a scalar until it meets a vector (lanes_match).
#include "codegen/emit/lanes.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

unsigned lanes_of(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef lanes_type(LLVMTypeRef scalar, unsigned lanes) {
    return lanes == 1 ? scalar : LLVMVectorType(scalar, lanes);
}

LLVMValueRef lanes_splat(Gen *gen, LLVMValueRef value, unsigned lanes) {
    if (lanes == 1 || lanes_of(value) != 1) {
        return value;
    }
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(value), lanes);
    LLVMValueRef one =
        LLVMBuildInsertElement(gen->builder, LLVMGetPoison(type), value, gen_i64(gen, 0), "");
    LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(gen->i32, lanes));
    return LLVMBuildShuffleVector(gen->builder, one, LLVMGetPoison(type), zeros, "");
}

LLVMValueRef lanes_like(Gen *gen, LLVMValueRef scalar, LLVMValueRef sample) {
    return lanes_splat(gen, scalar, lanes_of(sample));
}

void lanes_match(Gen *gen, LLVMValueRef *values, unsigned count) {
    unsigned lanes = 1;
    for (unsigned i = 0; i < count; i++) {
        lanes = lanes_of(values[i]) > lanes ? lanes_of(values[i]) : lanes;
    }
    for (unsigned i = 0; i < count; i++) {
        values[i] = lanes_splat(gen, values[i], lanes);
    }
}

LLVMValueRef lanes_count(Gen *gen, LLVMValueRef first, int64_t step, unsigned lanes) {
    LLVMValueRef start = LLVMBuildTrunc(gen->builder, first, gen->i32, "");
    if (lanes == 1 || step == 0) {
        return start;
    }
    LLVMValueRef offsets[LANES_LIMIT];
    for (unsigned i = 0; i < lanes; i++) {
        offsets[i] = gen_i32(gen, step * i);
    }
    return LLVMBuildAdd(gen->builder, lanes_splat(gen, start, lanes),
                        LLVMConstVector(offsets, lanes), "");
}

LLVMValueRef lanes_collect(Gen *gen, const LLVMValueRef *values, unsigned lanes) {
    if (lanes == 1) {
        return values[0];
    }
    LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(values[0]), lanes));
    for (unsigned i = 0; i < lanes; i++) {
        vector = LLVMBuildInsertElement(gen->builder, vector, values[i], gen_i64(gen, i), "");
    }
    return vector;
}

LLVMValueRef lanes_extract(Gen *gen, LLVMValueRef vector, unsigned lane) {
    return LLVMBuildExtractElement(gen->builder, vector, gen_i64(gen, lane), "");
}

LLVMValueRef lanes_part(Gen *gen, LLVMValueRef vector, unsigned first, unsigned count) {
    unsigned from[LANES_LIMIT];
    for (unsigned i = 0; i < count; i++) {
        from[i] = first + i;
    }
    return lanes_pick(gen, &vector, 1, count, from);
}

LLVMValueRef lanes_join(Gen *gen, LLVMValueRef *pieces, unsigned count) {
    if (lanes_of(pieces[0]) == 1) {
        return lanes_collect(gen, pieces, count);
    }
    unsigned all = count * lanes_of(pieces[0]);
    for (; count > 1; count = (count + 1) / 2) {
        LLVMValueRef numbers[LANES_LIMIT];
        LLVMValueRef nothing = LLVMGetPoison(LLVMTypeOf(pieces[0]));
        unsigned lanes = 2 * lanes_of(pieces[0]);
        for (unsigned lane = 0; lane < lanes; lane++) {
            numbers[lane] = gen_i32(gen, lane);
        }
        for (unsigned i = 0; i < count; i += 2) {
            LLVMValueRef next = i + 1 < count ? pieces[i + 1] : nothing;
            pieces[i / 2] = LLVMBuildShuffleVector(gen->builder, pieces[i], next,
                                                   LLVMConstVector(numbers, lanes), "");
        }
    }
    return lanes_of(pieces[0]) == all ? pieces[0] : lanes_part(gen, pieces[0], 0, all);
}

LLVMValueRef lanes_with_zeros(Gen *gen, LLVMValueRef vector, unsigned lanes) {
    unsigned own = lanes_of(vector);
    if (own == lanes) {
        return vector;
    }
    LLVMValueRef numbers[LANES_LIMIT];
    for (unsigned i = 0; i < lanes; i++) {
        numbers[i] = gen_i32(gen, i < own ? i : own);
    }
    return LLVMBuildShuffleVector(gen->builder, vector, LLVMConstNull(LLVMTypeOf(vector)),
                                  LLVMConstVector(numbers, lanes), "");
}

LLVMValueRef lanes_pick(Gen *gen, const LLVMValueRef *vectors, unsigned count, unsigned lanes,
                        const unsigned *from) {
    unsigned own = lanes_of(vectors[0]);
    CHECK(count == 1 || own == lanes);
    LLVMValueRef picked = vectors[0];
    for (unsigned next = 1; next < count || next == 1; next++) {
        LLVMValueRef numbers[LANES_LIMIT];
        for (unsigned i = 0; i < lanes; i++) {
            unsigned vector = from[i] / own;
            unsigned before = next == 1 ? from[i] : i;
            unsigned lane = vector == next ? own + from[i] % own : before;
            numbers[i] = vector > next ? LLVMGetPoison(gen->i32) : gen_i32(gen, lane);
        }
        LLVMValueRef other = next < count ? vectors[next] : LLVMGetPoison(LLVMTypeOf(vectors[0]));
        picked = LLVMBuildShuffleVector(gen->builder, picked, other,
                                        LLVMConstVector(numbers, lanes), "");
    }
    return picked;
}

// By a fence for reals, which makes no code.
LLVMValueRef lanes_hide(Gen *gen, LLVMValueRef wide) {
    LLVMTypeRef type = LLVMTypeOf(wide);
    LLVMTypeRef scalar = LLVMGetElementType(type) == gen->i64 ? LLVMDoubleTypeInContext(gen->llvm)
                                                              : LLVMFloatTypeInContext(gen->llvm);
    LLVMTypeRef reals = LLVMVectorType(scalar, lanes_of(wide));
    LLVMValueRef hidden = LLVMBuildBitCast(gen->builder, wide, reals, "");
    hidden = gen_intrinsic(gen, "llvm.arithmetic.fence", &reals, 1, &hidden, 1);
    return LLVMBuildBitCast(gen->builder, hidden, type, "");
}

LLVMValueRef lanes_any(Gen *gen, LLVMValueRef flags) {
    LLVMTypeRef type = LLVMTypeOf(flags);
    return lanes_of(flags) == 1 ? flags
                                : gen_intrinsic(gen, "llvm.vector.reduce.or", &type, 1, &flags, 1);
}
