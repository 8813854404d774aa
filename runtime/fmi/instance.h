// An instance of a component as FMI's importers see it, whatever the version: memory, the order in
// which functions may be called, steps, snapshots. The functions of FMI are in fmi2.c and fmi3.c.
// All of a model comes from its table; a shared library has one model, and any number of instances.
#ifndef TML_RUNTIME_FMI_INSTANCE_H
#define TML_RUNTIME_FMI_INSTANCE_H

#include "runtime/abi/model.h"

#include <stdbool.h>

// What the compiler puts beside these functions, and in a text with all of them before: there,
// nothing but the functions of FMI has names that linkers see, so that one program can hold several
// models.
#ifndef TML_FMU_LOCAL
#define TML_FMU_LOCAL
const tml_model *tml_models(size_t *count);
extern const double tml_fmi_step;  // seconds from one step of the model to the next
extern const char tml_fmi_token[]; // of modelDescription.xml
#endif

// As both versions number them.
typedef enum FmuStatus { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR } FmuStatus;

// States of an instance, as bits. One that has ended can be read and reset.
typedef enum FmuPhase {
    FMU_INSTANTIATED = 1,
    FMU_INITIALIZATION = 2,
    FMU_STEPS = 4,
    FMU_TERMINATED = 8,
    FMU_FAILED = 16, // after an error, which leaves the state as it was before
    FMU_ENDED = FMU_TERMINATED | FMU_FAILED,
    FMU_ANY = 31
} FmuPhase;

// Categories of the log, which both versions call `logStatusError` and `logStatusDiscard`.
enum { FMU_LOG_ERROR = 1, FMU_LOG_DISCARD = 2, FMU_LOG_ALL = 3 };

typedef struct FmuSnapshot FmuSnapshot;

typedef struct Fmu Fmu;
struct Fmu {
    const tml_model *model;
    char *state, *params, *inputs;
    char *shown, *outputs;       // a copy of the state and the outputs, after output_fnc
    char *spare, *spare_outputs; // where output_fnc runs, so that a trap leaves the former ones
    FmuPhase phase;
    double time;
    double stop; // infinite where the importer gave none
    uint64_t steps;
    bool is_set_up;  // FMI 2: the experiment
    bool has_shown;  // there are such values of this run
    bool is_stale;   // they are older than inputs, parameters or state
    bool is_trapped; // output_fnc cannot run with the present ones
    bool is_begun;   // init has run with the present parameters
    FmuSnapshot *snapshots;
    // Tells the importer of what went wrong; made of `callback`, `environment` and `name`.
    void (*tell)(const Fmu *fmu, FmuStatus status, const char *category, const char *text);
    void (*callback)(void);
    void *environment;
    char *name;
    unsigned logs; // categories that the importer wants, as bits
};

// NULL when memory runs out.
TML_FMU_LOCAL Fmu *tml_fmu_create(const char *name);
TML_FMU_LOCAL void tml_fmu_free(Fmu *fmu);
// As after tml_fmu_create.
TML_FMU_LOCAL void tml_fmu_reset(Fmu *fmu);

// Tells why; the instance has failed. Returns FMU_ERROR.
__attribute__((format(printf, 2, 3))) TML_FMU_LOCAL FmuStatus tml_fmu_fail(Fmu *fmu,
                                                                           const char *format, ...);
// Tells why a call is not done, which ends nothing. Returns FMU_DISCARD.
__attribute__((format(printf, 2, 3))) TML_FMU_LOCAL FmuStatus tml_fmu_discard(Fmu *fmu,
                                                                              const char *format,
                                                                              ...);
// Whether there is an instance, and the function may be called in its present state; if not, as
// above.
TML_FMU_LOCAL bool tml_fmu_may(Fmu *fmu, unsigned phases, const char *function);

// Turns categories of the log on, and the others off, or turns some off; without a list all.
TML_FMU_LOCAL FmuStatus tml_fmu_log(Fmu *fmu, bool is_on, size_t count,
                                    const char *const *categories);

TML_FMU_LOCAL FmuStatus tml_fmu_begin(Fmu *fmu, double start, double stop);
TML_FMU_LOCAL FmuStatus tml_fmu_finish_begin(Fmu *fmu);
// From `time` on, `span` seconds. FMU_DISCARD when these are no whole steps. Unless it is FMU_OK,
// nothing is done: after a trap the state is that from before all of `span`.
TML_FMU_LOCAL FmuStatus tml_fmu_step(Fmu *fmu, double time, double span);

// Where the value of a variable lies, after output_fnc where that computes it; once that has
// trapped, those that it computed last. NULL after an error: it has no value yet, or that has just
// trapped.
TML_FMU_LOCAL const void *tml_fmu_value(Fmu *fmu, const tml_variable *variable);
// Where a new value goes; NULL after an error: nobody may set it.
TML_FMU_LOCAL void *tml_fmu_place(Fmu *fmu, const tml_variable *variable);
// Scalars of a variable; 1 for a text.
TML_FMU_LOCAL size_t tml_fmu_count(const tml_variable *variable);

// Takes the state of the instance into *snapshot, a new one where it is NULL. Snapshots, of which
// an importer knows nothing but their address, belong to the instance, which takes no others.
TML_FMU_LOCAL FmuStatus tml_fmu_take(Fmu *fmu, void **snapshot);
TML_FMU_LOCAL FmuStatus tml_fmu_restore(Fmu *fmu, const void *snapshot);
TML_FMU_LOCAL FmuStatus tml_fmu_drop(Fmu *fmu, void **snapshot);
// A snapshot as bytes that another instance of the same library takes, also of another process.
TML_FMU_LOCAL FmuStatus tml_fmu_bytes(Fmu *fmu, const void *snapshot, size_t *count);
TML_FMU_LOCAL FmuStatus tml_fmu_write(Fmu *fmu, const void *snapshot, void *bytes, size_t count);
TML_FMU_LOCAL FmuStatus tml_fmu_read(Fmu *fmu, const void *bytes, size_t count, void **snapshot);

#endif
