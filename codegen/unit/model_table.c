// The table of a model: a row for each terminal, property and constant that is present, then for
// each named file-level variable; where the values of constants and defaults are, and the entry
// points. Values of the table are those of the target: its size_t, its pointers. All of it is
// constant; in objects to embed it has a section of its own, so that a host that never looks at it
// does not pay for it.
#include "codegen/unit/entry.h"

#include "codegen/emit/element.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/target/target.h"
#include "codegen/unit/descriptor.h"
#include "codegen/unit/layout.h"
#include "codegen/unit/linear.h"
#include "codegen/unit/link_name.h"
#include "codegen/unit/model_rows.h"
#include "runtime/abi/model.h"

#include <stdlib.h>
#include <string.h>

static LLVMValueRef text(Gen *gen, const char *text) {
    return gen_string(gen, text, strlen(text));
}

// A constant that other objects see.
static LLVMValueRef export_constant(Gen *gen, const char *symbol, LLVMValueRef value) {
    LLVMValueRef global = LLVMAddGlobal(gen->module, LLVMTypeOf(value), symbol);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    return global;
}

typedef LIST_OF(LLVMValueRef) Members;

static void add_padding(Gen *gen, Members *members, uint64_t bytes) {
    if (bytes > 0) {
        LIST_PUSH(gen->arena, members, LLVMConstNull(LLVMArrayType2(gen->i8, bytes)));
    }
}

// The struct of parameters or inputs with the values that the source gives, and zeros elsewhere:
// packed, with explicit padding, since offsets are the planner's, whatever the target.
static void add_default(Gen *gen, Members *members, const TirExpr *value, uint64_t offset,
                        uint64_t *end) {
    CHECK(offset >= *end);
    add_padding(gen, members, offset - *end);
    LIST_PUSH(gen->arena, members, element_const_data(gen, value));
    *end = offset + gen_type_bytes(gen, value->type);
}

static LLVMValueRef defaults_table(Gen *gen, TirInterfaceKind kind) {
    StructLayout layout = layout_struct(gen->program, kind);
    Members members = {0};
    uint64_t end = 0;
    for (size_t i = 0; i < gen->program->interface.count; i++) {
        const TirInterface *item = gen->program->interface.items[i];
        if (item->kind == kind && item->is_present && item->value != NULL) {
            add_default(gen, &members, item->value, item->offset, &end);
        }
    }
    for (size_t i = 0; kind == INTERFACE_TUNABLE && i < gen->instance_members.count; i++) {
        const InstanceMember *member = &gen->instance_members.items[i];
        if (member->is_param) {
            add_default(gen, &members, member->value, member->offset, &end);
        }
    }
    add_padding(gen, &members, layout.bytes - end);
    LLVMValueRef value =
        LLVMConstStructInContext(gen->llvm, members.items, (unsigned)members.count, true);
    const char *name = arena_format(
        gen->arena, kind == INTERFACE_INPUT ? "%s_inputs_defaults" : "%s_defaults", gen->prefix);
    const char *symbol = link_name(gen->arena, name, gen->hash);
    LLVMValueRef table = export_constant(gen, symbol, value);
    LLVMSetAlignment(table, (unsigned)layout.align);
    if (gen->is_embedded) {
        gen_own_section(gen, table, ".rodata");
    }
    return table;
}

// Values that hosts find in a struct of their own.
typedef struct Defaults {
    LLVMValueRef params, inputs; // NULL constants where there is none
} Defaults;

static Defaults define_defaults(Gen *gen) {
    const TirProgram *program = gen->program;
    LLVMValueRef null = LLVMConstNull(gen->pointer);
    Defaults defaults = {null, null};
    if (program->kind == PROGRAM_COMPONENT) {
        defaults.params = defaults_table(gen, INTERFACE_TUNABLE);
        if (layout_has_input_defaults(program)) {
            defaults.inputs = defaults_table(gen, INTERFACE_INPUT);
        }
    }
    return defaults;
}

