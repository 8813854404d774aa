// Random calls of the functions of FMI, most of them in forbidden order or with wrong arguments:
// sequences COUNT SEED. It is compiled with the sources of an FMU of models/trap.tml, for FMI 2 or
// 3 (-DVERSION=...), under sanitizers. What each call has to answer follows from a model of the
// standards' states, written here once more.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.1
enum { OK, WARNING, DISCARD, ERROR };

// The functions, by one set of names for both versions.

static size_t told;

#if VERSION == 3

typedef void Log(void *environment, int status, const char *category, const char *message);
void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, bool, bool, bool, bool,
                                  const uint32_t *, size_t, void *, Log *, void *);
void fmi3FreeInstance(void *);
int fmi3SetDebugLogging(void *, bool, size_t, const char *const *);
int fmi3EnterInitializationMode(void *, bool, double, double, bool, double);
int fmi3ExitInitializationMode(void *);
int fmi3DoStep(void *, double, double, bool, bool *, bool *, bool *, double *);
int fmi3Terminate(void *);
int fmi3Reset(void *);
int fmi3GetFloat64(void *, const uint32_t *, size_t, double *, size_t);
int fmi3SetFloat64(void *, const uint32_t *, size_t, const double *, size_t);
int fmi3GetInt32(void *, const uint32_t *, size_t, int32_t *, size_t);
int fmi3SetInt32(void *, const uint32_t *, size_t, const int32_t *, size_t);
int fmi3GetFMUState(void *, void **);
int fmi3SetFMUState(void *, void *);
int fmi3FreeFMUState(void *, void **);
int fmi3SerializedFMUStateSize(void *, void *, size_t *);
int fmi3SerializeFMUState(void *, void *, uint8_t *, size_t);
int fmi3DeserializeFMUState(void *, const uint8_t *, size_t, void **);
int fmi3EnterEventMode(void *);
int fmi3GetClock(void *);

static void tell(void *environment, int status, const char *category, const char *message) {
    (void)environment;
    told += status >= DISCARD && strlen(category) > 0 && strlen(message) > 0;
}

static void *instantiate(const char *token) {
    return fmi3InstantiateCoSimulation("one", token, NULL, false, true, false, false, NULL, 0, NULL,
                                       tell, NULL);
}
static int enter(void *instance) {
    return fmi3EnterInitializationMode(instance, false, 0, 0, false, 0);
}
static int step(void *instance, double time, double span) {
    bool flags[3];
    double last;
    return fmi3DoStep(instance, time, span, true, &flags[0], &flags[1], &flags[2], &last);
}
static int get_real(void *instance, uint32_t reference, size_t count, double *values) {
    return fmi3GetFloat64(instance, &reference, 1, values, count);
}
static int set_real(void *instance, uint32_t reference, const double *value) {
    return fmi3SetFloat64(instance, &reference, 1, value, 1);
}
static int get_int(void *instance, uint32_t reference, int32_t *value) {
    return fmi3GetInt32(instance, &reference, 1, value, 1);
}
static int set_int(void *instance, uint32_t reference, int32_t value) {
    return fmi3SetInt32(instance, &reference, 1, &value, 1);
}
enum { PLACE = 7, BEYOND = 8 };
#define NAME(name) fmi3##name
#define STATE(before, after) fmi3##before##FMUState##after
#define DESERIALIZE fmi3DeserializeFMUState
#define ABSENT fmi3EnterEventMode(instance)

#else

#include <stdarg.h>

typedef void Log(void *environment, const char *name, int status, const char *category,
                 const char *format, ...);
typedef struct Callbacks {
    Log *log;
    void *allocate, *free, *finished, *environment;
} Callbacks;
void *fmi2Instantiate(const char *, int, const char *, const char *, const Callbacks *, int, int);
void fmi2FreeInstance(void *);
int fmi2SetDebugLogging(void *, int, size_t, const char *const *);
int fmi2SetupExperiment(void *, int, double, double, int, double);
int fmi2EnterInitializationMode(void *);
int fmi2ExitInitializationMode(void *);
int fmi2DoStep(void *, double, double, int);
int fmi2Terminate(void *);
int fmi2Reset(void *);
int fmi2GetReal(void *, const uint32_t *, size_t, double *);
int fmi2SetReal(void *, const uint32_t *, size_t, const double *);
int fmi2GetInteger(void *, const uint32_t *, size_t, int32_t *);
int fmi2SetInteger(void *, const uint32_t *, size_t, const int32_t *);
int fmi2GetFMUstate(void *, void **);
int fmi2SetFMUstate(void *, void *);
int fmi2FreeFMUstate(void *, void **);
int fmi2SerializedFMUstateSize(void *, void *, size_t *);
int fmi2SerializeFMUstate(void *, void *, uint8_t *, size_t);
int fmi2DeSerializeFMUstate(void *, const uint8_t *, size_t, void **);
int fmi2CancelStep(void *);

