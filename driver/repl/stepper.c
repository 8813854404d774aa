// See stepper.h.
#include "driver/repl/stepper.h"

#include "codegen/codegen.h"
#include "driver/source_files.h"
#include "support/bug.h"
#include "support/memory.h"
#include "tir/build.h"
#include "tir/scalar.h"

#include <stdlib.h>
#include <string.h>

struct Stepper {
    Compilation compilation;
    RefComponent *component;
    RefEvalIo io;
    uint32_t width; // scalars of all terminals
    uint64_t count; // steps that ran
    Buffer history; // doubles, `width` for each step
};

static const TirProgram *program_of(const Stepper *stepper) {
    return stepper->compilation.program;
}

bool stepper_reads(const Stepper *stepper, const char *path) {
    return source_files_have(stepper->compilation.context->sources, NULL, path);
}

static bool is_terminal(const TirInterface *item) {
    return item->var != NULL && (item->kind == INTERFACE_INPUT || item->kind == INTERFACE_OUTPUT);
}

static bool is_named(const TirInterface *item, Slice name) {
    bool has_space = name.len > 2 && name.data[1] == '.';
    if (has_space) {
        if (name.data[0] != item->space) {
            return false;
        }
        name = (Slice){name.data + 2, name.len - 2};
    }
    const char *text = item->name->text;
    return strlen(text) == name.len && memcmp(text, name.data, name.len) == 0;
}

static TirScalar *scalars_of(const Stepper *stepper, const TirInterface *item) {
    return ref_component_value(stepper->component, item->var);
}

// Inputs begin with their defaults.
static void set_defaults(Stepper *stepper) {
    const TirProgram *program = program_of(stepper);
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (is_terminal(item) && item->kind == INTERFACE_INPUT && item->value != NULL) {
            stepper_set(stepper, item, item->value->data);
        }
    }
}

Stepper *stepper_create(Compilation *compilation, bool (*stop)(void *data)) {
    Stepper *stepper = memory_zeroed(sizeof(*stepper));
    stepper->compilation = *compilation;
    stepper->io = (RefEvalIo){.stop = stop};
    TirProgram *program = compilation->program;
    program->math = codegen_math(compilation->context->arena, &compilation->codegen);
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        stepper->width += is_terminal(item) ? item->type->numel : 0;
    }
    stepper->component = ref_component_create(program);
    ref_component_watch(stepper->component, &stepper->io);
    set_defaults(stepper);
    return stepper;
}

void stepper_free(Stepper *stepper) {
    if (stepper != NULL) {
        ref_component_free(stepper->component);
        compilation_finish(&stepper->compilation);
        buffer_free(&stepper->history);
        free(stepper);
    }
}

const TirInterface *stepper_settable(const Stepper *stepper, Slice name) {
    const TirProgram *program = program_of(stepper);
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        bool is_settable = item->kind == INTERFACE_INPUT || item->kind == INTERFACE_TUNABLE;
        if (is_settable && item->var != NULL && is_named(item, name)) {
            return item;
        }
    }
    return NULL;
}

const char *stepper_type(const Stepper *stepper, const TirInterface *item) {
    return type_text(stepper->compilation.context->arena, item->type);
}

void stepper_set(Stepper *stepper, const TirInterface *item, const TirScalar *scalars) {
    memcpy(scalars_of(stepper, item), scalars, item->type->numel * sizeof(*scalars));
}

// What inputs have, while they are made zero with all other variables.
static TirScalar **keep_inputs(const Stepper *stepper) {
    const TirProgram *program = program_of(stepper);
    TirScalar **kept = memory_zeroed(memory_product(program->interface.count + 1, sizeof(*kept)));
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (is_terminal(item) && item->kind == INTERFACE_INPUT) {
            size_t bytes = memory_product(item->type->numel, sizeof(TirScalar));
            kept[i] = memory_zeroed(bytes);
            memcpy(kept[i], scalars_of(stepper, item), bytes);
        }
    }
    return kept;
}

static void give_back_inputs(Stepper *stepper, TirScalar **kept) {
    const TirProgram *program = program_of(stepper);
    for (size_t i = 0; i < program->interface.count; i++) {
        if (kept[i] != NULL) {
            stepper_set(stepper, program->interface.items[i], kept[i]);
            free(kept[i]);
        }
    }
    free(kept);
}

