// Memory of runs side by side: structs in which each scalar is there as many times as there are
// lanes (tml_model.lanes).
#ifndef TML_RUNTIME_BATCH_SIDE_H
#define TML_RUNTIME_BATCH_SIDE_H

#include "runtime/batch/batch.h"

typedef struct Side {
    char *states, *params, *inputs, *outputs;
    size_t block; // steps of which there is room for inputs and outputs
} Side;

// Bytes for all of these, a multiple of 64; 0 where the model has no lanes.
size_t tml_side_memory(const tml_model *model);
void tml_side_start(Side *side, const tml_model *model, char *memory);
// Copies a struct of parameters to a lane.
void tml_side_set_params(Side *side, const tml_model *model, const char *params, uint32_t lane);
// Sets the inputs of `steps` steps from `step` on, of `count` runs of the batch from `first` on.
void tml_side_set_inputs(Side *side, const tml_batch *batch, uint64_t first, size_t count,
                         uint64_t step, size_t steps);

#endif
