// The algebra of tir/math as LLVM instructions. A module has each function that it needs once, for
// one vector register of reals; what is longer goes through it in parts, and what is shorter has
// its first lane in those that are left. LLVM's passes decide where a call for a whole register is
// worth a copy, which gains 6 to 17 % in loops; the rest of a row never is. None of the
// instructions has a fast-math flag, whatever --fp says: they are what they are for their rounding.
//
// Calls of the C library for a vector are functions of the module as well, which put it into memory
// and walk its lanes: where there is nothing else, and for arguments that are too far out.
#include "codegen/emit/math.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/remainder.h"
#include "codegen/emit/types.h"
#include "tir/math/functions.h"
#include "tir/visit.h"

#include <string.h>

// Of a function of the module: the vectors that it takes and gives.
typedef struct Shape {
    unsigned lanes;
    LLVMTypeRef vector; // of reals
} Shape;

static Shape register_shape(Gen *gen) {
    uint64_t bytes = gen_root_bytes(gen, ROOT_REAL);
    unsigned lanes = target_vector_bytes(&gen->target) / (unsigned)bytes;
    return (Shape){lanes, LLVMVectorType(gen->real, lanes)};
}

static bool is_fused(Gen *gen) {
    return target_math(&gen->target, gen->options) == TIR_MATH_FUSED;
}

typedef struct Emitter {
    Gen *gen;
    unsigned lanes;
    bool is_narrow;
    LLVMTypeRef real, word;  // double and i64, or float and i32
    LLVMTypeRef reals, bits; // of as many lanes
} Emitter;

static Emitter emitter_of(Gen *gen, TirOp op, unsigned lanes) {
    bool narrow = gen->program->single && math_is_narrow(op, is_fused(gen));
    Emitter emitter = {
        .gen = gen,
        .lanes = lanes,
        .is_narrow = narrow,
        .real = narrow ? LLVMFloatTypeInContext(gen->llvm) : LLVMDoubleTypeInContext(gen->llvm),
        .word = narrow ? gen->i32 : gen->i64,
    };
    emitter.reals = lanes_type(emitter.real, lanes);
    emitter.bits = lanes_type(emitter.word, lanes);
    return emitter;
}

static MathReal real(LLVMValueRef code) {
    return (MathReal){.code = code};
}

static MathBits whole(void *data, uint64_t value) {
    const Emitter *emitter = data;
    LLVMValueRef lanes[LANES_LIMIT];
    for (unsigned i = 0; i < emitter->lanes; i++) {
        lanes[i] = LLVMConstInt(emitter->word, value, false);
    }
    unsigned count = emitter->lanes;
    return (MathBits){.code = count == 1 ? lanes[0] : LLVMConstVector(lanes, count)};
}

static MathReal number(void *data, double value) {
    const Emitter *emitter = data;
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    if (emitter->is_narrow) {
        float single = (float)value;
        uint32_t half;
        memcpy(&half, &single, sizeof(half));
        bits = half;
    }
    return real(LLVMConstBitCast(whole(data, bits).code, emitter->reals));
}

static MathReal intrinsic(const Emitter *emitter, const char *name, LLVMValueRef *args,
                          unsigned count) {
    LLVMTypeRef type = emitter->reals;
    return real(gen_intrinsic(emitter->gen, name, &type, 1, args, count));
}

static MathReal apply(void *data, MathOp op, MathReal a, MathReal b, MathReal c) {
    const Emitter *emitter = data;
    LLVMBuilderRef builder = emitter->gen->builder;
    LLVMValueRef args[] = {a.code, b.code, c.code};
    switch (op) {
    case MATH_ADD: return real(LLVMBuildFAdd(builder, a.code, b.code, ""));
    case MATH_SUB: return real(LLVMBuildFSub(builder, a.code, b.code, ""));
    case MATH_MUL: return real(LLVMBuildFMul(builder, a.code, b.code, ""));
    case MATH_DIV: return real(LLVMBuildFDiv(builder, a.code, b.code, ""));
    case MATH_SQRT: return intrinsic(emitter, "llvm.sqrt", args, 1);
    case MATH_FUSED: return intrinsic(emitter, "llvm.fma", args, 3);
    }
    UNREACHABLE();
}