bool stepper_reset(Stepper *stepper, const Session *session, Reply *reply) {
    RefFault fault;
    stepper->count = 0;
    stepper->history.len = 0;
    TirScalar **kept = keep_inputs(stepper);
    bool done = ref_component_init(stepper->component, &fault);
    give_back_inputs(stepper, kept);
    if (!done) {
        session_trap(session, &stepper->compilation, &fault, reply);
    }
    return done;
}

static void note_step(Stepper *stepper) {
    const TirProgram *program = program_of(stepper);
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        for (uint32_t k = 0; is_terminal(item) && k < item->type->numel; k++) {
            double value = scalar_as_real(scalars_of(stepper, item)[k], item->type->root);
            buffer_append(&stepper->history, (const char *)&value, sizeof(value));
        }
    }
    stepper->count++;
}

// A program that prints the outputs, as programs do.
static void print_outputs(const Stepper *stepper, Buffer *out) {
    Context *context = stepper->compilation.context;
    const TirProgram *program = program_of(stepper);
    Tir tir = {.arena = context->arena,
               .types = program->types,
               .names = context->names,
               .single = program->single};
    TirFunction entry = {.symbol = "main"};
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (is_terminal(item) && item->kind == INTERFACE_OUTPUT) {
            TirStmt *output = tir_stmt(&tir, &entry.body, STMT_OUTPUT, item->span);
            output->output.name = (Slice){item->name->text, strlen(item->name->text)};
            output->output.value =
                tir_const(&tir, item->type, scalars_of(stepper, item), item->span);
        }
    }
    TirProgram printing = {.entry = &entry, .single = program->single, .types = program->types};
    RefFault fault;
    CHECK(ref_eval_run(&printing, NULL, out, &fault));
}

bool stepper_run(Stepper *stepper, uint64_t count, const Session *session, Reply *reply) {
    for (uint64_t k = 0; k < count; k++) {
        RefFault fault = {0};
        uint64_t number = stepper->count; // the first is 0, as in runs
        bool done = ref_component_output(stepper->component, &fault);
        if (done) {
            note_step(stepper);
            if (k + 1 == count) {
                print_outputs(stepper, &reply->text);
            }
            done = ref_component_update(stepper->component, &fault);
        }
        if (!done) {
            session_trap(session, &stepper->compilation, &fault, reply);
            buffer_format(&reply->messages, "in step %llu; the component begins anew\n",
                          (unsigned long long)number);
            return stepper_reset(stepper, session, reply) && false;
        }
    }
    return true;
}

double *stepper_history(const Stepper *stepper, Slice name, uint32_t *width, uint64_t *count) {
    const TirProgram *program = program_of(stepper);
    uint32_t first = 0;
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (is_terminal(item) && is_named(item, name)) {
            *width = item->type->numel;
            *count = stepper->count;
            double *values = memory_zeroed(memory_product(*count * *width + 1, sizeof(*values)));
            for (uint64_t k = 0; k < *count; k++) {
                const char *row =
                    stepper->history.data + (k * stepper->width + first) * sizeof(double);
                memcpy(values + k * *width, row, *width * sizeof(double));
            }
            return values;
        }
        first += is_terminal(item) ? item->type->numel : 0;
    }
    return NULL;
}

void stepper_list(const Stepper *stepper, Buffer *out) {
    static const char *const kinds[] = {[INTERFACE_INPUT] = "in",
                                        [INTERFACE_OUTPUT] = "out",
                                        [INTERFACE_TUNABLE] = "tunable",
                                        [INTERFACE_CONSTANT] = "constant"};
    const TirProgram *program = program_of(stepper);
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->type != NULL) {
            buffer_format(out, "%s %c.%s: %s\n", kinds[item->kind], item->space, item->name->text,
                          stepper_type(stepper, item));
        }
    }
}

void stepper_names(const Stepper *stepper, void (*take)(void *data, const char *name), void *data) {
    const TirProgram *program = program_of(stepper);
    for (size_t i = 0; i < program->interface.count; i++) {
        take(data, program->interface.items[i]->name->text);
    }
}
