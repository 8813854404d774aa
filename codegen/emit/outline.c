// The code is generated into a draft, a function of its own, as if it stood where it stands in the
// source: it names values of the function around it, which is no valid LLVM IR. In the end these
// are known, so that a function with parameters for them can take the blocks of the draft:
//
//   i32 part(values..., i64 first, i64 end)       what was generated
//   void run(context, i64 first, i64 end)         loads the values and calls it
//
// As parameters, and not as what is loaded from memory, pointers keep what is known of them: that
// nothing else reaches what they point to, and their alignment. Scalars of the frame are handed
// over by value, so that they stay registers in both functions: what the code writes of them, such
// as counters of loops, nothing outside of it reads. Constant offsets from a pointer are added
// again.
#include "codegen/emit/outline.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/trap.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "runtime/abi/abi.h"
#include "support/table.h"

static LLVMValueRef add_function(Gen *gen, LLVMValueRef around, const char *suffix,
                                 LLVMTypeRef type) {
    size_t len;
    const char *name = LLVMGetValueName2(around, &len);
    LLVMValueRef function =
        LLVMAddFunction(gen->module, arena_format(gen->arena, "%s.%s", name, suffix), type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gen_own_function(gen, function);
    return function;
}

static LLVMTypeRef part_type(Gen *gen, LLVMTypeRef *params, unsigned count) {
    params[count] = params[count + 1] = gen->i64;
    return LLVMFunctionType(gen->i32, params, count + 2, false);
}

void outline_begin(Gen *gen, Outline *outline) {
    LLVMTypeRef params[2];
    *outline = (Outline){
        .draft = LLVMAddFunction(gen->module, "draft", part_type(gen, params, 0)),
        .value = gen->value,
        .block = LLVMGetInsertBlock(gen->builder),
        .entry = LLVMGetInsertBlock(gen->at_entry),
        .location = LLVMGetCurrentDebugLocation2(gen->builder),
        .exit = gen->exit,
        .threads = gen->facts.threads,
    };
    gen->facts.threads = 0;
    outline->first = LLVMGetParam(outline->draft, 0);
    outline->end = LLVMGetParam(outline->draft, 1);
    gen->exit = (GenExit){0};
    gen->value = outline->draft;
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    LLVMBasicBlockRef entry = gen_block(gen, "entry");
    LLVMBasicBlockRef body = gen_block(gen, "body");
    LLVMPositionBuilderAtEnd(gen->at_entry, entry);
    gen_enter(gen, body);
}

static void prepare_operand(const TirExpr *operand, void *data) {
    outline_prepare(data, operand);
}

void outline_prepare(Gen *gen, const TirExpr *expr) {
    if (expr->kind == EXPR_VAR && expr->var->storage != STORAGE_ELEMENT) {
        frame_var_address(gen, expr->var);
    }
    tir_read_operands(expr, prepare_operand, gen);
}

static void prepare_counter(TirStmt *stmt, void *gen) {
    if (stmt->kind == STMT_FOR) {
        frame_var_address(gen, stmt->for_loop.var); // perhaps nothing reads it
    }
}

void outline_prepare_block(Gen *gen, const TirBlock *block) {
    tir_read_exprs_in(block, prepare_operand, gen);
    tir_visit_stmts(block, prepare_counter, gen);
}

// Values of the function around.
typedef struct Captured {
    const Outline *outline;
    LIST_OF(LLVMValueRef) values; // that are handed over
    LIST_OF(LLVMValueRef) uses;   // all that the draft names
    Table numbers;                // of a value, from 1
} Captured;

static bool is_around(const Outline *outline, LLVMValueRef value) {
    if (LLVMIsAArgument(value) != NULL) {
        return LLVMGetParamParent(value) == outline->value;
    }
    return LLVMIsAInstruction(value) != NULL &&
           LLVMGetBasicBlockParent(LLVMGetInstructionParent(value)) == outline->value;
}

// A constant offset from a parameter, such as the address of a member of the state.
static bool is_offset(const Outline *outline, LLVMValueRef value) {
    if (LLVMIsAGetElementPtrInst(value) == NULL ||
        LLVMIsAArgument(LLVMGetOperand(value, 0)) == NULL) {
        return false;
    }
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!LLVMIsConstant(LLVMGetOperand(value, i))) {
            return false;
        }
    }
    return is_around(outline, LLVMGetOperand(value, 0));
}

// A scalar of the frame.
static bool is_slot(LLVMValueRef value) {
    if (LLVMIsAAllocaInst(value) == NULL) {
        return false;
    }
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(value));
    return kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind;
}

