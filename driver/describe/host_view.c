// See host_view.h. Offsets are those of planning (tir/passes/storage.c, codegen/unit/layout.c),
// which lay out the structs as C does; the header's assertions make the host's compiler confirm it.
#include "driver/describe/host_view.h"

#include "codegen/unit/c_words.h"
#include "codegen/unit/instances.h"
#include "codegen/unit/layout.h"
#include "support/bug.h"
#include "support/path.h"

#include <string.h>

enum { SCRATCH_WORD = 8 };

typedef LIST_OF(const char *) Taken;

static bool is_taken(const Taken *taken, const char *name) {
    for (size_t i = 0; i < taken->count; i++) {
        if (strcmp(taken->items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// `speed_io_a` for `speed.io_a`, `axis_1_io_a` for `axis[1].io_a`.
static const char *identifier(Arena *arena, const char *source_name) {
    char *name = arena_copy_text(arena, source_name, strlen(source_name));
    char *end = name;
    for (const char *at = name; *at != '\0'; at++) {
        if (*at != ']') {
            *end++ = *at == '.' || *at == '[' ? '_' : *at;
        }
    }
    *end = '\0';
    return name;
}

// The name in C, with a number where another member is already called so.
static const char *unique_name(Arena *arena, Taken *taken, const char *source_name) {
    const char *name_in_c = identifier(arena, source_name);
    const char *plain = c_words_have(name_in_c) ? arena_format(arena, "%s_", name_in_c) : name_in_c;
    const char *name = plain;
    for (unsigned number = 2; is_taken(taken, name); number++) {
        name = arena_format(arena, "%s_%u", plain, number);
    }
    LIST_PUSH(arena, taken, name);
    return name;
}

const char *host_role(TirInterfaceKind kind) {
    switch (kind) {
    case INTERFACE_INPUT: return "input";
    case INTERFACE_OUTPUT: return "output";
    case INTERFACE_TUNABLE: return "tunable";
    case INTERFACE_CONSTANT: return "constant";
    }
    UNREACHABLE();
}

static const TirInterface *interface_of(const TirProgram *program, const TirVar *var) {
    for (size_t i = 0; i < program->interface.count; i++) {
        if (program->interface.items[i]->var == var) {
            return program->interface.items[i];
        }
    }
    return NULL;
}

static void fill_interface(Arena *arena, const TirProgram *program, TirInterfaceKind kind,
                           HostStruct *to, Taken *taken) {
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->kind == kind && item->is_present) {
            HostMember member = {
                .name = unique_name(arena, taken, item->name->text),
                .type = item->type,
                .offset = item->offset,
                .item = item,
            };
            LIST_PUSH(arena, &to->members, member);
        }
    }
    to->bytes = layout_struct(program, kind).bytes;
}

static void fill_globals(Arena *arena, const TirProgram *program, uint64_t at, HostStruct *to,
                         Taken *taken) {
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        if (var->storage != STORAGE_STATE || var->instance != NULL) {
            continue;
        }
        HostMember member = {
            .name = unique_name(arena, taken, var->name == NULL ? "unnamed" : var->name->text),
            .type = var->type,
            .offset = at + var->offset,
            .item = interface_of(program, var),
            .debug = var->debug,
        };
        LIST_PUSH(arena, &to->members, member);
    }
}

static void fill_instances(Arena *arena, const TirProgram *program, bool params, uint64_t at,
                           HostStruct *to, Taken *taken);

static HostStruct *new_struct(Arena *arena, const TirProgram *component, HostStructKind kind) {
    HostStruct *inner = ARENA_NEW(arena, HostStruct);
    inner->name = path_base(component->path);
    inner->kind = kind;
    return inner;
}

static void add_struct(Arena *arena, HostStruct *to, const char *name, const HostStruct *inner,
                       uint64_t offset) {
    if (inner->members.count > 0) { // C has no empty structs
        HostMember member = {.name = name, .inner = inner, .offset = offset};
        LIST_PUSH(arena, &to->members, member);
    }
}

// What an instance has in the state of who holds it: its inputs, its outputs, its own state.
static HostStruct *instance_record(Arena *arena, const TirInstance *instance) {
    const TirProgram *component = instance->component;
    HostStruct *record = new_struct(arena, component, HOST_STATE);
    HostStruct *parts[] = {new_struct(arena, component, HOST_INPUTS),
                           new_struct(arena, component, HOST_OUTPUTS),
                           new_struct(arena, component, HOST_STATE)};
    Taken taken[3] = {0};
    fill_interface(arena, component, INTERFACE_INPUT, parts[0], &taken[0]);
    fill_interface(arena, component, INTERFACE_OUTPUT, parts[1], &taken[1]);
    fill_globals(arena, component, 0, parts[2], &taken[2]);
    fill_instances(arena, component, false, 0, parts[2], &taken[2]);
    add_struct(arena, record, "inputs", parts[0], 0);
    add_struct(arena, record, "outputs", parts[1], instance->outputs_at - instance->inputs_at);
    add_struct(arena, record, "state", parts[2], instance->state_at - instance->inputs_at);
    return record;
}

static HostStruct *instance_params(Arena *arena, const TirInstance *instance) {
    HostStruct *params = new_struct(arena, instance->component, HOST_PARAMS);
    Taken taken = {0};
    fill_interface(arena, instance->component, INTERFACE_TUNABLE, params, &taken);
    fill_instances(arena, instance->component, true, 0, params, &taken);
    return params;
}

static uint64_t begin_of(const TirInstance *instance, bool params) {
    return params ? instance->params_at : instance->inputs_at;
}

static void fill_instances(Arena *arena, const TirProgram *program, bool params, uint64_t at,
                           HostStruct *to, Taken *taken) {
    for (size_t i = 0; i < program->instances.count;) {
        const TirInstance *instance = program->instances.items[i];
        size_t count = instances_alike(program, i);
        const HostStruct *inner =
            params ? instance_params(arena, instance) : instance_record(arena, instance);
        const char *name = instance->name->text;
        bool is_array = instance->is_element && count == instance->count;
        HostMember member = {
            .inner = inner,
            .offset = at + begin_of(instance, params),
            .count = is_array ? count : 0,
        };
        if (is_array && count > 1) {
            const TirInstance *next = program->instances.items[i + 1];
            member.stride = begin_of(next, params) - begin_of(instance, params);
        }
        if (instance->is_element && !is_array) {
            name = arena_format(arena, "%s_%u", name, (unsigned)instance->element);
            count = 1;
        }
        if (inner->members.count > 0) {
            member.name = unique_name(arena, taken, name);
            LIST_PUSH(arena, &to->members, member);
        }
        i += count;
    }
}

static void fill_structs(Arena *arena, HostView *view) {
    const TirProgram *program = view->program;
    Taken taken[HOST_STRUCT_COUNT] = {0};
    fill_interface(arena, program, INTERFACE_TUNABLE, &view->structs[HOST_PARAMS],
                   &taken[HOST_PARAMS]);
    fill_instances(arena, program, true, 0, &view->structs[HOST_PARAMS], &taken[HOST_PARAMS]);
    fill_interface(arena, program, INTERFACE_INPUT, &view->structs[HOST_INPUTS],
                   &taken[HOST_INPUTS]);
    fill_interface(arena, program, INTERFACE_OUTPUT, &view->structs[HOST_OUTPUTS],
                   &taken[HOST_OUTPUTS]);
}

static void fill_state(Arena *arena, HostView *view) {
    const TirProgram *program = view->program;
    StateLayout layout = layout_state(program);
    HostStruct *state = &view->structs[HOST_STATE];
    Taken taken = {0};
    fill_globals(arena, program, layout.globals_at, state, &taken);
    fill_instances(arena, program, false, layout.globals_at, state, &taken);
    if (program->scratch_bytes > 0) {
        CHECK(program->scratch_bytes % SCRATCH_WORD == 0);
        HostMember scratch = {.name = "tml_scratch",
                              .count = program->scratch_bytes / SCRATCH_WORD,
                              .offset = layout.scratch_at};
        LIST_PUSH(arena, &state->members, scratch);
    }
    HostMember fault = {.name = "fault", .offset = layout.fault_at};
    LIST_PUSH(arena, &state->members, fault);
    state->bytes = layout.bytes;
}

static bool is_entry(const TirProgram *program, const TirFunction *function) {
    return function == program->entry || function == program->init || function == program->output ||
           function == program->update;
}

static void add_entries(Arena *arena, HostView *view, const CodegenModule *module) {
    const struct {
        const char *what;
        bool is_there;
    } all[] = {
        {"init", view->has_state},
        {"output", view->is_component},
        {"update", view->is_component},
        {"step", view->is_component},
        {"step_n", view->is_component},
        {"init_batch", view->lanes > 0},
        {"step_n_batch", view->lanes > 0},
        {"defaults", view->is_component},
        {"inputs_defaults", view->has_input_defaults},
        {"model", view->is_component && view->has_table},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const char *name = arena_format(arena, "%s_%s", view->prefix, all[i].what);
        HostEntry entry = {all[i].what, name, codegen_link_name(module, name)};
        if (all[i].is_there) {
            LIST_PUSH(arena, &view->entries, entry);
        }
    }
}

static void add_function(Arena *arena, HostView *view, const CodegenModule *module,
                         const TirFunction *function) {
    Taken taken = {0};
    bool needs_state = layout_needs_state(function);
    if (needs_state) {
        LIST_PUSH(arena, &taken, "s");
    }
    size_t result_count = function->results.count;
    const char **results = ARENA_ARRAY(arena, const char *, result_count);
    for (size_t i = 0; i < result_count; i++) {
        results[i] = result_count == 1 ? "result" : arena_format(arena, "result_%zu", i + 1);
        LIST_PUSH(arena, &taken, results[i]);
    }
    const char *name = arena_format(arena, "%s_fn_%s", view->prefix, function->name->text);
    HostFunction host = {
        .function = function,
        .name = name,
        .symbol = codegen_link_name(module, name),
        .params = ARENA_ARRAY(arena, const char *, function->param_count),
        .results = results,
        .needs_state = needs_state,
    };
    for (size_t i = 0; i < function->param_count; i++) {
        host.params[i] = unique_name(arena, &taken, function->params[i]->name->text);
    }
    LIST_PUSH(arena, &view->functions, host);
}

HostView host_view(Context *context, const TirProgram *program, const CodegenModule *module) {
    Arena *arena = context->arena;
    HostView view = {
        .program = program,
        .prefix = codegen_prefix(module),
        .file = path_base(program->path),
        .layout = layout_hash(arena, program),
        .is_component = program->kind == PROGRAM_COMPONENT,
        .has_state = layout_has_state(program),
        .has_table = codegen_model(module) != NULL,
        .has_input_defaults = layout_has_input_defaults(program),
        .lanes = codegen_lanes(module),
        .texts = codegen_texts(module),
    };
    for (uint32_t i = 0; i < sources_count(context->sources); i++) {
        LIST_PUSH(arena, &view.files, sources_file(context->sources, i)->path);
    }
    static const char *const suffixes[] = {"params", "inputs", "outputs", "state"};
    for (int kind = 0; kind < HOST_STRUCT_COUNT; kind++) {
        HostStruct *of = &view.structs[kind];
        of->name = arena_format(arena, "%s_%s", view.prefix, suffixes[kind]);
        of->kind = (HostStructKind)kind;
        of->tag = codegen_link_name(module, of->name);
    }
    view.guard = codegen_link_name(module, arena_format(arena, "%s_TML_H", view.prefix));
    add_entries(arena, &view, module);
    fill_structs(arena, &view);
    if (view.has_state) {
        fill_state(arena, &view);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        const TirFunction *function = program->functions.items[i];
        // The state of a program is the runtime's.
        bool can_export = view.has_state || !layout_needs_state(function);
        if (function->exported && can_export && !is_entry(program, function)) {
            add_function(arena, &view, module, function);
        }
    }
    return view;
}

bool host_view_is_empty(const HostView *view) {
    bool is_for_hosts = view->is_component || view->program->kind == PROGRAM_LIBRARY;
    return !is_for_hosts && view->functions.count == 0;
}
