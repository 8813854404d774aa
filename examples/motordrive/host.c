/* Steps motordrive.o through the inputs of input.csv; prints the rows of expected.csv. */
#include "motordrive.h"

#include <stdio.h>

int main(void) {
    motordrive_state state;
    motordrive_inputs inputs;
    motordrive_outputs y;
    tml_status status = motordrive_init(&state, &motordrive_defaults);
    for (int k = 0; k < 3000 && status == TML_OK; k++) {
        inputs.wanted = k < 100 ? 0.0 : k < 2500 ? 100.0 : 60.0;
        inputs.load = k < 1500 ? 0.0 : 3.0;
        status = motordrive_step(&state, &motordrive_defaults, &inputs, &y);
        printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", y.speed, y.current[0], y.current[1],
               y.voltage[0], y.voltage[1], y.asked);
    }
    return status == TML_OK ? 0 : 1;
}
