// The constant table of a component: what hosts and simulations read of it.
#include "embedded.h"

#include "codegen/module.h"
#include "codegen/unit/layout.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

static const char source[] = "in real t.u\n"
                             "not feedthrough in tensor<tensor<int, 3>, 2, 4> t.k = 7\n"
                             "optional in real t.absent\n"
                             "out bool t.b\n"
                             "not feedthrough out real t.z\n"
                             "real p.kp = 2.5\n"
                             "tunable bool p.on = true\n"
                             "tunable tensor<real, 2> p.g = [0.5, -0.0]\n"
                             "str p.signs = \"+-\\n\"\n"
                             "tensor<uint, 2> n.sizes = [4u, 5u]\n"
                             "real acc = 0.25\n"
                             "bool flag = true\n"
                             "tensor<int, 2> pair = [1, 2]\n"
                             "fn init_fnc():\n"
                             "    t.z = acc\n"
                             "end\n"
                             "fn output_fnc():\n"
                             "    t.b = t.u > acc\n"
                             "end\n";

typedef struct Expected {
    const char *space, *name;
    tml_role role;
    int feedthrough;
    tml_root root;
    unsigned depth;
    size_t offset;
} Expected;

// Offsets: inputs u 0, k 8; outputs b 0, z 8; params on 0, g 8; state z 0, acc 8, flag 16, pair 20.
static const Expected rows[] = {
    {"t", "u", TML_INPUT, 1, TML_REAL, 0, 0},
    {"t", "k", TML_INPUT, 0, TML_INT, 2, 8},
    {"t", "b", TML_OUTPUT, 1, TML_BOOL, 0, 0},
    {"t", "z", TML_OUTPUT, 0, TML_REAL, 0, 8},
    {"p", "kp", TML_CONSTANT, 0, TML_REAL, 0, 0},
    {"p", "on", TML_PARAM, 0, TML_BOOL, 0, 0},
    {"p", "g", TML_PARAM, 0, TML_REAL, 1, 8},
    {"p", "signs", TML_CONSTANT, 0, TML_BOOL, 0, 0},
    {"n", "sizes", TML_CONSTANT, 0, TML_UINT, 1, 0},
    {"", "acc", TML_VARIABLE, 0, TML_REAL, 0, 8},
    {"", "flag", TML_VARIABLE, 0, TML_BOOL, 0, 16},
    {"", "pair", TML_VARIABLE, 0, TML_INT, 1, 20},
};
enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static Embedded *compiled(void) {
    CodegenOptions options = {.opt_level = 2, .checks = true};
    return embedded_compile("some/table.tml", source, &options);
}

Test(model_table, describes_every_variable) {
    Embedded *embedded = compiled();
    const tml_model *model = embedded_symbol(embedded, "table_model");
    cr_assert_eq(model->variable_count, ROW_COUNT);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const tml_variable *variable = &model->variables[i];
        const Expected *row = &rows[i];
        cr_assert_str_eq(variable->name, row->name);
        cr_assert_str_eq(variable->space, row->space, "%s", row->name);
        cr_assert_eq(variable->role, row->role, "%s", row->name);
        cr_assert_eq(variable->feedthrough, row->feedthrough, "%s", row->name);
        cr_assert_eq(variable->optional, 0);
        cr_assert_eq(variable->offset, row->offset, "%s", row->name);
        bool has_value =
            row->role == TML_PARAM || row->role == TML_CONSTANT || strcmp(row->name, "k") == 0;
        cr_assert_eq(variable->value != NULL, has_value, "%s", row->name);
        if (strcmp(row->name, "signs") == 0) {
            cr_assert_null(variable->type);
            cr_assert_str_eq(variable->value, "+-\n");
            continue;
        }
        cr_assert_eq(variable->type->root, row->root, "%s", row->name);
        cr_assert_eq(variable->type->real_bytes, 8);
        cr_assert_eq(variable->type->depth, row->depth, "%s", row->name);
    }
    const tml_type *type = model->variables[1].type;
    cr_assert_eq(type->flat_rank, 3);
    cr_assert(type->level_ranks[0] == 2 && type->level_ranks[1] == 1);
    cr_assert(type->dims[0] == 2 && type->dims[1] == 4 && type->dims[2] == 3);
    embedded_destroy(embedded);
}

Test(model_table, has_values_sizes_and_functions) {
    Embedded *embedded = compiled();
    const tml_model *model = embedded_symbol(embedded, "table_model");
    cr_assert_eq(model->version, TML_MODEL_VERSION);
    cr_assert_eq(model->kind, TML_COMPONENT);
    cr_assert_str_eq(model->name, "table");
    cr_assert_eq(model->layout, layout_hash(embedded->context->arena, embedded->program));
    cr_assert_eq(model->inputs_bytes, 8 + 24 * 4);
    cr_assert_eq(model->outputs_bytes, 16);
    cr_assert_eq(model->params_bytes, 24);
    cr_assert_eq(model->fault_offset, 32);
    cr_assert_eq(model->state_bytes, 32 + sizeof(tml_fault));
    cr_assert_eq(model->defaults, embedded_symbol(embedded, "table_defaults"));
    cr_assert_eq((void *)model->init, embedded_symbol(embedded, "table_init"));
    cr_assert_eq((void *)model->output, embedded_symbol(embedded, "table_output"));
    cr_assert_eq((void *)model->update, embedded_symbol(embedded, "table_update"));
    cr_assert_eq((void *)model->step, embedded_symbol(embedded, "table_step"));
    cr_assert_eq((void *)model->step_n, embedded_symbol(embedded, "table_step_n"));
    static const struct {
        uint8_t on;
        double g[2];
    } defaults = {1, {0.5, -0.0}};
    cr_assert_eq(memcmp(model->defaults, &defaults.on, 1), 0);
    cr_assert_eq(memcmp((const char *)model->defaults + 8, defaults.g, 16), 0);
    const char *inputs = model->inputs_defaults;
    cr_assert_eq(inputs, embedded_symbol(embedded, "table_inputs_defaults"));
    cr_assert_eq(*(const double *)inputs, 0.0);
    for (size_t i = 0; i < 24; i++) {
        cr_assert_eq(((const int32_t *)(inputs + 8))[i], 7);
    }
    cr_assert_null(model->variables[0].value);
    cr_assert_eq(model->variables[1].value, inputs + 8);
    cr_assert_eq(model->variables[6].value, (const char *)model->defaults + 8);
    cr_assert_eq(*(const double *)model->variables[4].value, 2.5);
    cr_assert_eq(((const uint32_t *)model->variables[8].value)[1], 5);
    cr_assert_eq(model->file_count, 1);
    cr_assert_str_eq(model->files[0], "some/table.tml");
    cr_assert_eq(model->text_count, 0);
    embedded_destroy(embedded);
}

