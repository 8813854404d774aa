// Calls: of LLVM's own functions, which take vectors; of the C library's, run by run; of functions
// of the module, by copies of these.
#include "codegen/runs/copy.h"

#include <string.h>

static LLVMValueRef none(RunCopy *copy, LLVMValueRef source, const char *why) {
    run_refuse(copy->runs, why);
    LLVMTypeRef type = LLVMTypeOf(source);
    bool is_void = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    return is_void ? NULL
                   : LLVMGetUndef(run_varies(copy, source) ? run_type(copy->runs, type) : type);
}

static bool is_any(const char *name, size_t len, const char *const *names) {
    for (; *names != NULL; names++) {
        size_t size = strlen(*names);
        if (len >= size && strncmp(name, *names, size) == 0 && (len == size || name[size] == '.')) {
            return true;
        }
    }
    return false;
}

// Functions of elements, of whose type there is one.
static const char *const of_elements[] = {
    "llvm.sqrt",      "llvm.fabs",  "llvm.fma",  "llvm.fmuladd", "llvm.floor",    "llvm.ceil",
    "llvm.trunc",     "llvm.round", "llvm.rint", "llvm.minnum",  "llvm.maxnum",   "llvm.minimum",
    "llvm.maximum",   "llvm.smax",  "llvm.smin", "llvm.umax",    "llvm.umin",     "llvm.copysign",
    "llvm.roundeven", "llvm.fshl",  "llvm.fshr", "llvm.ctpop",   "llvm.bswap",    "llvm.nearbyint",
    "llvm.usub.sat",  "llvm.abs",   "llvm.ctlz", "llvm.cttz",    "llvm.uadd.sat", NULL,
};
// Whose last operand says something of the others.
static const char *const with_flag[] = {"llvm.abs", "llvm.ctlz", "llvm.cttz", NULL};
static const char *const of_memory[] = {"llvm.memcpy", "llvm.memmove", "llvm.memset", NULL};
static const char *const without_effect[] = {"llvm.lifetime.start",
                                             "llvm.lifetime.end",
                                             "llvm.assume",
                                             "llvm.experimental.noalias.scope.decl",
                                             "llvm.dbg.value",
                                             "llvm.dbg.declare",
                                             NULL};
// Reductions whose order does not matter, and the function of two.
static const struct {
    const char *name, *of_two;
    LLVMOpcode opcode;
} reductions[] = {
    {"llvm.vector.reduce.add", NULL, LLVMAdd},   {"llvm.vector.reduce.mul", NULL, LLVMMul},
    {"llvm.vector.reduce.and", NULL, LLVMAnd},   {"llvm.vector.reduce.or", NULL, LLVMOr},
    {"llvm.vector.reduce.xor", NULL, LLVMXor},   {"llvm.vector.reduce.smax", "llvm.smax", 0},
    {"llvm.vector.reduce.smin", "llvm.smin", 0}, {"llvm.vector.reduce.umax", "llvm.umax", 0},
    {"llvm.vector.reduce.umin", "llvm.umin", 0},
};

static LLVMValueRef call_intrinsic(RunCopy *copy, const char *name, size_t len, LLVMValueRef *args,
                                   unsigned count, LLVMTypeRef type) {
    LLVMModuleRef module = copy->runs->gen->module;
    unsigned id = LLVMLookupIntrinsicID(name, len);
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
    LLVMTypeRef called = LLVMIntrinsicGetType(copy->runs->gen->llvm, id, &type, 1);
    return LLVMBuildCall2(copy->builder, called, callee, args, count, "");
}

// `name` without the types at its end: "llvm.fma.v4f64".
static size_t base_length(const char *name) {
    const char *const longer[] = {"llvm.usub.sat", "llvm.uadd.sat", NULL};
    if (is_any(name, strlen(name), longer)) {
        return strlen(longer[0]);
    }
    const char *dot = strchr(name + 5, '.');
    return dot != NULL ? (size_t)(dot - name) : strlen(name);
}