static MathBits combine(void *data, MathBitOp op, MathBits a, MathBits b) {
    static const LLVMOpcode opcodes[] = {
        [BITS_ADD] = LLVMAdd, [BITS_SUB] = LLVMSub, [BITS_AND] = LLVMAnd,  [BITS_OR] = LLVMOr,
        [BITS_XOR] = LLVMXor, [BITS_SHL] = LLVMShl, [BITS_SHR] = LLVMLShr,
    };
    const Emitter *emitter = data;
    LLVMValueRef code = LLVMBuildBinOp(emitter->gen->builder, opcodes[op], a.code, b.code, "");
    return (MathBits){.code = code};
}

static MathTest compare(void *data, MathRelation relation, MathReal a, MathReal b) {
    static const LLVMRealPredicate predicates[] = {
        [MATH_LESS] = LLVMRealOLT,
        [MATH_EQUAL] = LLVMRealOEQ,
        [MATH_UNORDERED] = LLVMRealUNO,
    };
    const Emitter *emitter = data;
    LLVMValueRef code =
        LLVMBuildFCmp(emitter->gen->builder, predicates[relation], a.code, b.code, "");
    return (MathTest){.code = code};
}

static MathTest is_odd(void *data, MathBits a) {
    const Emitter *emitter = data;
    LLVMTypeRef type = lanes_type(emitter->gen->i1, emitter->lanes);
    return (MathTest){.code = LLVMBuildTrunc(emitter->gen->builder, a.code, type, "")};
}

static MathTest either(void *data, MathTest a, MathTest b) {
    const Emitter *emitter = data;
    return (MathTest){.code = LLVMBuildOr(emitter->gen->builder, a.code, b.code, "")};
}

static MathReal choose(void *data, MathTest test, MathReal yes, MathReal no) {
    const Emitter *emitter = data;
    return real(LLVMBuildSelect(emitter->gen->builder, test.code, yes.code, no.code, ""));
}

static MathBits bits_of(void *data, MathReal a) {
    const Emitter *emitter = data;
    LLVMBuilderRef builder = emitter->gen->builder;
    return (MathBits){.code = LLVMBuildBitCast(builder, a.code, emitter->bits, "")};
}

static MathReal real_of(void *data, MathBits a) {
    const Emitter *emitter = data;
    return real(LLVMBuildBitCast(emitter->gen->builder, a.code, emitter->reals, ""));
}

static Math algebra(Emitter *emitter) {
    Gen *gen = emitter->gen;
    return (Math){
        .data = emitter,
        .is_single = gen->program->single,
        .is_narrow = emitter->is_narrow,
        .is_fused = is_fused(gen),
        .number = number,
        .whole = whole,
        .apply = apply,
        .combine = combine,
        .compare = compare,
        .is_odd = is_odd,
        .either = either,
        .choose = choose,
        .bits_of = bits_of,
        .real_of = real_of,
    };
}

// Where the builder was while a function is made in between.
typedef struct Place {
    LLVMBuilderRef builder;
    LLVMValueRef value;
} Place;

static Place begin_function(Gen *gen, LLVMValueRef function) {
    Place place = {gen->builder, gen->value};
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gen_own_function(gen, function);
    gen_function_attribute(gen, function, "willreturn", 0);
    gen_function_attribute(gen, function, "memory", 0);
    gen->builder = LLVMCreateBuilderInContext(gen->llvm);
    gen->value = function;
    gen_enter(gen, gen_block(gen, "entry"));
    return place;
}

static void end_function(Gen *gen, LLVMValueRef result, Place place) {
    LLVMBuildRet(gen->builder, result);
    LLVMDisposeBuilder(gen->builder);
    gen->builder = place.builder;
    gen->value = place.value;
}

static LLVMValueRef call(Gen *gen, LLVMValueRef function, const LLVMValueRef *args) {
    unsigned count = LLVMCountParams(function);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return LLVMBuildCall2(gen->builder, type, function, (LLVMValueRef *)(uintptr_t)args, count, "");
}

