// What is kept of the outputs of a run, block of steps by block of steps.
#ifndef TML_RUNTIME_BATCH_KEEP_H
#define TML_RUNTIME_BATCH_KEEP_H

#include "runtime/batch/batch.h"

// Structs of outputs, one for each step, `stride` bytes apart. Of runs side by side each scalar is
// there `lanes` times, and a run's is number `lane`.
typedef struct KeptRows {
    const char *first;
    size_t stride, count;
    uint32_t lanes, lane; // 1 and 0 of a run alone
} KeptRows;

// Takes the steps of one output; `before` have been taken. `result` is where the run's results
// begin.
void tml_keep_add(tml_keep keep, const tml_variable *output, const KeptRows *rows, uint64_t before,
                  double *result);
// The same for `runs` runs side by side, the lanes from 0 on, whose results begin `apart` doubles
// from each other.
void tml_keep_add_side(tml_keep keep, const tml_variable *output, const KeptRows *rows,
                       uint32_t runs, uint64_t before, double *result, size_t apart);
// After `steps` steps, all of the run: makes results of what has been added up.
void tml_keep_finish(tml_keep keep, const tml_variable *output, uint64_t steps, double *result);
// The same for a run that trapped after `done` of them.
void tml_keep_fail(tml_keep keep, const tml_variable *output, uint64_t done, uint64_t steps,
                   double *result);

#endif
