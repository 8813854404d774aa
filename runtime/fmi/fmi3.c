// FMI 3.0 for co-simulation. Value reference 0 is the time, i + 1 is variable i of the model's
// table; a tensor is one variable. There are no events, clocks, derivatives, and no early returns.
#include "runtime/fmi/fmi3.h"
#include "runtime/fmi/instance.h"

#include <math.h>
#include <string.h>

// Who links the functions of several models into one program gives them prefixes, as the standard's
// headers have it.
#define FMI_JOIN_WORDS(prefix, name) prefix##name
#define FMI_JOIN(prefix, name) FMI_JOIN_WORDS(prefix, name)
#if defined(FMI3_FUNCTION_PREFIX) && !defined(FMI3_OVERRIDE_FUNCTION_PREFIX)
#define FMI(name) FMI_JOIN(FMI3_FUNCTION_PREFIX, name)
#else
#define FMI(name) name
#endif
#define FMI_FUNCTION __attribute__((visibility("default")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes" // importers find them by name

static const char error_category[] = "logStatusError";

static void tell(const Fmu *fmu, FmuStatus status, const char *category, const char *text) {
    fmi3LogMessageCallback *log = (fmi3LogMessageCallback *)fmu->callback;
    if (log) {
        log(fmu->environment, (fmi3Status)status, category, text);
    }
}

FMI_FUNCTION fmi3String FMI(fmi3GetVersion)(void) {
    return "3.0";
}

// The life of an instance.

FMI_FUNCTION fmi3Instance FMI(fmi3InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logs, bool events,
    bool early_return, const fmi3ValueReference *required, size_t required_count,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log, void (*update)(void)) {
    (void)resources, (void)visible, (void)early_return, (void)required, (void)update;
    const char *why = NULL;
    Fmu *fmu = NULL;
    if (!token || strcmp(token, tml_fmi_token) != 0) {
        why =
            "the instantiation token is another one: modelDescription.xml and the library were not "
            "made together";
    } else if (!name || name[0] == '\0') {
        why = "the instance has no name";
    } else if (events || required_count > 0) {
        why = "the model has neither events nor intermediate updates";
    } else {
        fmu = tml_fmu_create(name);
        why = fmu ? NULL : "there is no memory for an instance";
    }
    if (why) {
        if (log && logs) {
            log(environment, FMU_ERROR, error_category, why);
        }
        return NULL;
    }
    fmu->tell = tell;
    fmu->callback = (void (*)(void))log;
    fmu->environment = environment;
    fmu->logs = logs ? FMU_LOG_ALL : 0;
    return fmu;
}

FMI_FUNCTION void FMI(fmi3FreeInstance)(fmi3Instance instance) {
    if (instance) {
        tml_fmu_free(instance);
    }
}

FMI_FUNCTION fmi3Status FMI(fmi3SetDebugLogging)(fmi3Instance instance, bool logs, size_t count,
                                                 const fmi3String *categories) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi3SetDebugLogging");
    return may ? (fmi3Status)tml_fmu_log(instance, logs, count, categories) : FMU_ERROR;
}

FMI_FUNCTION fmi3Status FMI(fmi3EnterInitializationMode)(fmi3Instance instance, bool has_tolerance,
                                                         double tolerance, double start,
                                                         bool has_stop, double stop) {
    (void)has_tolerance, (void)tolerance;
    if (!tml_fmu_may(instance, FMU_INSTANTIATED, "fmi3EnterInitializationMode")) {
        return FMU_ERROR;
    }
    return (fmi3Status)tml_fmu_begin(instance, start, has_stop ? stop : INFINITY);
}

FMI_FUNCTION fmi3Status FMI(fmi3ExitInitializationMode)(fmi3Instance instance) {
    if (!tml_fmu_may(instance, FMU_INITIALIZATION, "fmi3ExitInitializationMode")) {
        return FMU_ERROR;
    }
    return (fmi3Status)tml_fmu_finish_begin(instance);
}

