// The results of runs that follow one another, in memory.
#ifndef TML_RUNTIME_ENSEMBLE_TABLE_H
#define TML_RUNTIME_ENSEMBLE_TABLE_H

#include "runtime/ensemble/plan.h"

typedef struct Table {
    const Plan *plan;
    uint64_t capacity; // runs
    double **data;     // for each part: the scalars of one run after those of another
    tml_fault *faults; // for each run
    char *params;      // for each run: the struct that it had
    tml_batch_output *outputs;
} Table;

// Makes room for so many runs. False after saying what is wrong, with what helps beside keeping
// less. Either way tml_table_free must follow.
bool tml_table_make(Table *table, const Plan *plan, uint64_t capacity, const char *help);
void tml_table_free(Table *table);
// Makes the runs first .. first + count - 1, and puts the results from row `at` on. False after
// saying what is wrong.
bool tml_table_run(Table *table, uint64_t first, uint64_t count, uint64_t at);

#endif
