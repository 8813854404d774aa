/* DC motor with a Luenberger observer that finds the current and the load from the speed alone. */
#include "bench/harness/sizes/component.h"

typedef struct dcmotor_params {
    uint8_t none;
} dcmotor_params;

typedef struct dcmotor_inputs {
    double voltage;
    double load;
} dcmotor_inputs;

typedef struct dcmotor_outputs {
    double current;
    double speed;
    double estimate[3];
} dcmotor_outputs;

typedef struct dcmotor_state {
    double current;
    double speed;
    double estimate[3];
    double motor[2];
    double estimate_2[3];
    tml_fault fault;
} dcmotor_state;

/* From current, speed, load and voltage to the same 0.01 s later. */
static const double transition[4][4] = {
    {0.9801977187323532, -0.0001884030753826474, 9.61012716665606e-05, 0.019801320254930338},
    {0.009420153769132373, 0.904836488579295, -0.9516255040798929, 9.610127166656063e-05},
    {0.0, 0.0, 1.0, 0.0},
    {0.0, 0.0, 0.0, 1.0}};
static const double gain[3] = {-62.3117, 0.635, -0.796};

static double dot(const double v[4], const double w[4]) {
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        sum += v[k] * w[k];
    }
    return sum;
}

static void show(dcmotor_state *s) {
    s->current = s->motor[0];
    s->speed = s->motor[1];
    for (int i = 0; i < 3; i++) {
        s->estimate[i] = s->estimate_2[i];
    }
}

static void output(const dcmotor_state *s, dcmotor_outputs *y) {
    y->current = s->current;
    y->speed = s->speed;
    for (int i = 0; i < 3; i++) {
        y->estimate[i] = s->estimate[i];
    }
}

static void update(dcmotor_state *s, const dcmotor_inputs *u) {
    double surprise = s->motor[1] - s->estimate_2[1];
    double seen[4] = {s->estimate_2[0], s->estimate_2[1], s->estimate_2[2], u->voltage};
    for (int i = 0; i < 3; i++) {
        s->estimate_2[i] = dot(transition[i], seen) + gain[i] * surprise;
    }
    double real[4] = {s->motor[0], s->motor[1], u->load, u->voltage};
    for (int i = 0; i < 2; i++) {
        s->motor[i] = dot(transition[i], real);
    }
    show(s);
}

tml_status dcmotor_init(dcmotor_state *s, const dcmotor_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (dcmotor_state){0};
    return TML_OK;
}

tml_status dcmotor_output(dcmotor_state *s, const dcmotor_params *p, const dcmotor_inputs *u,
                          dcmotor_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, y);
    return TML_OK;
}

tml_status dcmotor_update(dcmotor_state *s, const dcmotor_params *p, const dcmotor_inputs *u,
                          dcmotor_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s, u);
    return TML_OK;
}

tml_status dcmotor_step(dcmotor_state *s, const dcmotor_params *p, const dcmotor_inputs *u,
                        dcmotor_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, y);
    update(s, u);
    return TML_OK;
}

tml_status dcmotor_step_n(dcmotor_state *s, const dcmotor_params *p, size_t n,
                          const dcmotor_inputs *u, dcmotor_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, &y[k]);
        update(s, &u[k]);
    }
    return TML_OK;
}
