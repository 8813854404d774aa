/* Steps biquads.o through the first rows of input.csv; prints those of expected.csv. */
#include "biquads.h"

#include <stdio.h>

enum { STEPS = 48 };

static const biquads_inputs inputs[STEPS] = {
    {0.578861},  {0.306201}, {0.155123}, {0.15824},  {0.224244}, {0.237912}, {0.163141},
    {0.063786},  {0.031631}, {0.091365}, {0.171099}, {0.168424}, {0.056357}, {-0.065904},
    {-0.030679}, {0.268957}, {0.779251}, {1.299197}, {1.604897}, {1.594992}, {1.349375},
    {1.060027},  {0.890805}, {0.874354}, {0.919405}, {0.910775}, {0.812405}, {0.688196},
    {0.629979},  {0.662493}, {0.713903}, {0.681854}, {0.53942},  {0.385857}, {0.388907},
    {0.655556},  {1.132116}, {1.617645}, {1.888312}, {1.842826}, {1.561149}, {1.235331},
    {1.0293},    {0.975772}, {0.98355},  {0.937523}, {0.801704}, {0.640067}};

int main(void) {
    biquads_state state;
    biquads_outputs y;
    tml_status status = biquads_init(&state, &biquads_defaults);
    for (int k = 0; k < STEPS && status == TML_OK; k++) {
        status = biquads_step(&state, &biquads_defaults, &inputs[k], &y);
        printf("%.17g,%.17g,%.17g,%.17g\n", y.y, y.along[0], y.along[1], y.along[2]);
    }
    return status == TML_OK ? 0 : 1;
}
