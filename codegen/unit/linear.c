// The function hands those parts of the host's structs that TirLinear.params names to the function
// that passes have made, and is reached by the table alone.
#include "codegen/unit/linear.h"

#include "codegen/emit/call.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/debug_info.h"
#include "codegen/emit/types.h"
#include "codegen/unit/descriptor.h"
#include "codegen/unit/instances.h"
#include "tir/linear/linear.h"

#include <string.h>

// What names begin with, and where the parts of a file or instance lie: of an instance all in the
// state, but for the params.
typedef struct Place {
    const char *prefix;
    uint64_t state, inputs, outputs, params;
} Place;

static Place place_of(Gen *gen, const TirHolder *holder) {
    if (holder->outer == NULL) {
        return (Place){.prefix = "", .state = gen->layout.globals_at};
    }
    Place outer = place_of(gen, holder->outer);
    const TirInstance *instance = holder->instance;
    const char *index =
        instance->is_element ? arena_format(gen->arena, "[%u]", (unsigned)instance->element) : "";
    return (Place){
        .prefix = arena_format(gen->arena, "%s%s%s.", outer.prefix, instance->name->text, index),
        .state = outer.state + instance->state_at,
        .inputs = outer.state + instance->inputs_at,
        .outputs = outer.state + instance->outputs_at,
        .params = outer.params + instance->params_at,
    };
}

static uint64_t offset_of(Gen *gen, const TirHeld *held) {
    Place place = place_of(gen, held->holder);
    uint64_t base = held->var->storage == STORAGE_PARAMS    ? place.params
                    : held->var->storage == STORAGE_INPUTS  ? place.inputs
                    : held->var->storage == STORAGE_OUTPUTS ? place.outputs
                                                            : place.state;
    return base + held->var->offset;
}

static const char *name_of(Gen *gen, const TirHeld *held, tml_role role) {
    const TirVar *var = held->var;
    bool is_of_file = held->holder->outer == NULL;
    bool is_hidden = !is_of_file && var->role == VAR_GLOBAL &&
                     instances_is_terminal(held->holder->program, var->name);
    const char *space = is_of_file && role == TML_VARIABLE && var->role == VAR_OUTPUT ? "t."
                        : !is_of_file && role == TML_PARAM                            ? "p."
                                                                                      : "";
    return arena_format(gen->arena, "%s%s%s%s", place_of(gen, held->holder).prefix, space,
                        var->name->text, is_hidden ? "_" : "");
}

static uint64_t output_offset(const TirProgram *program, const TirVar *var) {
    size_t i = 0;
    while (program->interface.items[i]->var != var) {
        i++;
    }
    return program->interface.items[i]->offset;
}

typedef LIST_OF(LLVMValueRef) Values;

static LLVMValueRef name_value(Gen *gen, const TirHeld *held, tml_role role) {
    const char *name = name_of(gen, held, role);
    return gen_string(gen, name, strlen(name));
}

static void add_rows(Gen *gen, Values *rows, const TirHelds *list, tml_role role) {
    static const char *const spaces[] = {[TML_INPUT] = "t", [TML_OUTPUT] = "t", [TML_PARAM] = "p"};
    for (size_t k = 0; k < list->count; k++) {
        const TirHeld *held = &list->items[k];
        ModelRow row = {
            .space = role != TML_VARIABLE && held->holder->outer == NULL ? spaces[role] : "",
            .role = role,
            .type = held->var->type,
            .offset =
                role == TML_OUTPUT ? output_offset(gen->program, held->var) : offset_of(gen, held),
        };
        LLVMValueRef none = LLVMConstNull(gen->pointer);
        LLVMValueRef value = descriptor_variable(gen, &row, name_value(gen, held, role), none);
        LIST_PUSH(gen->arena, rows, value);
    }
}

