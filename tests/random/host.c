#include "tests/random/host.h"

#include "runtime/abi/abi.h"
#include "support/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The names are those of `ld --wrap`. NOLINTBEGIN(bugprone-reserved-identifier)
int __real_tml_main(const tml_model *model, int argc, char **argv);
int __wrap_tml_main(const tml_model *model, int argc, char **argv);
// NOLINTEND(bugprone-reserved-identifier)

enum { GARBAGE = 0xA5, FENCE = 0x5A, FENCE_BYTES = 64 };

static bool is_unkind;
static const tml_model *model; // the real one
static void *other;            // the state of a second instance; NULL: its init_fnc trapped
static void *last_inputs;      // of the second instance

void host_be_unkind(bool unkind) {
    is_unkind = unkind;
}

// Memory with a fence behind it, holding `from`, or garbage.
static unsigned char *fenced(const void *from, size_t bytes) {
    unsigned char *memory = memory_zeroed(bytes + FENCE_BYTES);
    memset(memory, GARBAGE, bytes);
    memset(memory + bytes, FENCE, FENCE_BYTES);
    if (from != NULL) {
        memcpy(memory, from, bytes);
    }
    return memory;
}

static void give_back(unsigned char *memory, void *to, size_t bytes, const char *what) {
    for (size_t i = 0; i < FENCE_BYTES; i++) {
        if (memory[bytes + i] != FENCE) {
            fprintf(stderr, "the model wrote behind its %s\n", what);
            break;
        }
    }
    if (to != NULL) {
        memcpy(to, memory, bytes);
    }
    free(memory);
}

static tml_status init(void *state, const void *params) {
    unsigned char *moved = fenced(NULL, model->state_bytes);
    tml_status status = model->init(moved, params);
    give_back(moved, state, model->state_bytes, "state");
    other = fenced(NULL, model->state_bytes);
    if (model->init(other, params) != TML_OK) {
        give_back(other, NULL, model->state_bytes, "state");
        other = NULL;
    }
    return status;
}

// The second instance gets what the first one got in the step before.
static void step_other(const void *params, const void *inputs) {
    if (other == NULL) {
        return;
    }
    unsigned char *outputs = fenced(NULL, model->outputs_bytes);
    tml_status status = model->step(other, params, last_inputs, outputs);
    give_back(outputs, NULL, model->outputs_bytes, "outputs");
    memcpy(last_inputs, inputs, model->inputs_bytes);
    if (status != TML_OK) {
        give_back(other, NULL, model->state_bytes, "state");
        other = NULL;
    }
}

// output and update by themselves; the latter leaves the outputs alone.
static tml_status step_in_halves(void *state, const void *params, const void *inputs,
                                 void *outputs) {
    tml_status status = model->output(state, params, inputs, outputs);
    if (status != TML_OK) {
        return status;
    }
    unsigned char *before = fenced(outputs, model->outputs_bytes);
    status = model->update(state, params, inputs, outputs);
    if (memcmp(before, outputs, model->outputs_bytes) != 0) {
        fprintf(stderr, "update changed the outputs\n");
    }
    free(before);
    return status;
}

// `count` rows at once in one of the three ways; the last two take one.
static tml_status steps(size_t way, size_t count, void *state, const void *params,
                        const void *inputs, void *outputs) {
    size_t in_bytes = count * model->inputs_bytes;
    size_t out_bytes = count * model->outputs_bytes;
    unsigned char *moved = fenced(state, model->state_bytes);
    unsigned char *in = fenced(inputs, in_bytes);
    unsigned char *out = fenced(NULL, out_bytes);
    tml_status status = way == 0   ? model->step_n(moved, params, count, in, out)
                        : way == 1 ? step_in_halves(moved, params, in, out)
                                   : model->step(moved, params, in, out);
    give_back(out, outputs, out_bytes, "outputs");
    if (memcmp(in, inputs, in_bytes) != 0) {
        fprintf(stderr, "the model changed its inputs\n");
    }
    give_back(in, NULL, in_bytes, "inputs");
    give_back(moved, state, model->state_bytes, "state");
    return status;
}

// The step of a fault, which counts from the beginning of one call.
static void move_fault(void *state, size_t first, size_t way) {
    unsigned char *at = (unsigned char *)state + model->fault_offset + offsetof(tml_fault, step);
    uint64_t finished = 0;
    memcpy(&finished, at, sizeof(finished));
    finished = (way == 0 ? finished : 0) + first;
    memcpy(at, &finished, sizeof(finished));
}

static tml_status step_n(void *state, const void *params, size_t n, const void *inputs,
                         void *outputs) {
    size_t count = 0;
    for (size_t i = 0, turn = 0; i < n; i += count, turn++) {
        size_t way = turn % 3;
        count = way == 0 && n - i > 1 ? 2 : 1;
        const char *in = (const char *)inputs + i * model->inputs_bytes;
        tml_status status =
            steps(way, count, state, params, in, (char *)outputs + i * model->outputs_bytes);
        if (status != TML_OK) {
            move_fault(state, i, way);
            return status;
        }
        for (size_t k = 0; k < count; k++) {
            step_other(params, in + k * model->inputs_bytes);
        }
    }
    return TML_OK;
}

int __wrap_tml_main(const tml_model *real, int argc, char **argv) {
    if (!is_unkind || real->kind != TML_COMPONENT) {
        return __real_tml_main(real, argc, argv);
    }
    model = real;
    last_inputs = memory_zeroed(model->inputs_bytes);
    tml_model unkind = *real;
    unkind.init = init;
    unkind.step_n = step_n;
    int status = __real_tml_main(&unkind, argc, argv);
    if (other != NULL) {
        give_back(other, NULL, model->state_bytes, "state");
        other = NULL;
    }
    free(last_inputs);
    return status;
}
