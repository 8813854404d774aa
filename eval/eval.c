// The oracle's statements: runs the functions of a program one statement after the other, as
// tir/tir.h reads, with every variable an array of scalars of its own on the heap. A `set` computes
// its whole value first, unless element_by_element is asked for. What prints is written by the
// runtime's own printer (runtime/text/print.h), which tests of its own hold. A fault stops all
// statements.
#include "eval/eval.h"

#include "eval/expr.h"
#include "eval/memory.h"
#include "eval/run.h"
#include "support/bug.h"
#include "support/memory.h"
#include "tir/visit.h"
#include "types/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// How a block or statement ended.
typedef enum Outcome { GOES_ON, BREAKS, CONTINUES, RETURNS, FAULTS } Outcome;

typedef struct Activation {
    RefRun *run;
    RefFrame frame;
} Activation;

static Outcome outcome_of(const Activation *activation) {
    return activation->run->fault->code == 0 ? GOES_ON : FAULTS;
}

// Printing.

static void print_value(RefRun *run, const Type *type, const TirScalar *scalars) {
    bool single = run->program->single;
    char *memory = memory_zeroed(memory_product(type->numel, root_bytes(type->root, single)));
    ref_to_memory(type, single, scalars, memory);
    uint16_t level_ranks[TYPE_DEPTH_LIMIT];
    tml_type described = ref_describe(type, single, level_ranks);
    tml_write_value(&run->printed, &described, memory);
    free(memory);
}

static void print_output(RefRun *run, Slice name, const Type *type, const TirScalar *scalars) {
    uint16_t level_ranks[TYPE_DEPTH_LIMIT];
    tml_type described = ref_describe(type, run->program->single, level_ranks);
    tml_write_bytes(&run->printed, name.data, name.len);
    tml_write_text(&run->printed, tml_value_is_multiline(&described) ? " =\n" : " = ");
    print_value(run, type, scalars);
    tml_write_char(&run->printed, '\n');
}

// Statements.

static Outcome run_block(Activation *activation, const TirBlock *block);

static Outcome run_set(Activation *activation, const TirStmt *stmt) {
    RefFrame *frame = &activation->frame;
    ref_prepare(frame, stmt->set.value);
    ref_prepare(frame, stmt->set.place);
    RefArray value = ref_eval(frame, stmt->set.value);
    uint32_t *positions = ref_positions(frame, stmt->set.place);
    const RefEvalIo *io = activation->run->io;
    bool again = io != NULL && io->element_by_element;
    if (outcome_of(activation) == GOES_ON) {
        RefArray var = ref_var(frame, tir_place_var(stmt->set.place));
        for (uint32_t i = stmt->set.place->type->numel; i-- > 0;) {
            ref_copy(frame->level, var, positions[i], value, i, 1);
            if (again && i > 0) {
                free(value.scalars);
                value = ref_eval(frame, stmt->set.value);
                *frame->fault = (RefFault){0}; // of elements that are stored already
            }
        }
    }
    free(positions);
    free(value.scalars);
    return outcome_of(activation);
}

// The same of one element: `position` of the place. No element traps.
static void run_element(Activation *activation, const TirStmt *set, uint32_t position) {
    RefFrame *frame = &activation->frame;
    ref_prepare(frame, set->set.value);
    ref_prepare(frame, set->set.place);
    RefArray value = ref_eval(frame, set->set.value);
    uint32_t *positions = ref_positions(frame, set->set.place);
    ref_copy(frame->level, ref_var(frame, tir_place_var(set->set.place)), positions[position],
             value, position, 1);
    *frame->fault = (RefFault){0}; // of elements that have no value yet
    free(positions);
    free(value.scalars);
}

// What a variable has before it is set is worth nothing, as in memory that was used before.
static void spoil(const Activation *activation, const TirVar *var) {
    memset(ref_var(&activation->frame, var).scalars, 0x55, var->type->numel * sizeof(TirScalar));
}

static void spoil_locals(const Activation *activation, const TirFunction *function) {
    for (size_t i = 0; i < function->vars.count; i++) {
        const TirVar *var = function->vars.items[i];
        if (tir_var_is_local(var)) {
            spoil(activation, var);
        }
    }
}

// What lives in one element only is worth nothing elsewhere.
static void spoil_elements(const Activation *activation, const TirStmt *nest) {
    for (size_t i = 0; i < nest->nest.count; i++) {
        const TirVar *var = tir_place_var(nest->nest.items[i]->set.place);
        if (var->storage == STORAGE_ELEMENT) {
            spoil(activation, var);
        }
    }
}

static void assign_var(Activation *activation, const TirVar *var, RefArray value) {
    const RefFrame *frame = &activation->frame;
    ref_copy(frame->level, ref_var(frame, var), 0, value, 0, var->type->numel);
}

