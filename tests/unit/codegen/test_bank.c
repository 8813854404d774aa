// Steps of a few channels, which go through stages, made one by one and many at a time: what
// `step_n` keeps turned in registers from step to step is what C computes of the same operations.
#include "embedded.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const char source[] = "in tensor<real, 3> t.x\n"
                             "out tensor<real, 3> t.y\n"
                             "out tensor<real, 3> t.z\n"
                             "out real t.sum\n"
                             "tensor<real, 2, 5> n.k = [0.2, 0.3, 0.2, -0.5, 0.2; "
                             "0.3, 0.1, 0.3, -0.4, 0.1]\n"
                             "tensor<real, 3, 2> s1 = 0.0\n"
                             "tensor<real, 3, 2> s2 = 0.5\n"
                             "tensor<real, 3, 4> line = 0.0\n"
                             "tensor<int, 3, 2> count = 0\n"
                             "tensor<real, 3, 2> pair = 1.0\n"
                             "tensor<real, 3, 2, 3> deep = 0.0\n"
                             "tensor<real, 3, 2> swap = 0.0\n"
                             "fn output_fnc():\n"
                             "    t.sum = 0.0\n"
                             "    for c = 0:3:\n"
                             "        v = t.x[c]\n"
                             "        for s = 0:2:\n"
                             "            w = n.k[s, 0] * v + s1[c, s]\n"
                             "            s1[c, s] = n.k[s, 1] * v - n.k[s, 3] * w + s2[c, s]\n"
                             "            s2[c, s] = n.k[s, 2] * v - n.k[s, 4] * w\n"
                             "            v = clamp(w, -2.5, 2.5)\n"
                             "        end\n"
                             "        t.y[c] = v\n"
                             "        t.sum += v\n"
                             "    end\n"
                             "    for c = 0:3:\n"
                             "        for k = 3:0:-1:\n"
                             "            line[c, k] = line[c, k - 1]\n"
                             "        end\n"
                             "        line[c, 0] = t.x[c]\n"
                             "        m = 0.25 * line[c, 0] + 0.5 * line[c, 1]\n"
                             "        m += 0.125 * line[c, 2] + 0.0625 * line[c, 3]\n"
                             "        if m > pair[c, 0] + pair[c, 1]:\n"
                             "            pair[c, 0] = 0.75 * m\n"
                             "            pair[c, 1] = pair[c, 0] - 0.1 * pair[c, 1]\n"
                             "            count[c, 0] += 1\n"
                             "        else:\n"
                             "            pair[c, 1] *= 0.9\n"
                             "            count[c, 1] += 2\n"
                             "        end\n"
                             "        for k = 0:2:\n"
                             "            deep[c, k, 0] = 0.5 * deep[c, k, 1] - 0.25 * m\n"
                             "            deep[c, k, 1] += 0.125 * (m - deep[c, 1 - k, 2])\n"
                             "            deep[c, k, 2] = m * (1 + k) + 0.5 * deep[c, k, 0]\n"
                             "        end\n"
                             "        m += deep[c, 0, 1] - 0.75 * deep[c, 1, 2]\n"
                             "        t.z[c] = m + pair[c, 1] + count[c, 0] - 3.0 * count[c, 1]\n"
                             "    end\n"
                             "    for c = 0:3:\n"
                             "        swap[c, 0] = 0.5 * (swap[c, 0] - swap[c, 1]) + t.x[c]\n"
                             "        swap[c, 1] = 0.25 * swap[c, 1] + 0.5 * t.x[c] * swap[c, 0]\n"
                             "    end\n"
                             "    kept = swap[0, 0]\n"
                             "    swap[0, 0] = swap[2, 0]\n"
                             "    swap[2, 0] = kept\n"
                             "end\n";

typedef struct Outputs {
    double y[3], z[3], sum;
} Outputs;

typedef struct State {
    double s1[3][2], s2[3][2], line[3][4];
    int32_t count[3][2];
    double pair[3][2], deep[3][2][3], swap[3][2];
    tml_fault fault;
} State;

enum { STEPS = 150 };

static double inputs[STEPS][3];

static void expected_init(State *state) {
    *state = (State){0};
    for (int c = 0; c < 3; c++) {
        for (int s = 0; s < 2; s++) {
            state->s2[c][s] = 0.5;
            state->pair[c][s] = 1;
        }
    }
}