// LLVM lays the table out as this compiler does.
Test(model_table, has_the_layout_of_the_header) {
    static const size_t model_offsets[] = {
        offsetof(tml_model, version),
        offsetof(tml_model, kind),
        offsetof(tml_model, name),
        offsetof(tml_model, layout),
        offsetof(tml_model, params_bytes),
        offsetof(tml_model, inputs_bytes),
        offsetof(tml_model, outputs_bytes),
        offsetof(tml_model, state_bytes),
        offsetof(tml_model, fault_offset),
        offsetof(tml_model, variable_count),
        offsetof(tml_model, variables),
        offsetof(tml_model, defaults),
        offsetof(tml_model, inputs_defaults),
        offsetof(tml_model, init),
        offsetof(tml_model, output),
        offsetof(tml_model, update),
        offsetof(tml_model, step),
        offsetof(tml_model, step_n),
        offsetof(tml_model, file_count),
        offsetof(tml_model, files),
        offsetof(tml_model, text_count),
        offsetof(tml_model, texts),
        offsetof(tml_model, line_count),
        offsetof(tml_model, lines),
        offsetof(tml_model, io_count),
        offsetof(tml_model, ios),
        offsetof(tml_model, code),
        offsetof(tml_model, lanes),
        offsetof(tml_model, init_batch),
        offsetof(tml_model, step_n_batch),
        offsetof(tml_model, linear),
    };
    static const size_t variable_offsets[] = {
        offsetof(tml_variable, name),     offsetof(tml_variable, space),
        offsetof(tml_variable, role),     offsetof(tml_variable, feedthrough),
        offsetof(tml_variable, optional), offsetof(tml_variable, type),
        offsetof(tml_variable, offset),   offsetof(tml_variable, value),
    };
    static const size_t type_offsets[] = {
        offsetof(tml_type, root),      offsetof(tml_type, real_bytes),  offsetof(tml_type, depth),
        offsetof(tml_type, flat_rank), offsetof(tml_type, level_ranks), offsetof(tml_type, dims),
    };
    Embedded *embedded = compiled();
    LLVMTargetDataRef layout = embedded->module->target.layout;
    LLVMValueRef model =
        LLVMGetNamedGlobal(embedded->module->module, codegen_model(embedded->module));
    LLVMValueRef value = LLVMGetInitializer(model);
    LLVMValueRef variables = LLVMGetInitializer(LLVMGetOperand(value, 10));
    LLVMValueRef variable = LLVMGetAggregateElement(variables, 0);
    LLVMValueRef type = LLVMGetInitializer(LLVMGetOperand(variable, 5));
    const struct {
        LLVMTypeRef type;
        size_t bytes, count;
        const size_t *offsets;
    } structs[] = {
        {LLVMTypeOf(value), sizeof(tml_model), 31, model_offsets},
        {LLVMTypeOf(variable), sizeof(tml_variable), 8, variable_offsets},
        {LLVMTypeOf(type), sizeof(tml_type), 6, type_offsets},
    };
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(LLVMABISizeOfType(layout, structs[i].type), structs[i].bytes);
        cr_assert_eq(LLVMCountStructElementTypes(structs[i].type), structs[i].count);
        for (unsigned k = 0; k < structs[i].count; k++) {
            cr_assert_eq(LLVMOffsetOfElement(layout, structs[i].type, k), structs[i].offsets[k]);
        }
    }
    embedded_destroy(embedded);
}

// On a target with 32-bit pointers: the members of the header's structs by the rules of C there.
Test(model_table, follows_the_target) {
    CodegenOptions options = {.target = "thumbv7em-none-eabi", .cpu = "cortex-m4", .checks = true};
    Embedded *embedded = embedded_compile("table.tml", source, &options);
    LLVMTargetDataRef layout = embedded->module->target.layout;
    LLVMValueRef model =
        LLVMGetNamedGlobal(embedded->module->module, codegen_model(embedded->module));
    LLVMTypeRef type = LLVMGlobalGetValueType(model);
    static const size_t offsets[] = {0,  4,   8,   16,  24,  28,  32,  36,  40, 44, 48,
                                     52, 56,  60,  64,  68,  72,  76,  80,  84, 88, 92,
                                     96, 100, 104, 108, 112, 120, 124, 128, 132};
    for (unsigned k = 0; k < 31; k++) {
        cr_assert_eq(LLVMOffsetOfElement(layout, type, k), offsets[k], "%u", k);
    }
    cr_assert_eq(LLVMABISizeOfType(layout, type), 136);
    embedded_destroy(embedded);
}