static void tell(void *environment, const char *name, int status, const char *category,
                 const char *format, ...) {
    char text[1024];
    va_list arguments;
    (void)environment;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    told += status >= DISCARD && strlen(name) > 0 && strlen(category) > 0 && strlen(text) > 0;
}

static void *instantiate(const char *token) {
    static const Callbacks callbacks = {.log = tell};
    return fmi2Instantiate("one", 1, token, NULL, &callbacks, 0, 1);
}
static int enter(void *instance) {
    return fmi2EnterInitializationMode(instance);
}
static int step(void *instance, double time, double span) {
    return fmi2DoStep(instance, time, span, 1);
}
static int get_real(void *instance, uint32_t reference, size_t count, double *values) {
    return fmi2GetReal(instance, &reference, count == 1, count == 1 ? values : NULL);
}
static int set_real(void *instance, uint32_t reference, const double *value) {
    return fmi2SetReal(instance, &reference, 1, value);
}
static int get_int(void *instance, uint32_t reference, int32_t *value) {
    return fmi2GetInteger(instance, &reference, 1, value);
}
static int set_int(void *instance, uint32_t reference, int32_t value) {
    return fmi2SetInteger(instance, &reference, 1, &value);
}
enum { PLACE = 9, BEYOND = 10 };
#define NAME(name) fmi2##name
#define STATE(before, after) fmi2##before##FMUstate##after
#define DESERIALIZE fmi2DeSerializeFMUstate
#define ABSENT fmi2CancelStep(instance)

#endif

// What has to happen.

enum { AT = 1, NEXT = 2, Y = 3, FIRST = 4, DT = 5 };

typedef enum Phase { NONE, INSTANTIATED, INITIALIZATION, STEPS, TERMINATED, FAILED } Phase;

typedef struct Expected {
    Phase phase;
    bool is_set_up;
    bool is_begun;                    // init has run with the present parameter
    bool has_values;                  // output_fnc has run since
    bool bad_at, bad_next, bad_first; // what makes output_fnc, update_fnc and init_fnc trap
    double time;
} Expected;

typedef struct Test {
    void *instance;
    Expected now;
    void *state; // a snapshot, and what was expected when it was taken
    Expected saved;
    void *gone;     // the address of one that was freed
    uint8_t *bytes; // one that was serialised
    size_t byte_count;
    Expected stored;
} Test;

static int failed(Test *test) {
    if (test->now.phase != NONE) {
        test->now.phase = FAILED;
    }
    return ERROR;
}

static int only_in(Test *test, bool may) {
    return may && test->now.phase != NONE ? OK : failed(test);
}

static int begun(Test *test) {
    test->now.is_begun = !test->now.bad_first;
    test->now.has_values = false;
    return test->now.bad_first ? failed(test) : OK;
}

// A value that output_fnc computes, or may have changed.
static int read_computed(Test *test) {
    Phase phase = test->now.phase;
    if (phase == NONE || phase == INSTANTIATED) {
        return failed(test);
    }
    if (phase == INITIALIZATION && !test->now.is_begun && begun(test) != OK) {
        return ERROR;
    }
    bool can_run = test->now.is_begun && !test->now.bad_at;
    test->now.has_values = test->now.has_values || can_run;
    bool may_be_old = phase == FAILED && test->now.has_values;
    return can_run || may_be_old ? OK : failed(test);
}

static bool may_set(const Test *test) {
    return test->now.phase >= INSTANTIATED && test->now.phase <= STEPS;
}

static void drop_all(Test *test) {
    test->instance = NULL;
    test->now = (Expected){.phase = NONE};
    test->gone = test->state != NULL ? test->state : test->gone;
    test->state = NULL;
}

// Calls.

typedef struct Outcome {
    int got, wanted;
} Outcome;

typedef Outcome Call(Test *test, unsigned chance);

static Outcome call_instantiate(Test *test, unsigned chance) {
    if (test->instance != NULL) {
        return (Outcome){OK, OK};
    }
    if (chance % 8 == 0) {
        return (Outcome){instantiate("{another}") == NULL ? OK : ERROR, OK};
    }
    test->instance = instantiate(TOKEN);
    test->now = (Expected){.phase = INSTANTIATED};
    return (Outcome){test->instance != NULL ? OK : ERROR, OK};
}