// The address of a part of the structs that `at` has.
static LLVMValueRef address_of(Gen *gen, const GenContext *at, const TirHeld *held) {
    bool is_of_file = held->holder->outer == NULL;
    LLVMValueRef base = held->var->storage == STORAGE_PARAMS                 ? at->params
                        : is_of_file && held->var->storage == STORAGE_INPUTS ? at->inputs
                                                                             : at->state;
    return gen_offset(gen, ROOT_BOOL, base, gen_i64(gen, (int64_t)offset_of(gen, held)));
}

// tml_linear's function of that name; `start` has no inputs.
static LLVMValueRef define(Gen *gen, const char *name, const TirLinearFunction *made,
                           bool has_inputs) {
    if (made->function == NULL) {
        return LLVMConstNull(gen->pointer);
    }
    LLVMTypeRef params[] = {gen->pointer, gen->pointer, gen->pointer, gen->pointer};
    unsigned param_count = has_inputs ? 4 : 3;
    LLVMTypeRef type = LLVMFunctionType(gen->i32, params, param_count, false);
    LLVMValueRef function = LLVMAddFunction(gen->module, name, type);
    LLVMValueRef null = LLVMConstNull(gen->pointer);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gen_own_function(gen, function);
    gen->value = function;
    gen_enter(gen, gen_block(gen, "entry"));
    debug_host_function(gen, name, made->function->span);
    GenContext at = {.state = LLVMGetParam(function, 0),
                     .params = LLVMGetParam(function, 1),
                     .inputs = has_inputs ? LLVMGetParam(function, 2) : null,
                     .outputs = null};
    LLVMValueRef *args =
        ARENA_ARRAY(gen->arena, LLVMValueRef, CALL_CONTEXT_LIMIT + made->params.count + 1);
    unsigned count = call_context_args(gen, &at, args);
    for (size_t k = 0; k < made->params.count; k++) {
        const TirHeld *held = &made->params.items[k];
        LLVMValueRef address = address_of(gen, &at, held);
        bool is_scalar = type_is_scalar(held->var->type);
        args[count++] = is_scalar ? gen_load(gen, held->var->type->root, address, 1) : address;
    }
    args[count++] = LLVMGetParam(function, param_count - 1);
    LLVMBuildRet(gen->builder, call_value(gen, made->function, args, count));
    return function;
}

LLVMValueRef linear_table(Gen *gen) {
    const TirLinear *linear = gen->program->linear;
    if (linear == NULL) {
        return LLVMConstNull(gen->pointer);
    }
    Values rows = {0}, fixed = {0};
    add_rows(gen, &rows, &linear->states, TML_VARIABLE);
    add_rows(gen, &rows, &linear->inputs, TML_INPUT);
    add_rows(gen, &rows, &linear->tunables, TML_PARAM);
    add_rows(gen, &rows, &linear->outputs, TML_OUTPUT);
    CHECK(rows.count > 0); // else there would be no table
    for (size_t k = 0; k < linear->fixed.count; k++) {
        LIST_PUSH(gen->arena, &fixed, name_value(gen, &linear->fixed.items[k], TML_VARIABLE));
    }
    LLVMValueRef members[] = {
        gen_i32(gen, (int64_t)linear->states.count),
        gen_i32(gen, (int64_t)linear->inputs.count),
        gen_i32(gen, (int64_t)linear->tunables.count),
        gen_i32(gen, (int64_t)linear->outputs.count),
        descriptor_array(gen, "derived", LLVMTypeOf(rows.items[0]), rows.items, rows.count),
        gen_i32(gen, linear->rows),
        gen_i32(gen, linear->columns),
        define(gen, "linear.step", &linear->step, true),
        define(gen, "linear.start", &linear->start, false),
        gen_i32(gen, (int64_t)fixed.count),
        descriptor_array(gen, "fixed", gen->pointer, fixed.items, fixed.count),
    };
    unsigned count = sizeof(members) / sizeof(members[0]);
    LLVMValueRef value = descriptor_struct(gen, members, count);
    return gen_constant(gen, "linear", value,
                        LLVMABIAlignmentOfType(gen->target.layout, LLVMTypeOf(value)));
}
