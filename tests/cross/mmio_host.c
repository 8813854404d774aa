/* Runs two cycles of mmio.py's component and prints its registers after each half.

   case.inc is written by mmio.py: it includes the component's header and names the type of its
   reals, `case_real`. */
#include "case.inc"
#include "tests/cross/platform.h"

enum { BLOCK = 0x20300000, WORDS = 80, LEFT = 0x5a5a5a5a };

#define REGISTERS ((volatile uint32_t *)BLOCK)
#define LEVELS ((volatile case_real *)(BLOCK + 0xa0))

static mmio_state state;
static mmio_outputs outputs;

static void print_registers(void) {
    for (int k = 0; k < WORDS; k++) {
        char text[9];
        for (int i = 0; i < 8; i++) {
            text[i] = "0123456789abcdef"[REGISTERS[k] >> (28 - 4 * i) & 15];
        }
        text[8] = k + 1 < WORDS ? ' ' : '\n';
        platform_write(text, 9);
    }
}

typedef struct Cycle {
    int k;
    uint32_t adc[2], keys, scan;
    case_real levels[3];
} Cycle;

static int run_cycle(const Cycle *cycle) {
    mmio_inputs inputs = {cycle->k};
    REGISTERS[0] = cycle->adc[0];
    REGISTERS[1] = cycle->adc[1];
    REGISTERS[4] = cycle->keys;
    REGISTERS[16] = cycle->scan;
    REGISTERS[72] = 10 + (uint32_t)cycle->k; /* of instances */
    REGISTERS[76] = 20 + (uint32_t)cycle->k;
    for (int i = 0; i < 3; i++) {
        LEVELS[i] = cycle->levels[i];
    }
    int status = (int)mmio_output(&state, &mmio_defaults, &inputs, &outputs);
    print_registers();
    status |= (int)mmio_update(&state, &mmio_defaults, &inputs, &outputs);
    print_registers();
    uint32_t seen = cycle->adc[cycle->k] + 100 * cycle->keys;
    return status | (outputs.seen != (int32_t)seen);
}

int cross_main(void) {
    static const Cycle cycles[] = {
        {0, {11, 22}, 3, 40, {1.5, 0.25, 8}},
        {1, {5, 6}, 0, 1, {1, 2, -4}},
    };
    for (int k = 0; k < WORDS; k++) {
        REGISTERS[k] = LEFT;
    }
    unsigned char *bytes = (unsigned char *)&state;
    for (size_t k = 0; k < sizeof(state); k++) {
        bytes[k] = 0xa5;
    }
    int status = (int)mmio_init(&state, &mmio_defaults);
    return status | run_cycle(&cycles[0]) | run_cycle(&cycles[1]);
}
