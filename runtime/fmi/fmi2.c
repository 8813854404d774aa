// FMI 2.0 for co-simulation. Each scalar of the model's table has a value reference of its own, in
// the order of the table, from 1 on; those of a tensor follow one another. There are no
// derivatives, and steps are never pending.
#include "runtime/fmi/fmi2.h"
#include "runtime/fmi/instance.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Who links the functions of several models into one program gives them prefixes, as the standard's
// headers have it.
#define FMI_JOIN_WORDS(prefix, name) prefix##name
#define FMI_JOIN(prefix, name) FMI_JOIN_WORDS(prefix, name)
#if defined(FMI2_FUNCTION_PREFIX) && !defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#define FMI(name) FMI_JOIN(FMI2_FUNCTION_PREFIX, name)
#else
#define FMI(name) name
#endif
#define FMI_FUNCTION __attribute__((visibility("default")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes" // importers find them by name

// What an importer turns on and off is logging for debugging.
enum { ALWAYS_TOLD = FMU_LOG_ERROR };

static const char error_category[] = "logStatusError";

static void tell(const Fmu *fmu, FmuStatus status, const char *category, const char *text) {
    fmi2Logger *log = (fmi2Logger *)fmu->callback;
    if (log) {
        log(fmu->environment, fmu->name, (fmi2Status)status, category, "%s", text);
    }
}

FMI_FUNCTION fmi2String FMI(fmi2GetTypesPlatform)(void) {
    return "default";
}

FMI_FUNCTION fmi2String FMI(fmi2GetVersion)(void) {
    return "2.0";
}

// The life of an instance.

FMI_FUNCTION fmi2Component FMI(fmi2Instantiate)(fmi2String name, int type, fmi2String guid,
                                                fmi2String resources,
                                                const fmi2CallbackFunctions *callbacks,
                                                fmi2Boolean visible, fmi2Boolean logs) {
    (void)resources, (void)visible;
    const char *why = NULL;
    Fmu *fmu = NULL;
    if (!guid || strcmp(guid, tml_fmi_token) != 0) {
        why =
            "the guid is another one: modelDescription.xml and the library were not made together";
    } else if (!name || name[0] == '\0') {
        why = "the instance has no name";
    } else if (type != fmi2CoSimulation) {
        why = "the model is made for co-simulation only";
    } else {
        fmu = tml_fmu_create(name);
        why = fmu ? NULL : "there is no memory for an instance";
    }
    if (why) {
        if (callbacks && callbacks->logger) {
            callbacks->logger(callbacks->componentEnvironment, name ? name : "", FMU_ERROR,
                              error_category, "%s", why);
        }
        return NULL;
    }
    fmu->tell = tell;
    fmu->callback = callbacks ? (void (*)(void))callbacks->logger : NULL;
    fmu->environment = callbacks ? callbacks->componentEnvironment : NULL;
    fmu->logs = logs ? FMU_LOG_ALL : ALWAYS_TOLD;
    return fmu;
}

FMI_FUNCTION void FMI(fmi2FreeInstance)(fmi2Component instance) {
    if (instance) {
        tml_fmu_free(instance);
    }
}

FMI_FUNCTION fmi2Status FMI(fmi2SetDebugLogging)(fmi2Component instance, fmi2Boolean logs,
                                                 size_t count, const fmi2String *categories) {
    Fmu *fmu = instance;
    if (!tml_fmu_may(fmu, FMU_ANY, "fmi2SetDebugLogging")) {
        return FMU_ERROR;
    }
    FmuStatus status = tml_fmu_log(fmu, logs != 0, count, categories);
    fmu->logs |= ALWAYS_TOLD;
    return (fmi2Status)status;
}

FMI_FUNCTION fmi2Status FMI(fmi2SetupExperiment)(fmi2Component instance, fmi2Boolean has_tolerance,
                                                 fmi2Real tolerance, fmi2Real start,
                                                 fmi2Boolean has_stop, fmi2Real stop) {
    (void)has_tolerance, (void)tolerance;
    Fmu *fmu = instance;
    if (!tml_fmu_may(fmu, FMU_INSTANTIATED, "fmi2SetupExperiment")) {
        return FMU_ERROR;
    }
    fmu->time = start;
    fmu->stop = has_stop ? stop : INFINITY;
    fmu->is_set_up = true;
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2EnterInitializationMode)(fmi2Component instance) {
    Fmu *fmu = instance;
    if (!tml_fmu_may(fmu, FMU_INSTANTIATED, "fmi2EnterInitializationMode")) {
        return FMU_ERROR;
    }
    if (!fmu->is_set_up) {
        return (fmi2Status)tml_fmu_fail(
            fmu, "fmi2EnterInitializationMode may not be called before fmi2SetupExperiment");
    }
    return (fmi2Status)tml_fmu_begin(fmu, fmu->time, fmu->stop);
}

