// Threads take groups of runs from a counter until there are none left. Each has memory of its own,
// for the state and parameters of one instance and the outputs of a block of steps, and writes to
// the places of its runs alone, so what comes out does not depend on who ran what. Where the model
// can make runs side by side, they are made so, and one by one where they do not stay together.
#include "runtime/batch/batch.h"

#include "runtime/abi/type.h"
#include "runtime/batch/keep.h"
#include "runtime/batch/side.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    ALIGNMENT = 64,
    GROUP_RUNS = 16,             // that a thread takes at once, at most, as lanes are
    GROUPS_EACH = 8,             // of each thread, if there are runs enough
    BLOCK_BYTES = 1 << 14,       // of outputs: they stay in the cache until they are reduced
    BLOCK_STEPS = 1024,          // at most
    BLOCK_NANOSECONDS = 2000000, // about, where somebody may want to stop
    THREAD_LIMIT = 1024,
};

typedef struct Shared {
    const tml_batch *batch;
    uint64_t group;              // runs that a thread takes at once
    atomic_uint_least64_t next;  // run that nobody has taken
    atomic_uint_least64_t apart; // groups of runs side by side that did not stay together
    atomic_uint_least64_t together;
} Shared;

typedef struct Worker {
    Shared *shared;
    char *state, *params, *outputs;
    size_t most, block; // steps: that there is room for, and that are made at once
    Side side;          // for runs side by side
} Worker;

