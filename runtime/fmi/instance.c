// See instance.h. Values of outputs and file-level variables are those after output_fnc with the
// present inputs; it runs on a copy of the state, when somebody asks, so that a step finds the
// state as the last one left it. No error leaves part of something: values are always those of one
// run of output_fnc, and the state is that of a time between communication steps.
#include "runtime/fmi/instance.h"

#include "runtime/abi/fault.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static size_t padded(size_t bytes) {
    return (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT; // never empty
}

Fmu *tml_fmu_create(const char *name) {
    size_t count;
    const tml_model *model = tml_models(&count);
    size_t state = padded(model->state_bytes);
    size_t outputs = padded(model->outputs_bytes);
    size_t bytes =
        3 * state + padded(model->params_bytes) + padded(model->inputs_bytes) + 2 * outputs;
    Fmu *fmu = calloc(1, sizeof(Fmu));
    char *memory = aligned_alloc(ALIGNMENT, bytes);
    size_t length = strlen(name) + 1;
    char *copy = malloc(length);
    if (!fmu || !memory || !copy) {
        free(fmu);
        free(memory);
        free(copy);
        return NULL;
    }
    memset(memory, 0, bytes);
    fmu->model = model;
    fmu->state = memory;
    fmu->shown = fmu->state + state;
    fmu->spare = fmu->shown + state;
    fmu->params = fmu->spare + state;
    fmu->inputs = fmu->params + padded(model->params_bytes);
    fmu->outputs = fmu->inputs + padded(model->inputs_bytes);
    fmu->spare_outputs = fmu->outputs + outputs;
    fmu->name = memcpy(copy, name, length);
    tml_fmu_reset(fmu);
    return fmu;
}

void tml_fmu_reset(Fmu *fmu) {
    const tml_model *model = fmu->model;
    memset(fmu->state, 0, model->state_bytes);
    memset(fmu->outputs, 0, model->outputs_bytes);
    memset(fmu->inputs, 0, model->inputs_bytes);
    if (model->inputs_defaults) {
        memcpy(fmu->inputs, model->inputs_defaults, model->inputs_bytes);
    }
    memcpy(fmu->params, model->defaults, model->params_bytes);
    fmu->phase = FMU_INSTANTIATED;
    fmu->time = 0;
    fmu->stop = INFINITY;
    fmu->steps = 0;
    fmu->is_set_up = false;
    fmu->has_shown = false;
    fmu->is_stale = true;
    fmu->is_trapped = false;
    fmu->is_begun = false;
}

static const struct {
    const char *name;
    unsigned bit;
} log_categories[] = {{"logStatusError", FMU_LOG_ERROR}, {"logStatusDiscard", FMU_LOG_DISCARD}};

enum { REPORT_BYTES = 2 * TML_FAULT_TEXT_BYTES }; // a trap and the path of its source

// Between two `#` importers read value references; one that is meant stands twice.
__attribute__((format(printf, 3, 0))) static FmuStatus
report(const Fmu *fmu, FmuStatus status, const char *format, va_list arguments) {
    char text[REPORT_BYTES], doubled[2 * REPORT_BYTES];
    size_t len = 0;
    vsnprintf(text, sizeof text, format, arguments);
    for (const char *at = text; *at != '\0'; at++) {
        doubled[len++] = *at;
        if (*at == '#') {
            doubled[len++] = '#';
        }
    }
    doubled[len] = '\0';
    size_t i = status == FMU_DISCARD;
    if (fmu->logs & log_categories[i].bit) {
        fmu->tell(fmu, status, log_categories[i].name, doubled);
    }
    return status;
}

FmuStatus tml_fmu_fail(Fmu *fmu, const char *format, ...) {
    fmu->phase = FMU_FAILED;
    va_list arguments;
    va_start(arguments, format);
    FmuStatus status = report(fmu, FMU_ERROR, format, arguments);
    va_end(arguments);
    return status;
}

FmuStatus tml_fmu_discard(Fmu *fmu, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    FmuStatus status = report(fmu, FMU_DISCARD, format, arguments);
    va_end(arguments);
    return status;
}

static const char *phase_text(FmuPhase phase) {
    switch (phase) {
    case FMU_INSTANTIATED: return "before the initialization";
    case FMU_INITIALIZATION: return "in the initialization";
    case FMU_STEPS: return "between steps";
    case FMU_TERMINATED: return "after the end";
    case FMU_FAILED: return "after an error";
    case FMU_ENDED:
    case FMU_ANY: break;
    }
    return "";
}