// The values of what a nest writes; give_back frees them.
static RefArray *keep_written(Activation *activation, const TirStmt *nest) {
    unsigned level = activation->frame.level;
    RefArray *kept = memory_zeroed(memory_product(nest->nest.count + 1, sizeof(*kept)));
    for (size_t i = 0; i < nest->nest.count; i++) {
        const TirVar *var = tir_place_var(nest->nest.items[i]->set.place);
        kept[i] = ref_array(level, var->type);
        ref_copy(level, kept[i], 0, ref_var(&activation->frame, var), 0, var->type->numel);
    }
    return kept;
}

static void give_back(Activation *activation, const TirStmt *nest, RefArray *kept) {
    for (size_t i = 0; i < nest->nest.count; i++) {
        assign_var(activation, tir_place_var(nest->nest.items[i]->set.place), kept[i]);
        free(kept[i].scalars);
    }
    free(kept);
}

// Its sets one after the other, and, when asked for, as pass_fuse makes legal, element by element:
// but for faults, which are those of whole sets.
static Outcome run_nest(Activation *activation, const TirStmt *stmt) {
    const RefEvalIo *io = activation->run->io;
    spoil_elements(activation, stmt);
    bool again = io != NULL && io->element_by_element;
    RefArray *kept = again ? keep_written(activation, stmt) : NULL;
    Outcome outcome = run_block(activation, &stmt->nest);
    if (again) {
        give_back(activation, stmt, kept);
        for (uint32_t i = stmt->nest.items[0]->set.place->type->numel;
             outcome == GOES_ON && i-- > 0;) {
            for (size_t k = 0; k < stmt->nest.count; k++) {
                run_element(activation, stmt->nest.items[k], i);
            }
            spoil_elements(activation, stmt);
        }
    }
    spoil_elements(activation, stmt);
    return outcome;
}

TirScalar **ref_new_vars(TirVar *const *vars, size_t count) {
    TirScalar **scalars = memory_zeroed(memory_product(count + 1, sizeof(*scalars)));
    for (size_t i = 0; i < count; i++) {
        scalars[vars[i]->id] = ref_array(0, vars[i]->type).scalars;
    }
    return scalars;
}

static void free_vars(TirScalar **scalars, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(scalars[i]);
    }
    free(scalars);
}

// Values of a level by position, all zero; ref_free_arrays frees them.
static RefArray *new_arrays(unsigned level, TirVar *const *vars, size_t count) {
    RefArray *arrays = memory_zeroed(memory_product(count + 1, sizeof(*arrays)));
    for (size_t i = 0; i < count; i++) {
        arrays[i] = ref_array(level, vars[i]->type);
    }
    return arrays;
}

void ref_free_arrays(RefArray *arrays, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(arrays[i].scalars);
    }
    free(arrays);
}

