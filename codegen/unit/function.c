// Signatures and bodies. A frame's arrays and scalars are allocas of the entry block, so
// that mem2reg finds all of them; addresses in the state are computed there too, once.
#include "codegen/unit/function.h"

#include "codegen/emit/call.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/debug_info.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/stmt.h"
#include "codegen/emit/trap.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/late.h"
#include "codegen/unit/layout.h"
#include "codegen/unit/piece.h"
#include "codegen/unit/start.h"
#include "support/table.h"
#include "tir/visit.h"

#include <string.h>

// LLVM's time grows with the cube of the depth of loops and the square of that of branches, of
// which an `elseif` is one more; beyond this it leaves a function as it is. Nobody writes such by
// hand.
enum { LOOP_DEPTH_LIMIT = 100, BRANCH_DEPTH_LIMIT = 1000 };

// A parameter that is passed as what it is; all others, and results, are pointers.
static bool is_value(const TirVar *param) {
    return type_is_scalar(param->type) && param->role == VAR_PARAM;
}

// That of a piece has the address of the frame as its last parameter.
static LLVMTypeRef function_type(Gen *gen, const TirFunction *function, bool is_piece) {
    LLVMTypeRef *params =
        ARENA_ARRAY(gen->arena, LLVMTypeRef,
                    CALL_CONTEXT_LIMIT + function->param_count + function->results.count + 1);
    unsigned count = 0;
    while (count < call_context_count(gen)) {
        params[count++] = gen->pointer;
    }
    for (size_t i = 0; i < function->param_count; i++) {
        const TirVar *param = function->params[i];
        params[count++] = is_value(param) ? gen_scalar_type(gen, param->type->root) : gen->pointer;
    }
    for (size_t i = 0; i < function->results.count; i++) {
        params[count++] = gen->pointer;
    }
    if (is_piece) {
        params[count++] = gen->pointer;
    }
    return LLVMFunctionType(gen->i32, params, count, false);
}

// What callers guarantee about a pointer to a value: it is there, and nothing else reaches it while
// the function writes (pass_alias).
static void describe_pointer(Gen *gen, LLVMValueRef value, unsigned param, const Type *type,
                             bool read_only) {
    uint64_t align =
        gen->has_c_pointers ? gen_root_bytes(gen, type->root) : gen_type_align(gen, type);
    gen_param_attribute(gen, value, param, "noalias", 0);
    gen_param_attribute(gen, value, param, "nocapture", 0);
    gen_param_attribute(gen, value, param, "align", align);
    gen_param_attribute(gen, value, param, "dereferenceable", gen_type_bytes(gen, type));
    if (read_only) {
        gen_param_attribute(gen, value, param, "readonly", 0);
    }
}

// A function that needs no state may be handed none. Otherwise nothing but the state itself reaches
// what is in it (pass_alias again, for arguments).
static void describe_state(Gen *gen, LLVMValueRef value, const TirFunction *function,
                           unsigned param, uint64_t bytes, uint64_t align) {
    gen_param_attribute(gen, value, param, "noundef", 0);
    gen_param_attribute(gen, value, param, "align", align);
    if (gen->is_embedded) {
        gen_param_attribute(gen, value, param, "noalias", 0);
        gen_param_attribute(gen, value, param, "nocapture", 0);
    }
    if (bytes > 0 && (!gen->has_c_pointers || layout_needs_state(function))) {
        gen_param_attribute(gen, value, param, "dereferenceable", bytes);
        gen_param_attribute(gen, value, param, "writable", 0);
    }
}

// That of an instance is a part of the host's, which holds scratch and fault.
static void describe_states(Gen *gen, LLVMValueRef value, const TirFunction *function) {
    const TirProgram *program = gen->program;
    unsigned host = program->symbol == NULL ? 0 : CALL_CONTEXT_LIMIT - 1;
    describe_state(gen, value, function, host, gen->layout.bytes, gen->layout.align);
    if (host != 0) {
        describe_state(gen, value, function, 0, program->state_bytes, program->state_align);
    }
}