static LLVMValueRef given_value(Gen *gen, const ModelRow *row, const Defaults *defaults) {
    bool is_input = row->role == TML_INPUT;
    if (row->role == TML_PARAM || (is_input && row->value != NULL)) {
        LLVMValueRef offset = gen_i64(gen, (int64_t)row->offset);
        LLVMValueRef table = is_input ? defaults->inputs : defaults->params;
        return LLVMConstInBoundsGEP2(gen->i8, table, &offset, 1);
    }
    if (row->role == TML_CONSTANT) {
        return row->type == NULL ? gen_string(gen, row->text.data, row->text.len)
                                 : element_const_table(gen, row->value);
    }
    bool has_text = row->debug != NULL && row->debug[0] != '\0';
    return has_text ? text(gen, row->debug) : LLVMConstNull(gen->pointer);
}

static LLVMValueRef io_row(Gen *gen, const TirIo *io, uint32_t variable) {
    LLVMValueRef members[] = {
        gen_i32(gen, variable),
        gen_i32(gen, io->is_dma),
        gen_i64(gen, (int64_t)io->address),
        io->range == NULL ? LLVMConstNull(gen->pointer) : text(gen, io->range),
        text(gen, io->name->text),
    };
    return descriptor_struct(gen, members, sizeof(members) / sizeof(members[0]));
}

// Where the rows that variable_rows gives for hardware lie; what is accessed in place has none.
static Members io_rows(Gen *gen) {
    const TirProgram *program = gen->program;
    Members rows = {0};
    uint32_t row = 0;
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->io != NULL) {
            LIST_PUSH(gen->arena, &rows, io_row(gen, item->io, row));
        }
        row += item->is_present;
    }
    for (size_t i = 0; i < program->hardware.count; i++) {
        LIST_PUSH(gen->arena, &rows, io_row(gen, program->hardware.items[i]->io, UINT32_MAX));
    }
    return rows;
}

static Members variable_rows(Gen *gen, const Defaults *defaults) {
    ModelRows all = model_rows(gen->arena, gen->program);
    Members rows = {0};
    for (size_t i = 0; i < all.count; i++) {
        const ModelRow *row = &all.items[i];
        LLVMValueRef value = given_value(gen, row, defaults);
        LIST_PUSH(gen->arena, &rows, descriptor_variable(gen, row, text(gen, row->name), value));
    }
    return rows;
}

// Every output of a program may depend on every input.
static Members port_rows(Gen *gen) {
    Members rows = {0};
    for (size_t i = 0; i < gen->ports.count; i++) {
        const GenPort *port = &gen->ports.items[i];
        ModelRow row = {
            .space = "",
            .role = port->is_output ? TML_OUTPUT : TML_INPUT,
            .has_feedthrough = true,
            .type = port->type,
        };
        LLVMValueRef value = LLVMConstNull(gen->pointer);
        LIST_PUSH(gen->arena, &rows, descriptor_variable(gen, &row, port->text, value));
    }
    return rows;
}

static LLVMValueRef files_table(Gen *gen) {
    const SourceMap *sources = gen->context->sources;
    uint32_t count = sources_count(sources);
    LLVMValueRef *files = ARENA_ARRAY(gen->arena, LLVMValueRef, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *path = sources_file(sources, i)->path;
        files[i] = gen_string(gen, path, strlen(path));
    }
    return descriptor_array(gen, "files", gen->pointer, files, count);
}

static int compare_places(const void *a, const void *b) {
    const SourcePlace *left = a, *right = b;
    uint32_t x = left->file->index, y = right->file->index;
    return x != y ? (x > y) - (x < y) : (left->line > right->line) - (left->line < right->line);
}

static LLVMValueRef texts_table(Gen *gen) {
    Members texts = {0};
    for (size_t i = 0; i < gen->texts.count; i++) {
        Slice each = gen->texts.items[i];
        LIST_PUSH(gen->arena, &texts, gen_string(gen, each.data, each.len));
    }
    return descriptor_array(gen, "texts", gen->pointer, texts.items, texts.count);
}

