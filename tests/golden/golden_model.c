// A component in the reference evaluator behind the table that describes a compiled one
// (runtime/abi/model.h). Its structs are laid out here once more, as C does it; the state holds
// the fault and copies of the file-level variables and debug signals, which are with the evaluator.
#include "eval/eval.h"
#include "eval/memory.h"
#include "runtime/abi/abi.h"
#include "support/bug.h"
#include "tests/golden/golden_oracle.h"
#include "types/memory.h"

#include <string.h>

typedef struct Item {
    const Type *type;
    const TirExpr *value; // its default; NULL: none
    TirScalar *scalars;   // of what is no constant
    tml_variable variable;
} Item;

typedef struct Model {
    const Context *context;
    const TirProgram *program;
    RefComponent *component;
    Item *items;
    size_t item_count;
    size_t inputs_bytes, outputs_bytes, state_bytes;
    const char *assertion; // text of the assertion that failed
} Model;

// The table's functions have no room for a pointer; a process evaluates one component.
static Model model;

// Terminals and tunable properties of a role, from the host's struct or to it.
static void load(tml_role role, const void *memory) {
    for (size_t i = 0; i < model.item_count; i++) {
        const Item *item = &model.items[i];
        if (item->variable.role == role) {
            ref_from_memory(item->type, model.program->single,
                            (const char *)memory + item->variable.offset, item->scalars);
        }
    }
}

static void store(tml_role role, void *memory) {
    for (size_t i = 0; i < model.item_count; i++) {
        const Item *item = &model.items[i];
        if (item->variable.role == role) {
            ref_to_memory(item->type, model.program->single, item->scalars,
                          (char *)memory + item->variable.offset);
        }
    }
}

static tml_status finish(void *state, bool finished, const RefFault *fault) {
    if (finished) {
        store(TML_VARIABLE, state);
        store(TML_DEBUG, state);
        return TML_OK;
    }
    oracle_fault(model.context, fault, state);
    model.assertion = arena_copy_text(model.context->arena, fault->text.data, fault->text.len);
    return fault->code;
}

static tml_status init(void *state, const void *params) {
    RefFault fault;
    *(tml_fault *)state = (tml_fault){0};
    load(TML_PARAM, params);
    bool finished = ref_component_init(model.component, &fault);
    return finish(state, finished, &fault);
}

static tml_status output(void *state, const void *params, const void *inputs, void *outputs) {
    RefFault fault;
    load(TML_PARAM, params);
    load(TML_INPUT, inputs);
    bool finished = ref_component_output(model.component, &fault);
    if (finished) {
        store(TML_OUTPUT, outputs);
    }
    return finish(state, finished, &fault);
}

static tml_status update(void *state, const void *params, const void *inputs, void *outputs) {
    (void)outputs;
    RefFault fault;
    load(TML_PARAM, params);
    load(TML_INPUT, inputs);
    bool finished = ref_component_update(model.component, &fault);
    return finish(state, finished, &fault);
}

static tml_status step(void *state, const void *params, const void *inputs, void *outputs) {
    tml_status status = output(state, params, inputs, outputs);
    return status == TML_OK ? update(state, params, inputs, outputs) : status;
}

static tml_status step_n(void *state, const void *params, size_t n, const void *inputs,
                         void *outputs) {
    for (size_t i = 0; i < n; i++) {
        tml_status status = step(state, params, (const char *)inputs + i * model.inputs_bytes,
                                 (char *)outputs + i * model.outputs_bytes);
        if (status != TML_OK) {
            ((tml_fault *)state)->step = i;
            return status;
        }
    }
    return TML_OK;
}

static tml_role role_of(TirInterfaceKind kind) {
    switch (kind) {
    case INTERFACE_INPUT: return TML_INPUT;
    case INTERFACE_OUTPUT: return TML_OUTPUT;
    case INTERFACE_TUNABLE: return TML_PARAM;
    case INTERFACE_CONSTANT: return TML_CONSTANT;
    }
    UNREACHABLE();
}

static const tml_type *describe(const Type *type) {
    Arena *arena = model.context->arena;
    tml_type *described = ARENA_NEW(arena, tml_type);
    *described =
        ref_describe(type, model.program->single, ARENA_ARRAY(arena, uint16_t, TYPE_DEPTH_LIMIT));
    return described;
}

static const void *constant_value(const TirInterface *item) {
    Arena *arena = model.context->arena;
    if (item->value == NULL || item->value->type->root == ROOT_STR ||
        item->value->type->root == ROOT_CHAR) {
        return item->kind == INTERFACE_CONSTANT
                   ? arena_copy_text(arena, item->text.data, item->text.len)
                   : NULL;
    }
    void *memory = arena_alloc(arena, 8 * (size_t)item->type->numel);
    ref_to_memory(item->type, model.program->single, item->value->data, memory);
    return memory;
}