static size_t number_of(const Captured *captured, LLVMValueRef value) {
    return (size_t)(uintptr_t)table_get(&captured->numbers, value);
}

static void hand_over(Gen *gen, Captured *captured, LLVMValueRef value) {
    if (number_of(captured, value) == 0) {
        LIST_PUSH(gen->arena, &captured->values, value);
        table_set(gen->arena, &captured->numbers, value, (void *)(uintptr_t)captured->values.count);
    }
}

static void see_use(Gen *gen, Captured *captured, Table *seen, LLVMValueRef value) {
    if (!is_around(captured->outline, value) || table_get(seen, value) != NULL) {
        return;
    }
    table_set(gen->arena, seen, value, value);
    LIST_PUSH(gen->arena, &captured->uses, value);
    hand_over(gen, captured,
              is_offset(captured->outline, value) ? LLVMGetOperand(value, 0) : value);
}

static Captured find_captured(Gen *gen, const Outline *outline) {
    Captured captured = {.outline = outline};
    Table seen = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(outline->draft); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
                see_use(gen, &captured, &seen, LLVMGetOperand(at, i));
            }
        }
    }
    return captured;
}

// What is handed over for a value.
static LLVMTypeRef handed_type(LLVMValueRef value) {
    return is_slot(value) ? LLVMGetAllocatedType(value) : LLVMTypeOf(value);
}

static void copy_attributes(Gen *gen, LLVMValueRef from, LLVMValueRef part, unsigned param) {
    LLVMValueRef around = LLVMGetParamParent(from);
    unsigned index = 0;
    while (LLVMGetParam(around, index) != from) {
        index++;
    }
    unsigned count = LLVMGetAttributeCountAtIndex(around, index + 1);
    LLVMAttributeRef *attributes = ARENA_ARRAY(gen->arena, LLVMAttributeRef, count + 1);
    LLVMGetAttributesAtIndex(around, index + 1, attributes);
    for (unsigned i = 0; i < count; i++) {
        LLVMAddAttributeAtIndex(part, param + 1, attributes[i]);
    }
}

static void describe_param(Gen *gen, LLVMValueRef part, unsigned param, LLVMValueRef value) {
    if (LLVMIsAArgument(value) != NULL) {
        copy_attributes(gen, value, part, param);
    } else if (LLVMIsAAllocaInst(value) != NULL && !is_slot(value)) {
        gen_param_attribute(gen, part, param, "noalias", 0);
        gen_param_attribute(gen, part, param, "nocapture", 0);
        gen_param_attribute(gen, part, param, "align", LLVMGetAlignment(value));
    }
}

static LLVMValueRef declare_part(Gen *gen, const Captured *captured) {
    unsigned count = (unsigned)captured->values.count;
    LLVMTypeRef *params = ARENA_ARRAY(gen->arena, LLVMTypeRef, count + 2);
    for (unsigned i = 0; i < count; i++) {
        params[i] = handed_type(captured->values.items[i]);
    }
    LLVMValueRef part =
        add_function(gen, captured->outline->value, "part", part_type(gen, params, count));
    gen_function_attribute(gen, part, "noinline", 0);
    for (unsigned i = 0; i < count; i++) {
        describe_param(gen, part, i, captured->values.items[i]);
    }
    return part;
}

// The blocks of the draft, in their order.
static void move_blocks(Gen *gen, LLVMValueRef draft, LLVMValueRef part) {
    LLVMBasicBlockRef none = LLVMAppendBasicBlockInContext(gen->llvm, part, "");
    LLVMBasicBlockRef last = none;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(draft); block != NULL;
         block = LLVMGetFirstBasicBlock(draft)) {
        LLVMMoveBasicBlockAfter(block, last);
        last = block;
    }
    LLVMDeleteBasicBlock(none);
}

// In the entry of the part: what stands for a value of the function around.
static LLVMValueRef own_value(Gen *gen, const Captured *captured, LLVMValueRef part,
                              LLVMValueRef value) {
    if (is_offset(captured->outline, value)) {
        LLVMValueRef copy = LLVMInstructionClone(value);
        LLVMInsertIntoBuilder(gen->at_entry, copy);
        LLVMValueRef base = LLVMGetOperand(value, 0);
        LLVMSetOperand(copy, 0, LLVMGetParam(part, (unsigned)number_of(captured, base) - 1));
        return copy;
    }
    LLVMValueRef param = LLVMGetParam(part, (unsigned)number_of(captured, value) - 1);
    if (!is_slot(value)) {
        return param;
    }
    LLVMValueRef slot = LLVMBuildAlloca(gen->at_entry, LLVMGetAllocatedType(value), "");
    LLVMSetAlignment(slot, LLVMGetAlignment(value));
    LLVMBuildStore(gen->at_entry, param, slot);
    return slot;
}

