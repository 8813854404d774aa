/* Steps models/soak.tml beside the same in C: host_soak STEPS. Every output and, ten times, the
   state must have the same bits, and the process must not grow. model.inc is written by soak.py: it
   includes soak.h. */
#include "model.inc"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAPS = 16, CHECKS = 10 };

static struct {
    uint32_t seed, count;
    double low, high;
    int32_t head;
    uint8_t rising;
    double ring[TAPS], rotor[2];
    uint32_t lanes[4];
} own = {.seed = 12345, .rising = 1, .rotor = {1, 0}, .lanes = {1, 2, 3, 4}};

static soak_outputs own_outputs(void) {
    soak_outputs outputs = {0};
    outputs.y = own.low + 0.25 * own.high + own.ring[own.head] + own.rotor[0];
    outputs.mark = own.seed ^ own.lanes[own.count % 4];
    return outputs;
}

static void own_update(double u) {
    static const uint32_t added[4] = {1, 5, 7, 11};
    own.seed = own.seed * 1664525u + 1013904223u;
    double noise = (double)(own.seed >> 8) / 8388608.0 - 1.0;
    double before = own.low;
    own.low = own.low + (u + noise - own.low) * 0.01;
    own.rising = own.low > before;
    own.high = 0.998 * (own.high + noise);
    own.ring[own.head] = own.low * own.high;
    own.head = (own.head + 7) % TAPS;
    double x = own.rotor[0] * 0.8 - own.rotor[1] * 0.6;
    own.rotor[1] = own.rotor[0] * 0.6 + own.rotor[1] * 0.8;
    own.rotor[0] = x;
    if (own.count % 4096 == 0) {
        own.rotor[0] = 1;
        own.rotor[1] = 0;
    }
    for (int i = 0; i < 4; i++) {
        own.lanes[i] = own.lanes[i] * 3 + added[i];
    }
    own.count++;
}

static int same_state(const soak_state *state) {
    return state->seed == own.seed && state->count == own.count && state->head == own.head &&
           state->rising == own.rising && memcmp(&state->low, &own.low, sizeof(own.low)) == 0 &&
           memcmp(&state->high, &own.high, sizeof(own.high)) == 0 &&
           memcmp(state->ring, own.ring, sizeof(own.ring)) == 0 &&
           memcmp(state->rotor, own.rotor, sizeof(own.rotor)) == 0 &&
           memcmp(state->lanes, own.lanes, sizeof(own.lanes)) == 0;
}

/* Pages of this process: all, and those of its own that are in memory, which the kernel counts
   roughly. */
typedef struct Pages {
    long all, own;
} Pages;

enum { ROUGHLY = 64 };

static Pages count_pages(void) {
    Pages pages;
    long resident, shared;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld %ld", &pages.all, &resident, &shared) != 3) {
        exit(3);
    }
    fclose(file);
    pages.own = resident - shared;
    return pages;
}

static int fail(const char *what, uint64_t step) {
    printf("%s differ at step %" PRIu64 "\n", what, step);
    return 1;
}

int main(int argc, char **argv) {
    uint64_t steps = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    if (steps < CHECKS) {
        return 2;
    }
    soak_state state;
    soak_outputs outputs;
    Pages first = {0}, last = {0};
    if (soak_init(&state, &soak_defaults) != TML_OK) {
        return 1;
    }
    for (uint64_t k = 0; k < steps; k++) {
        const soak_inputs inputs = {(double)(k % 1000) / 500 - 1};
        if (soak_step(&state, &soak_defaults, &inputs, &outputs) != TML_OK) {
            return fail("statuses", k);
        }
        soak_outputs expected = own_outputs();
        if (memcmp(&expected.y, &outputs.y, sizeof(outputs.y)) != 0 ||
            expected.mark != outputs.mark) {
            return fail("outputs", k);
        }
        own_update(inputs.u);
        if ((k + 1) % (steps / CHECKS) != 0) {
            continue;
        }
        if (!same_state(&state)) {
            return fail("states", k);
        }
        last = count_pages();
        if (first.all == 0) {
            first = last;
        }
        if (last.all != first.all || last.own > first.own + ROUGHLY) {
            printf("%ld pages, %ld in memory at step %" PRIu64 "; %ld, %ld before\n", last.all,
                   last.own, k, first.all, first.own);
            return 1;
        }
    }
    printf("%" PRIu64 " steps, %ld pages, y %.17g\n", steps, last.all, outputs.y);
    return 0;
}