static Outcome call_free(Test *test, unsigned chance) {
    if (chance % 4 == 0) { // seldom, so that sequences come far
        NAME(FreeInstance)(test->instance);
        drop_all(test);
    }
    return (Outcome){OK, OK};
}

static Outcome call_setup(Test *test, unsigned chance) {
    (void)chance;
#if VERSION == 2
    int wanted = only_in(test, test->now.phase == INSTANTIATED);
    test->now.is_set_up |= wanted == OK;
    return (Outcome){fmi2SetupExperiment(test->instance, 0, 0, 0, 0, 0), wanted};
#else
    test->now.is_set_up = true;
    return (Outcome){OK, OK};
#endif
}

static Outcome call_enter(Test *test, unsigned chance) {
    (void)chance;
    bool may = test->now.phase == INSTANTIATED && (VERSION == 3 || test->now.is_set_up);
    int wanted = only_in(test, may);
    if (wanted == OK) {
        test->now.phase = INITIALIZATION;
        test->now.time = 0;
        wanted = begun(test);
    }
    return (Outcome){enter(test->instance), wanted};
}

static Outcome call_exit(Test *test, unsigned chance) {
    (void)chance;
    int wanted = only_in(test, test->now.phase == INITIALIZATION);
    if (wanted == OK && !test->now.is_begun) {
        wanted = begun(test);
    }
    if (wanted == OK) {
        test->now.phase = STEPS;
    }
    return (Outcome){NAME(ExitInitializationMode)(test->instance), wanted};
}

static Outcome call_step(Test *test, unsigned chance) {
    double time = test->now.time;
    double steps = 1 + chance / 4 % 3;
    bool is_odd = chance % 16 == 0, is_late = chance % 16 == 1;
    int wanted = only_in(test, test->now.phase == STEPS);
    if (wanted == OK && is_late) {
        wanted = failed(test);
    } else if (wanted == OK && is_odd) {
        wanted = DISCARD;
    } else if (wanted == OK) {
        wanted = test->now.bad_at || test->now.bad_next ? failed(test) : OK;
    }
    static const double odd[] = {0.15, 0, -0.1, NAN, INFINITY, 1e300, -INFINITY};
    double span = is_odd ? odd[chance / 16 % 7] : steps * STEP;
    if (wanted == OK) {
        test->now.time = time + span;
    }
    return (Outcome){step(test->instance, is_late ? time + 1 : time, span), wanted};
}

static Outcome call_terminate(Test *test, unsigned chance) {
    (void)chance;
    int wanted = only_in(test, test->now.phase == STEPS);
    if (wanted == OK) {
        test->now.phase = TERMINATED;
    }
    return (Outcome){NAME(Terminate)(test->instance), wanted};
}

static Outcome call_reset(Test *test, unsigned chance) {
    (void)chance;
    int wanted = only_in(test, true);
    if (wanted == OK) {
        test->now = (Expected){.phase = INSTANTIATED};
    }
    return (Outcome){NAME(Reset)(test->instance), wanted};
}

static Outcome call_set(Test *test, unsigned chance) {
    static const uint32_t references[] = {AT, NEXT, FIRST, PLACE, BEYOND, 0, UINT32_MAX, Y};
    uint32_t reference = references[chance % 8 < 5 ? chance % 3 : chance % 8];
    bool is_bad = chance / 8 % 8 == 0;
    bool is_known = reference == AT || reference == NEXT || reference == FIRST;
    int wanted = only_in(test, may_set(test) && is_known);
    if (wanted == OK) {
        *(reference == AT     ? &test->now.bad_at
          : reference == NEXT ? &test->now.bad_next
                              : &test->now.bad_first) = is_bad;
        test->now.is_begun &= !(reference == FIRST && test->now.phase == INITIALIZATION);
    }
    int32_t value = !is_bad ? (int32_t)(chance / 64 % 3) : reference == FIRST ? -1 : 3;
    return (Outcome){set_int(test->instance, reference, value), wanted};
}

// Values of another type, of no variable, and of those that nobody sets.
static Outcome call_set_wrong(Test *test, unsigned chance) {
    static const uint32_t references[] = {Y, DT, AT, BEYOND, 0};
    double value = 1;
    int wanted = failed(test);
    return (Outcome){set_real(test->instance, references[chance % 5], &value), wanted};
}

static Outcome call_get(Test *test, unsigned chance) {
    static const uint32_t references[] = {AT, FIRST, PLACE};
    uint32_t reference = references[chance % 3];
    int wanted = reference == PLACE
                     ? read_computed(test)
                     : only_in(test, VERSION == 3 || test->now.phase != INSTANTIATED);
    int32_t value;
    return (Outcome){get_int(test->instance, reference, &value), wanted};
}