static LLVMValueRef call_elements(RunCopy *copy, LLVMValueRef source, const char *name) {
    LLVMValueRef args[8];
    unsigned count = LLVMGetNumArgOperands(source);
    bool has_flag = is_any(name, strlen(name), with_flag);
    for (unsigned i = 0; i < count && i < 8; i++) {
        LLVMValueRef operand = LLVMGetOperand(source, i);
        args[i] = has_flag && i + 1 == count ? operand : run_wide(copy, operand);
    }
    LLVMTypeRef type = run_type(copy->runs, LLVMTypeOf(source));
    LLVMValueRef value = call_intrinsic(copy, name, base_length(name), args, count, type);
    if (LLVMCanValueUseFastMathFlags(source) && LLVMCanValueUseFastMathFlags(value)) {
        LLVMSetFastMathFlags(value, LLVMGetFastMathFlags(source));
    }
    return value;
}

// Element `e` of all runs.
static LLVMValueRef element(RunCopy *copy, LLVMValueRef wide, unsigned e) {
    unsigned lanes = copy->runs->lanes;
    LLVMValueRef mask[RUN_LANES];
    for (unsigned l = 0; l < lanes; l++) {
        mask[l] = LLVMConstInt(copy->runs->gen->i32, e * lanes + l, false);
    }
    return LLVMBuildShuffleVector(copy->builder, wide, LLVMGetPoison(LLVMTypeOf(wide)),
                                  LLVMConstVector(mask, lanes), "");
}

static LLVMValueRef reduce(RunCopy *copy, LLVMValueRef source, const char *name) {
    size_t len = strlen(name);
    unsigned last = LLVMGetNumArgOperands(source) - 1;
    LLVMValueRef vector = LLVMGetOperand(source, last);
    LLVMValueRef wide = run_wide(copy, vector);
    unsigned elements = run_elements(LLVMTypeOf(vector));
    static const char *const sums[] = {"llvm.vector.reduce.fadd", NULL};
    if (is_any(name, len, sums) && LLVMGetFastMathFlags(source) == 0) { // in order
        LLVMValueRef sum = run_wide(copy, LLVMGetOperand(source, 0));
        for (unsigned e = 0; e < elements; e++) {
            sum = LLVMBuildFAdd(copy->builder, sum, element(copy, wide, e), "");
        }
        return sum;
    }
    for (size_t i = 0; i < sizeof(reductions) / sizeof(reductions[0]); i++) {
        const char *const names[] = {reductions[i].name, NULL};
        if (!is_any(name, len, names)) {
            continue;
        }
        LLVMValueRef result = element(copy, wide, 0);
        for (unsigned e = 1; e < elements; e++) {
            LLVMValueRef args[] = {result, element(copy, wide, e)};
            const char *two = reductions[i].of_two;
            result = two == NULL
                         ? LLVMBuildBinOp(copy->builder, reductions[i].opcode, args[0], args[1], "")
                         : call_intrinsic(copy, two, strlen(two), args, 2, LLVMTypeOf(result));
        }
        return result;
    }
    return none(copy, source, "the elements of a vector are joined");
}

// Run by run: a function of the C library, without vectors and memory.
static LLVMValueRef call_each(RunCopy *copy, LLVMValueRef source) {
    Runs *runs = copy->runs;
    LLVMTypeRef type = LLVMTypeOf(source);
    unsigned count = LLVMGetNumArgOperands(source);
    LLVMValueRef wides[8], args[8];
    if (count > 8 || LLVMGetTypeKind(type) == LLVMVoidTypeKind || run_elements(type) > 1) {
        return none(copy, source, "a function is called that is not known");
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef of = LLVMTypeOf(LLVMGetOperand(source, i));
        if (LLVMGetTypeKind(of) == LLVMPointerTypeKind || run_elements(of) > 1) {
            return none(copy, source, "a function is called that is not known");
        }
        wides[i] = run_wide(copy, LLVMGetOperand(source, i));
    }
    LLVMValueRef all = LLVMGetPoison(run_type(runs, type));
    for (unsigned lane = 0; lane < runs->lanes; lane++) {
        for (unsigned i = 0; i < count; i++) {
            args[i] = run_lane(copy, wides[i], lane);
        }
        LLVMValueRef one = LLVMBuildCall2(copy->builder, LLVMGetCalledFunctionType(source),
                                          LLVMGetCalledValue(source), args, count, "");
        LLVMSetInstructionCallConv(one, LLVMGetInstructionCallConv(source));
        all = run_set_lane(copy, all, one, lane);
    }
    return all;
}

