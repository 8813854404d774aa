// See instances.h. Offsets are those of pass_storage. Nothing here knows LLVM.
#include "codegen/unit/instances.h"

#include <string.h>

typedef struct Walk {
    Arena *arena;
    InstanceMembers members;
} Walk;

// Where an instance lies, and what it is called.
typedef struct Place {
    const char *prefix;
    uint64_t state, params;
} Place;

static void add(Walk *walk, InstanceMember member) {
    LIST_PUSH(walk->arena, &walk->members, member);
}

static bool has_terminal(const TirProgram *component, const char *text) {
    for (size_t i = 0; i < component->interface.count; i++) {
        const TirInterface *item = component->interface.items[i];
        if (item->space == 't' && strcmp(item->name->text, text) == 0) {
            return true;
        }
    }
    return false;
}

bool instances_is_terminal(const TirProgram *component, Name name) {
    return has_terminal(component, name->text);
}

static void walk_terminals(Walk *walk, const TirInstance *instance, const Place *place) {
    for (size_t i = 0; i < instance->component->interface.count; i++) {
        const TirInterface *item = instance->component->interface.items[i];
        bool is_input = item->kind == INTERFACE_INPUT;
        if (item->is_present && (is_input || item->kind == INTERFACE_OUTPUT)) {
            uint64_t at = is_input ? instance->inputs_at : instance->outputs_at;
            add(walk, (InstanceMember){.name = arena_format(walk->arena, "%s.%s", place->prefix,
                                                            item->name->text),
                                       .type = item->type,
                                       .offset = place->state + at + item->offset});
        }
    }
}

static void walk_tunables(Walk *walk, const TirInstance *instance, const Place *place) {
    for (size_t i = 0; i < instance->component->interface.count; i++) {
        const TirInterface *item = instance->component->interface.items[i];
        if (item->kind == INTERFACE_TUNABLE) {
            add(walk, (InstanceMember){.name = arena_format(walk->arena, "%s.p.%s", place->prefix,
                                                            item->name->text),
                                       .type = item->type,
                                       .is_param = true,
                                       .offset = place->params + instance->params_at + item->offset,
                                       .value = instance->defaults[i]});
        }
    }
}

static bool has_name(const TirProgram *component, const char *text) {
    for (size_t i = 0; i < component->globals.count; i++) {
        const TirVar *var = component->globals.items[i];
        if (var->name != NULL && var->instance == NULL && strcmp(var->name->text, text) == 0) {
            return true;
        }
    }
    return has_terminal(component, text);
}

// The name of a variable beside terminals: the terminal `u` comes before the variable `u`.
static const char *shown_name(const Walk *walk, const TirProgram *component, Name name) {
    const char *text = name->text;
    if (instances_is_terminal(component, name)) {
        do {
            text = arena_format(walk->arena, "%s_", text);
        } while (has_name(component, text));
    }
    return text;
}

static void walk_variables(Walk *walk, const TirInstance *instance, const Place *place) {
    const TirProgram *component = instance->component;
    for (size_t i = 0; i < component->globals.count; i++) {
        const TirVar *var = component->globals.items[i];
        if (var->role != VAR_GLOBAL || var->instance != NULL || var->name == NULL) {
            continue;
        }
        const char *name = shown_name(walk, component, var->name);
        add(walk, (InstanceMember){.name = arena_format(walk->arena, "%s.%s", place->prefix, name),
                                   .type = var->type,
                                   .debug = var->debug,
                                   .offset = place->state + instance->state_at + var->offset});
    }
}

static void walk_instances(Walk *walk, const TirProgram *program, const Place *place) {
    const char *dot = place->prefix[0] == '\0' ? "" : ".";
    for (size_t i = 0; i < program->instances.count; i++) {
        const TirInstance *instance = program->instances.items[i];
        const char *index = instance->is_element
                                ? arena_format(walk->arena, "[%u]", (unsigned)instance->element)
                                : "";
        Place inner = {
            arena_format(walk->arena, "%s%s%s%s", place->prefix, dot, instance->name->text, index),
            place->state, place->params};
        walk_terminals(walk, instance, &inner);
        walk_tunables(walk, instance, &inner);
        walk_variables(walk, instance, &inner);
        inner.state += instance->state_at;
        inner.params += instance->params_at;
        walk_instances(walk, instance->component, &inner);
    }
}

InstanceMembers instances_members(Arena *arena, const TirProgram *program) {
    Walk walk = {.arena = arena};
    walk_instances(&walk, program, &(Place){.prefix = ""});
    return walk.members;
}

static bool same_struct(const TirProgram *a, const TirProgram *b, TirInterfaceKind kind) {
    size_t k = 0;
    for (size_t i = 0; i < a->interface.count; i++) {
        const TirInterface *left = a->interface.items[i];
        if (left->kind != kind || !left->is_present) {
            continue;
        }
        while (k < b->interface.count &&
               (b->interface.items[k]->kind != kind || !b->interface.items[k]->is_present)) {
            k++;
        }
        if (k == b->interface.count || b->interface.items[k]->name != left->name ||
            b->interface.items[k]->type != left->type) {
            return false;
        }
        k++;
    }
    return true;
}

static bool same_layout(const TirProgram *a, const TirProgram *b) {
    if (a == b) {
        return true;
    }
    bool same = a->inputs_bytes == b->inputs_bytes && a->outputs_bytes == b->outputs_bytes &&
                a->params_bytes == b->params_bytes && a->state_bytes == b->state_bytes &&
                a->globals.count == b->globals.count && a->instances.count == b->instances.count &&
                same_struct(a, b, INTERFACE_INPUT) && same_struct(a, b, INTERFACE_OUTPUT) &&
                same_struct(a, b, INTERFACE_TUNABLE);
    for (size_t i = 0; same && i < a->globals.count; i++) {
        const TirVar *left = a->globals.items[i];
        const TirVar *right = b->globals.items[i];
        same = left->name == right->name && left->type == right->type &&
               left->storage == right->storage && left->offset == right->offset;
    }
    for (size_t i = 0; same && i < a->instances.count; i++) {
        same = a->instances.items[i]->name == b->instances.items[i]->name &&
               same_layout(a->instances.items[i]->component, b->instances.items[i]->component);
    }
    return same;
}

size_t instances_alike(const TirProgram *program, size_t first) {
    const TirInstance *instance = program->instances.items[first];
    size_t count = 1;
    while (instance->is_element && first + count < program->instances.count) {
        const TirInstance *next = program->instances.items[first + count];
        if (next->name != instance->name || !same_layout(instance->component, next->component)) {
            break;
        }
        count++;
    }
    return count;
}
