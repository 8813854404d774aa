#include "bench/harness/vector.h"

/* Two vectors of systems at once: each step waits for the one before. */
enum { SYSTEMS = 64, WAYS = 2 };

typedef struct State {
    V of[3][WAYS];
} State;

static inline State slope(const State *s) {
    State k;
    for (int w = 0; w < WAYS; w++) {
        k.of[0][w] = 10 * (s->of[1][w] - s->of[0][w]);
        k.of[1][w] = s->of[0][w] * (28 - s->of[2][w]) - s->of[1][w];
        k.of[2][w] = s->of[0][w] * s->of[1][w] - 8.0 / 3 * s->of[2][w];
    }
    return k;
}

static inline State moved(const State *s, double h, const State *k) {
    State to;
    for (int d = 0; d < 3; d++) {
        for (int w = 0; w < WAYS; w++) {
            to.of[d][w] = s->of[d][w] + h * k->of[d][w];
        }
    }
    return to;
}

void KERNEL(const double *restrict from, double *restrict result) {
    const double h = 0.01;
    for (int i = 0; i < SYSTEMS; i += WAYS * LANES) {
        State s;
        for (int d = 0; d < 3; d++) {
            for (int w = 0; w < WAYS; w++) {
                s.of[d][w] = load(from + d * SYSTEMS + i + w * LANES);
            }
        }
        for (int n = 0; n < 20; n++) {
            State k1 = slope(&s), at = moved(&s, 0.005, &k1);
            State k2 = slope(&at);
            at = moved(&s, 0.005, &k2);
            State k3 = slope(&at);
            at = moved(&s, h, &k3);
            State k4 = slope(&at);
            for (int d = 0; d < 3; d++) {
                for (int w = 0; w < WAYS; w++) {
                    s.of[d][w] +=
                        h / 6 * (k1.of[d][w] + 2 * k2.of[d][w] + 2 * k3.of[d][w] + k4.of[d][w]);
                }
            }
        }
        for (int d = 0; d < 3; d++) {
            for (int w = 0; w < WAYS; w++) {
                store(result + d * SYSTEMS + i + w * LANES, s.of[d][w]);
            }
        }
    }
}