static size_t align(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t block_steps(const tml_model *model) {
    size_t steps = model->outputs_bytes > 0 ? BLOCK_BYTES / model->outputs_bytes : BLOCK_STEPS;
    return steps < 1 ? 1 : steps > BLOCK_STEPS ? BLOCK_STEPS : steps;
}

size_t tml_batch_memory(const tml_model *model) {
    return align(model->state_bytes) + align(model->params_bytes) +
           align(block_steps(model) * model->outputs_bytes + 1) + tml_side_memory(model);
}

static Worker start_worker(Shared *shared, char *memory) {
    const tml_model *model = shared->batch->model;
    Worker worker = {.shared = shared, .state = memory, .most = block_steps(model)};
    worker.block = shared->batch->stop ? 1 : worker.most;
    worker.params = worker.state + align(model->state_bytes);
    worker.outputs = worker.params + align(model->params_bytes);
    tml_side_start(&worker.side, model,
                   worker.outputs + align(worker.most * model->outputs_bytes + 1));
    return worker;
}

static void set_params(const Worker *worker, uint64_t index) {
    const tml_batch *batch = worker->shared->batch;
    const tml_model *model = batch->model;
    if (model->params_bytes > 0) {
        const char *params = batch->params ? batch->params : model->defaults;
        memcpy(worker->params, params + index * batch->params_stride, model->params_bytes);
    }
    for (size_t i = 0; i < batch->sample_count; i++) {
        const tml_sample *sample = &batch->samples[i];
        const tml_type *type = sample->property->type;
        tml_scalar_store(type,
                         worker->params + sample->property->offset +
                             sample->element * tml_scalar_bytes(type),
                         tml_sample_value(sample, batch->seed, batch->first + index));
    }
    if (batch->used_params) {
        memcpy((char *)batch->used_params + index * model->params_bytes, worker->params,
               model->params_bytes);
    }
}

static double *result_of(const tml_batch_output *output, uint64_t index) {
    return output->data + index * output->stride;
}

static void keep_rows(const tml_batch *batch, uint64_t index, const KeptRows *rows,
                      uint64_t before) {
    for (size_t i = 0; i < batch->output_count && rows->count > 0; i++) {
        const tml_batch_output *output = &batch->outputs[i];
        tml_keep_add((tml_keep)batch->keep, output->variable, rows, before,
                     result_of(output, index));
    }
}

static tml_fault fault_of(const Worker *worker) {
    tml_fault fault;
    memcpy(&fault, worker->state + worker->shared->batch->model->fault_offset, sizeof fault);
    return fault;
}

// Of a step; a model without inputs wants a pointer too.
static const void *inputs_at(const tml_batch *batch, uint64_t index, uint64_t step) {
    static const uint64_t none;
    const char *inputs = batch->inputs;
    return inputs ? inputs + index * batch->inputs_stride + step * batch->model->inputs_bytes
                  : (const char *)&none;
}

static bool is_stopped(const tml_batch *batch) {
    return batch->stop && __atomic_load_n(batch->stop, __ATOMIC_RELAXED) != 0;
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Where somebody may want to stop, a block takes some time and not more.
static void choose_block(Worker *worker, int64_t began) {
    int64_t took = nanoseconds() - began;
    if (took < BLOCK_NANOSECONDS / 2) {
        worker->block = worker->block * 2 < worker->most ? worker->block * 2 : worker->most;
    } else if (took > BLOCK_NANOSECONDS && worker->block > 1) {
        worker->block /= 2;
    }
}

// Runs all steps, whose results so far are then kept. TML_OK, or the status of the one that trapped
// with how many were `done`.
static tml_status run_steps(Worker *worker, uint64_t index, uint64_t *done) {
    const tml_batch *batch = worker->shared->batch;
    const tml_model *model = batch->model;
    for (*done = 0; *done < batch->steps && !is_stopped(batch);) {
        uint64_t left = batch->steps - *done;
        size_t count = left < worker->block ? (size_t)left : worker->block;
        int64_t began = batch->stop ? nanoseconds() : 0;
        tml_status status = model->step_n(worker->state, worker->params, count,
                                          inputs_at(batch, index, *done), worker->outputs);
        size_t finished = status == TML_OK ? count : (size_t)fault_of(worker).step;
        const KeptRows rows = {.first = worker->outputs,
                               .stride = model->outputs_bytes,
                               .count = finished,
                               .lanes = 1};
        keep_rows(batch, index, &rows, *done);
        *done += finished;
        if (batch->stop) {
            choose_block(worker, began);
        }
        if (status != TML_OK) {
            return status;
        }
    }
    return TML_OK;
}

static void finish_run(const tml_batch *batch, uint64_t index, const tml_fault *fault,
                       uint64_t done) {
    for (size_t i = 0; i < batch->output_count; i++) {
        const tml_batch_output *output = &batch->outputs[i];
        double *result = result_of(output, index);
        if (fault->code == TML_OK) {
            tml_keep_finish((tml_keep)batch->keep, output->variable, batch->steps, result);
        } else {
            tml_keep_fail((tml_keep)batch->keep, output->variable, done, batch->steps, result);
        }
    }
    if (batch->faults) {
        batch->faults[index] = *fault;
    }
}

static void run_one(Worker *worker, uint64_t index) {
    const tml_batch *batch = worker->shared->batch;
    tml_fault fault = {0};
    uint64_t done = 0;
    set_params(worker, index);
    if (batch->model->init(worker->state, worker->params) != TML_OK) {
        fault = fault_of(worker);
        fault.step = UINT64_MAX;
    } else if (run_steps(worker, index, &done) != TML_OK) {
        fault = fault_of(worker);
        fault.step = done;
    }
    finish_run(batch, index, &fault, done);
}

// All steps of runs that are side by side. False when they did not stay together.
static bool run_side_steps(Worker *worker, uint64_t first, size_t count) {
    const tml_batch *batch = worker->shared->batch;
    const tml_model *model = batch->model;
    Side *side = &worker->side;
    if (model->init_batch(side->states, side->params) != TML_OK) {
        return false;
    }
    for (uint64_t done = 0; done < batch->steps && !is_stopped(batch);) {
        uint64_t left = batch->steps - done;
        size_t block = worker->block < side->block ? worker->block : side->block;
        int64_t began = batch->stop ? nanoseconds() : 0;
        const KeptRows rows = {.first = side->outputs,
                               .stride = model->outputs_bytes * model->lanes,
                               .count = left < block ? (size_t)left : block,
                               .lanes = model->lanes};
        tml_side_set_inputs(side, batch, first, count, done, rows.count);
        if (model->step_n_batch(side->states, side->params, rows.count, side->inputs,
                                side->outputs) != TML_OK) {
            return false;
        }
        for (size_t i = 0; i < batch->output_count; i++) {
            const tml_batch_output *output = &batch->outputs[i];
            tml_keep_add_side((tml_keep)batch->keep, output->variable, &rows, (uint32_t)count, done,
                              result_of(output, first), output->stride);
        }
        done += rows.count;
        if (batch->stop) {
            choose_block(worker, began);
        }
    }
    return true;
}

// At most as many runs as there are lanes; the last one fills the others.
static bool run_side_by_side(Worker *worker, uint64_t first, size_t count) {
    const tml_batch *batch = worker->shared->batch;
    static const tml_fault no_fault;
    for (uint32_t lane = 0; lane < batch->model->lanes; lane++) {
        if (lane < count) {
            set_params(worker, first + lane);
        }
        tml_side_set_params(&worker->side, batch->model, worker->params, lane);
    }
    if (!run_side_steps(worker, first, count)) {
        atomic_fetch_add(&worker->shared->apart, 1);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        finish_run(batch, first + i, &no_fault, batch->steps);
    }
    atomic_fetch_add(&worker->shared->together, 1);
    return true;
}

// Whether it is of use: not where most runs go their own ways, which costs time and changes
// nothing.
static bool go_together(const Shared *shared) {
    enum { FIRST_GROUPS = 16 };
    uint64_t apart = atomic_load(&shared->apart);
    return shared->batch->model->lanes > 0 &&
           (apart < FIRST_GROUPS || apart < atomic_load(&shared->together));
}

static void run_some(Worker *worker, uint64_t first, uint64_t count) {
    uint32_t lanes = worker->shared->batch->model->lanes;
    for (uint64_t i = 0, some; i < count && !is_stopped(worker->shared->batch); i += some) {
        bool together = count - i > 1 && go_together(worker->shared);
        some = !together ? 1 : count - i < lanes ? count - i : lanes;
        if (together && run_side_by_side(worker, first + i, (size_t)some)) {
            continue;
        }
        for (uint64_t k = 0; k < some; k++) {
            run_one(worker, first + i + k);
        }
    }
}

static void *work(void *argument) {
    Worker *worker = argument;
    const tml_batch *batch = worker->shared->batch;
    uint64_t runs = batch->runs, group = worker->shared->group, first;
    while ((first = atomic_fetch_add(&worker->shared->next, group)) < runs) {
        uint64_t count = runs - first < group ? runs - first : group;
        run_some(worker, first, count);
    }
    return NULL;
}

static bool is_right(const tml_batch *batch) {
    if (!batch || !batch->model || batch->model->version != TML_MODEL_VERSION ||
        batch->model->kind != TML_COMPONENT || batch->keep > TML_KEEP_RMS ||
        (batch->sample_count > 0 && !batch->samples) ||
        (batch->output_count > 0 && !batch->outputs) || (batch->memory && batch->threads == 0)) {
        return false;
    }
    for (size_t i = 0; i < batch->sample_count; i++) {
        const tml_sample *sample = &batch->samples[i];
        const tml_variable *property = sample->property;
        if (!property || property->role != TML_PARAM || !property->type ||
            property->type->root != TML_REAL || sample->distribution > TML_LOGNORMAL ||
            sample->element >= tml_type_numel(property->type)) {
            return false;
        }
    }
    for (size_t i = 0; i < batch->output_count; i++) {
        const tml_variable *output = batch->outputs[i].variable;
        if (!output || output->role != TML_OUTPUT || !batch->outputs[i].data) {
            return false;
        }
    }
    bool has_inputs = batch->inputs || batch->steps == 0;
    for (uint32_t i = 0; i < batch->model->variable_count && !has_inputs; i++) {
        if (batch->model->variables[i].role == TML_INPUT) {
            return false;
        }
    }
    return true;
}

// No more than there are runs.
static uint32_t thread_count(const tml_batch *batch) {
    uint32_t wanted = batch->threads > 0 ? batch->threads : tml_processor_count();
    wanted = wanted > THREAD_LIMIT ? THREAD_LIMIT : wanted;
    return batch->runs < wanted ? (uint32_t)batch->runs : wanted;
}

// Small where runs are few, so that no thread waits long for the last ones.
static uint64_t group_runs(const tml_batch *batch, uint32_t threads) {
    uint64_t runs = batch->runs / ((uint64_t)threads * GROUPS_EACH);
    return runs < 1 ? 1 : runs > GROUP_RUNS ? GROUP_RUNS : runs;
}

static void run_threads(Worker *workers, uint32_t count) {
    pthread_t threads[THREAD_LIMIT];
    uint32_t started = 1; // workers[0] is the caller
    while (started < count &&
           pthread_create(&threads[started], NULL, work, &workers[started]) == 0) {
        started++;
    }
    work(&workers[0]);
    for (uint32_t i = 1; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

tml_status tml_batch_run(const tml_batch *batch) {
    if (!is_right(batch)) {
        return TML_E_ARG;
    }
    uint32_t count = thread_count(batch);
    if (count == 0) {
        return TML_OK;
    }
    Shared shared = {.batch = batch, .group = group_runs(batch, count)};
    size_t bytes = tml_batch_memory(batch->model);
    Worker *workers = malloc(count * sizeof *workers);
    char *own = batch->memory ? NULL : aligned_alloc(ALIGNMENT, bytes * count);
    bool has_memory = workers && (batch->memory || own);
    for (uint32_t i = 0; i < count && has_memory; i++) {
        char *memory = batch->memory ? batch->memory : own;
        workers[i] = start_worker(&shared, memory + i * bytes);
    }
    if (has_memory) {
        run_threads(workers, count);
    }
    free(own);
    free(workers);
    return !has_memory ? TML_E_MEMORY : is_stopped(batch) ? TML_E_STOPPED : TML_OK;
}

uint32_t tml_processor_count(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (uint32_t)count : 1;
}
