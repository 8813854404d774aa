// See host_view.h. Offsets are those of planning (tir/passes/storage.c, codegen/unit/layout.c),
// which lay out the structs as C does; the header's assertions make the host's compiler confirm it.
#include "driver/describe/host_view.h"

#include "codegen/unit/c_words.h"
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

// The name in C, with a number where another member is already called so.
static const char *unique_name(Arena *arena, Taken *taken, const char *source_name) {
    const char *plain =
        c_words_have(source_name) ? arena_format(arena, "%s_", source_name) : source_name;
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

static HostStructKind struct_of(const TirInterface *item) {
    switch (item->kind) {
    case INTERFACE_INPUT: return HOST_INPUTS;
    case INTERFACE_OUTPUT: return HOST_OUTPUTS;
    case INTERFACE_TUNABLE: return HOST_PARAMS;
    case INTERFACE_CONSTANT: break;
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

static void fill_interface(Arena *arena, HostView *view) {
    const TirProgram *program = view->program;
    Taken taken[HOST_STRUCT_COUNT] = {0};
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->kind == INTERFACE_CONSTANT || !item->is_present) {
            continue;
        }
        HostStructKind kind = struct_of(item);
        HostMember member = {
            .name = unique_name(arena, &taken[kind], item->name->text),
            .type = item->type,
            .offset = item->offset,
            .item = item,
        };
        LIST_PUSH(arena, &view->structs[kind].members, member);
    }
    view->structs[HOST_PARAMS].bytes = layout_struct(program, INTERFACE_TUNABLE).bytes;
    view->structs[HOST_INPUTS].bytes = layout_struct(program, INTERFACE_INPUT).bytes;
    view->structs[HOST_OUTPUTS].bytes = layout_struct(program, INTERFACE_OUTPUT).bytes;
}

static void fill_state(Arena *arena, HostView *view) {
    const TirProgram *program = view->program;
    StateLayout layout = layout_state(program);
    HostStruct *state = &view->structs[HOST_STATE];
    Taken taken = {0};
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        if (var->storage != STORAGE_STATE) {
            continue;
        }
        HostMember member = {
            .name = unique_name(arena, &taken, var->name == NULL ? "unnamed" : var->name->text),
            .type = var->type,
            .offset = layout.globals_at + var->offset,
            .item = interface_of(program, var),
            .debug = var->debug,
        };
        LIST_PUSH(arena, &state->members, member);
    }
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
    LIST_PUSH(arena, &taken, "s"); // the state
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
        .needs_state = layout_needs_state(function),
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
    };
    static const char *const suffixes[] = {"params", "inputs", "outputs", "state"};
    for (int kind = 0; kind < HOST_STRUCT_COUNT; kind++) {
        HostStruct *of = &view.structs[kind];
        of->name = arena_format(arena, "%s_%s", view.prefix, suffixes[kind]);
        of->tag = codegen_link_name(module, of->name);
    }
    view.guard = codegen_link_name(module, arena_format(arena, "%s_TML_H", view.prefix));
    add_entries(arena, &view, module);
    fill_interface(arena, &view);
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