FMI_FUNCTION fmi2Status FMI(fmi2ExitInitializationMode)(fmi2Component instance) {
    if (!tml_fmu_may(instance, FMU_INITIALIZATION, "fmi2ExitInitializationMode")) {
        return FMU_ERROR;
    }
    return (fmi2Status)tml_fmu_finish_begin(instance);
}

FMI_FUNCTION fmi2Status FMI(fmi2DoStep)(fmi2Component instance, fmi2Real time, fmi2Real span,
                                        fmi2Boolean is_final) {
    (void)is_final;
    bool may = tml_fmu_may(instance, FMU_STEPS, "fmi2DoStep");
    return may ? (fmi2Status)tml_fmu_step(instance, time, span) : FMU_ERROR;
}

FMI_FUNCTION fmi2Status FMI(fmi2Terminate)(fmi2Component instance) {
    Fmu *fmu = instance;
    if (!tml_fmu_may(fmu, FMU_STEPS, "fmi2Terminate")) {
        return FMU_ERROR;
    }
    fmu->phase = FMU_TERMINATED;
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2Reset)(fmi2Component instance) {
    if (!tml_fmu_may(instance, FMU_ANY, "fmi2Reset")) {
        return FMU_ERROR;
    }
    tml_fmu_reset(instance);
    return FMU_OK;
}

// Values.

// Types of FMI; FMI_STRING is that of texts.
typedef enum Kind { FMI_REAL, FMI_INTEGER, FMI_BOOLEAN, FMI_STRING } Kind;

static const char *kind_text(Kind kind) {
    static const char *const texts[] = {"Real", "Integer", "Boolean", "String"};
    return texts[kind];
}

static Kind kind_of(const tml_variable *variable) {
    if (!variable->type) {
        return FMI_STRING;
    }
    switch ((tml_root)variable->type->root) {
    case TML_BOOL: return FMI_BOOLEAN;
    case TML_UINT:
    case TML_INT: return FMI_INTEGER;
    case TML_REAL: break;
    }
    return FMI_REAL;
}

static size_t scalar_bytes(const tml_type *type) {
    return type->root == TML_BOOL ? 1 : type->root == TML_REAL ? type->real_bytes : 4;
}

// A scalar of a variable.
typedef struct Scalar {
    const tml_variable *variable;
    size_t offset; // bytes into the value
} Scalar;

// False, after an error, where there is none of this type.
static bool find(Fmu *fmu, fmi2ValueReference reference, Kind kind, Scalar *scalar) {
    const tml_model *model = fmu->model;
    size_t first = 1;
    for (size_t i = 0; i < model->variable_count && reference >= first; i++) {
        const tml_variable *variable = &model->variables[i];
        size_t count = tml_fmu_count(variable);
        if (reference - first < count && kind_of(variable) == kind) {
            size_t bytes = variable->type ? scalar_bytes(variable->type) : 0;
            *scalar = (Scalar){variable, (reference - first) * bytes};
            return true;
        }
        first += count;
    }
    tml_fmu_fail(fmu, "there is no %s with value reference %u", kind_text(kind), reference);
    return false;
}

static bool has_arrays(Fmu *fmu, const void *references, const void *values, size_t count) {
    bool good = count == 0 || (references && values);
    if (!good) {
        tml_fmu_fail(fmu, "an array of value references or values is missing");
    }
    return good;
}

// Where the scalar of a value reference lies; NULL after an error.
static const char *read_place(Fmu *fmu, fmi2ValueReference reference, Kind kind, Scalar *scalar) {
    if (!find(fmu, reference, kind, scalar)) {
        return NULL;
    }
    const char *value = tml_fmu_value(fmu, scalar->variable);
    return value ? value + scalar->offset : NULL;
}

static char *write_place(Fmu *fmu, fmi2ValueReference reference, Kind kind, Scalar *scalar) {
    if (!find(fmu, reference, kind, scalar)) {
        return NULL;
    }
    char *place = tml_fmu_place(fmu, scalar->variable);
    return place ? place + scalar->offset : NULL;
}

enum {
    READ_PHASES = FMU_INITIALIZATION | FMU_STEPS | FMU_ENDED,
    WRITE_PHASES = FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_STEPS
};