static LLVMValueRef declare(Gen *gen, const char *name, Shape shape, unsigned count) {
    LLVMTypeRef params[3] = {shape.vector, shape.vector, shape.vector};
    return LLVMAddFunction(gen->module, name, LLVMFunctionType(shape.vector, params, count, false));
}

static LLVMValueRef in_memory(Gen *gen, Shape shape, LLVMValueRef vector) {
    LLVMValueRef slot = LLVMBuildAlloca(gen->builder, shape.vector, "");
    LLVMSetAlignment(slot, (unsigned)gen_root_bytes(gen, ROOT_REAL));
    gen_store(gen, ROOT_REAL, vector, slot);
    return slot;
}

static LLVMValueRef widened(const Emitter *emitter, LLVMValueRef vector) {
    bool is_longer = LLVMTypeOf(vector) != emitter->reals;
    return is_longer ? LLVMBuildFPExt(emitter->gen->builder, vector, emitter->reals, "") : vector;
}

// Whether the library has to be asked for these elements.
static LLVMValueRef is_far(Gen *gen, TirOp op, LLVMValueRef x) {
    Emitter emitter = emitter_of(gen, op, lanes_of(x));
    const Math math = algebra(&emitter);
    return math_is_far(&math, real(widened(&emitter, x))).code;
}

// Each lane of the arguments through a function of libm into the result; with `far` where the
// first argument is too far for that operation.
static void walk_lanes(Gen *gen, const char *name, Shape shape, const LLVMValueRef *slots,
                       unsigned count, LLVMValueRef result, const TirOp *far) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef head = gen_block(gen, "lane");
    LLVMBasicBlockRef next = gen_block(gen, "next");
    LLVMBasicBlockRef done = gen_block(gen, "done");
    LLVMBuildBr(gen->builder, head);
    gen_enter(gen, head);
    LLVMValueRef lane = LLVMBuildPhi(gen->builder, gen->i64, "");
    LLVMValueRef args[2];
    for (unsigned k = 0; k < count; k++) {
        args[k] = gen_load(gen, ROOT_REAL, gen_offset(gen, ROOT_REAL, slots[k], lane), 1);
    }
    if (far != NULL) {
        LLVMBasicBlockRef ask = gen_block(gen, "far");
        LLVMBuildCondBr(gen->builder, is_far(gen, *far, args[0]), ask, next);
        gen_enter(gen, ask);
    }
    gen_store(gen, ROOT_REAL, gen_libm(gen, name, args, count),
              gen_offset(gen, ROOT_REAL, result, lane));
    LLVMBuildBr(gen->builder, next);
    gen_enter(gen, next);
    LLVMValueRef following = LLVMBuildNUWAdd(gen->builder, lane, gen_i64(gen, 1), "");
    LLVMValueRef is_last =
        LLVMBuildICmp(gen->builder, LLVMIntEQ, following, gen_i64(gen, shape.lanes), "");
    LLVMBuildCondBr(gen->builder, is_last, done, head);
    LLVMValueRef values[] = {gen_i64(gen, 0), following};
    LLVMBasicBlockRef blocks[] = {before, next};
    LLVMAddIncoming(lane, values, blocks, 2);
    gen_enter(gen, done);
}

// A function that does that: of the arguments, and with `far` of what the others have.
static LLVMValueRef library_function(Gen *gen, const char *name, unsigned count, const TirOp *far) {
    Shape shape = register_shape(gen);
    const char *symbol = arena_format(gen->arena, far != NULL ? "far.%s" : "lanes.%s", name);
    LLVMValueRef function = LLVMGetNamedFunction(gen->module, symbol);
    if (function != NULL) {
        return function;
    }
    function = declare(gen, symbol, shape, count + (far != NULL));
    Place place = begin_function(gen, function);
    static const char *const facts[] = {"noinline", "optsize", "minsize"}; // the loop stays one
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        gen_function_attribute(gen, function, facts[i], 0);
    }
    if (far != NULL) {
        gen_function_attribute(gen, function, "cold", 0);
    }
    LLVMValueRef slots[2];
    for (unsigned k = 0; k < count; k++) {
        slots[k] = in_memory(gen, shape, LLVMGetParam(function, k));
    }
    LLVMValueRef result = far != NULL ? in_memory(gen, shape, LLVMGetParam(function, count))
                                      : LLVMBuildAlloca(gen->builder, shape.vector, "");
    walk_lanes(gen, name, shape, slots, count, result, far);
    end_function(gen, gen_load(gen, ROOT_REAL, result, shape.lanes), place);
    return function;
}