static Outcome run_call(Activation *activation, const TirStmt *stmt) {
    RefFrame *frame = &activation->frame;
    size_t count = stmt->call.arg_count;
    RefArray *args = memory_zeroed(memory_product(count + 1, sizeof(*args)));
    for (size_t i = 0; i < count; i++) {
        args[i] = ref_value(frame, stmt->call.args[i]);
    }
    const TirDerivative *derivative = stmt->call.derivative;
    RefArray along = {NULL, NULL};
    if (derivative != NULL && derivative->along != NULL) {
        along = ref_value(frame, derivative->along);
    }
    const TirVars *vars = &stmt->call.results;
    RefArray *results = new_arrays(frame->level, vars->items, vars->count);
    if (outcome_of(activation) == GOES_ON && derivative == NULL) {
        ref_call(activation->run, stmt->call.function, frame->level, args, results);
    } else if (outcome_of(activation) == GOES_ON) {
        ref_derive(activation->run, stmt, frame->level, args, along, results);
    }
    for (size_t i = 0; i < vars->count; i++) {
        assign_var(activation, vars->items[i], results[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (stmt->call.function->params[i]->role == VAR_INOUT) {
            assign_var(activation, stmt->call.args[i]->var, args[i]);
        }
    }
    free(along.scalars);
    ref_free_arrays(results, vars->count);
    ref_free_arrays(args, count);
    return outcome_of(activation);
}

static Outcome run_if(Activation *activation, const TirStmt *stmt) {
    bool condition = ref_scalar_value(&activation->frame, stmt->branch.condition).boolean;
    if (outcome_of(activation) == FAULTS) {
        return FAULTS;
    }
    return run_block(activation, condition ? &stmt->branch.then : &stmt->branch.otherwise);
}

// Whether a loop ends after a run of its body; a break ends only the loop.
static bool ends_loop(Outcome *outcome) {
    bool ends = *outcome == BREAKS || *outcome == RETURNS || *outcome == FAULTS;
    if (*outcome == BREAKS || *outcome == CONTINUES) {
        *outcome = GOES_ON;
    }
    return ends;
}

static Outcome run_for(Activation *activation, const TirStmt *stmt) {
    RefFrame *frame = &activation->frame;
    int64_t first = ref_scalar_value(frame, stmt->for_loop.first).integer;
    int64_t last = ref_scalar_value(frame, stmt->for_loop.last).integer;
    int64_t step = ref_scalar_value(frame, stmt->for_loop.step).integer;
    if (step == 0) {
        ref_fault(frame, (RefFault){.code = 1003, .span = stmt->for_loop.step_span});
    }
    if (outcome_of(activation) == FAULTS) {
        return FAULTS;
    }
    bool has_any_order = stmt->for_loop.has_lanes && !stmt->for_loop.in_order;
    if (has_any_order && first < last) { // the last turn comes first
        int64_t end = first;
        first = last - 1;
        last = end - 1;
        step = -step;
    }
    for (int64_t i = first; step > 0 ? i < last : i > last; i += step) {
        ref_var(frame, stmt->for_loop.var).scalars->integer = (int32_t)i;
        Outcome outcome = run_block(activation, &stmt->for_loop.body);
        if (ends_loop(&outcome)) {
            return outcome;
        }
    }
    return GOES_ON;
}

static Outcome run_while(Activation *activation, const TirStmt *stmt) {
    for (;;) {
        Outcome outcome = run_block(activation, &stmt->while_loop.before);
        if (outcome != GOES_ON) {
            return outcome;
        }
        bool condition = ref_scalar_value(&activation->frame, stmt->while_loop.condition).boolean;
        if (outcome_of(activation) == FAULTS) {
            return FAULTS;
        }
        if (!condition) {
            return GOES_ON;
        }
        outcome = run_block(activation, &stmt->while_loop.body);
        if (ends_loop(&outcome)) {
            return outcome;
        }
    }
}

// All values are computed before anything is printed.
static Outcome run_print(Activation *activation, const TirStmt *stmt) {
    RefRun *run = activation->run;
    TirScalar **values = memory_zeroed(memory_product(stmt->print.count + 1, sizeof(*values)));
    for (size_t i = 0; i < stmt->print.count; i++) {
        if (stmt->print.items[i].value != NULL) {
            values[i] = ref_value(&activation->frame, stmt->print.items[i].value).scalars;
        }
    }
    bool prints = outcome_of(activation) == GOES_ON;
    for (size_t i = 0; i < stmt->print.count && prints; i++) {
        const TirPrintItem *item = &stmt->print.items[i];
        tml_write_text(&run->printed, i > 0 ? " " : "");
        if (item->value == NULL) {
            tml_write_bytes(&run->printed, item->text.data, item->text.len);
        } else {
            print_value(run, item->value->type, values[i]);
        }
    }
    if (prints) {
        tml_write_char(&run->printed, '\n');
    }
    for (size_t i = 0; i < stmt->print.count; i++) {
        free(values[i]);
    }
    free(values);
    return outcome_of(activation);
}

static Outcome run_input(Activation *activation, const TirStmt *stmt) {
    CHECK(stmt->input.at.io == NULL); // there is no hardware here
    const RefEvalIo *io = activation->run->io;
    const TirVar *var = stmt->input.var;
    const TirScalar *from =
        io == NULL || io->input == NULL ? NULL : io->input(io->data, stmt->input.name, var->type);
    if (from == NULL) {
        ref_fault(&activation->frame,
                  (RefFault){.code = TML_E_IO, .span = stmt->span, .text = stmt->input.name});
        return FAULTS;
    }
    memcpy(ref_var(&activation->frame, var).scalars, from, var->type->numel * sizeof(*from));
    return GOES_ON;
}

static Outcome run_output(Activation *activation, const TirStmt *stmt) {
    CHECK(stmt->output.at.io == NULL);
    const RefEvalIo *io = activation->run->io;
    const Type *type = stmt->output.value->type;
    TirScalar *value = ref_value(&activation->frame, stmt->output.value).scalars;
    if (outcome_of(activation) == GOES_ON) {
        bool taken = io != NULL && io->output != NULL &&
                     io->output(io->data, stmt->output.name, type, value);
        if (!taken) {
            print_output(activation->run, stmt->output.name, type, value);
        }
    }
    free(value);
    return outcome_of(activation);
}

static Outcome run_assert(Activation *activation, const TirStmt *stmt) {
    if (!ref_scalar_value(&activation->frame, stmt->assertion.condition).boolean) {
        RefFault fault = {
            .code = 1004, .span = stmt->span, .text = stmt->assertion.text, .assertion = stmt};
        for (size_t i = 0; i < stmt->assertion.note_count; i++) {
            fault.noted[i] = ref_scalar_value(&activation->frame, stmt->assertion.notes[i].value);
        }
        ref_fault(&activation->frame, fault);
    }
    return outcome_of(activation);
}

static Outcome run_stmt(Activation *activation, const TirStmt *stmt) {
    const RefEvalIo *io = activation->run->io;
    if (io != NULL && io->stop != NULL && io->stop(io->data)) {
        ref_fault(&activation->frame, (RefFault){.code = REF_STOPPED, .span = stmt->span});
        return FAULTS;
    }
    switch (stmt->kind) {
    case STMT_SET: return run_set(activation, stmt);
    case STMT_NEST: return run_nest(activation, stmt);
    case STMT_CALL: return run_call(activation, stmt);
    case STMT_IF: return run_if(activation, stmt);
    case STMT_FOR: return run_for(activation, stmt);
    case STMT_WHILE: return run_while(activation, stmt);
    case STMT_BREAK: return BREAKS;
    case STMT_CONTINUE: return CONTINUES;
    case STMT_RETURN: return RETURNS;
    case STMT_PRINT: return run_print(activation, stmt);
    case STMT_INPUT: return run_input(activation, stmt);
    case STMT_OUTPUT: return run_output(activation, stmt);
    case STMT_ASSERT: return run_assert(activation, stmt);
    }
    UNREACHABLE();
}

static Outcome run_block(Activation *activation, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        Outcome outcome = run_stmt(activation, block->items[i]);
        if (outcome != GOES_ON) {
            return outcome;
        }
    }
    return GOES_ON;
}

// Programs.

RefRun *ref_instance_run(RefRun *run, const TirInstance *instance) {
    size_t i = 0;
    while (run->program->instances.items[i] != instance) {
        i++;
    }
    return &run->instances[i];
}

static void run_instance(RefRun *run, const TirInstance *instance, TirPhase phase) {
    const TirFunction *function = tir_phase_function(instance->component, phase);
    if (function != NULL) {
        ref_call(ref_instance_run(run, instance), function, 0, NULL, NULL);
    }
}

// All is copied, so no variable is ever two: `results`, and back to `args` what is in-out.
void ref_call(RefRun *run, const TirFunction *function, unsigned level, const RefArray *args,
              const RefArray *results) {
    if (function->instance != NULL) {
        run_instance(run, function->instance, function->phase);
        return;
    }
    Activation activation = {
        .run = run,
        .frame =
            {
                .locals = new_arrays(level, function->vars.items, function->vars.count),
                .level = level,
                .globals = run->globals,
                .single = run->program->single,
                .math = run->math,
                .fault = run->fault,
            },
    };
    CHECK(function->param_count == 0 || args != NULL);
    CHECK(function->results.count == 0 || results != NULL);
    spoil_locals(&activation, function);
    for (size_t i = 0; i < function->param_count; i++) {
        const TirVar *param = function->params[i];
        assign_var(&activation, param, args[i]);
    }
    run_block(&activation, &function->body);
    for (size_t i = 0; i < function->results.count; i++) {
        const TirVar *result = function->results.items[i];
        ref_copy(level, results[i], 0, ref_var(&activation.frame, result), 0, result->type->numel);
    }
    for (size_t i = 0; i < function->param_count; i++) {
        const TirVar *param = function->params[i];
        if (param->role == VAR_INOUT) {
            ref_copy(level, args[i], 0, ref_var(&activation.frame, param), 0, param->type->numel);
        }
    }
    ref_free_arrays(activation.frame.locals, function->vars.count);
}

static void read_back(int fd, Buffer *out) {
    char chunk[4096];
    off_t offset = 0;
    for (ssize_t len; (len = pread(fd, chunk, sizeof(chunk), offset)) > 0; offset += len) {
        buffer_append(out, chunk, (size_t)len);
    }
}

bool ref_eval_run(const TirProgram *program, const RefEvalIo *io, Buffer *out, RefFault *fault) {
    FILE *file = tmpfile();
    CHECK(file != NULL);
    *fault = (RefFault){0};
    RefRun *run = memory_zeroed(sizeof(RefRun));
    run->program = program;
    run->math = program->math;
    run->io = io;
    run->globals = ref_new_vars(program->globals.items, program->globals.count);
    run->fault = fault;
    tml_writer_init(&run->printed, fileno(file));
    const TirFunction *entry = program->entry != NULL ? program->entry : program->init;
    if (entry != NULL) {
        ref_call(run, entry, 0, NULL, NULL);
    }
    CHECK(tml_writer_flush(&run->printed));
    read_back(fileno(file), out);
    fclose(file);
    free_vars(run->globals, program->globals.count);
    free(run);
    return fault->code == 0;
}