static Outcome call_get_output(Test *test, unsigned chance) {
    (void)chance;
    double value;
    int wanted = read_computed(test);
    return (Outcome){get_real(test->instance, Y, 1, &value), wanted};
}

static Outcome call_get_wrong(Test *test, unsigned chance) {
    double values[8];
    static const uint32_t references[] = {AT, BEYOND, BEYOND + 100, UINT32_MAX};
    int wanted = failed(test);
    return (Outcome){get_real(test->instance, references[chance % 4], 1, values), wanted};
}

static Outcome call_without_arrays(Test *test, unsigned chance) {
    int wanted = failed(test);
    uint32_t reference = Y;
#if VERSION == 3
    double value;
    int got = chance % 3 == 0   ? fmi3GetFloat64(test->instance, NULL, 1, &value, 1)
              : chance % 3 == 1 ? fmi3GetFloat64(test->instance, &reference, 1, NULL, 1)
                                : fmi3GetFloat64(test->instance, &reference, 0, &value, 1);
#else
    double value;
    int got = chance % 2 == 0 ? fmi2GetReal(test->instance, NULL, 1, &value)
                              : fmi2GetReal(test->instance, &reference, 1, NULL);
#endif
    return (Outcome){got, wanted};
}

static Outcome call_take(Test *test, unsigned chance) {
    (void)chance;
    int wanted = only_in(test, true);
    if (wanted == OK) {
        test->saved = test->now;
    }
    return (Outcome){STATE(Get, )(test->instance, &test->state), wanted};
}

static Outcome call_restore(Test *test, unsigned chance) {
    void *state = chance % 4 == 0 ? test->gone : chance % 16 == 1 ? NULL : test->state;
    bool is_known = state != NULL && state == test->state;
    int wanted = only_in(test, is_known);
    if (wanted == OK) {
        test->now = test->saved;
        test->now.has_values = false;
    }
    return (Outcome){STATE(Set, )(test->instance, state), wanted};
}

static Outcome call_drop(Test *test, unsigned chance) {
    void *state = chance % 4 == 0 ? test->gone : test->state;
    bool is_known = state == NULL || state == test->state;
    int wanted = only_in(test, is_known);
    void *given = state;
    Outcome outcome = {STATE(Free, )(test->instance, &given), wanted};
    if (wanted == OK && state != NULL) {
        test->gone = state;
        test->state = NULL;
    }
    return outcome;
}

static Outcome call_serialize(Test *test, unsigned chance) {
    size_t count = 0;
    int wanted = only_in(test, test->state != NULL);
    int got = STATE(Serialized, Size)(test->instance, test->state, &count);
    if (got != OK || wanted != OK) {
        return (Outcome){got, wanted};
    }
    bool is_short = chance % 8 == 0;
    uint8_t *bytes = malloc(count);
    got = STATE(Serialize, )(test->instance, test->state, bytes, is_short ? count - 1 : count);
    if (is_short) {
        free(bytes);
        return (Outcome){got, failed(test)};
    }
    free(test->bytes);
    test->bytes = bytes;
    test->byte_count = count;
    test->stored = test->saved;
    return (Outcome){got, OK};
}

static Outcome call_deserialize(Test *test, unsigned chance) {
    if (test->bytes == NULL) {
        uint8_t none[8] = {0};
        int wanted = failed(test);
        return (Outcome){DESERIALIZE(test->instance, none, sizeof none, &test->state), wanted};
    }
    bool is_broken = chance % 4 == 0;
    size_t at = chance / 4 % test->byte_count;
    test->bytes[at] ^= is_broken ? 1 << chance / 64 % 8 : 0;
    int wanted = only_in(test, !is_broken);
    Outcome outcome = {DESERIALIZE(test->instance, test->bytes, test->byte_count, &test->state),
                       wanted};
    test->bytes[at] ^= is_broken ? 1 << chance / 64 % 8 : 0;
    if (wanted == OK) {
        test->saved = test->stored;
    }
    return outcome;
}

static Outcome call_logging(Test *test, unsigned chance) {
    const char *const categories[] = {"logStatusError",
                                      chance % 4 == 0 ? "no such" : "logStatusDiscard"};
    bool has_list = chance % 16 != 1;
    int wanted = only_in(test, chance % 4 != 0 && has_list);
    return (Outcome){NAME(SetDebugLogging)(test->instance, true, 2, has_list ? categories : NULL),
                     wanted};
}