static void replace_operands(LLVMValueRef part, const Table *own) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(part); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            LLVMInstructionSetDebugLoc(at, NULL); // of the function around
            for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
                LLVMValueRef value = table_get(own, LLVMGetOperand(at, i));
                if (value != NULL) {
                    LLVMSetOperand(at, i, value);
                }
            }
        }
    }
}

static LLVMValueRef define_part(Gen *gen, const Captured *captured) {
    LLVMValueRef draft = captured->outline->draft;
    LLVMValueRef part = declare_part(gen, captured);
    unsigned count = (unsigned)captured->values.count;
    LLVMReplaceAllUsesWith(captured->outline->first, LLVMGetParam(part, count));
    LLVMReplaceAllUsesWith(captured->outline->end, LLVMGetParam(part, count + 1));
    move_blocks(gen, draft, part);
    LLVMDeleteFunction(draft);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(part);
    LLVMPositionBuilderAtEnd(gen->at_entry, entry);
    Table own = {0};
    for (size_t i = 0; i < captured->uses.count; i++) {
        LLVMValueRef value = captured->uses.items[i];
        table_set(gen->arena, &own, value, own_value(gen, captured, part, value));
    }
    replace_operands(part, &own);
    LLVMBuildBr(gen->at_entry, LLVMGetNextBasicBlock(entry));
    return part;
}

static LLVMTypeRef context_type(Gen *gen, const Captured *captured) {
    unsigned count = (unsigned)captured->values.count;
    LLVMTypeRef *members = ARENA_ARRAY(gen->arena, LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++) {
        members[i] = handed_type(captured->values.items[i]);
    }
    return LLVMStructTypeInContext(gen->llvm, members, count, false);
}

static LLVMValueRef define_run(Gen *gen, const Captured *captured, LLVMValueRef part) {
    LLVMTypeRef params[] = {gen->pointer, gen->i64, gen->i64};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(gen->llvm), params, 3, false);
    LLVMValueRef run = add_function(gen, captured->outline->value, "run", type);
    LLVMPositionBuilderAtEnd(gen->builder, LLVMAppendBasicBlockInContext(gen->llvm, run, ""));
    LLVMTypeRef context = context_type(gen, captured);
    unsigned count = (unsigned)captured->values.count;
    LLVMValueRef *args = ARENA_ARRAY(gen->arena, LLVMValueRef, count + 2);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef member =
            LLVMBuildStructGEP2(gen->builder, context, LLVMGetParam(run, 0), i, "");
        LLVMTypeRef value = handed_type(captured->values.items[i]);
        args[i] = LLVMBuildLoad2(gen->builder, value, member, "");
    }
    args[count] = LLVMGetParam(run, 1);
    args[count + 1] = LLVMGetParam(run, 2);
    LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(part), part, args, count + 2, "");
    LLVMBuildRetVoid(gen->builder);
    return run;
}

static LLVMValueRef fill_context(Gen *gen, const Captured *captured) {
    LLVMTypeRef type = context_type(gen, captured);
    LLVMValueRef context = LLVMBuildAlloca(gen->at_entry, type, "context");
    for (unsigned i = 0; i < (unsigned)captured->values.count; i++) {
        LLVMValueRef value = captured->values.items[i];
        if (is_slot(value)) {
            value = LLVMBuildLoad2(gen->builder, handed_type(value), value, "");
        }
        LLVMBuildStore(gen->builder, value,
                       LLVMBuildStructGEP2(gen->builder, type, context, i, ""));
    }
    return context;
}

Outlined outline_end(Gen *gen, Outline *outline) {
    LLVMSetCurrentDebugLocation2(gen->builder, NULL);
    LLVMBuildRet(gen->builder, gen_i32(gen, TML_OK));
    trap_end_function(gen);
    Captured captured = find_captured(gen, outline);
    LLVMValueRef part = define_part(gen, &captured);
    LLVMValueRef run = define_run(gen, &captured, part);
    gen->value = outline->value;
    gen->exit = outline->exit;
    gen->facts.threads = outline->threads;
    LLVMPositionBuilderAtEnd(gen->at_entry, outline->entry);
    LLVMPositionBuilderAtEnd(gen->builder, outline->block);
    LLVMSetCurrentDebugLocation2(gen->builder, outline->location);
    return (Outlined){run, fill_context(gen, &captured)};
}
