/* Steps biquad.o through the first rows of input.csv; prints those of expected.csv. */
#include "biquad.h"

#include <stdio.h>

enum { STEPS = 48 };

static const biquad_inputs inputs[STEPS] = {
    {0.25},     {0.32881},  {0.424092}, {0.777892}, {0.392611}, {-0.229876}, {-0.039765},
    {0.21287},  {0.163154}, {0.708449}, {1.323314}, {1.023583}, {0.678355},  {0.760161},
    {0.409354}, {0.098489}, {0.696705}, {1.219906}, {1.142737}, {1.362666},  {1.514949},
    {0.849662}, {0.416776}, {0.718356}, {0.757007}, {0.775},    {1.443555},  {1.720382},
    {1.19329},  {0.982996}, {0.937164}, {0.392379}, {0.312409}, {0.987216},  {1.196459},
    {1.069545}, {1.336181}, {1.152285}, {0.336231}, {0.146756}, {0.402257},  {0.258696},
    {0.445844}, {1.093198}, {0.980522}, {0.39791},  {0.309278}, {0.051379}};

int main(void) {
    biquad_state state;
    biquad_outputs y;
    tml_status status = biquad_init(&state, &biquad_defaults);
    for (int k = 0; k < STEPS && status == TML_OK; k++) {
        status = biquad_step(&state, &biquad_defaults, &inputs[k], &y);
        printf("%.17g\n", y.y);
    }
    return status == TML_OK ? 0 : 1;
}