static void filter(State *state, const double *x, Outputs *outputs) {
    static const double k[2][5] = {{0.2, 0.3, 0.2, -0.5, 0.2}, {0.3, 0.1, 0.3, -0.4, 0.1}};
    outputs->sum = 0;
    for (int c = 0; c < 3; c++) {
        double v = x[c];
        for (int s = 0; s < 2; s++) {
            double w = k[s][0] * v + state->s1[c][s];
            state->s1[c][s] = k[s][1] * v - k[s][3] * w + state->s2[c][s];
            state->s2[c][s] = k[s][2] * v - k[s][4] * w;
            v = w < -2.5 ? -2.5 : w > 2.5 ? 2.5 : w;
        }
        outputs->y[c] = v;
        outputs->sum += v;
    }
}

static void trip(State *state, const double *x, Outputs *outputs) {
    for (int c = 0; c < 3; c++) {
        double *line = state->line[c], *pair = state->pair[c];
        memmove(line + 1, line, 3 * sizeof(*line));
        line[0] = x[c];
        double m = 0.25 * line[0] + 0.5 * line[1];
        m += 0.125 * line[2] + 0.0625 * line[3];
        if (m > pair[0] + pair[1]) {
            pair[0] = 0.75 * m;
            pair[1] = pair[0] - 0.1 * pair[1];
            state->count[c][0] += 1;
        } else {
            pair[1] *= 0.9;
            state->count[c][1] += 2;
        }
        double(*deep)[3] = state->deep[c];
        for (int k = 0; k < 2; k++) {
            deep[k][0] = 0.5 * deep[k][1] - 0.25 * m;
            deep[k][1] += 0.125 * (m - deep[1 - k][2]);
            deep[k][2] = m * (1 + k) + 0.5 * deep[k][0];
        }
        m += deep[0][1] - 0.75 * deep[1][2];
        outputs->z[c] = m + pair[1] + state->count[c][0] - 3.0 * state->count[c][1];
    }
}

// The first and the last channel change places.
static void exchange(State *state, const double *x) {
    double(*swap)[2] = state->swap;
    for (int c = 0; c < 3; c++) {
        swap[c][0] = 0.5 * (swap[c][0] - swap[c][1]) + x[c];
        swap[c][1] = 0.25 * swap[c][1] + 0.5 * x[c] * swap[c][0];
    }
    double kept = swap[0][0];
    swap[0][0] = swap[2][0];
    swap[2][0] = kept;
}

static void check_level(unsigned level) {
    CodegenOptions options = {.opt_level = level, .checks = true};
    Embedded *embedded = embedded_compile("model.tml", source, &options);
    ModelInit *init = (ModelInit *)embedded_symbol(embedded, "model_init");
    ModelPart *step = (ModelPart *)embedded_symbol(embedded, "model_step");
    ModelSteps *step_n = (ModelSteps *)embedded_symbol(embedded, "model_step_n");
    static const char params[8]; // it has none
    static const int counts[] = {1, 38, 2, 7, 64, 3, 35};
    State state, single, expected;
    cr_assert_eq(init(&state, params), TML_OK);
    cr_assert_eq(init(&single, params), TML_OK);
    expected_init(&expected);
    for (int at = 0, n, next = 0; at < STEPS; at += n) {
        static Outputs outputs[STEPS];
        n = counts[next++];
        cr_assert_eq(step_n(&state, params, (size_t)n, inputs[at], outputs), TML_OK);
        for (int i = at; i < at + n; i++) {
            Outputs one, by_c;
            cr_assert_eq(step(&single, params, inputs[i], &one), TML_OK);
            filter(&expected, inputs[i], &by_c);
            trip(&expected, inputs[i], &by_c);
            exchange(&expected, inputs[i]);
            cr_assert_arr_eq((const char *)&outputs[i - at], (const char *)&by_c, sizeof(by_c),
                             "step %d at -O%u", i, level);
            cr_assert_arr_eq((const char *)&one, (const char *)&by_c, sizeof(by_c),
                             "one step, %d, at -O%u", i, level);
        }
        cr_assert_arr_eq((const char *)&state, (const char *)&expected, sizeof(state));
        cr_assert_arr_eq((const char *)&single, (const char *)&expected, sizeof(state));
    }
    embedded_destroy(embedded);
}

Test(bank, steps_as_c_makes_them) {
    for (int i = 0; i < STEPS; i++) {
        for (int c = 0; c < 3; c++) {
            inputs[i][c] = ((i * 37 + c * 53) % 101 - 50) * 0.125;
        }
    }
    for (unsigned level = 0; level <= 3; level++) {
        check_level(level);
    }
}