static LLVMValueRef call_same(RunCopy *copy, LLVMValueRef source) {
    LLVMValueRef args[RUN_PARAMS];
    unsigned count = LLVMGetNumArgOperands(source);
    for (unsigned i = 0; i < count && i < RUN_PARAMS; i++) {
        args[i] = run_value(copy, LLVMGetOperand(source, i));
    }
    LLVMValueRef one = LLVMBuildCall2(copy->builder, LLVMGetCalledFunctionType(source),
                                      LLVMGetCalledValue(source), args, count, "");
    LLVMSetInstructionCallConv(one, LLVMGetInstructionCallConv(source));
    return one;
}

static LLVMValueRef call_copy(RunCopy *copy, LLVMValueRef source) {
    LLVMValueRef args[RUN_PARAMS + 2];
    unsigned count = LLVMGetNumArgOperands(source);
    RunFunction *function = run_callee(copy, source);
    for (unsigned i = 0; i < count && function != NULL; i++) {
        LLVMValueRef operand = LLVMGetOperand(source, i);
        bool is_address = LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind;
        args[i] = is_address ? run_value(copy, operand) : run_wide(copy, operand);
        if (is_address && run_varies(copy, operand)) {
            return none(copy, source, "an address depends on the run");
        }
    }
    LLVMValueRef callee = function ? run_copy(copy->runs, function, copy->mask != NULL) : NULL;
    if (callee == NULL) {
        return none(copy, source, "a function cannot be copied");
    }
    args[count++] = run_flag(copy);
    if (copy->mask != NULL) {
        args[count++] = copy->mask;
    }
    LLVMTypeRef type = LLVMGlobalGetValueType(callee);
    LLVMValueRef result = LLVMBuildCall2(copy->builder, type, callee, args, count, "");
    if (function->may_part) {
        LLVMValueRef flag = LLVMBuildLoad2(copy->builder, copy->runs->gen->i8, run_flag(copy), "");
        run_part_if(copy, LLVMBuildICmp(copy->builder, LLVMIntNE, flag,
                                        LLVMConstNull(copy->runs->gen->i8), ""));
    }
    bool is_void = LLVMGetTypeKind(LLVMTypeOf(source)) == LLVMVoidTypeKind;
    return is_void ? NULL : function->result != NULL ? function->result : result;
}

LLVMValueRef run_call(RunCopy *copy, LLVMValueRef source) {
    LLVMValueRef callee = LLVMGetCalledValue(source);
    if (LLVMIsAFunction(callee) == NULL) {
        return none(copy, source, "a function is called that is not known");
    }
    size_t len;
    const char *name = LLVMGetValueName2(callee, &len);
    if (!LLVMIsDeclaration(callee)) {
        return call_copy(copy, source);
    }
    if (is_any(name, len, without_effect)) {
        return NULL;
    }
    if (is_any(name, len, of_memory)) {
        run_move(copy, source);
        return NULL;
    }
    if (!run_varies(copy, source)) {
        bool is_void = LLVMGetTypeKind(LLVMTypeOf(source)) == LLVMVoidTypeKind;
        return is_void ? none(copy, source, "a function has effects") : call_same(copy, source);
    }
    if (is_any(name, len, of_elements)) {
        return call_elements(copy, source, name);
    }
    if (strncmp(name, "llvm.vector.reduce.", 19) == 0) {
        return reduce(copy, source, name);
    }
    return strncmp(name, "llvm.", 5) == 0 ? none(copy, source, "a function of LLVM is not known")
                                          : call_each(copy, source);
}
