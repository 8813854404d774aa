#include "bench/harness/vector.h"

static const double turns[16] = {
    0.7853981633974483,     0.4636476090008061,     0.24497866312686414,   0.12435499454676144,
    0.06241880999595735,    0.031239833430268277,   0.015623728620476831,  0.007812341060101111,
    0.0039062301319669718,  0.0019531225164788188,  0.0009765621895593195, 0.0004882812111948983,
    0.00024414062014936177, 0.00012207031189367021, 6.103515617420877e-05, 3.0517578115526096e-05};

/* Steps are lanes. */
void KERNEL(const double *restrict u, double *restrict y) {
    for (int step = 0; step < 2048; step += LANES) {
        V cosine = splat(0.6072529350088813), sine = splat(0), left = load(u + step);
        double factor = 1;
        for (int k = 0; k < 16; k++) {
            Mask sign = (Mask)left & INT64_MIN;
            V way = (V)((Mask)splat(factor) ^ sign), turned = cosine - way * sine;
            sine += way * cosine;
            cosine = turned;
            left -= (V)((Mask)splat(turns[k]) ^ sign);
            factor *= 0.5;
        }
        for (int lane = 0; lane < LANES; lane++) {
            y[2 * (step + lane)] = sine[lane];
            y[2 * (step + lane) + 1] = cosine[lane];
        }
    }
}
