/* Steps buck.o through the inputs of input.csv; prints the rows of expected.csv. */
#include "buck.h"

#include <stdio.h>

int main(void) {
    buck_state state;
    buck_inputs inputs;
    buck_outputs y;
    tml_status status = buck_init(&state, &buck_defaults);
    for (int k = 0; k < 1000 && status == TML_OK; k++) {
        inputs.reference = k < 20 ? 0.0 : 12.0;
        inputs.vin = k < 700 ? 24.0 : 20.0;
        inputs.load = k < 100 ? 0.0 : k < 400 ? 1.0 : 3.0;
        status = buck_step(&state, &buck_defaults, &inputs, &y);
        printf("%.17g,%.17g,%.17g\n", y.v, y.current, y.duty);
    }
    return status == TML_OK ? 0 : 1;
}
