// See side.h. Blocks of steps are short, so that they stay in the cache from one use to the next.
#include "runtime/batch/side.h"

#include "runtime/abi/type.h"

enum {
    ALIGNMENT = 64,
    BLOCK_BYTES = 1 << 14, // of inputs or outputs
    BLOCK_STEPS = 256,     // at most
};

static size_t align(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t block_steps(const tml_model *model) {
    size_t bytes =
        model->inputs_bytes > model->outputs_bytes ? model->inputs_bytes : model->outputs_bytes;
    size_t steps = BLOCK_BYTES / (bytes * model->lanes + 1);
    return steps < 1 ? 1 : steps > BLOCK_STEPS ? BLOCK_STEPS : steps;
}

size_t tml_side_memory(const tml_model *model) {
    size_t lanes = model->lanes, steps = lanes > 0 ? block_steps(model) : 0;
    return align(model->state_bytes * lanes) + align(model->params_bytes * lanes) +
           align(steps * model->inputs_bytes * lanes) + align(steps * model->outputs_bytes * lanes);
}

void tml_side_start(Side *side, const tml_model *model, char *memory) {
    size_t lanes = model->lanes;
    *side = (Side){.states = memory};
    if (lanes > 0) {
        side->block = block_steps(model);
        side->params = side->states + align(model->state_bytes * lanes);
        side->inputs = side->params + align(model->params_bytes * lanes);
        side->outputs = side->inputs + align(side->block * model->inputs_bytes * lanes);
    }
}

// Structs that follow one another, and where they go: to `count` lanes from `lane` on.
typedef struct Rows {
    const char *from;
    char *to;
    size_t bytes; // of a struct
    size_t count;
    uint32_t lane, lanes;
} Rows;

// Inlined for numbers of bytes and lanes that are known, it is a few stores of vectors.
static inline __attribute__((always_inline)) void copy_scalar(const Rows *rows, const char *from,
                                                              char *to, size_t bytes,
                                                              uint32_t lanes, size_t step) {
    for (size_t i = 0; i < rows->count; i++, from += rows->bytes, to += step) {
        double value = 0; // of the longest
        memcpy(&value, from, bytes);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            memcpy(to + lane * bytes, &value, bytes);
        }
    }
}

static void spread_scalar(const Rows *rows, size_t offset, size_t bytes, uint32_t all_lanes) {
    const char *from = rows->from + offset;
    char *to = rows->to + offset * all_lanes + rows->lane * bytes;
    size_t step = rows->bytes * all_lanes;
    switch (bytes == sizeof(double) ? rows->lanes : 0) {
    case 4: copy_scalar(rows, from, to, sizeof(double), 4, step); break;
    case 8: copy_scalar(rows, from, to, sizeof(double), 8, step); break;
    case 16: copy_scalar(rows, from, to, sizeof(double), 16, step); break;
    default: copy_scalar(rows, from, to, bytes, rows->lanes, step); break;
    }
}

// Copies the members that have the role.
static void spread(const tml_model *model, tml_role role, const Rows *rows) {
    for (uint32_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (variable->role != (uint8_t)role || !variable->type) {
            continue;
        }
        size_t bytes = tml_scalar_bytes(variable->type);
        uint64_t numel = tml_type_numel(variable->type);
        for (uint64_t k = 0; k < numel; k++) {
            spread_scalar(rows, variable->offset + k * bytes, bytes, model->lanes);
        }
    }
}

void tml_side_set_params(Side *side, const tml_model *model, const char *params, uint32_t lane) {
    const Rows rows = {.from = params, .to = side->params, .count = 1, .lane = lane, .lanes = 1};
    spread(model, TML_PARAM, &rows);
}

void tml_side_set_inputs(Side *side, const tml_batch *batch, uint64_t first, size_t count,
                         uint64_t step, size_t steps) {
    const tml_model *model = batch->model;
    const char *inputs = batch->inputs;
    bool shares = batch->inputs_stride == 0;
    for (uint32_t lane = 0; inputs && lane < model->lanes; lane += shares ? model->lanes : 1) {
        uint64_t run = first + (lane < count ? lane : count - 1);
        const Rows rows = {.from = inputs + run * batch->inputs_stride + step * model->inputs_bytes,
                           .to = side->inputs,
                           .bytes = model->inputs_bytes,
                           .count = steps,
                           .lane = lane,
                           .lanes = shares ? model->lanes : 1};
        spread(model, TML_INPUT, &rows);
    }
}
