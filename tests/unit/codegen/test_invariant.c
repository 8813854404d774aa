// Integers of a state that steps leave in a range, many steps at a time, and what a host may write
// to the state.
#include "embedded.h"

#include <criterion/criterion.h>
#include <limits.h>

static const char source[] = "in real t.x\n"
                             "out real t.delayed\n"
                             "out int t.place\n"
                             "tensor<real, 5> line = 0.0\n"
                             "tensor<int, 7> squares = iota(7) * iota(7)\n"
                             "int at = 0\n"
                             "uint down = 6\n"
                             "fn output_fnc():\n"
                             "    t.delayed = line[at]\n"
                             "    line[at] = t.x\n"
                             "    at += 1\n"
                             "    t.place = squares[down]\n"
                             "end\n"
                             "fn update_fnc():\n"
                             "    if at == 5:\n"
                             "        at = 0\n"
                             "    end\n"
                             "    if down == 0:\n"
                             "        down = 6\n"
                             "    else:\n"
                             "        down -= 1\n"
                             "    end\n"
                             "end\n";

typedef struct Outputs {
    double delayed;
    int32_t place;
} Outputs;

typedef struct State {
    double line[5];
    int32_t squares[7], at;
    uint32_t down;
    tml_fault fault;
} State;

enum { STEPS = 60 };

typedef struct Model {
    Embedded *embedded;
    ModelInit *init;
    ModelSteps *step_n;
} Model;

static const char params[8]; // it has none

static Model compile(unsigned level) {
    CodegenOptions options = {.opt_level = level, .checks = true};
    Embedded *embedded = embedded_compile("model.tml", source, &options);
    return (Model){embedded, (ModelInit *)embedded_symbol(embedded, "model_init"),
                   (ModelSteps *)embedded_symbol(embedded, "model_step_n")};
}

static double x_of(int step) {
    return step < 0 ? 0 : (step * 37) % 101 - 50;
}

static void run_steps(const Model *model, State *state, int first, int count, Outputs *outputs,
                      tml_status expected) {
    double inputs[STEPS];
    for (int i = 0; i < count; i++) {
        inputs[i] = x_of(first + i);
    }
    cr_assert_eq(model->step_n(state, params, (size_t)count, inputs, outputs), expected);
}

static void check_outputs(unsigned level) {
    Model model = compile(level);
    State state;
    cr_assert_eq(model.init(&state, params), TML_OK);
    static const int counts[] = {1, 4, 13, 2, 40};
    int first = 0;
    for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); first += counts[k++]) {
        Outputs outputs[STEPS];
        run_steps(&model, &state, first, counts[k], outputs, TML_OK);
        for (int i = 0; i < counts[k]; i++) {
            int place = 6 - (first + i) % 7;
            cr_assert_eq(outputs[i].delayed, x_of(first + i - 5), "step %d, -O%u", first + i,
                         level);
            cr_assert_eq(outputs[i].place, place * place, "step %d, -O%u", first + i, level);
        }
    }
    cr_assert_eq(state.at, STEPS % 5);
    cr_assert_eq(state.down, 6 - STEPS % 7);
    embedded_destroy(model.embedded);
}

Test(invariant, steps_by_the_definition) {
    for (unsigned level = 0; level <= 3; level++) {
        check_outputs(level);
    }
}

// What the host wrote is outside at once, or after some steps.
static void check_fault(const Model *model, int32_t at, uint32_t down, int64_t index,
                        uint64_t length, uint64_t steps) {
    State state;
    Outputs outputs[STEPS];
    cr_assert_eq(model->init(&state, params), TML_OK);
    state.at = at;
    state.down = down;
    run_steps(model, &state, 0, STEPS, outputs, TML_E_INDEX);
    cr_assert_eq(state.fault.index, index);
    cr_assert_eq(state.fault.length, length);
    cr_assert_eq(state.fault.step, steps);
}

Test(invariant, what_a_host_writes_is_checked) {
    for (unsigned level = 0; level <= 3; level++) {
        Model model = compile(level);
        check_fault(&model, 5, 6, 5, 5, 0);
        check_fault(&model, -1, 6, -1, 5, 0);
        check_fault(&model, INT_MIN, 6, INT_MIN, 5, 0);
        check_fault(&model, 0, 7, 7, 7, 0);
        check_fault(&model, 0, UINT_MAX, UINT_MAX, 7, 0);
        embedded_destroy(model.embedded);
    }
}