static void add_item(const TirInterface *item) {
    Item *added = &model.items[model.item_count++];
    bool is_text = item->kind == INTERFACE_CONSTANT &&
                   (item->type->root == ROOT_STR || item->type->root == ROOT_CHAR);
    *added = (Item){
        .type = item->type,
        .value = item->value,
        .scalars = item->var == NULL ? NULL : ref_component_value(model.component, item->var),
        .variable =
            {
                .name = item->name->text,
                .space = item->space == 't'   ? "t"
                         : item->space == 'p' ? "p"
                                              : "n",
                .role = (uint8_t)role_of(item->kind),
                .feedthrough = item->has_feedthrough || item->io != NULL,
                .optional = item->is_optional,
                .type = is_text ? NULL : describe(item->type),
                .value = constant_value(item),
            },
    };
}

static void add_variable(const TirVar *var) {
    model.items[model.item_count++] = (Item){
        .type = var->type,
        .scalars = ref_component_value(model.component, var),
        .variable =
            {
                .name = var->name->text,
                .space = "",
                .role = var->debug == NULL ? TML_VARIABLE : TML_DEBUG,
                .type = describe(var->type),
            },
    };
}

static void add_tunable(const RefTunable *tunable) {
    void *memory = arena_alloc(model.context->arena, 8 * (size_t)tunable->value->type->numel);
    ref_to_memory(tunable->value->type, model.program->single, tunable->value->data, memory);
    model.items[model.item_count++] = (Item){
        .type = tunable->value->type,
        .value = tunable->value,
        .scalars = tunable->scalars,
        .variable = {.name = tunable->name,
                     .space = "",
                     .role = TML_PARAM,
                     .type = describe(tunable->value->type),
                     .value = memory},
    };
}

// Gives the members of a struct behind `bytes` their offsets; the result is its size.
static size_t lay_out(tml_role role, size_t bytes) {
    size_t align = 1;
    for (size_t i = 0; i < model.item_count; i++) {
        Item *item = &model.items[i];
        if (item->variable.role != role) {
            continue;
        }
        size_t scalar = root_bytes(item->type->root, model.program->single);
        bytes = (bytes + scalar - 1) / scalar * scalar;
        item->variable.offset = bytes;
        bytes += scalar * item->type->numel;
        align = align > scalar ? align : scalar;
    }
    return bytes == 0 ? 1 : (bytes + align - 1) / align * align;
}

static void *defaults(tml_role role, size_t bytes) {
    char *memory = arena_alloc(model.context->arena, bytes);
    memset(memory, 0, bytes);
    for (size_t i = 0; i < model.item_count; i++) {
        const Item *item = &model.items[i];
        if (item->variable.role == role && item->value != NULL) {
            ref_to_memory(item->type, model.program->single, item->value->data,
                          memory + item->variable.offset);
        }
    }
    return memory;
}

int oracle_run_model(const Context *context, const TirProgram *program, int argc, char **argv) {
    model = (Model){.context = context, .program = program};
    model.component = ref_component_create(program);
    RefTunables tunables = ref_component_tunables(model.component, context->arena);
    model.items = ARENA_ARRAY(context->arena, Item,
                              program->interface.count + program->globals.count + tunables.count);
    for (size_t i = 0; i < program->interface.count; i++) {
        if (program->interface.items[i]->is_present) {
            add_item(program->interface.items[i]);
        }
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        if (var->role == VAR_GLOBAL && var->name != NULL && var->instance == NULL) {
            add_variable(var);
        }
    }
    for (size_t i = 0; i < tunables.count; i++) {
        add_tunable(&tunables.items[i]);
    }
    size_t params_bytes = lay_out(TML_PARAM, 0);
    model.inputs_bytes = lay_out(TML_INPUT, 0);
    model.outputs_bytes = lay_out(TML_OUTPUT, 0);
    model.state_bytes = lay_out(TML_DEBUG, lay_out(TML_VARIABLE, sizeof(tml_fault)));
    tml_variable *variables = ARENA_ARRAY(context->arena, tml_variable, model.item_count);
    for (size_t i = 0; i < model.item_count; i++) {
        variables[i] = model.items[i].variable;
    }
    tml_model table = {
        .version = TML_MODEL_VERSION,
        .kind = TML_COMPONENT,
        .name = "oracle",
        .params_bytes = params_bytes,
        .inputs_bytes = model.inputs_bytes,
        .outputs_bytes = model.outputs_bytes,
        .state_bytes = model.state_bytes,
        .variable_count = (uint32_t)model.item_count,
        .variables = variables,
        .defaults = defaults(TML_PARAM, params_bytes),
        .inputs_defaults = defaults(TML_INPUT, model.inputs_bytes),
        .init = init,
        .output = output,
        .update = update,
        .step = step,
        .step_n = step_n,
        .file_count = sources_count(context->sources),
        .files = oracle_files(context),
        .text_count = 1,
        .texts = &model.assertion,
    };
    table.lines = oracle_lines(context, &table.line_count);
    int status = tml_main(&table, argc, argv);
    ref_component_free(model.component);
    return status;
}
