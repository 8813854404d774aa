// See layout.h. Reads a planned program: offsets and byte counts are those of pass_storage, to
// which come the head of the state, the scratch and the fault. The same for every target. Nothing
// here knows LLVM, because the header is printed from it too (driver/describe/host_view.c).
#include "codegen/unit/layout.h"

#include "codegen/unit/instances.h"
#include "runtime/abi/abi.h"
#include "support/buffer.h"
#include "support/hash.h"
#include "support/path.h"
#include "types/memory.h"

#include <ctype.h>
#include <string.h>

StateLayout layout_state(const TirProgram *program) {
    StateLayout layout = {0};
    if (program->kind == PROGRAM_LIBRARY || program->kind == PROGRAM_COMPONENT) {
        layout.align = _Alignof(tml_fault);
        layout.scratch_at = align_up(program->state_bytes, layout.align);
        layout.fault_at = align_up(layout.scratch_at + program->scratch_bytes, layout.align);
        layout.host_at = layout.fault_at + sizeof(tml_fault);
        layout.bytes = layout.host_at + (program->is_tested ? sizeof(uint64_t) : 0);
    } else {
        layout.align = CACHE_LINE;
        layout.fault_at = offsetof(tml_state, fault);
        layout.host_at = offsetof(tml_state, host);
        layout.globals_at = align_up(sizeof(tml_state), layout.align);
        layout.scratch_at = align_up(layout.globals_at + program->state_bytes, layout.align);
        layout.bytes = align_up(layout.scratch_at + program->scratch_bytes, layout.align);
    }
    return layout;
}

StructLayout layout_struct(const TirProgram *program, TirInterfaceKind kind) {
    uint64_t bytes = kind == INTERFACE_INPUT    ? program->inputs_bytes
                     : kind == INTERFACE_OUTPUT ? program->outputs_bytes
                                                : program->params_bytes;
    uint64_t align = kind == INTERFACE_INPUT    ? program->inputs_align
                     : kind == INTERFACE_OUTPUT ? program->outputs_align
                                                : program->params_align;
    return (StructLayout){align_up(bytes == 0 ? 1 : bytes, align), align};
}

bool layout_has_input_defaults(const TirProgram *program) {
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->kind == INTERFACE_INPUT && item->value != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_identifier_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool layout_is_name(const char *text) {
    const char *at = text;
    while (is_identifier_byte(*at)) {
        at++;
    }
    return at > text && *at == '\0' && !isdigit((unsigned char)text[0]);
}

const char *layout_program_name(Arena *arena, const char *path) {
    const char *base = path_base(path);
    char *name = arena_copy_text(arena, base, (size_t)(path_suffix(path) - base));
    for (char *c = name; *c != '\0'; c++) {
        *c = is_identifier_byte(*c) ? *c : '_';
    }
    return isdigit((unsigned char)name[0]) ? arena_format(arena, "_%s", name) : name;
}

const char *layout_prefix(Arena *arena, const char *path) {
    // The names of the table itself begin with `tml_`.
    const char *name = layout_program_name(arena, path);
    return strcmp(name, "tml") == 0 ? "tml_" : name;
}

static void describe_global(Buffer *out, Arena *arena, const TirVar *var) {
    buffer_format(out, "%d %s %s %d %llu\n", (int)var->role,
                  var->name == NULL ? "" : var->name->text, type_text(arena, var->type),
                  (int)var->storage, (unsigned long long)var->offset);
}

static void describe_function(Buffer *out, Arena *arena, const TirFunction *function) {
    buffer_format(out, "fn %s", function->name->text);
    for (size_t i = 0; i < function->param_count; i++) {
        const TirVar *param = function->params[i];
        buffer_format(out, param->role == VAR_INOUT ? " var %s" : " %s",
                      type_text(arena, param->type));
    }
    buffer_text(out, " >");
    for (size_t i = 0; i < function->results.count; i++) {
        buffer_format(out, " %s", type_text(arena, function->results.items[i]->type));
    }
    buffer_text(out, "\n");
}

static void describe_state(Buffer *out, Arena *arena, const TirProgram *program) {
    buffer_format(out, "%d %d %d %llu\n", TML_MODEL_VERSION, (int)program->kind,
                  (int)program->single, (unsigned long long)program->state_bytes);
    for (size_t i = 0; i < program->globals.count; i++) {
        describe_global(out, arena, program->globals.items[i]);
    }
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->var != NULL && item->is_present) {
            buffer_format(out, "%s %llu\n", item->name->text, (unsigned long long)item->offset);
        }
    }
    InstanceMembers members = instances_members(arena, program);
    for (size_t i = 0; i < members.count; i++) {
        const InstanceMember *member = &members.items[i];
        buffer_format(out, "%s %s %d %llu\n", member->name, type_text(arena, member->type),
                      (int)member->is_param, (unsigned long long)member->offset);
    }
}

// Both halves of the hash in one.
static uint32_t hash_of(const Buffer *text) {
    uint64_t hash = hash_bytes(HASH_OF_NOTHING, text->data, text->len);
    return (uint32_t)(hash >> 32 ^ hash);
}

uint64_t layout_hash(Arena *arena, const TirProgram *program) {
    Buffer text = {0};
    StateLayout state = layout_state(program);
    describe_state(&text, arena, program);
    uint64_t variables = hash_of(&text);
    buffer_format(&text, "%llu %llu\n", (unsigned long long)state.bytes,
                  (unsigned long long)state.fault_at);
    for (size_t i = 0; i < program->functions.count; i++) {
        if (program->functions.items[i]->exported) {
            describe_function(&text, arena, program->functions.items[i]);
        }
    }
    uint64_t all = hash_of(&text);
    buffer_free(&text);
    return variables << 32 | all;
}

bool layout_needs_state(const TirFunction *function) {
    return function->reads_globals || function->writes_globals || function->needs_scratch;
}

bool layout_has_state(const TirProgram *program) {
    for (size_t i = 0; i < program->functions.count && program->kind == PROGRAM_LIBRARY; i++) {
        const TirFunction *function = program->functions.items[i];
        if (function->exported && layout_needs_state(function)) {
            return true;
        }
    }
    return program->kind == PROGRAM_COMPONENT;
}