bool tml_fmu_may(Fmu *fmu, unsigned phases, const char *function) {
    if (!fmu) {
        return false;
    }
    if ((phases & (unsigned)fmu->phase) == 0) {
        tml_fmu_fail(fmu, "%s may not be called %s", function, phase_text(fmu->phase));
        return false;
    }
    return true;
}

// 0: there is none of this name.
static unsigned category_bit(const char *name) {
    for (size_t i = 0; name && i < sizeof log_categories / sizeof log_categories[0]; i++) {
        if (strcmp(name, log_categories[i].name) == 0) {
            return log_categories[i].bit;
        }
    }
    return 0;
}

FmuStatus tml_fmu_log(Fmu *fmu, bool is_on, size_t count, const char *const *names) {
    unsigned chosen = count == 0 ? FMU_LOG_ALL : 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = names ? names[i] : NULL;
        unsigned bit = category_bit(name);
        if (bit == 0) {
            return tml_fmu_fail(fmu, "there is no log category `%s`", name ? name : "(null)");
        }
        chosen |= bit;
    }
    fmu->logs = is_on ? chosen : fmu->logs & ~chosen;
    return FMU_OK;
}

// Running.

// What a function of the model returned, which worked on `state`.
static FmuStatus ended(Fmu *fmu, tml_status status, const char *state) {
    if (status == TML_OK) {
        return FMU_OK;
    }
    const tml_model *model = fmu->model;
    tml_fault fault;
    memcpy(&fault, state + model->fault_offset, sizeof fault);
    char text[TML_FAULT_TEXT_BYTES];
    tml_fault_text(text, &fault, model->texts);
    return tml_fmu_fail(fmu, "%s:%u:%u: trap[E%d]: %s (step %llu)", model->files[fault.file],
                        (unsigned)fault.line, (unsigned)fault.column, (int)status, text,
                        (unsigned long long)fmu->steps);
}

static FmuStatus run_init(Fmu *fmu) {
    fmu->has_shown = false;
    fmu->is_stale = true;
    memset(fmu->state, 0, fmu->model->state_bytes);
    FmuStatus status = ended(fmu, fmu->model->init(fmu->state, fmu->params), fmu->state);
    fmu->is_begun = status == FMU_OK;
    return status;
}

static void swap(char **a, char **b) {
    char *kept = *a;
    *a = *b;
    *b = kept;
}

static FmuStatus run_output(Fmu *fmu) {
    const tml_model *model = fmu->model;
    memcpy(fmu->spare, fmu->state, model->state_bytes);
    tml_status status = model->output(fmu->spare, fmu->params, fmu->inputs, fmu->spare_outputs);
    if (status == TML_OK) {
        swap(&fmu->shown, &fmu->spare);
        swap(&fmu->outputs, &fmu->spare_outputs);
        fmu->has_shown = true;
        fmu->is_stale = false;
        return FMU_OK;
    }
    fmu->is_trapped = true;
    // What ended the instance has been told; here it shows what it can.
    return fmu->phase == FMU_FAILED ? FMU_OK : ended(fmu, status, fmu->spare);
}

// Computes values, or keeps the last ones where that cannot be done any more.
static FmuStatus refresh(Fmu *fmu, const char *name) {
    if (fmu->phase == FMU_INITIALIZATION && !fmu->is_begun && run_init(fmu) != FMU_OK) {
        return FMU_ERROR;
    }
    if (fmu->is_stale && fmu->is_begun && !fmu->is_trapped && run_output(fmu) != FMU_OK) {
        return FMU_ERROR;
    }
    return fmu->has_shown ? FMU_OK
                          : tml_fmu_fail(fmu, "`%s` has no value: none was computed", name);
}

FmuStatus tml_fmu_begin(Fmu *fmu, double start, double stop) {
    if (!isfinite(start) || !(stop >= start)) {
        return tml_fmu_fail(fmu, "the simulation cannot last from %g to %g", start, stop);
    }
    fmu->time = start;
    fmu->stop = stop;
    fmu->phase = FMU_INITIALIZATION;
    return run_init(fmu);
}

