/* Steps any component and prints how much stack its functions take: stack_host FILE.so STEPS

   Each call is made on a stack of its own, filled with a pattern. What counts is what lies below
   the caller's stack pointer, the return address included, as in the report. */
#include "runtime/abi/model.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK_BYTES = 1024 * 1024, PATTERN = 0xa5, MOST_STEPS = 1000 };

typedef enum Entry { INIT, OUTPUT, UPDATE, STEP, STEP_N, ENTRY_COUNT } Entry;

static const char *const names[ENTRY_COUNT] = {"init", "output", "update", "step", "step_n"};
static size_t depths[ENTRY_COUNT];

static const tml_model *model;
static void *state;
static unsigned char *inputs, *outputs; /* MOST_STEPS of each */
static unsigned steps;

static _Alignas(64) unsigned char stack[STACK_BYTES];
static ucontext_t caller, callee;
static unsigned char *stack_pointer;
static Entry chosen;
static tml_status status;

/* Where a function's frame begins is its caller's stack pointer. */
__attribute__((noinline)) static tml_status remember_stack_pointer(void) {
    stack_pointer = __builtin_dwarf_cfa();
    __asm__ volatile("" ::: "memory");
    return TML_OK;
}

static void call_chosen(void) {
    const void *params = model->defaults;
    switch (chosen) {
    case INIT: status = model->init(state, params); break;
    case OUTPUT: status = model->output(state, params, inputs, outputs); break;
    case UPDATE: status = model->update(state, params, inputs, outputs); break;
    case STEP: status = model->step(state, params, inputs, outputs); break;
    case STEP_N: status = model->step_n(state, params, steps, inputs, outputs); break;
    case ENTRY_COUNT: status = remember_stack_pointer(); break;
    }
}

/* The bytes that a call takes; of ENTRY_COUNT, which calls nothing of the component, no figure. */
static size_t depth_of(Entry entry) {
    chosen = entry;
    memset(stack, PATTERN, sizeof(stack));
    if (getcontext(&callee) != 0) {
        exit(3);
    }
    callee.uc_stack.ss_sp = stack;
    callee.uc_stack.ss_size = sizeof(stack);
    callee.uc_link = &caller;
    makecontext(&callee, call_chosen, 0);
    if (swapcontext(&caller, &callee) != 0) {
        exit(3);
    }
    unsigned char *lowest = stack;
    while (*lowest == PATTERN) {
        lowest++;
    }
    return lowest < stack_pointer ? (size_t)(stack_pointer - lowest) : 0;
}

static int call(Entry entry) {
    size_t depth = depth_of(entry);
    if (depth > depths[entry]) {
        depths[entry] = depth;
    }
    return status == TML_OK;
}

/* --- inputs -------------------------------------------------------------------------------------
 */

static uint32_t next_random(void) {
    static uint64_t random = 20261123;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random >> 33);
}

static void fill_element(const tml_type *type, unsigned char *at) {
    static const double reals[] = {0.0, 1.0, -2.5, 0.1, 3.75, -7.3, 1e30, -1e-30};
    static const int32_t numbers[] = {0, 1, 2, 3, 5, 7, 31, 100};
    double real = reals[next_random() % 8];
    float single = (float)real;
    int32_t number = numbers[next_random() % 8];
    switch (type->root) {
    case TML_BOOL: *at = next_random() % 2; break;
    case TML_REAL:
        memcpy(at, type->real_bytes == 8 ? (void *)&real : (void *)&single, type->real_bytes);
        break;
    default: memcpy(at, &number, sizeof(number)); break;
    }
}

static void fill_inputs(unsigned char *row) {
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const tml_variable *variable = &model->variables[v];
        if (variable->role != TML_INPUT) {
            continue;
        }
        const tml_type *type = variable->type;
        size_t count = 1;
        for (unsigned i = 0; i < type->flat_rank; i++) {
            count *= type->dims[i];
        }
        size_t bytes = type->root == TML_BOOL ? 1 : type->root == TML_REAL ? type->real_bytes : 4;
        for (size_t i = 0; i < count; i++) {
            fill_element(type, row + variable->offset + i * bytes);
        }
    }
}

/* --- the run ------------------------------------------------------------------------------------
 */

static void *aligned(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (memory == NULL) {
        exit(3);
    }
    return memset(memory, 0, (bytes + 64) / 64 * 64);
}

static void run(void) {
    depth_of(ENTRY_COUNT);
    if (!call(INIT)) {
        return;
    }
    for (unsigned k = 0; k < steps; k++) {
        fill_inputs(inputs + k * model->inputs_bytes);
        memcpy(inputs, inputs + k * model->inputs_bytes, model->inputs_bytes);
        if (!call(OUTPUT) || !call(UPDATE) || !call(STEP)) {
            return;
        }
    }
    call(STEP_N);
}

int main(int argc, char **argv) {
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *models = library == NULL ? NULL : dlsym(library, "tml_models");
    size_t count;
    model = models == NULL ? NULL : ((tml_models_function *)models)(&count);
    if (model == NULL) {
        fprintf(stderr, "usage: stack_host FILE.so STEPS\n");
        return 2;
    }
    steps = (unsigned)strtoul(argv[2], NULL, 10);
    if (steps > MOST_STEPS) {
        return 2;
    }
    state = aligned(model->state_bytes);
    inputs = aligned(model->inputs_bytes * MOST_STEPS);
    outputs = aligned(model->outputs_bytes * MOST_STEPS);
    run();
    for (unsigned i = 0; i < ENTRY_COUNT; i++) {
        printf("%s %zu\n", names[i], depths[i]);
    }
    return 0;
}
