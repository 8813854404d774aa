// Components as their hosts call them. Expected numbers are from hand arithmetic on the source.
#include "embedded.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char source[] = "in real t.u\n"
                             "not feedthrough in real t.w\n"
                             "in tensor<int, 3> t.k\n"
                             "out real t.y\n"
                             "not feedthrough out real t.z\n"
                             "out tensor<bool, 3> t.m\n"
                             "real p.kp = 2.0\n"
                             "tunable real p.ki = 0.5\n"
                             "tunable tensor<int, 2> p.g = [3, 4]\n"
                             "str p.signs = \"+-\"\n"
                             "int n.order = 4\n"
                             "real acc = 0.25\n"
                             "tensor<real, 40> history = 1.0\n"
                             "int at = 0\n"
                             "fn init_fnc():\n"
                             "    acc += p.ki * 8 + t.u\n"
                             "    t.z = -1.0\n"
                             "end\n"
                             "fn output_fnc():\n"
                             "    t.y = p.kp * t.u + acc\n"
                             "    t.m = t.k > p.g[0]\n"
                             "end\n"
                             "fn update_fnc():\n"
                             "    assert(t.u < 100, \"u is small\")\n"
                             "    acc += p.ki * t.u + t.w\n"
                             "    history[at] = acc\n"
                             "    at += 1\n"
                             "    t.z = sum(history)\n"
                             "end\n";

// As the header of the component has them.
typedef struct Params {
    double ki;
    int32_t g[2];
} Params;

typedef struct Inputs {
    double u;
    double w;
    int32_t k[3];
} Inputs;

typedef struct Outputs {
    double y;
    double z;
    uint8_t m[3];
} Outputs;

typedef struct State {
    double z;
    double acc;
    double history[40];
    int32_t at;
    tml_fault fault;
} State;

typedef struct Model {
    Embedded *embedded;
    ModelInit *init;
    ModelPart *output, *update, *step;
    ModelSteps *step_n;
    const Params *defaults;
    const tml_model *table;
} Model;

static Model model_at(unsigned level) {
    CodegenOptions options = {.opt_level = level, .checks = true, .debug = level == 1};
    Embedded *embedded = embedded_compile("model.tml", source, &options);
    return (Model){
        .embedded = embedded,
        .init = (ModelInit *)embedded_symbol(embedded, "model_init"),
        .output = (ModelPart *)embedded_symbol(embedded, "model_output"),
        .update = (ModelPart *)embedded_symbol(embedded, "model_update"),
        .step = (ModelPart *)embedded_symbol(embedded, "model_step"),
        .step_n = (ModelSteps *)embedded_symbol(embedded, "model_step_n"),
        .defaults = embedded_symbol(embedded, "model_defaults"),
        .table = embedded_symbol(embedded, "model_model"),
    };
}

#define FOR_EACH_LEVEL(model)                                             \
    for (unsigned level = 0; level <= 3; level++)                         \
        for (Model model = model_at(level), *once = &model; once != NULL; \
             once = NULL, embedded_destroy(model.embedded))

Test(component, one_cycle) {
    FOR_EACH_LEVEL(model) {
        State state;
        memset(&state, 0xA5, sizeof(state));
        Inputs inputs = {.u = 3, .w = 5, .k = {2, 3, 4}};
        Outputs outputs;
        cr_assert_eq(model.init(&state, model.defaults), TML_OK);
        cr_assert_eq(state.acc, 0.25 + 0.5 * 8); // t.u is zero there
        cr_assert_eq(state.z, -1.0);
        cr_assert_eq(state.at, 0);
        cr_assert_eq(state.fault.code, 0);
        memset(&outputs, 0x5A, sizeof(outputs));
        cr_assert_eq(model.output(&state, model.defaults, &inputs, &outputs), TML_OK);
        cr_assert_eq(outputs.y, 2.0 * 3 + 4.25);
        cr_assert_eq(outputs.z, -1.0);
        cr_assert(!outputs.m[0] && !outputs.m[1] && outputs.m[2] == 1);
        Outputs before = outputs;
        cr_assert_eq(model.update(&state, model.defaults, &inputs, &outputs), TML_OK);
        cr_assert_eq(memcmp(&before, &outputs, sizeof(outputs)), 0);
        cr_assert_eq(state.acc, 4.25 + 0.5 * 3 + 5);
        cr_assert_eq(state.history[0], 10.75);
        cr_assert_eq(state.z, 10.75 + 39);
        Params params = {.ki = 1.0, .g = {2, 0}};
        cr_assert_eq(model.step(&state, &params, &inputs, &outputs), TML_OK);
        cr_assert_eq(outputs.y, 6 + 10.75);
        cr_assert_eq(outputs.z, 49.75);
        cr_assert(!outputs.m[0] && outputs.m[1] == 1 && outputs.m[2] == 1);
        cr_assert_eq(state.acc, 10.75 + 3 + 5);
    }
}

