// See model_rows.h. Nothing here knows LLVM.
#include "codegen/unit/model_rows.h"

#include "codegen/unit/instances.h"
#include "codegen/unit/layout.h"
#include "support/bug.h"
#include "tir/visit.h"

static tml_role role_of(TirInterfaceKind kind) {
    switch (kind) {
    case INTERFACE_INPUT: return TML_INPUT;
    case INTERFACE_OUTPUT: return TML_OUTPUT;
    case INTERFACE_TUNABLE: return TML_PARAM;
    case INTERFACE_CONSTANT: return TML_CONSTANT;
    }
    UNREACHABLE();
}

static ModelRow interface_row(Arena *arena, const TirInterface *item) {
    bool is_terminal = item->kind == INTERFACE_INPUT || item->kind == INTERFACE_OUTPUT;
    bool is_text = item->type->root == ROOT_STR || item->type->root == ROOT_CHAR;
    return (ModelRow){
        .name = item->name->text,
        .space = arena_format(arena, "%c", item->space),
        .role = role_of(item->kind),
        .has_feedthrough = is_terminal && tir_may_feed_through(item),
        .is_optional = is_terminal && item->is_optional,
        .type = is_text ? NULL : item->type,
        .offset = item->kind == INTERFACE_CONSTANT ? 0 : item->offset,
        .value = item->value,
        .text = item->text,
        .is_char = item->type->root == ROOT_CHAR,
    };
}

ModelRows model_rows(Arena *arena, const TirProgram *program) {
    ModelRows rows = {0};
    uint64_t globals_at = layout_state(program).globals_at;
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->is_present) {
            LIST_PUSH(arena, &rows, interface_row(arena, item));
        }
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        if (var->role == VAR_GLOBAL && var->name != NULL && var->instance == NULL) {
            ModelRow row = {.name = var->name->text,
                            .space = "",
                            .role = var->debug == NULL ? TML_VARIABLE : TML_DEBUG,
                            .type = var->type,
                            .offset = globals_at + var->offset,
                            .debug = var->debug};
            LIST_PUSH(arena, &rows, row);
        }
    }
    InstanceMembers members = instances_members(arena, program);
    for (size_t i = 0; i < members.count; i++) {
        const InstanceMember *member = &members.items[i];
        ModelRow row = {.name = member->name,
                        .space = "",
                        .role = member->is_param        ? TML_PARAM
                                : member->debug != NULL ? TML_DEBUG
                                                        : TML_VARIABLE,
                        .type = member->type,
                        .offset = member->offset + (member->is_param ? 0 : globals_at),
                        .value = member->value,
                        .debug = member->debug};
        LIST_PUSH(arena, &rows, row);
    }
    return rows;
}
