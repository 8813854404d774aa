// The oracle's components, step by step, and tests: the variables of one and of its instances,
// which are those of runs of their own, and the values that tunable properties have. What a step
// does are statements (eval.c).
#include "eval/eval.h"

#include "eval/run.h"
#include "support/bug.h"
#include "support/memory.h"
#include "tir/visit.h"

#include <stdlib.h>
#include <string.h>

// The variables of a component and of its instances. One that is an instance's is that of the
// instance's component.
static void run_begin(RefRun *run, const TirProgram *program, TirMath math, RefFault *fault) {
    *run = (RefRun){
        .program = program,
        .math = math,
        .fault = fault,
        .globals = ref_new_vars(program->globals.items, program->globals.count),
        .instances = memory_zeroed(memory_product(program->instances.count + 1, sizeof(RefRun))),
    };
    for (size_t i = 0; i < program->instances.count; i++) {
        run_begin(&run->instances[i], program->instances.items[i]->component, math, fault);
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        if (var->inner != NULL) {
            free(run->globals[i]);
            run->globals[i] = ref_instance_run(run, var->instance)->globals[var->inner->id];
        }
    }
}

static void run_end(RefRun *run) {
    const TirProgram *program = run->program;
    for (size_t i = 0; i < program->globals.count; i++) {
        if (program->globals.items[i]->inner == NULL) {
            free(run->globals[i]);
        }
    }
    free(run->globals);
    for (size_t i = 0; i < program->instances.count; i++) {
        run_end(&run->instances[i]);
    }
    free(run->instances);
}

static void set_value(RefRun *run, const TirInterface *item, const TirExpr *value) {
    memcpy(run->globals[item->var->id], value->data, item->type->numel * sizeof(TirScalar));
}

// Tunable properties have their defaults; those of an instance its own.
static void set_defaults(RefRun *run, TirExpr *const *values) {
    const TirProgram *program = run->program;
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->kind == INTERFACE_TUNABLE) {
            set_value(run, item, values == NULL ? item->value : values[i]);
        }
    }
    for (size_t i = 0; i < program->instances.count; i++) {
        set_defaults(&run->instances[i], program->instances.items[i]->defaults);
    }
}

static void zero_variables(RefRun *run) {
    const TirProgram *program = run->program;
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        if (var->role != VAR_TUNABLE) {
            memset(run->globals[i], 0, var->type->numel * sizeof(TirScalar));
        }
    }
    for (size_t i = 0; i < program->instances.count; i++) {
        zero_variables(&run->instances[i]);
    }
}

struct RefComponent {
    RefRun run;
    RefFault fault; // of the call that runs
};

RefComponent *ref_component_create(const TirProgram *program) {
    CHECK(program->kind == PROGRAM_COMPONENT);
    RefComponent *component = memory_zeroed(sizeof(RefComponent));
    run_begin(&component->run, program, program->math, &component->fault);
    set_defaults(&component->run, NULL);
    return component;
}

void ref_component_free(RefComponent *component) {
    run_end(&component->run);
    free(component);
}

static void set_io(RefRun *run, const RefEvalIo *io) {
    run->io = io;
    for (size_t i = 0; i < run->program->instances.count; i++) {
        set_io(&run->instances[i], io);
    }
}

void ref_component_watch(RefComponent *component, const RefEvalIo *io) {
    set_io(&component->run, io);
}

TirScalar *ref_component_value(RefComponent *component, const TirVar *var) {
    CHECK(tir_var_is_global(var));
    return component->run.globals[var->id];
}

static void find_tunables(const RefRun *run, Arena *arena, const char *prefix, RefTunables *found) {
    for (size_t i = 0; i < run->program->instances.count; i++) {
        const TirInstance *instance = run->program->instances.items[i];
        const RefRun *inner = &run->instances[i];
        const char *index =
            instance->is_element ? arena_format(arena, "[%u]", (unsigned)instance->element) : "";
        const char *name = arena_format(arena, "%s%s%s.", prefix, instance->name->text, index);
        for (size_t k = 0; k < inner->program->interface.count; k++) {
            const TirInterface *item = inner->program->interface.items[k];
            if (item->kind == INTERFACE_TUNABLE) {
                RefTunable tunable = {.name = arena_format(arena, "%sp.%s", name, item->name->text),
                                      .value = instance->defaults[k],
                                      .scalars = inner->globals[item->var->id]};
                LIST_PUSH(arena, found, tunable);
            }
        }
        find_tunables(inner, arena, name, found);
    }
}

RefTunables ref_component_tunables(const RefComponent *component, Arena *arena) {
    RefTunables found = {0};
    find_tunables(&component->run, arena, "", &found);
    return found;
}

static bool run_entry(RefComponent *component, const TirFunction *function, RefFault *fault) {
    component->fault = (RefFault){0};
    if (function != NULL) {
        ref_call(&component->run, function, 0, NULL, NULL);
    }
    *fault = component->fault;
    return fault->code == 0;
}

bool ref_component_init(RefComponent *component, RefFault *fault) {
    zero_variables(&component->run);
    return run_entry(component, component->run.program->init, fault);
}

bool ref_component_output(RefComponent *component, RefFault *fault) {
    return run_entry(component, component->run.program->output, fault);
}

bool ref_component_update(RefComponent *component, RefFault *fault) {
    return run_entry(component, component->run.program->update, fault);
}

bool ref_eval_test(const TirProgram *program, const TirTest *test, int printed, RefFault *fault) {
    RefRun *run = memory_zeroed(sizeof(RefRun));
    *fault = (RefFault){0};
    run_begin(run, program, program->math, fault);
    tml_writer_init(&run->printed, printed);
    set_defaults(run, NULL);
    const TirFunction *start = program->entry != NULL ? program->entry : program->init;
    if (start != NULL) {
        ref_call(run, start, 0, NULL, NULL);
    }
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->kind == INTERFACE_INPUT && item->is_present && item->value != NULL) {
            set_value(run, item, item->value);
        }
    }
    if (fault->code == 0) {
        ref_call(run, test->function, 0, NULL, NULL);
    }
    CHECK(tml_writer_flush(&run->printed));
    run_end(run);
    free(run);
    return fault->code == 0;
}