FMI_FUNCTION fmi2Status FMI(fmi2GetReal)(fmi2Component instance,
                                         const fmi2ValueReference *references, size_t count,
                                         fmi2Real *values) {
    if (!tml_fmu_may(instance, READ_PHASES, "fmi2GetReal") ||
        !has_arrays(instance, references, values, count)) {
        return FMU_ERROR;
    }
    for (size_t i = 0; i < count; i++) {
        Scalar scalar;
        const char *from = read_place(instance, references[i], FMI_REAL, &scalar);
        if (!from) {
            return FMU_ERROR;
        }
        if (scalar.variable->type->real_bytes == sizeof(float)) {
            float single;
            memcpy(&single, from, sizeof single);
            values[i] = (double)single;
        } else {
            memcpy(&values[i], from, sizeof(double));
        }
    }
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2SetReal)(fmi2Component instance,
                                         const fmi2ValueReference *references, size_t count,
                                         const fmi2Real *values) {
    if (!tml_fmu_may(instance, WRITE_PHASES, "fmi2SetReal") ||
        !has_arrays(instance, references, values, count)) {
        return FMU_ERROR;
    }
    for (size_t i = 0; i < count; i++) {
        Scalar scalar;
        char *to = write_place(instance, references[i], FMI_REAL, &scalar);
        if (!to) {
            return FMU_ERROR;
        }
        if (scalar.variable->type->real_bytes == sizeof(float)) {
            memcpy(to, &(float){(float)values[i]}, sizeof(float));
        } else {
            memcpy(to, &values[i], sizeof(double));
        }
    }
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2GetInteger)(fmi2Component instance,
                                            const fmi2ValueReference *references, size_t count,
                                            fmi2Integer *values) {
    if (!tml_fmu_may(instance, READ_PHASES, "fmi2GetInteger") ||
        !has_arrays(instance, references, values, count)) {
        return FMU_ERROR;
    }
    for (size_t i = 0; i < count; i++) {
        Scalar scalar;
        const char *from = read_place(instance, references[i], FMI_INTEGER, &scalar);
        if (!from) {
            return FMU_ERROR;
        }
        uint32_t bits;
        memcpy(&bits, from, sizeof bits);
        if (scalar.variable->type->root == TML_UINT && bits > INT_MAX) {
            return (fmi2Status)tml_fmu_discard(instance,
                                               "`%s` is %u, and FMI 2 has no numbers beyond %d",
                                               scalar.variable->name, (unsigned)bits, INT_MAX);
        }
        values[i] = (fmi2Integer)bits;
    }
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2SetInteger)(fmi2Component instance,
                                            const fmi2ValueReference *references, size_t count,
                                            const fmi2Integer *values) {
    if (!tml_fmu_may(instance, WRITE_PHASES, "fmi2SetInteger") ||
        !has_arrays(instance, references, values, count)) {
        return FMU_ERROR;
    }
    for (size_t i = 0; i < count; i++) {
        Scalar scalar;
        char *to = write_place(instance, references[i], FMI_INTEGER, &scalar);
        if (!to) {
            return FMU_ERROR;
        }
        if (scalar.variable->type->root == TML_UINT && values[i] < 0) {
            return (fmi2Status)tml_fmu_fail(instance, "`%s` is a uint and cannot be %d",
                                            scalar.variable->name, values[i]);
        }
        memcpy(to, &values[i], sizeof(int32_t));
    }
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2GetBoolean)(fmi2Component instance,
                                            const fmi2ValueReference *references, size_t count,
                                            fmi2Boolean *values) {
    if (!tml_fmu_may(instance, READ_PHASES, "fmi2GetBoolean") ||
        !has_arrays(instance, references, values, count)) {
        return FMU_ERROR;
    }
    for (size_t i = 0; i < count; i++) {
        Scalar scalar;
        const char *from = read_place(instance, references[i], FMI_BOOLEAN, &scalar);
        if (!from) {
            return FMU_ERROR;
        }
        values[i] = (uint8_t)*from;
    }
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2SetBoolean)(fmi2Component instance,
                                            const fmi2ValueReference *references, size_t count,
                                            const fmi2Boolean *values) {
    if (!tml_fmu_may(instance, WRITE_PHASES, "fmi2SetBoolean") ||
        !has_arrays(instance, references, values, count)) {
        return FMU_ERROR;
    }
    for (size_t i = 0; i < count; i++) {
        Scalar scalar;
        char *to = write_place(instance, references[i], FMI_BOOLEAN, &scalar);
        if (!to) {
            return FMU_ERROR;
        }
        *to = values[i] != 0;
    }
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2GetString)(fmi2Component instance,
                                           const fmi2ValueReference *references, size_t count,
                                           fmi2String *values) {
    if (!tml_fmu_may(instance, READ_PHASES, "fmi2GetString") ||
        !has_arrays(instance, references, values, count)) {
        return FMU_ERROR;
    }
    for (size_t i = 0; i < count; i++) {
        Scalar scalar;
        values[i] = read_place(instance, references[i], FMI_STRING, &scalar);
        if (!values[i]) {
            return FMU_ERROR;
        }
    }
    return FMU_OK;
}