static Outcome call_absent(Test *test, unsigned chance) {
    (void)chance;
    void *instance = test->instance;
    int wanted = failed(test);
    return (Outcome){ABSENT, wanted};
}

static Outcome call_without_instance(Test *test, unsigned chance) {
    (void)test;
    double value;
    int32_t number;
    void *state = NULL;
    size_t size;
    uint8_t byte = 0;
    switch (chance % 12) {
    case 0: return (Outcome){enter(NULL), ERROR};
    case 1: return (Outcome){NAME(ExitInitializationMode)(NULL), ERROR};
    case 2: return (Outcome){step(NULL, 0, STEP), ERROR};
    case 3: return (Outcome){NAME(Terminate)(NULL), ERROR};
    case 4: return (Outcome){NAME(Reset)(NULL), ERROR};
    case 5: return (Outcome){get_real(NULL, Y, 1, &value), ERROR};
    case 6: return (Outcome){get_int(NULL, AT, &number), ERROR};
    case 7: return (Outcome){set_int(NULL, AT, 1), ERROR};
    case 8: return (Outcome){STATE(Get, )(NULL, &state), ERROR};
    case 9: return (Outcome){STATE(Serialized, Size)(NULL, NULL, &size), ERROR};
    case 10: return (Outcome){DESERIALIZE(NULL, &byte, 1, &state), ERROR};
    default: NAME(FreeInstance)(NULL); return (Outcome){OK, OK};
    }
}

// The first ones are how a simulation begins.
static const struct {
    const char *name;
    Call *call;
    unsigned weight;
} calls[] = {
    {"instantiate", call_instantiate, 6},
    {"setup", call_setup, 4},
    {"enter", call_enter, 8},
    {"exit", call_exit, 8},
    {"step", call_step, 20},
    {"free", call_free, 1},
    {"terminate", call_terminate, 1},
    {"reset", call_reset, 4},
    {"set", call_set, 6},
    {"set wrong", call_set_wrong, 1},
    {"get", call_get, 6},
    {"get output", call_get_output, 6},
    {"get wrong", call_get_wrong, 1},
    {"without arrays", call_without_arrays, 1},
    {"take", call_take, 4},
    {"restore", call_restore, 4},
    {"drop", call_drop, 2},
    {"serialize", call_serialize, 2},
    {"deserialize", call_deserialize, 2},
    {"logging", call_logging, 1},
    {"absent", call_absent, 1},
    {"without instance", call_without_instance, 2},
};
enum { CALLS = sizeof(calls) / sizeof(calls[0]), BEGINNING = 5 };

static uint64_t seed;

static unsigned draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 20);
}

static size_t choose(void) {
    unsigned all = 0;
    for (size_t i = 0; i < CALLS; i++) {
        all += calls[i].weight;
    }
    unsigned at = draw() % all;
    size_t i = 0;
    while (at >= calls[i].weight) {
        at -= calls[i++].weight;
    }
    return i;
}

static bool run_sequence(size_t number, size_t counts[4]) {
    enum { LONGEST = 60 };
    Test test = {.now = {.phase = NONE}};
    size_t made[LONGEST];
    size_t length = 1 + draw() % LONGEST;
    bool good = true;
    size_t begins =
        draw() % 8 == 0 ? 0 : draw() % (BEGINNING + 1); // calls in the right order, to come far
    for (size_t k = 0; k < length && good; k++) {
        made[k] = k < begins ? k : choose();
        Outcome outcome = calls[made[k]].call(&test, draw());
        good = outcome.got == outcome.wanted;
        counts[good ? outcome.got : ERROR]++;
        if (!good) {
            printf("sequence %zu: ", number);
            for (size_t i = 0; i <= k; i++) {
                printf("%s%s", i == 0 ? "" : ", ", calls[made[i]].name);
            }
            printf(": status %d should be %d\n", outcome.got, outcome.wanted);
        }
    }
    NAME(FreeInstance)(test.instance);
    free(test.bytes);
    return good;
}

int main(int argc, char **argv) {
    size_t count = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    size_t counts[4] = {0};
    for (size_t i = 0; i < count; i++) {
        if (!run_sequence(i, counts)) {
            return 1;
        }
    }
    printf("FMI %d: %zu sequences; %zu calls were right, %zu discarded, %zu errors, %zu told\n",
           VERSION, count, counts[OK], counts[DISCARD], counts[ERROR], told);
    return count > 0 && counts[OK] > count && counts[DISCARD] > 0 && counts[ERROR] > count &&
                   told > count
               ? 0
               : 1;
}