FMI_FUNCTION fmi3Status FMI(fmi3DoStep)(fmi3Instance instance, double time, double span,
                                        bool is_final, bool *has_events, bool *terminates,
                                        bool *is_early, double *last_time) {
    (void)is_final;
    Fmu *fmu = instance;
    if (!tml_fmu_may(fmu, FMU_STEPS, "fmi3DoStep")) {
        return FMU_ERROR;
    }
    if (!has_events || !terminates || !is_early || !last_time) {
        return (fmi3Status)tml_fmu_fail(fmu, "fmi3DoStep has no place for a result");
    }
    *has_events = *terminates = *is_early = false;
    FmuStatus status = tml_fmu_step(fmu, time, span);
    *last_time = fmu->time;
    return (fmi3Status)status;
}

FMI_FUNCTION fmi3Status FMI(fmi3Terminate)(fmi3Instance instance) {
    Fmu *fmu = instance;
    if (!tml_fmu_may(fmu, FMU_STEPS, "fmi3Terminate")) {
        return FMU_ERROR;
    }
    fmu->phase = FMU_TERMINATED;
    return FMU_OK;
}

FMI_FUNCTION fmi3Status FMI(fmi3Reset)(fmi3Instance instance) {
    if (!tml_fmu_may(instance, FMU_ANY, "fmi3Reset")) {
        return FMU_ERROR;
    }
    tml_fmu_reset(instance);
    return FMU_OK;
}

// Values.

// A type of FMI: a root of the model's variables, and bytes of a scalar, which are the same in
// both.
typedef struct Kind {
    const char *name;
    tml_root root;
    size_t bytes;
} Kind;

static const Kind float64 = {"Float64", TML_REAL, sizeof(double)};
static const Kind float32 = {"Float32", TML_REAL, sizeof(float)};
static const Kind int32 = {"Int32", TML_INT, sizeof(int32_t)};
static const Kind uint32 = {"UInt32", TML_UINT, sizeof(uint32_t)};
static const Kind boolean = {"Boolean", TML_BOOL, sizeof(bool)};

// The variable, if it is of this type; NULL, after an error, if not.
static const tml_variable *find(Fmu *fmu, fmi3ValueReference reference, const Kind *kind) {
    const tml_model *model = fmu->model;
    if (reference == 0 || reference > model->variable_count) {
        tml_fmu_fail(fmu, "there is no %s with value reference %u", kind->name,
                     (unsigned)reference);
        return NULL;
    }
    const tml_variable *variable = &model->variables[reference - 1];
    const tml_type *type = variable->type;
    bool is_such = type && type->root == (uint8_t)kind->root &&
                   (type->root != TML_REAL || type->real_bytes == kind->bytes);
    if (!is_such) {
        tml_fmu_fail(fmu, "`%s` is no %s", variable->name, kind->name);
        return NULL;
    }
    return variable;
}

// Whether a call has arrays for what it counts.
static bool has_arrays(Fmu *fmu, const void *references, size_t count, const void *values,
                       size_t value_count) {
    bool good = (references || count == 0) && (values || value_count == 0);
    if (!good) {
        tml_fmu_fail(fmu, "an array of value references or values is missing");
    }
    return good;
}

static FmuStatus wrong_count(Fmu *fmu, size_t count) {
    return tml_fmu_fail(fmu, "the variables have another number of values than %zu", count);
}

static bool is_time(const Kind *kind, fmi3ValueReference reference) {
    return kind == &float64 && reference == 0;
}

static fmi3Status get(Fmu *fmu, const Kind *kind, const fmi3ValueReference *references,
                      size_t count, void *values, size_t value_count) {
    if (!tml_fmu_may(fmu, FMU_ANY, "fmi3Get") ||
        !has_arrays(fmu, references, count, values, value_count)) {
        return FMU_ERROR;
    }
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        const tml_variable *variable = NULL;
        const void *from = &fmu->time;
        size_t scalars = 1;
        if (!is_time(kind, references[i])) {
            variable = find(fmu, references[i], kind);
            from = variable ? tml_fmu_value(fmu, variable) : NULL;
            if (!from) {
                return FMU_ERROR;
            }
            scalars = tml_fmu_count(variable);
        }
        if (scalars > value_count - done) {
            return (fmi3Status)wrong_count(fmu, value_count);
        }
        memcpy((char *)values + done * kind->bytes, from, scalars * kind->bytes);
        done += scalars;
    }
    return done == value_count ? FMU_OK : (fmi3Status)wrong_count(fmu, value_count);
}