Test(component, many_steps_are_single_steps) {
    enum { STEPS = 30 };
    FOR_EACH_LEVEL(model) {
        static Inputs inputs[STEPS];
        static Outputs outputs[STEPS], expected[STEPS];
        memset(outputs, 0, sizeof(outputs));
        memset(expected, 0, sizeof(expected));
        for (int i = 0; i < STEPS; i++) {
            inputs[i] = (Inputs){.u = 0.1 * i, .w = 1.0 / (i + 1), .k = {i, 2 * i, -i}};
        }
        State state, single;
        memset(&state, 1, sizeof(state));
        memset(&single, 2, sizeof(single));
        cr_assert_eq(model.init(&state, model.defaults), TML_OK);
        cr_assert_eq(model.init(&single, model.defaults), TML_OK);
        cr_assert_eq(memcmp(&state, &single, sizeof(state)), 0);
        for (int i = 0; i < STEPS; i++) {
            cr_assert_eq(model.step(&single, model.defaults, &inputs[i], &expected[i]), TML_OK);
        }
        cr_assert_eq(model.step_n(&state, model.defaults, 0, inputs, outputs), TML_OK);
        cr_assert_eq(model.step_n(&state, model.defaults, STEPS, inputs, outputs), TML_OK);
        cr_assert_eq(memcmp(&state, &single, sizeof(state)), 0);
        cr_assert_eq(memcmp(outputs, expected, sizeof(outputs)), 0);
    }
}

Test(component, null_pointers_do_nothing) {
    FOR_EACH_LEVEL(model) {
        State state, before;
        memset(&state, 0x11, sizeof(state));
        before = state;
        Inputs inputs = {0};
        Outputs outputs = {0};
        const Params *params = model.defaults;
        cr_assert_eq(model.init(NULL, params), TML_E_ARG);
        cr_assert_eq(model.init(&state, NULL), TML_E_ARG);
        ModelPart *parts[] = {model.output, model.update, model.step};
        for (size_t i = 0; i < 3; i++) {
            cr_assert_eq(parts[i](NULL, params, &inputs, &outputs), TML_E_ARG);
            cr_assert_eq(parts[i](&state, NULL, &inputs, &outputs), TML_E_ARG);
            cr_assert_eq(parts[i](&state, params, NULL, &outputs), TML_E_ARG);
            cr_assert_eq(parts[i](&state, params, &inputs, NULL), TML_E_ARG);
        }
        cr_assert_eq(model.step_n(&state, params, 1, NULL, &outputs), TML_E_ARG);
        cr_assert_eq(model.step_n(&state, params, 1, &inputs, NULL), TML_E_ARG);
        cr_assert_eq(model.step_n(NULL, params, 1, &inputs, &outputs), TML_E_ARG);
        cr_assert_eq(memcmp(&state, &before, sizeof(state)), 0);
    }
}

Test(component, faults_stop_steps_and_say_where) {
    enum { STEPS = 50 };
    FOR_EACH_LEVEL(model) {
        static Inputs inputs[STEPS];
        static Outputs outputs[STEPS];
        memset(inputs, 0, sizeof(inputs));
        State state;
        cr_assert_eq(model.init(&state, model.defaults), TML_OK);
        inputs[7].u = 100;
        cr_assert_eq(model.step_n(&state, model.defaults, STEPS, inputs, outputs), TML_E_ASSERT);
        cr_assert_eq(state.fault.code, TML_E_ASSERT);
        cr_assert_eq(state.fault.line, 24);
        cr_assert_eq(state.fault.column, 5);
        cr_assert_eq(state.fault.step, 7);
        cr_assert_eq(state.at, 7);
        cr_assert_str_eq(model.table->files[state.fault.file], "model.tml");
        cr_assert_str_eq(model.table->texts[state.fault.index], "u is small");
        // Goes on where it stopped: 33 more places, then the index is out of bounds.
        inputs[7].u = 0;
        cr_assert_eq(model.step_n(&state, model.defaults, STEPS, inputs, outputs), TML_E_INDEX);
        cr_assert_eq(state.fault.line, 26);
        cr_assert_eq(state.fault.index, 40);
        cr_assert_eq(state.fault.length, 40);
        cr_assert_eq(state.fault.step, 33);
        cr_assert_eq(model.step(&state, model.defaults, &inputs[0], &outputs[0]), TML_E_INDEX);
        cr_assert_eq(state.fault.step, 0);
        cr_assert_eq(model.init(&state, model.defaults), TML_OK);
        cr_assert_eq(model.step(&state, model.defaults, &inputs[0], &outputs[0]), TML_OK);
        cr_assert_eq(state.fault.code, 0);
    }
}

