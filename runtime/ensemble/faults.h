// Runs that trapped.
#ifndef TML_RUNTIME_ENSEMBLE_FAULTS_H
#define TML_RUNTIME_ENSEMBLE_FAULTS_H

#include "runtime/ensemble/plan.h"

typedef struct FaultOf {
    uint64_t run;
    tml_fault fault;
} FaultOf;

typedef struct Faults {
    size_t count, capacity;
    FaultOf *items; // from malloc, by run
} Faults;

// Adds those that have a code, of runs that follow one another. False after saying that there is no
// memory.
bool tml_faults_add(Faults *faults, const Plan *plan, uint64_t first, uint64_t count,
                    const tml_fault *items);
// Writes the list as CSV, whole: run, code, place, step, text. False after saying what is wrong.
bool tml_faults_write(const Faults *faults, const Plan *plan, const char *path);
// Tells the first trap, how many there are, and where they are listed, if `path` is not NULL.
void tml_faults_report(const Faults *faults, const Plan *plan, uint64_t runs, const char *path);

#endif