// Any byte but 0 is true; the model wants 1.
static void put(const Kind *kind, void *to, const void *from, size_t scalars) {
    memcpy(to, from, scalars * kind->bytes);
    for (size_t i = 0; kind == &boolean && i < scalars; i++) {
        ((uint8_t *)to)[i] = ((uint8_t *)to)[i] != 0;
    }
}

static fmi3Status set(Fmu *fmu, const Kind *kind, const fmi3ValueReference *references,
                      size_t count, const void *values, size_t value_count) {
    if (!tml_fmu_may(fmu, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEPS, "fmi3Set") ||
        !has_arrays(fmu, references, count, values, value_count)) {
        return FMU_ERROR;
    }
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        const tml_variable *variable = find(fmu, references[i], kind);
        void *to = variable ? tml_fmu_place(fmu, variable) : NULL;
        if (!to) {
            return FMU_ERROR;
        }
        size_t scalars = tml_fmu_count(variable);
        if (scalars > value_count - done) {
            return (fmi3Status)wrong_count(fmu, value_count);
        }
        put(kind, to, (const char *)values + done * kind->bytes, scalars);
        done += scalars;
    }
    return done == value_count ? FMU_OK : (fmi3Status)wrong_count(fmu, value_count);
}

#define ACCESS(name, type, kind)                                                                   \
    FMI_FUNCTION fmi3Status FMI(fmi3Get##name)(fmi3Instance instance,                              \
                                               const fmi3ValueReference *references, size_t count, \
                                               type *values, size_t value_count) {                 \
        return get(instance, &(kind), references, count, values, value_count);                     \
    }                                                                                              \
    FMI_FUNCTION fmi3Status FMI(fmi3Set##name)(fmi3Instance instance,                              \
                                               const fmi3ValueReference *references, size_t count, \
                                               const type *values, size_t value_count) {           \
        return set(instance, &(kind), references, count, values, value_count);                     \
    }

ACCESS(Float64, double, float64)
ACCESS(Float32, float, float32)
ACCESS(Int32, int32_t, int32)
ACCESS(UInt32, uint32_t, uint32)
ACCESS(Boolean, bool, boolean)

FMI_FUNCTION fmi3Status FMI(fmi3GetString)(fmi3Instance instance,
                                           const fmi3ValueReference *references, size_t count,
                                           fmi3String *values, size_t value_count) {
    Fmu *fmu = instance;
    if (!tml_fmu_may(fmu, FMU_ANY, "fmi3GetString") ||
        !has_arrays(fmu, references, count, values, value_count)) {
        return FMU_ERROR;
    }
    if (count != value_count) {
        return (fmi3Status)wrong_count(fmu, value_count);
    }
    for (size_t i = 0; i < count; i++) {
        const tml_model *model = fmu->model;
        bool is_text = references[i] > 0 && references[i] <= model->variable_count &&
                       !model->variables[references[i] - 1].type;
        if (!is_text) {
            return (fmi3Status)tml_fmu_fail(fmu, "there is no String with value reference %u",
                                            (unsigned)references[i]);
        }
        values[i] = model->variables[references[i] - 1].value;
    }
    return FMU_OK;
}

// Snapshots.

FMI_FUNCTION fmi3Status FMI(fmi3GetFMUState)(fmi3Instance instance, fmi3FMUState *state) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi3GetFMUState");
    return may ? (fmi3Status)tml_fmu_take(instance, state) : FMU_ERROR;
}

FMI_FUNCTION fmi3Status FMI(fmi3SetFMUState)(fmi3Instance instance, fmi3FMUState state) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi3SetFMUState");
    return may ? (fmi3Status)tml_fmu_restore(instance, state) : FMU_ERROR;
}

FMI_FUNCTION fmi3Status FMI(fmi3FreeFMUState)(fmi3Instance instance, fmi3FMUState *state) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi3FreeFMUState");
    return may ? (fmi3Status)tml_fmu_drop(instance, state) : FMU_ERROR;
}

