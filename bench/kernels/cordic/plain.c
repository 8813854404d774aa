static const double turns[16] = {
    0.7853981633974483,     0.4636476090008061,     0.24497866312686414,   0.12435499454676144,
    0.06241880999595735,    0.031239833430268277,   0.015623728620476831,  0.007812341060101111,
    0.0039062301319669718,  0.0019531225164788188,  0.0009765621895593195, 0.0004882812111948983,
    0.00024414062014936177, 0.00012207031189367021, 6.103515617420877e-05, 3.0517578115526096e-05};

void KERNEL(const double *restrict u, double *restrict y) {
    for (int step = 0; step < 2048; step++) {
        double cosine = 0.6072529350088813, sine = 0, left = u[step], factor = 1;
        for (int k = 0; k < 16; k++) {
            double way = left >= 0 ? factor : -factor;
            double turned = cosine - way * sine;
            sine += way * cosine;
            cosine = turned;
            left -= left >= 0 ? turns[k] : -turns[k];
            factor *= 0.5;
        }
        y[2 * step] = sine;
        y[2 * step + 1] = cosine;
    }
}
