/* Steps statespace.o through the first rows of input.csv; prints those of expected.csv. */
#include "statespace.h"

#include <stdio.h>

enum { STEPS = 40 };

static const statespace_inputs inputs[STEPS] = {
    {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}},
    {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}},
    {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}},
    {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}},
    {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}}, {{2.0, 0.0}},
    {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}},
    {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}};

int main(void) {
    statespace_state state;
    statespace_outputs y;
    tml_status status = statespace_init(&state, &statespace_defaults);
    for (int k = 0; k < STEPS && status == TML_OK; k++) {
        status = statespace_step(&state, &statespace_defaults, &inputs[k], &y);
        printf("%.17g,%.17g\n", y.y[0], y.y[1]);
    }
    return status == TML_OK ? 0 : 1;
}
