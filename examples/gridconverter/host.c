/* Steps gridconverter.o through the inputs of input.csv; prints the rows of expected.csv. */
#include "gridconverter.h"

#include <stdio.h>

int main(void) {
    gridconverter_state state;
    gridconverter_inputs inputs;
    gridconverter_outputs y;
    tml_status status = gridconverter_init(&state, &gridconverter_defaults);
    for (int k = 0; k < 2500 && status == TML_OK; k++) {
        inputs.level = k >= 1200 && k < 2000 ? 0.4 : 1.0;
        inputs.wanted[0] = k < 500 ? 0.0 : 15.0;
        inputs.wanted[1] = k < 1500 ? 0.0 : -5.0;
        status = gridconverter_step(&state, &gridconverter_defaults, &inputs, &y);
        printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", y.current[0],
               y.current[1], y.frequency, y.grid[0], y.grid[1], y.grid[2], y.u[0], y.u[1], y.u[2]);
    }
    return status == TML_OK ? 0 : 1;
}