FMI_FUNCTION fmi3Status FMI(fmi3SerializedFMUStateSize)(fmi3Instance instance, fmi3FMUState state,
                                                        size_t *size) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi3SerializedFMUStateSize");
    return may ? (fmi3Status)tml_fmu_bytes(instance, state, size) : FMU_ERROR;
}

FMI_FUNCTION fmi3Status FMI(fmi3SerializeFMUState)(fmi3Instance instance, fmi3FMUState state,
                                                   uint8_t *bytes, size_t size) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi3SerializeFMUState");
    return may ? (fmi3Status)tml_fmu_write(instance, state, bytes, size) : FMU_ERROR;
}

FMI_FUNCTION fmi3Status FMI(fmi3DeserializeFMUState)(fmi3Instance instance, const uint8_t *bytes,
                                                     size_t size, fmi3FMUState *state) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi3DeserializeFMUState");
    return may ? (fmi3Status)tml_fmu_read(instance, bytes, size, state) : FMU_ERROR;
}

// What there is not.

// Importers look for all functions; those of parts that modelDescription.xml does not offer are an
// error, whatever their arguments.
#define ABSENT(name)                                                                    \
    FMI_FUNCTION fmi3Status FMI(name)(fmi3Instance instance) {                          \
        return instance ? (fmi3Status)tml_fmu_fail(instance, "the model has no " #name) \
                        : FMU_ERROR;                                                    \
    }
#define NO_INSTANCE(name)                       \
    FMI_FUNCTION fmi3Instance FMI(name)(void) { \
        return NULL;                            \
    }

NO_INSTANCE(fmi3InstantiateModelExchange)
NO_INSTANCE(fmi3InstantiateScheduledExecution)
ABSENT(fmi3GetInt8)
ABSENT(fmi3SetInt8)
ABSENT(fmi3GetUInt8)
ABSENT(fmi3SetUInt8)
ABSENT(fmi3GetInt16)
ABSENT(fmi3SetInt16)
ABSENT(fmi3GetUInt16)
ABSENT(fmi3SetUInt16)
ABSENT(fmi3GetInt64)
ABSENT(fmi3SetInt64)
ABSENT(fmi3GetUInt64)
ABSENT(fmi3SetUInt64)
ABSENT(fmi3SetString)
ABSENT(fmi3GetBinary)
ABSENT(fmi3SetBinary)
ABSENT(fmi3GetClock)
ABSENT(fmi3SetClock)
ABSENT(fmi3GetNumberOfVariableDependencies)
ABSENT(fmi3GetVariableDependencies)
ABSENT(fmi3GetDirectionalDerivative)
ABSENT(fmi3GetAdjointDerivative)
ABSENT(fmi3EnterConfigurationMode)
ABSENT(fmi3ExitConfigurationMode)
ABSENT(fmi3EnterEventMode)
ABSENT(fmi3EnterStepMode)
ABSENT(fmi3GetIntervalDecimal)
ABSENT(fmi3GetIntervalFraction)
ABSENT(fmi3GetShiftDecimal)
ABSENT(fmi3GetShiftFraction)
ABSENT(fmi3SetIntervalDecimal)
ABSENT(fmi3SetIntervalFraction)
ABSENT(fmi3SetShiftDecimal)
ABSENT(fmi3SetShiftFraction)
ABSENT(fmi3EvaluateDiscreteStates)
ABSENT(fmi3UpdateDiscreteStates)
ABSENT(fmi3EnterContinuousTimeMode)
ABSENT(fmi3CompletedIntegratorStep)
ABSENT(fmi3SetTime)
ABSENT(fmi3SetContinuousStates)
ABSENT(fmi3GetContinuousStateDerivatives)
ABSENT(fmi3GetEventIndicators)
ABSENT(fmi3GetContinuousStates)
ABSENT(fmi3GetNominalsOfContinuousStates)
ABSENT(fmi3GetNumberOfEventIndicators)
ABSENT(fmi3GetNumberOfContinuousStates)
ABSENT(fmi3GetOutputDerivatives)
ABSENT(fmi3ActivateModelPartition)