// The other structs are null for functions that use none of them, and outputs also in init.
static void describe_context(Gen *gen, LLVMValueRef value, const TirFunction *function) {
    describe_states(gen, value, function);
    if (call_context_count(gen) == 1) {
        return;
    }
    static const TirInterfaceKind kinds[] = {INTERFACE_TUNABLE, INTERFACE_INPUT, INTERFACE_OUTPUT};
    for (unsigned param = 1; param <= sizeof(kinds) / sizeof(kinds[0]); param++) {
        TirInterfaceKind kind = kinds[param - 1];
        StructLayout layout = layout_struct(gen->program, kind);
        gen_param_attribute(gen, value, param, "noalias", 0);
        gen_param_attribute(gen, value, param, "nocapture", 0);
        gen_param_attribute(gen, value, param, "align", layout.align);
        if (kind != INTERFACE_OUTPUT) {
            if (!gen->program->is_tested) {
                gen_param_attribute(gen, value, param, "readonly", 0);
            }
            if (function->uses_interface && gen->program->symbol == NULL) {
                gen_param_attribute(gen, value, param, "dereferenceable", layout.bytes);
            }
        }
    }
}

static void describe_params(Gen *gen, LLVMValueRef value, const TirFunction *function) {
    describe_context(gen, value, function);
    unsigned param = call_context_count(gen);
    for (size_t i = 0; i < function->param_count; i++, param++) {
        const TirVar *var = function->params[i];
        if (!is_value(var)) {
            describe_pointer(gen, value, param, var->type, var->role == VAR_PARAM);
        } else if (var->type->root == ROOT_BOOL) {
            gen_param_attribute(gen, value, param, "zeroext", 0);
        }
    }
    for (size_t i = 0; i < function->results.count; i++, param++) {
        describe_pointer(gen, value, param, function->results.items[i]->type, false);
    }
}

// How deeply loops, or branches, are nested in a block.
static unsigned depth_of(const TirBlock *block, bool of_loops) {
    unsigned most = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        bool counts = of_loops ? is_loop : stmt->kind == STMT_IF;
        TirBlock *blocks[2];
        for (size_t k = tir_stmt_blocks(stmt, blocks); k-- > 0;) {
            unsigned depth = depth_of(blocks[k], of_loops) + counts;
            most = depth > most ? depth : most;
        }
    }
    return most;
}

static LLVMValueRef declare(Gen *gen, const TirFunction *function, const char *symbol,
                            bool is_piece) {
    LLVMTypeRef type = function_type(gen, function, is_piece);
    LLVMValueRef value = LLVMAddFunction(gen->module, symbol, type);
    LLVMSetLinkage(value, LLVMInternalLinkage);
    gen_own_function(gen, value);
    if (start_is(gen, function)) { // what runs once is to be small, not fast
        gen_function_attribute(gen, value, "optsize", 0);
    }
    describe_params(gen, value, function);
    return value;
}

static void leave_as_is(Gen *gen, LLVMValueRef function) {
    gen_function_attribute(gen, function, "optnone", 0);
    gen_function_attribute(gen, function, "noinline", 0);
}

