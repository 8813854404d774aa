#include "runtime/batch/batch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// out real y = gain * u + step, out int twice = 2 * step; traps in step `limit`, in init if it is
// 0.
typedef struct Params {
    double gain, limit;
} Params;

typedef struct Outputs {
    double y;
    int32_t twice;
} Outputs;

typedef struct State {
    double step;
    tml_fault fault;
} State;

static const Params defaults = {2.0, 1e9};

static tml_status init(void *state, const void *params) {
    State *s = state;
    memset(s, 0, sizeof *s);
    s->fault.code = ((const Params *)params)->limit == 0 ? TML_E_ASSERT : TML_OK;
    return s->fault.code;
}

static tml_status step_n(void *state, const void *params, size_t n, const void *inputs,
                         void *outputs) {
    State *s = state;
    const Params *p = params;
    for (size_t i = 0; i < n; i++, s->step++) {
        if (s->step == p->limit) {
            s->fault = (tml_fault){.code = TML_E_INDEX, .line = 7, .step = i};
            return TML_E_INDEX;
        }
        ((Outputs *)outputs)[i] =
            (Outputs){p->gain * ((const double *)inputs)[i] + s->step, 2 * (int32_t)s->step};
    }
    return TML_OK;
}

static const tml_type real = {.root = TML_REAL, .real_bytes = 8};
static const tml_type integer = {.root = TML_INT, .real_bytes = 8};
static const tml_variable variables[] = {
    {"u", "t", TML_INPUT, 1, 0, &real, 0, NULL},
    {"y", "t", TML_OUTPUT, 1, 0, &real, offsetof(Outputs, y), NULL},
    {"twice", "t", TML_OUTPUT, 1, 0, &integer, offsetof(Outputs, twice), NULL},
    {"gain", "p", TML_PARAM, 0, 0, &real, offsetof(Params, gain), &defaults.gain},
    {"limit", "p", TML_PARAM, 0, 0, &real, offsetof(Params, limit), &defaults.limit},
};
static const tml_model model = {.version = TML_MODEL_VERSION,
                                .kind = TML_COMPONENT,
                                .name = "m",
                                .params_bytes = sizeof(Params),
                                .inputs_bytes = sizeof(double),
                                .outputs_bytes = sizeof(Outputs),
                                .state_bytes = sizeof(State),
                                .fault_offset = offsetof(State, fault),
                                .variable_count = 5,
                                .variables = variables,
                                .defaults = &defaults,
                                .init = init,
                                .step_n = step_n};

enum { RUNS = 100, STEPS = 3000 }; // more than a block of steps

static double y[RUNS][STEPS], twice[RUNS][STEPS], inputs[RUNS][STEPS];
static Params params[RUNS];
static tml_fault faults[RUNS];

static tml_batch batch(const tml_batch_output outputs[2]) {
    return (tml_batch){.model = &model,
                       .runs = RUNS,
                       .steps = STEPS,
                       .inputs = inputs,
                       .outputs = outputs,
                       .output_count = 2,
                       .threads = 3,
                       .faults = faults};
}

// Runs have parameters and inputs of their own.
static void fill(void) {
    for (int run = 0; run < RUNS; run++) {
        params[run] = (Params){run, run % 7 == 3 ? 1000 + run : run % 7 == 5 ? 0 : 1e9};
        for (int step = 0; step < STEPS; step++) {
            inputs[run][step] = run * 1000 + step;
        }
    }
}