FmuStatus tml_fmu_finish_begin(Fmu *fmu) {
    FmuStatus status = fmu->is_begun ? FMU_OK : run_init(fmu);
    if (status == FMU_OK) {
        fmu->phase = FMU_STEPS;
    }
    return status;
}

// The steps in `span` seconds; 0 when that is no whole number.
static uint64_t whole_steps(double span, double slack) {
    const double most = 1e15;
    double count = round(span / tml_fmi_step);
    bool is_whole = count >= 1 && count <= most && fabs(span - count * tml_fmi_step) <= slack;
    return is_whole ? (uint64_t)count : 0;
}

// All of them or, after a trap, none.
static FmuStatus run_steps(Fmu *fmu, uint64_t count) {
    const tml_model *model = fmu->model;
    uint64_t first = fmu->steps;
    memcpy(fmu->spare, fmu->state, model->state_bytes);
    for (; count > 0; count--) {
        tml_status status = model->step(fmu->state, fmu->params, fmu->inputs, fmu->spare_outputs);
        if (status != TML_OK) {
            ended(fmu, status, fmu->state);
            memcpy(fmu->state, fmu->spare, model->state_bytes);
            fmu->steps = first;
            return FMU_ERROR;
        }
        fmu->steps++;
    }
    fmu->is_stale = true;
    fmu->is_trapped = false;
    return FMU_OK;
}

// How far a time may be from where it should be, since importers add up decimals that are rounded
// to binary: a few distances of doubles at that time, though never more than a share of a step.
// Where a step itself is only a few distances long, differences of times do not tell how many there
// are.
static double slack_at(double time, double share) {
    return 1e-6 * tml_fmi_step + fmin(4 * DBL_EPSILON * fabs(time), share * tml_fmi_step);
}

FmuStatus tml_fmu_step(Fmu *fmu, double time, double span) {
    double slack = slack_at(fmu->time, 0.5);
    if (!(fabs(time - fmu->time) <= slack)) {
        return tml_fmu_fail(fmu, "a step from time %.17g on is wanted, but it is %.17g", time,
                            fmu->time);
    }
    uint64_t count = whole_steps(span, slack_at(fmu->time, 0.01));
    if (count == 0) {
        return tml_fmu_discard(
            fmu, "the communication step %.17g is no whole multiple of the model's, %.17g", span,
            tml_fmi_step);
    }
    if (time + span > fmu->stop + slack) {
        return tml_fmu_fail(fmu, "a step to time %.17g goes past the end, %.17g", time + span,
                            fmu->stop);
    }
    FmuStatus status = run_steps(fmu, count);
    fmu->time = status == FMU_OK ? time + span : fmu->time;
    return status;
}

// Values.

size_t tml_fmu_count(const tml_variable *variable) {
    size_t count = 1;
    for (size_t k = 0; variable->type && k < variable->type->flat_rank; k++) {
        count *= variable->type->dims[k];
    }
    return count;
}

const void *tml_fmu_value(Fmu *fmu, const tml_variable *variable) {
    switch ((tml_role)variable->role) {
    case TML_CONSTANT: return variable->value;
    case TML_INPUT: return fmu->inputs + variable->offset;
    case TML_PARAM: return fmu->params + variable->offset;
    case TML_OUTPUT:
    case TML_VARIABLE:
    case TML_DEBUG: break;
    }
    if (fmu->phase == FMU_INSTANTIATED) {
        tml_fmu_fail(fmu, "`%s` has no value before the initialization", variable->name);
        return NULL;
    }
    if (refresh(fmu, variable->name) != FMU_OK) {
        return NULL;
    }
    // Signals of `debug` are those of the last step.
    const char *from = variable->role == TML_OUTPUT  ? fmu->outputs
                       : variable->role == TML_DEBUG ? fmu->state
                                                     : fmu->shown;
    return from + variable->offset;
}

void *tml_fmu_place(Fmu *fmu, const tml_variable *variable) {
    bool is_param = variable->role == TML_PARAM;
    if (!is_param && variable->role != TML_INPUT) {
        tml_fmu_fail(fmu, "`%s` is neither an input nor a tunable parameter", variable->name);
        return NULL;
    }
    fmu->is_stale = true;
    fmu->is_trapped = false;
    fmu->is_begun = fmu->is_begun && !(is_param && fmu->phase == FMU_INITIALIZATION);
    return (is_param ? fmu->params : fmu->inputs) + variable->offset;
}