// `near` where no lane is far, else what the function makes of the arguments.
static LLVMValueRef near_or_call(Gen *gen, LLVMValueRef near, LLVMValueRef far,
                                 LLVMValueRef function, const LLVMValueRef *args) {
    LLVMValueRef any = lanes_any(gen, far);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef ask = gen_block(gen, "far");
    LLVMBasicBlockRef done = gen_block(gen, "done");
    LLVMBuildCondBr(gen->builder, any, ask, done);
    gen_enter(gen, ask);
    LLVMValueRef called = call(gen, function, args);
    LLVMBuildBr(gen->builder, done);
    gen_enter(gen, done);
    LLVMValueRef phi = LLVMBuildPhi(gen->builder, LLVMTypeOf(near), "");
    LLVMValueRef values[] = {near, called};
    LLVMBasicBlockRef blocks[] = {before, ask};
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

// The result where no lane is far, else with the library's for those.
static LLVMValueRef with_far(Gen *gen, TirOp op, LLVMValueRef x, LLVMValueRef near) {
    LLVMValueRef args[] = {x, near};
    LLVMValueRef mixed = library_function(gen, tir_op_text(op), 1, &op);
    return near_or_call(gen, near, is_far(gen, op, x), mixed, args);
}

static LLVMValueRef math_function(Gen *gen, TirOp op) {
    Shape shape = register_shape(gen);
    const char *symbol = arena_format(gen->arena, "math.%s", tir_op_text(op));
    LLVMValueRef function = LLVMGetNamedFunction(gen->module, symbol);
    if (function != NULL) {
        return function;
    }
    unsigned count = tir_op_arity(op);
    function = declare(gen, symbol, shape, count);
    Place place = begin_function(gen, function);
    Emitter emitter = emitter_of(gen, op, shape.lanes);
    MathReal args[2];
    for (unsigned k = 0; k < 2; k++) {
        unsigned param = k < count ? k : 0;
        args[k] = real(widened(&emitter, LLVMGetParam(function, param)));
    }
    const Math math = algebra(&emitter);
    LLVMValueRef result = math_apply(&math, op, args[0], args[1]).code;
    if (emitter.reals != shape.vector) {
        result = LLVMBuildFPTrunc(gen->builder, result, shape.vector, "");
    }
    if (math_has_far(op)) {
        result = with_far(gen, op, LLVMGetParam(function, 0), result);
    }
    end_function(gen, result, place);
    return function;
}

// Lanes [first, first + count), and the first of these in the others, to a whole register.
static LLVMValueRef part_of(Gen *gen, LLVMValueRef value, unsigned first, unsigned count,
                            unsigned lanes) {
    if (lanes_of(value) == 1) {
        return lanes_splat(gen, value, lanes);
    }
    unsigned from[LANES_LIMIT];
    for (unsigned i = 0; i < lanes; i++) {
        from[i] = i < count ? first + i : first;
    }
    return lanes_pick(gen, &value, 1, lanes, from);
}

// The first `count` lanes of `part` behind those of `vector`, which has at least as many lanes
// unless it is NULL.
static LLVMValueRef joined(Gen *gen, LLVMValueRef vector, LLVMValueRef part, unsigned count) {
    if (vector == NULL) {
        return count == lanes_of(part) ? part
               : count == 1            ? lanes_extract(gen, part, 0)
                                       : lanes_part(gen, part, 0, count);
    }
    unsigned before = lanes_of(vector);
    LLVMValueRef numbers[LANES_LIMIT];
    for (unsigned i = 0; i < before; i++) {
        numbers[i] = gen_i32(gen, i < lanes_of(part) ? i : 0);
    }
    LLVMValueRef longer = LLVMBuildShuffleVector(
        gen->builder, part, LLVMGetPoison(LLVMTypeOf(part)), LLVMConstVector(numbers, before), "");
    for (unsigned i = 0; i < before + count; i++) {
        numbers[i] = gen_i32(gen, i);
    }
    return LLVMBuildShuffleVector(gen->builder, vector, longer,
                                  LLVMConstVector(numbers, before + count), "");
}

// Such a call is worth a copy of the function: LLVM drops what an exponent or a divisor that is
// known leaves out.
static bool is_constant_pair(LLVMValueRef function, const LLVMValueRef *args) {
    return LLVMCountParams(function) == 2 && LLVMIsConstant(args[1]);
}

static void mark_call(Gen *gen, LLVMValueRef call, const char *fact) {
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             gen_attribute(gen, fact, 0));
}