static double expected_y(int run, int step) {
    bool is_nan = run % 7 == 5 || (run % 7 == 3 && step >= 1000 + run);
    return is_nan ? (double)NAN : (double)run * inputs[run][step] + step;
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

Test(batch, keeps_all_with_parameters_and_inputs_of_each_run) {
    const tml_batch_output outputs[] = {{&variables[1], y[0], STEPS},
                                        {&variables[2], twice[0], STEPS}};
    fill();
    tml_batch b = batch(outputs);
    b.keep = TML_KEEP_ALL;
    b.params = params;
    b.params_stride = sizeof params[0];
    b.inputs_stride = sizeof inputs[0];
    cr_assert_eq(tml_batch_run(&b), TML_OK);
    for (int run = 0; run < RUNS; run++) {
        bool traps = run % 7 == 3, in_init = run % 7 == 5;
        cr_assert_eq(faults[run].code, traps ? TML_E_INDEX : in_init ? TML_E_ASSERT : 0);
        cr_assert_eq(faults[run].step, traps ? (uint64_t)(1000 + run) : in_init ? UINT64_MAX : 0);
        for (int step = 0; step < STEPS; step++) {
            cr_assert(same(y[run][step], expected_y(run, step)), "%d %d", run, step);
            double even = isnan(expected_y(run, step)) ? (double)NAN : 2.0 * step;
            cr_assert(same(twice[run][step], even), "%d %d", run, step);
        }
    }
}

Test(batch, does_not_depend_on_threads_memory_and_calls) {
    static const tml_sample sample = {
        .property = &variables[3], .distribution = TML_NORMAL, .b = 1};
    const tml_batch_output outputs[] = {{&variables[1], y[0], 1}, {&variables[2], twice[0], 1}};
    double once[RUNS];
    fill();
    tml_batch b = batch(outputs);
    b.keep = TML_KEEP_MEAN;
    b.samples = &sample;
    b.sample_count = 1;
    b.seed = 5;
    cr_assert_eq(tml_batch_run(&b), TML_OK);
    memcpy(once, y[0], sizeof once);
    b.threads = 2;
    size_t bytes = tml_batch_memory(&model);
    cr_assert_eq(bytes % 64, 0);
    b.memory = aligned_alloc(64, 2 * bytes);
    b.runs = 1;
    for (b.first = 0; b.first < RUNS; b.first++) { // one by one
        cr_assert_eq(tml_batch_run(&b), TML_OK);
        cr_assert_eq(y[0][0], once[b.first]);
    }
    free(b.memory);
    // The mean of gain * step + step over the steps of one input.
    double gain = tml_sample_value(&sample, 5, 17), sum = 0;
    for (int step = 0; step < STEPS; step++) {
        sum += gain * inputs[0][step] + step;
    }
    cr_assert_eq(once[17], sum / (double)STEPS);
}

static int32_t stop;
static int calls;

// Somebody wants all to end while the third block of steps runs. Blocks begin with one step.
static tml_status stopping_step_n(void *state, const void *p, size_t n, const void *u, void *out) {
    stop = ++calls == 3;
    return step_n(state, p, n, u, out);
}

Test(batch, ends_behind_a_block_when_it_is_stopped) {
    const tml_batch_output outputs[] = {{&variables[1], y[0], 1}, {&variables[2], twice[0], 1}};
    tml_model stopping = model;
    stopping.step_n = stopping_step_n;
    fill();
    tml_batch b = batch(outputs);
    b.model = &stopping;
    b.threads = 1;
    b.stop = &stop;
    cr_assert_eq(tml_batch_run(&b), TML_E_STOPPED);
    cr_assert_eq(calls, 3);
    cr_assert_eq(tml_batch_run(&b), TML_E_STOPPED);
    cr_assert_eq(calls, 3);
    stop = 0;
    cr_assert_eq(tml_batch_run(&b), TML_OK);
    cr_assert_gt(calls, RUNS);
}

Test(batch, keeps_of_no_steps_nan) {
    const tml_batch_output outputs[] = {{&variables[1], y[0], 1}, {&variables[2], twice[0], 1}};
    for (uint32_t keep = TML_KEEP_LAST; keep <= TML_KEEP_RMS; keep++) {
        tml_batch b = batch(outputs);
        b.steps = 0;
        b.keep = keep;
        y[0][0] = 1;
        cr_assert_eq(tml_batch_run(&b), TML_OK);
        cr_assert(keep == TML_KEEP_ALL ? y[0][0] == 1 : isnan(y[0][0]), "%u", keep);
    }
}

Test(batch, keeps_nan_as_the_greatest) {
    const tml_batch_output outputs[] = {{&variables[1], y[0], 1}, {&variables[2], twice[0], 1}};
    fill();
    inputs[0][5] = (double)NAN;
    tml_batch b = batch(outputs);
    b.keep = TML_KEEP_MAX;
    cr_assert_eq(tml_batch_run(&b), TML_OK);
    cr_assert(isnan(y[0][0]));
    cr_assert_eq(twice[0][0], (double)(2 * (STEPS - 1)));
}

Test(batch, refuses_what_is_wrong) {
    const tml_batch_output right[] = {{&variables[1], y[0], 1}, {&variables[2], twice[0], 1}};
    const tml_batch_output no_output[] = {{&variables[0], y[0], 1}, {&variables[2], NULL, 1}};
    static const tml_sample not_real = {.property = &variables[2]};
    static const tml_sample outside = {.property = &variables[3], .element = 1};
    tml_batch wrong[8];
    for (size_t i = 0; i < 8; i++) {
        wrong[i] = batch(right);
    }
    wrong[0].model = NULL;
    wrong[1].keep = 9;
    wrong[2].outputs = NULL;
    wrong[3].outputs = no_output;
    wrong[4].inputs = NULL;
    wrong[5].samples = &not_real;
    wrong[5].sample_count = 1;
    wrong[6].samples = &outside;
    wrong[6].sample_count = 1;
    wrong[7].memory = y;
    wrong[7].threads = 0;
    for (size_t i = 0; i < 8; i++) {
        cr_assert_eq(tml_batch_run(&wrong[i]), TML_E_ARG, "%zu", i);
    }
    cr_assert_eq(tml_batch_run(NULL), TML_E_ARG);
}