// The lines that may trap, for executables and what runs at once.
static size_t trap_lines(Gen *gen, LLVMValueRef *table) {
    Members rows = {0};
    if (gen->traps.count > 0 && !gen->options->no_lines) {
        qsort(gen->traps.items, gen->traps.count, sizeof(SourcePlace), compare_places);
        for (size_t i = 0; i < gen->traps.count; i++) {
            const SourcePlace *place = &gen->traps.items[i];
            Slice line = source_line(place->file, place->line);
            LLVMValueRef members[] = {gen_i32(gen, place->file->index), gen_i32(gen, place->line),
                                      gen_string(gen, line.data, line.len)};
            if (line.len <= SHOWN_LINE_BYTES) {
                LIST_PUSH(gen->arena, &rows, descriptor_struct(gen, members, 3));
            }
        }
    }
    LLVMTypeRef row = rows.count == 0 ? NULL : LLVMTypeOf(rows.items[0]);
    *table = descriptor_array(gen, "lines", row, rows.items, rows.count);
    return rows.count;
}

static uint64_t struct_bytes(const TirProgram *program, TirInterfaceKind kind) {
    return program->kind == PROGRAM_COMPONENT ? layout_struct(program, kind).bytes : 0;
}

LLVMValueRef model_table(Gen *gen, const EntryPoints *entries) {
    const TirProgram *program = gen->program;
    const char *symbol = descriptor_symbol(gen);
    bool is_component = program->kind == PROGRAM_COMPONENT;
    Defaults defaults = define_defaults(gen);
    if (gen->options->no_table) {
        return NULL;
    }
    gen->is_table = true;
    if (gen->is_embedded && target_is_bare_elf(&gen->target)) {
        gen->constant_section = arena_format(gen->arena, ".rodata.%s", symbol);
    }
    Members rows = is_component ? variable_rows(gen, &defaults) : port_rows(gen);
    LLVMTypeRef row = rows.count == 0 ? NULL : LLVMTypeOf(rows.items[0]);
    Members ios = io_rows(gen);
    LLVMTypeRef io_type = ios.count == 0 ? NULL : LLVMTypeOf(ios.items[0]);
    LLVMValueRef lines;
    size_t line_count = trap_lines(gen, &lines);
    LLVMValueRef members[] = {
        gen_i32(gen, TML_MODEL_VERSION),
        gen_i32(gen, is_component ? TML_COMPONENT : TML_PROGRAM),
        text(gen, gen->name),
        gen_i64(gen, is_component ? (int64_t)layout_hash(gen->arena, program) : 0),
        gen_size(gen, struct_bytes(program, INTERFACE_TUNABLE)),
        gen_size(gen, struct_bytes(program, INTERFACE_INPUT)),
        gen_size(gen, struct_bytes(program, INTERFACE_OUTPUT)),
        gen_size(gen, gen->layout.bytes),
        gen_size(gen, gen->layout.fault_at),
        gen_i32(gen, (int64_t)rows.count),
        descriptor_array(gen, "variables", row, rows.items, rows.count),
        defaults.params,
        defaults.inputs,
        entries->init,
        entries->output,
        entries->update,
        entries->step,
        entries->step_n,
        gen_i32(gen, sources_count(gen->context->sources)),
        files_table(gen),
        gen_i32(gen, (int64_t)gen->texts.count),
        texts_table(gen),
        gen_i32(gen, (int64_t)line_count),
        lines,
        gen_i32(gen, (int64_t)ios.count),
        descriptor_array(gen, "ios", io_type, ios.items, ios.count),
        gen_i64(gen, is_component ? (int64_t)gen->hash : 0),
        gen_i32(gen, is_component ? gen->options->batch : 0),
        entries->batch.init,
        entries->batch.step_n,
        linear_table(gen),
    };
    LLVMValueRef value = descriptor_struct(gen, members, sizeof(members) / sizeof(members[0]));
    LLVMValueRef table = export_constant(gen, symbol, value);
    if (gen->constant_section != NULL) {
        LLVMSetSection(table, gen->constant_section);
    } else if (gen->is_embedded) {
        gen_own_section(gen, table, ".data.rel.ro");
    }
    return table;
}
