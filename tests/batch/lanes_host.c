/* Instances side by side against instances alone, on any machine, without a C library: MODEL is a
   component's table, HEADER its header. Groups of instances get random parameters and inputs; where
   one of them traps alone, the group has to end with TML_E_APART, and else to have all outputs to
   the bit. */
#include HEADER
#include "tests/cross/platform.h"

#include <string.h>

enum { GROUPS = 24, STEPS = 12, LANES = 16, BYTES = 1 << 16 };

static _Alignas(64) char state[BYTES], params[LANES][BYTES], inputs[LANES][BYTES];
static _Alignas(64) char outputs[LANES][BYTES];
static _Alignas(64) char states[LANES * BYTES], all_params[LANES * BYTES],
    all_inputs[LANES * BYTES];
static _Alignas(64) char all_outputs[LANES * BYTES];
static uint32_t seed = SEED;

static uint32_t chance(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static unsigned bytes_of(const tml_type *type) {
    return type->root == TML_BOOL ? 1 : type->root == TML_REAL ? type->real_bytes : 4;
}

static uint32_t count_of(const tml_type *type) {
    uint32_t count = 1;
    for (uint32_t i = 0; i < type->flat_rank; i++) {
        count *= type->dims[i];
    }
    return count;
}

static void set_random(const tml_type *type, char *to) {
    static const double reals[] = {0.0, 1.0, 2.0, 0.5, -0.25, 3.75, 0.1, -7.3, -1.5, 40.0};
    double real = reals[chance(10)];
    float single = (float)real;
    int32_t whole = (int32_t)chance(9) - (type->root == TML_INT ? 3 : 0);
    char truth = (char)(whole & 1);
    const void *from = type->root == TML_BOOL   ? (const void *)&truth
                       : type->root != TML_REAL ? (const void *)&whole
                       : type->real_bytes == 4  ? (const void *)&single
                                                : (const void *)&real;
    memcpy(to, from, bytes_of(type));
}

static unsigned differs(const char *a, const char *b, unsigned bytes) {
    unsigned count = 0;
    for (unsigned i = 0; i < bytes; i++) {
        count += a[i] != b[i];
    }
    return count != 0;
}

/* Members of a role in a struct of one instance, and their places in that of all. */
static void each(const tml_model *model, tml_role role, char *one, char *all, uint32_t lane,
                 unsigned *wrong) {
    for (uint32_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (variable->role != (uint8_t)role || variable->type == 0) {
            continue;
        }
        unsigned bytes = bytes_of(variable->type);
        for (uint32_t k = 0; k < count_of(variable->type); k++) {
            char *here = one + variable->offset + (size_t)k * bytes;
            char *there =
                all + (variable->offset + (size_t)k * bytes) * model->lanes + lane * bytes;
            if (wrong) {
                *wrong += differs(here, there, bytes);
            } else {
                set_random(variable->type, here);
                memcpy(there, here, bytes);
            }
        }
    }
}

/* Whether the instance did not trap. */
static int run_alone(const tml_model *model, uint32_t lane) {
    return model->init(state, params[lane]) == TML_OK &&
           model->step_n(state, params[lane], STEPS, inputs[lane], outputs[lane]) == TML_OK;
}

static void print(const char *name, unsigned number) {
    char text[12];
    unsigned at = sizeof(text);
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    size_t length = 0;
    while (name[length] != '\0') {
        length++;
    }
    platform_write(name, length);
    platform_write(text + at, sizeof(text) - at);
}

int cross_main(void) {
    const tml_model *model = &MODEL;
    unsigned together = 0, wrong = 0;
    size_t u = model->inputs_bytes, y = model->outputs_bytes;
    if (model->lanes > LANES || model->state_bytes > BYTES || STEPS * u > BYTES ||
        STEPS * y > BYTES) {
        return 2;
    }
    for (unsigned group = 0; group < GROUPS; group++) {
        int is_whole = 1;
        for (uint32_t lane = 0; lane < model->lanes; lane++) {
            each(model, TML_PARAM, params[lane], all_params, lane, 0);
            for (size_t step = 0; step < STEPS; step++) {
                each(model, TML_INPUT, inputs[lane] + step * u,
                     all_inputs + step * u * model->lanes, lane, 0);
            }
            is_whole &= run_alone(model, lane);
        }
        tml_status status = model->init_batch(states, all_params);
        if (status == TML_OK) {
            status = model->step_n_batch(states, all_params, STEPS, all_inputs, all_outputs);
        }
        wrong += status != (is_whole ? TML_OK : TML_E_APART);
        together += status == TML_OK;
        for (uint32_t lane = 0; lane < model->lanes && is_whole; lane++) {
            for (size_t step = 0; step < STEPS; step++) {
                each(model, TML_OUTPUT, outputs[lane] + step * y,
                     all_outputs + step * y * model->lanes, lane, &wrong);
            }
        }
    }
    print("together ", together);
    print(" wrong ", wrong);
    platform_write("\n", 1);
    return 0;
}
