/* Steps dcmotor.o through the inputs of input.csv; prints the rows of expected.csv. */
#include "dcmotor.h"

#include <stdio.h>

int main(void) {
    dcmotor_state state;
    dcmotor_inputs inputs;
    dcmotor_outputs y;
    tml_status status = dcmotor_init(&state, &dcmotor_defaults);
    for (int k = 0; k < 500 && status == TML_OK; k++) {
        inputs.voltage = k < 10 ? 0.0 : k < 350 ? 12.0 : -6.0;
        inputs.load = k < 200 ? 0.0 : 0.05;
        status = dcmotor_step(&state, &dcmotor_defaults, &inputs, &y);
        printf("%.17g,%.17g,%.17g,%.17g,%.17g\n", y.current, y.speed, y.estimate[0], y.estimate[1],
               y.estimate[2]);
    }
    return status == TML_OK ? 0 : 1;
}