static bool is_left_as_is(LLVMValueRef function) {
    unsigned kind = LLVMGetEnumAttributeKindForName("optnone", strlen("optnone"));
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

static const char *function_symbol(Gen *gen, const TirFunction *function) {
    const char *component = gen->program->symbol;
    return component == NULL ? arena_format(gen->arena, "fn.%s", function->symbol)
                             : arena_format(gen->arena, "fn.%s.%s", component, function->symbol);
}

void function_declare(Gen *gen, const TirFunction *function) {
    if (function->instance != NULL) {
        return; // calls of it are calls of functions of its component
    }
    const char *symbol = function_symbol(gen, function);
    LLVMValueRef value = declare(gen, function, symbol, false);
    if (depth_of(&function->body, true) > LOOP_DEPTH_LIMIT ||
        depth_of(&function->body, false) > BRANCH_DEPTH_LIMIT) {
        leave_as_is(gen, value);
    }
    table_set(gen->arena, &gen->functions, function, value);
}

static void bind_context(Gen *gen) {
    static const char *const names[] = {"state", "params", "inputs", "outputs", "host"};
    LLVMValueRef context[CALL_CONTEXT_LIMIT] = {NULL};
    for (unsigned i = 0; i < call_context_count(gen); i++) {
        context[i] = LLVMGetParam(gen->value, i);
        LLVMSetValueName2(context[i], names[i], strlen(names[i]));
    }
    LLVMValueRef host = gen->program->symbol == NULL ? context[0] : context[4];
    gen->at = (GenContext){context[0], context[1], context[2], context[3], host};
}

// The parameter of the LLVM function for `var`, which is number `k` of the parameters and results.
static LLVMValueRef own_param(Gen *gen, size_t k, const TirVar *var) {
    LLVMValueRef value = LLVMGetParam(gen->value, call_context_count(gen) + (unsigned)k);
    if (var->name == NULL) {
        LLVMSetValueName2(value, "result", 6);
    } else {
        LLVMSetValueName2(value, var->name->text, var->name->len);
    }
    return value;
}

// Arrays stay where the caller has them; scalars get a slot like any variable. Those that are
// written are shared between pieces, which leave it to the function to take them in and out.
static void bind_params(Gen *gen, const TirFunction *function) {
    for (size_t i = 0; i < function->param_count; i++) {
        const TirVar *var = function->params[i];
        LLVMValueRef address = own_param(gen, i, var);
        if (type_is_scalar(var->type) && var->role == VAR_INOUT) {
            continue;
        }
        if (type_is_scalar(var->type)) {
            LLVMValueRef value = address;
            address = frame_slot(gen, var->type);
            gen_store(gen, var->type->root, value, address);
        }
        table_set(gen->arena, &gen->vars, var, address);
        debug_variable(gen, var, address, (unsigned)i + 1);
    }
    for (size_t i = 0; i < function->results.count; i++) {
        const TirVar *var = function->results.items[i];
        LLVMValueRef address = own_param(gen, function->param_count + i, var);
        if (type_is_tensor(var->type)) {
            table_set(gen->arena, &gen->vars, var, address);
        }
    }
}

// Copies a scalar between the caller's memory and the variable.
static void move_scalar(Gen *gen, size_t k, const TirVar *var, bool to_caller) {
    if (type_is_tensor(var->type)) {
        return;
    }
    Root root = var->type->root;
    LLVMValueRef outside = own_param(gen, k, var);
    LLVMValueRef inside = frame_var_address(gen, var);
    LLVMValueRef value = gen_load(gen, root, to_caller ? inside : outside, 1);
    gen_store(gen, root, value, to_caller ? outside : inside);
}

static void take_in(Gen *gen, const TirFunction *function) {
    for (size_t i = 0; i < function->param_count; i++) {
        if (function->params[i]->role == VAR_INOUT) {
            move_scalar(gen, i, function->params[i], false);
        }
    }
}

static void return_ok(Gen *gen, const TirFunction *function) {
    for (size_t i = 0; i < function->param_count; i++) {
        if (function->params[i]->role == VAR_INOUT) {
            move_scalar(gen, i, function->params[i], true);
        }
    }
    for (size_t i = 0; i < function->results.count; i++) {
        move_scalar(gen, function->param_count + i, function->results.items[i], true);
    }
    LLVMBuildRet(gen->builder, gen_i32(gen, TML_OK));
}

// Starts code in `value`, a function or a piece of it.
static void begin_code(Gen *gen, const TirFunction *function, LLVMValueRef value) {
    gen->function = function;
    gen->value = value;
    bind_context(gen);
    gen->loop = NULL;
    table_clear(&gen->vars);
    table_clear(&gen->wides);

    LLVMBasicBlockRef entry = gen_block(gen, "entry");
    LLVMBasicBlockRef body = gen_block(gen, "body");
    gen->leave = gen_block(gen, "leave");
    LLVMPositionBuilderAtEnd(gen->at_entry, entry);
    gen_enter(gen, body);
    debug_function(gen, function);
    debug_nowhere(gen);
    bind_params(gen, function);
    debug_place(gen, function->span);
}

// Ends it after the block `leave`.
static void end_code(Gen *gen) {
    trap_end_function(gen);
    LLVMBasicBlockRef body = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(gen->value));
    debug_end_function(gen, LLVMBuildBr(gen->at_entry, body));
}

// Gives the shared variables their places in the frame; the result is its size.
static uint64_t bind_frame(Gen *gen, const Pieces *pieces, LLVMValueRef frame) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < pieces->shared.count; i++) {
        const TirVar *var = pieces->shared.items[i];
        uint64_t align = gen_type_align(gen, var->type);
        bytes = (bytes + align - 1) / align * align;
        if (frame != NULL) {
            table_set(gen->arena, &gen->vars, var, frame_member_address(gen, frame, bytes));
        }
        bytes += gen_type_bytes(gen, var->type);
    }
    return bytes;
}

