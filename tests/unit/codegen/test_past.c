// Past values of inputs, in steps that are made one by one and many at a time. All numbers are
// whole, so sums are exact in any order.
#include "embedded.h"

#include <criterion/criterion.h>
#include <string.h>

static const char source[] = "in real t.x\n"
                             "in int t.i\n"
                             "in tensor<real, 2> t.v\n"
                             "out real t.joined\n"
                             "out real t.apart\n"
                             "out int t.ints\n"
                             "out real t.rows\n"
                             "out real t.kept\n"
                             "out real t.element\n"
                             "tensor<real, 5> joined = 1.0\n"
                             "tensor<real, 40> apart = 0.0\n"
                             "tensor<int, 4> ints = 0\n"
                             "tensor<real, 6, 2> rows = 0.0\n"
                             "real kept = 0.0\n"
                             "tensor<real, 5> element = 2.0\n"
                             "fn output_fnc():\n"
                             "    joined = concat(0, [t.x], joined[:4])\n"
                             "    apart[1:] = apart[:39]\n"
                             "    apart[0] = t.x\n"
                             "    for k = 3:0:-1:\n"
                             "        ints[k] = ints[k - 1]\n"
                             "    end\n"
                             "    ints[0] = t.i\n"
                             "    rows[1:, :] = rows[:5, :]\n"
                             "    rows[0, :] = t.v\n"
                             "    t.joined = joined .* [1, 2, 3, 4, 5]\n"
                             "    t.apart = apart[39] - apart[7] + sum(apart)\n"
                             "    t.ints = 0\n"
                             "    for k = 0:4:\n"
                             "        t.ints += (k + 1) * ints[k]\n"
                             "    end\n"
                             "    t.rows = max(rows[:, 0]) - rows[5, 1]\n"
                             "    kept += t.x\n"
                             "    t.kept = kept\n"
                             "    element = concat(0, [t.v[1]], element[:4])\n"
                             "    t.element = element .* [5, 4, 3, 2, 1]\n"
                             "end\n";

typedef struct Inputs {
    double x;
    int32_t i;
    double v[2];
} Inputs;

typedef struct Outputs {
    double joined, apart;
    int32_t ints;
    double rows, kept, element;
} Outputs;

typedef struct State {
    double joined[5], apart[40];
    int32_t ints[4];
    double rows[6][2], kept, element[5];
    tml_fault fault;
} State;

enum { STEPS = 150 };

static Inputs inputs[STEPS];

static double x_before(int step, double first) {
    return step < 0 ? first : inputs[step].x;
}

// By the definition, from the inputs alone.
static Outputs expected_at(int step) {
    Outputs expected = {0};
    for (int k = 0; k < 5; k++) {
        expected.joined += (k + 1) * x_before(step - k, 1);
    }
    expected.apart = x_before(step - 39, 0) - x_before(step - 7, 0);
    for (int k = 0; k < 40; k++) {
        expected.apart += x_before(step - k, 0);
    }
    for (int k = 0; k < 4 && k <= step; k++) {
        expected.ints += (k + 1) * inputs[step - k].i;
    }
    expected.rows = inputs[step].v[0];
    for (int k = 1; k < 6; k++) {
        double v = k <= step ? inputs[step - k].v[0] : 0;
        expected.rows = v > expected.rows ? v : expected.rows;
    }
    expected.rows -= step < 5 ? 0 : inputs[step - 5].v[1];
    for (int k = 0; k <= step; k++) {
        expected.kept += inputs[k].x;
    }
    for (int k = 0; k < 5; k++) {
        expected.element += (5 - k) * (k > step ? 2 : inputs[step - k].v[1]);
    }
    return expected;
}

static bool are_equal(const Outputs *a, const Outputs *b) {
    return a->joined == b->joined && a->apart == b->apart && a->ints == b->ints &&
           a->rows == b->rows && a->kept == b->kept && a->element == b->element;
}

static void check_level(unsigned level) {
    CodegenOptions options = {.opt_level = level, .checks = true};
    Embedded *embedded = embedded_compile("model.tml", source, &options);
    ModelInit *init = (ModelInit *)embedded_symbol(embedded, "model_init");
    ModelPart *step = (ModelPart *)embedded_symbol(embedded, "model_step");
    ModelSteps *step_n = (ModelSteps *)embedded_symbol(embedded, "model_step_n");
    static const char params[8]; // it has none
    // As many steps at a time, beginning somewhere in the list: fewer than the longest array has
    // values, as many, more.
    static const int counts[] = {1, 38, 39, 40, 41, 2, 100, 5, 64};
    size_t count = sizeof(counts) / sizeof(counts[0]);
    for (size_t first = 0; first < count; first++) {
        State state, single;
        cr_assert_eq(init(&state, params), TML_OK);
        cr_assert_eq(init(&single, params), TML_OK);
        size_t next = first;
        for (int at = 0, n; at < STEPS; at += n) {
            static Outputs outputs[STEPS];
            n = counts[next++ % count];
            n = n < STEPS - at ? n : STEPS - at;
            cr_assert_eq(step_n(&state, params, (size_t)n, &inputs[at], outputs), TML_OK);
            for (int i = 0; i < n; i++) {
                Outputs expected = expected_at(at + i), one;
                cr_assert_eq(step(&single, params, &inputs[at + i], &one), TML_OK);
                cr_assert(are_equal(&outputs[i], &expected), "step %d at -O%u", at + i, level);
                cr_assert(are_equal(&one, &expected), "one step, %d, at -O%u", at + i, level);
            }
            cr_assert_arr_eq((const char *)&state, (const char *)&single, sizeof(state));
        }
    }
    embedded_destroy(embedded);
}

Test(past, steps_by_the_definition) {
    for (int i = 0; i < STEPS; i++) {
        inputs[i] = (Inputs){.x = (i * 37) % 101 - 50,
                             .i = (i * 53) % 1009,
                             .v = {(i * 29) % 97 - 40, (i * 31) % 89}};
    }
    for (unsigned level = 0; level <= 3; level++) {
        check_level(level);
    }
}
