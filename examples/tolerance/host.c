/* Starts the nominal motor; prints the rows of expected.csv. */
#include "tolerance.h"

#include <stdio.h>

int main(void) {
    tolerance_state state;
    const tolerance_inputs inputs = {20.0};
    tolerance_outputs y;
    tml_status status = tolerance_init(&state, &tolerance_defaults);
    for (int k = 0; k < 1000 && status == TML_OK; k++) {
        status = tolerance_step(&state, &tolerance_defaults, &inputs, &y);
        printf("%.17g,%.17g,%.17g,%.17g\n", y.speed, y.excess, y.late, y.current);
    }
    return status == TML_OK ? 0 : 1;
}
