// print, input and output: calls of the functions of runtime/abi/abi.def, whose first argument is
// the host that the state has. Values are handed over in memory, with the table of their
// type; those that are arrays are variables, as pass_hoist left them. A call may fail, which leaves
// the function (trap.c). `assert` calls one of them only in executables, to say what it compared,
// so objects to embed have it too: its text stands in the program's table, and the fault says
// where.
#include "codegen/emit/effect.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/hardware.h"
#include "codegen/emit/trap.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/unit/descriptor.h"

#include <string.h>

// `args` are those after the host.
static void runtime_call(Gen *gen, const char *name, LLVMValueRef *args, unsigned count) {
    CHECK(!gen->is_embedded || gen->program->is_tested); // the checker has said so
    bool is_of_tests = strcmp(name, "tml_input") == 0 || strcmp(name, "tml_note") == 0;
    if (gen->options->no_runtime && !is_of_tests) {
        return;
    }
    LLVMTypeRef params[5] = {gen->pointer};
    LLVMValueRef host = gen->at.host;
    if (gen->layout.host_at != 0) {
        host = frame_member_address(gen, host, gen->layout.host_at);
    }
    LLVMValueRef values[5] = {LLVMBuildLoad2(gen->builder, gen->pointer, host, "host")};
    for (unsigned i = 0; i < count; i++) {
        params[i + 1] = LLVMTypeOf(args[i]);
        values[i + 1] = args[i];
    }
    LLVMTypeRef type = LLVMFunctionType(gen->i32, params, count + 1, false);
    LLVMValueRef function = LLVMGetNamedFunction(gen->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(gen->module, name, type);
        gen_function_attribute(gen, function, "nounwind", 0);
        // The runtime keeps no pointer and knows nothing of the state but its host.
        for (unsigned i = 0; i <= count; i++) {
            if (params[i] == gen->pointer) {
                LLVMAddAttributeAtIndex(function, i + 1, gen_attribute(gen, "nocapture", 0));
            }
        }
    }
    trap_propagate(gen, LLVMBuildCall2(gen->builder, type, function, values, count + 1, ""));
}

// Memory that holds the value: the variable itself, or a slot of the frame for a scalar.
static LLVMValueRef value_memory(Gen *gen, const TirExpr *value) {
    if (type_is_tensor(value->type)) {
        return frame_var_address(gen, value->var);
    }
    LLVMValueRef slot = frame_slot(gen, value->type);
    gen_store(gen, value->type->root, element_scalar(gen, value), slot);
    return slot;
}

static void print_text(Gen *gen, const Buffer *text) {
    if (text->len != 0) {
        LLVMValueRef args[] = {gen_string(gen, text->data, text->len),
                               gen_i64(gen, (int64_t)text->len)};
        runtime_call(gen, "tml_print_text", args, 2);
    }
}

// Texts, separators and the newline at the end are joined as far as no value comes between.
void effect_print(Gen *gen, const TirStmt *stmt) {
    Buffer text = {0};
    for (size_t i = 0; i < stmt->print.count; i++) {
        const TirPrintItem *item = &stmt->print.items[i];
        if (i != 0) {
            buffer_append(&text, " ", 1);
        }
        if (item->value == NULL) {
            buffer_append(&text, item->text.data, item->text.len);
            continue;
        }
        print_text(gen, &text);
        text.len = 0;
        LLVMValueRef args[] = {descriptor_type(gen, item->value->type),
                               value_memory(gen, item->value)};
        runtime_call(gen, "tml_print_value", args, 2);
    }
    buffer_append(&text, "\n", 1);
    print_text(gen, &text);
    buffer_free(&text);
}

void effect_input(Gen *gen, const TirStmt *stmt) {
    if (stmt->input.at.io != NULL) {
        hardware_read(gen, stmt);
        return;
    }
    const TirVar *var = stmt->input.var;
    bool is_scalar = type_is_scalar(var->type);
    LLVMValueRef memory = is_scalar ? frame_slot(gen, var->type) : frame_var_address(gen, var);
    LLVMValueRef name = stmt->input.name.len == 0
                            ? LLVMConstNull(gen->pointer)
                            : descriptor_port(gen, stmt->input.name, false, var->type);
    LLVMValueRef args[] = {descriptor_type(gen, var->type), name, memory};
    runtime_call(gen, "tml_input", args, 3);
    if (is_scalar) {
        Root root = var->type->root;
        gen_store(gen, root, gen_load(gen, root, memory, 1), frame_var_address(gen, var));
    }
}

void effect_output(Gen *gen, const TirStmt *stmt) {
    if (stmt->output.at.io != NULL) {
        hardware_write(gen, stmt);
        return;
    }
    const TirExpr *value = stmt->output.value;
    LLVMValueRef args[] = {descriptor_type(gen, value->type),
                           descriptor_port(gen, stmt->output.name, true, value->type),
                           value_memory(gen, value)};
    runtime_call(gen, "tml_output", args, 3);
}

// What an executable shows of the values; hosts of objects have no place for it.
static void note_values(Gen *gen, const TirStmt *stmt) {
    bool has_runtime = !gen->has_c_pointers || gen->program->is_tested;
    for (size_t i = 0; i < stmt->assertion.note_count && has_runtime; i++) {
        const TirPrintItem *note = &stmt->assertion.notes[i];
        LLVMValueRef args[] = {gen_string(gen, note->text.data, note->text.len),
                               descriptor_type(gen, note->value->type),
                               value_memory(gen, note->value)};
        runtime_call(gen, "tml_note", args, 3);
    }
}

void effect_assert(Gen *gen, const TirStmt *stmt) {
    LLVMBasicBlockRef pass = trap_begin(gen, element_scalar(gen, stmt->assertion.condition));
    if (pass == NULL) {
        return;
    }
    note_values(gen, stmt);
    TrapSite site = {.code = TML_E_ASSERT, .span = stmt->span};
    site.index = gen_i64(gen, (int64_t)descriptor_text(gen, stmt->assertion.text));
    trap_end(gen, pass, site);
}
