/* Steps lookup.o through the first rows of input.csv; prints those of expected.csv. */
#include "lookup.h"

#include <stdio.h>

enum { STEPS = 60 };

static const lookup_inputs inputs[STEPS] = {
    {-7.0},   {-6.796}, {-6.592}, {-6.388}, {-6.184}, {-5.98},  {-5.776}, {-5.572}, {-5.368},
    {-5.164}, {-4.96},  {-4.756}, {-4.552}, {-4.348}, {-4.144}, {-3.94},  {-3.736}, {-3.532},
    {-3.328}, {-3.124}, {-2.92},  {-2.716}, {-2.512}, {-2.308}, {-2.104}, {-1.9},   {-1.696},
    {-1.492}, {-1.288}, {-1.084}, {-0.88},  {-0.676}, {-0.472}, {-0.268}, {-0.064}, {0.14},
    {0.344},  {0.548},  {0.753},  {0.957},  {1.161},  {1.365},  {1.569},  {1.773},  {1.977},
    {2.181},  {2.385},  {2.589},  {2.793},  {2.997},  {3.201},  {3.405},  {3.609},  {3.813},
    {4.017},  {4.221},  {4.425},  {4.629},  {4.833},  {5.037}};

int main(void) {
    lookup_state state;
    lookup_outputs y;
    tml_status status = lookup_init(&state, &lookup_defaults);
    for (int k = 0; k < STEPS && status == TML_OK; k++) {
        status = lookup_step(&state, &lookup_defaults, &inputs[k], &y);
        printf("%.17g\n", y.celsius);
    }
    return status == TML_OK ? 0 : 1;
}