static LLVMValueRef in_parts(Gen *gen, LLVMValueRef function, const LLVMValueRef *args) {
    unsigned count = LLVMCountParams(function);
    unsigned lanes = register_shape(gen).lanes;
    unsigned length = lanes_of(args[0]);
    LLVMValueRef result = NULL;
    for (unsigned first = 0; first < length; first += lanes) {
        unsigned here = length - first < lanes ? length - first : lanes;
        LLVMValueRef parts[2];
        for (unsigned k = 0; k < count; k++) {
            bool is_whole = length == lanes;
            parts[k] = is_whole ? args[k] : part_of(gen, args[k], first, here, lanes);
        }
        LLVMValueRef value = call(gen, function, parts);
        if (here < lanes || is_constant_pair(function, args)) {
            mark_call(gen, value, here < lanes ? "noinline" : "alwaysinline");
        }
        result = joined(gen, result, value, here);
    }
    return result;
}

bool emit_math_has(Gen *gen, const TirExpr *map) {
    TirMath math = target_math(&gen->target, gen->options);
    return math != TIR_MATH_LIBRARY && type_is_tensor(map->type) &&
           math_has(map->map.op, math == TIR_MATH_FUSED);
}

LLVMValueRef emit_math(Gen *gen, TirOp op, const LLVMValueRef *args) {
    return in_parts(gen, math_function(gen, op), args);
}

static LLVMValueRef remainder_function(Gen *gen, const char *name, bool is_scalar) {
    const char *symbol = arena_format(gen->arena, is_scalar ? "math.one.%s" : "math.%s", name);
    LLVMValueRef function = LLVMGetNamedFunction(gen->module, symbol);
    if (function != NULL) {
        return function;
    }
    LLVMValueRef lanes =
        is_scalar ? gen_libm_function(gen, name, 2) : library_function(gen, name, 2, NULL);
    Shape shape = {.vector = gen->real, .lanes = 1};
    function = declare(gen, symbol, is_scalar ? shape : register_shape(gen), 2);
    Place place = begin_function(gen, function);
    LLVMValueRef args[] = {LLVMGetParam(function, 0), LLVMGetParam(function, 1)};
    LLVMValueRef far;
    LLVMValueRef near = remainder_near(gen, name, args[0], args[1], &far);
    end_function(gen, near_or_call(gen, near, far, lanes, args), place);
    return function;
}

LLVMValueRef emit_math_library(Gen *gen, const char *name, LLVMValueRef *args, unsigned count) {
    bool is_scalar = lanes_of(args[0]) == 1;
    if (!remainder_has(gen, name)) {
        return is_scalar ? gen_libm(gen, name, args, count)
                         : in_parts(gen, library_function(gen, name, count, NULL), args);
    }
    LLVMValueRef function = remainder_function(gen, name, is_scalar);
    if (!is_scalar) {
        return in_parts(gen, function, args);
    }
    LLVMValueRef value = call(gen, function, args);
    if (is_constant_pair(function, args) && !gen->facts.small) {
        mark_call(gen, value, "alwaysinline");
    }
    return value;
}