// Snapshots.

FMI_FUNCTION fmi2Status FMI(fmi2GetFMUstate)(fmi2Component instance, fmi2FMUstate *state) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi2GetFMUstate");
    return may ? (fmi2Status)tml_fmu_take(instance, state) : FMU_ERROR;
}

FMI_FUNCTION fmi2Status FMI(fmi2SetFMUstate)(fmi2Component instance, fmi2FMUstate state) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi2SetFMUstate");
    return may ? (fmi2Status)tml_fmu_restore(instance, state) : FMU_ERROR;
}

FMI_FUNCTION fmi2Status FMI(fmi2FreeFMUstate)(fmi2Component instance, fmi2FMUstate *state) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi2FreeFMUstate");
    return may ? (fmi2Status)tml_fmu_drop(instance, state) : FMU_ERROR;
}

FMI_FUNCTION fmi2Status FMI(fmi2SerializedFMUstateSize)(fmi2Component instance, fmi2FMUstate state,
                                                        size_t *size) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi2SerializedFMUstateSize");
    return may ? (fmi2Status)tml_fmu_bytes(instance, state, size) : FMU_ERROR;
}

FMI_FUNCTION fmi2Status FMI(fmi2SerializeFMUstate)(fmi2Component instance, fmi2FMUstate state,
                                                   fmi2Byte *bytes, size_t size) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi2SerializeFMUstate");
    return may ? (fmi2Status)tml_fmu_write(instance, state, bytes, size) : FMU_ERROR;
}

FMI_FUNCTION fmi2Status FMI(fmi2DeSerializeFMUstate)(fmi2Component instance, const fmi2Byte *bytes,
                                                     size_t size, fmi2FMUstate *state) {
    bool may = tml_fmu_may(instance, FMU_ANY, "fmi2DeSerializeFMUstate");
    return may ? (fmi2Status)tml_fmu_read(instance, bytes, size, state) : FMU_ERROR;
}

// How the last step ended.

FMI_FUNCTION fmi2Status FMI(fmi2GetRealStatus)(fmi2Component instance, int kind, fmi2Real *value) {
    Fmu *fmu = instance;
    if (!tml_fmu_may(fmu, FMU_STEPS | FMU_ENDED, "fmi2GetRealStatus")) {
        return FMU_ERROR;
    }
    if (kind != fmi2LastSuccessfulTime || !value) {
        return FMU_DISCARD;
    }
    *value = fmu->time;
    return FMU_OK;
}

FMI_FUNCTION fmi2Status FMI(fmi2GetBooleanStatus)(fmi2Component instance, int kind,
                                                  fmi2Boolean *value) {
    if (!tml_fmu_may(instance, FMU_STEPS | FMU_ENDED, "fmi2GetBooleanStatus")) {
        return FMU_ERROR;
    }
    if (kind != fmi2Terminated || !value) {
        return FMU_DISCARD;
    }
    *value = 0;
    return FMU_OK;
}

// Kinds of other types tell of steps that are pending, which none is.
#define NO_STATUS(name)                                                 \
    FMI_FUNCTION fmi2Status FMI(name)(fmi2Component instance) {         \
        bool may = tml_fmu_may(instance, FMU_STEPS | FMU_ENDED, #name); \
        return may ? FMU_DISCARD : FMU_ERROR;                           \
    }

NO_STATUS(fmi2GetStatus)
NO_STATUS(fmi2GetIntegerStatus)
NO_STATUS(fmi2GetStringStatus)

// What there is not.

// Importers look for all functions; those of parts that modelDescription.xml does not offer are an
// error, whatever their arguments.
#define ABSENT(name)                                                                    \
    FMI_FUNCTION fmi2Status FMI(name)(fmi2Component instance) {                         \
        return instance ? (fmi2Status)tml_fmu_fail(instance, "the model has no " #name) \
                        : FMU_ERROR;                                                    \
    }

ABSENT(fmi2SetString)
ABSENT(fmi2GetDirectionalDerivative)
ABSENT(fmi2SetRealInputDerivatives)
ABSENT(fmi2GetRealOutputDerivatives)
ABSENT(fmi2CancelStep)
ABSENT(fmi2EnterEventMode)
ABSENT(fmi2NewDiscreteStates)
ABSENT(fmi2EnterContinuousTimeMode)
ABSENT(fmi2CompletedIntegratorStep)
ABSENT(fmi2SetTime)
ABSENT(fmi2SetContinuousStates)
ABSENT(fmi2GetDerivatives)
ABSENT(fmi2GetEventIndicators)
ABSENT(fmi2GetContinuousStates)
ABSENT(fmi2GetNominalsOfContinuousStates)