static LLVMValueRef frame_create(Gen *gen, const Pieces *pieces) {
    uint64_t bytes = bind_frame(gen, pieces, NULL);
    LLVMValueRef frame = LLVMBuildAlloca(gen->at_entry, LLVMArrayType2(gen->i8, bytes), "frame");
    LLVMSetAlignment(frame, CACHE_LINE);
    bind_frame(gen, pieces, frame);
    return frame;
}

static LLVMValueRef define_piece(Gen *gen, const TirFunction *function, const Pieces *pieces,
                                 size_t number) {
    const Piece *piece = &pieces->list.items[number];
    const char *symbol =
        arena_format(gen->arena, "%s.piece.%zu", function_symbol(gen, function), number);
    LLVMValueRef value = declare(gen, function, symbol, true);
    gen_function_attribute(gen, value, "noinline", 0);
    if (is_left_as_is(table_get(&gen->functions, function))) {
        leave_as_is(gen, value);
    }
    unsigned last = LLVMCountParams(value) - 1;
    gen_param_attribute(gen, value, last, "noalias", 0);
    gen_param_attribute(gen, value, last, "nocapture", 0);
    gen_param_attribute(gen, value, last, "align", CACHE_LINE);
    begin_code(gen, function, value);
    bind_frame(gen, pieces, LLVMGetParam(value, last));
    TirBlock statements = {.items = function->body.items + piece->first, .count = piece->count};
    stmt_block(gen, &statements);
    if (gen_block_is_open(gen)) {
        LLVMBuildRet(gen->builder, gen_i32(gen, TML_OK));
    }
    gen_enter(gen, gen->leave);
    LLVMBuildRet(gen->builder, gen_i32(gen, PIECE_RETURNED));
    end_code(gen);
    return value;
}

static void call_piece(Gen *gen, const Piece *piece, LLVMValueRef value, LLVMValueRef frame) {
    unsigned count = LLVMCountParams(value);
    LLVMValueRef *args = ARENA_ARRAY(gen->arena, LLVMValueRef, count);
    LLVMGetParams(gen->value, args); // all but the last one
    args[count - 1] = frame;
    LLVMTypeRef type = LLVMGlobalGetValueType(value);
    LLVMValueRef status = LLVMBuildCall2(gen->builder, type, value, args, count, "");
    if (piece->returns) {
        LLVMBasicBlockRef stays = gen_block(gen, "stays");
        LLVMValueRef returned =
            LLVMBuildICmp(gen->builder, LLVMIntEQ, status, gen_i32(gen, PIECE_RETURNED), "");
        LLVMBuildCondBr(gen->builder, returned, gen->leave, stays);
        gen_enter(gen, stays);
    }
    trap_propagate_call(gen, value, status);
}

static void define_in_pieces(Gen *gen, const TirFunction *function, const Pieces *pieces) {
    LLVMValueRef *values = ARENA_ARRAY(gen->arena, LLVMValueRef, pieces->list.count);
    for (size_t k = 0; k < pieces->list.count; k++) {
        values[k] = define_piece(gen, function, pieces, k);
    }
    begin_code(gen, function, table_get(&gen->functions, function));
    LLVMValueRef frame = frame_create(gen, pieces);
    take_in(gen, function);
    for (size_t k = 0; k < pieces->list.count; k++) {
        call_piece(gen, &pieces->list.items[k], values[k], frame);
    }
}

void function_define(Gen *gen, const TirFunction *function) {
    if (function->instance != NULL) {
        return;
    }
    // A debugger shows the variables of a function that is whole.
    Pieces pieces = gen->options->debug
                        ? (Pieces){0}
                        : pieces_plan(gen->arena, function, start_is(gen, function));
    LLVMDIBuilderRef debug = gen->debug;
    bool is_small = gen->facts.small;
    gen->facts.small = is_small || start_is(gen, function);
    start_leave_out(gen, function);
    if (gen->options->opt_level > 0) {
        late_plan(gen->arena, function, &gen->late);
    }
    if (pieces.list.count > 0) {
        gen->debug = NULL; // pieces have no name in the source
        define_in_pieces(gen, function, &pieces);
    } else {
        begin_code(gen, function, table_get(&gen->functions, function));
        take_in(gen, function);
        stmt_block(gen, &function->body);
    }
    gen_jump(gen, gen->leave);
    gen_enter(gen, gen->leave);
    return_ok(gen, function);
    end_code(gen);
    gen->debug = debug;
    gen->facts.small = is_small;
}