Test(component, of_nothing_but_a_constant) {
    static const char empty[] = "int n.order = 4\n"
                                "fn output_fnc():\n"
                                "    pass\n"
                                "end\n";
    for (unsigned level = 0; level <= 3; level++) {
        CodegenOptions options = {.opt_level = level, .checks = true};
        Embedded *embedded = embedded_compile("dir/an-empty.tml", empty, &options);
        const tml_model *table = embedded_symbol(embedded, "an_empty_model");
        cr_assert_not_null(table);
        cr_assert_eq(table->params_bytes, 1);
        cr_assert_eq(table->inputs_bytes, 1);
        cr_assert_eq(table->outputs_bytes, 1);
        cr_assert_eq(table->state_bytes, sizeof(tml_fault));
        cr_assert_eq(table->fault_offset, 0);
        tml_fault state;
        memset(&state, 0xFF, sizeof(state));
        uint8_t none = 7;
        cr_assert_eq(table->init(&state, table->defaults), TML_OK);
        cr_assert_eq(state.code, 0);
        cr_assert_eq(state.length, 0);
        cr_assert_eq(table->step(&state, table->defaults, &none, &none), TML_OK);
        cr_assert_eq(table->step_n(&state, table->defaults, 1000, &none, &none), TML_OK);
        cr_assert_eq(table->update(&state, table->defaults, &none, NULL), TML_E_ARG);
        cr_assert_eq(none, 7);
        embedded_destroy(embedded);
    }
}

// Arrays of a host and parts of the state have C's alignment, wherever they are handed on.
Test(component, pointers_of_hosts_are_aligned_as_in_c) {
    static const char shifted[] = "in bool t.b\n"
                                  "in tensor<real, 40> t.x\n"
                                  "out bool t.c\n"
                                  "out tensor<real, 40> t.y\n"
                                  "bool odd = true\n"
                                  "tensor<real, 40> last = 0.0\n"
                                  "fn scaled(tensor<real, 40> v, real k) tensor<real, 40>:\n"
                                  "    tensor<real, 40> r = v * k\n"
                                  "    if k > 0:\n"
                                  "        r[3] += sum(v)\n"
                                  "    end\n"
                                  "    return r\n"
                                  "end\n"
                                  "fn output_fnc():\n"
                                  "    t.y = scaled(t.x, 2.0) + scaled(last, 1.0)\n"
                                  "    t.c = not t.b\n"
                                  "end\n"
                                  "fn update_fnc():\n"
                                  "    last = scaled(t.x, -1.0)\n"
                                  "end\n";
    typedef struct Block {
        uint8_t b;
        double x[40];
    } Block;
    for (unsigned level = 0; level <= 3; level++) {
        CodegenOptions options = {.opt_level = level, .checks = true};
        Embedded *embedded = embedded_compile("shifted.tml", shifted, &options);
        const tml_model *table = embedded_symbol(embedded, "shifted_model");
        cr_assert_eq(table->inputs_bytes, sizeof(Block));
        for (size_t shift = 0; shift < 64; shift += 8) {
            _Alignas(64) static char memory[3][1024];
            void *state = memory[0] + shift;
            Block *inputs = (void *)(memory[1] + shift);
            Block *outputs = (void *)(memory[2] + (56 - shift));
            cr_assert_leq(table->state_bytes, 1024 - 64);
            inputs->b = 0;
            for (int i = 0; i < 40; i++) {
                inputs->x[i] = i;
            }
            cr_assert_eq(table->init(state, table->defaults), TML_OK);
            cr_assert_eq(table->step(state, table->defaults, inputs, outputs), TML_OK);
            cr_assert_eq(outputs->b, 1);
            cr_assert_eq(outputs->x[39], 78);
            cr_assert_eq(outputs->x[3], 6 + 780); // and the sum of zeros
            cr_assert_eq(table->step(state, table->defaults, inputs, outputs), TML_OK);
            cr_assert_eq(outputs->x[39], 39);
            cr_assert_eq(outputs->x[3], 3); // + 780 - 780
        }
        embedded_destroy(embedded);
    }
}
