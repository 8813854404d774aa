// See models.h. Tables and functions as the compiler would make them (runtime/abi/model.h), in
// plain C: the simulation's runtime is tested on them without a compiler that could be wrong in the
// same way.
#include "tests/simulation/models.h"

#include <string.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

static const char *const files[] = {"sub.tml", "m.tml"};
static const char *const texts[] = {"first", "start is not negative"};

static const tml_type type_bool = {.root = TML_BOOL, .real_bytes = 8};
static const tml_type type_uint = {.root = TML_UINT, .real_bytes = 8};
static const tml_type type_int = {.root = TML_INT, .real_bytes = 8};
static const tml_type type_real = {.root = TML_REAL, .real_bytes = 8};
static const tml_type type_single = {.root = TML_REAL, .real_bytes = 4};
static const tml_type type_v = {TML_REAL, 8, 1, 1, (uint16_t[]){1}, (uint32_t[]){3}};
static const tml_type type_v2 = {TML_REAL, 8, 1, 1, (uint16_t[]){1}, (uint32_t[]){2}};
static const tml_type type_m = {TML_REAL, 8, 2, 2, (uint16_t[]){1, 1}, (uint32_t[]){2, 2}};
static const tml_type type_m23 = {TML_REAL, 8, 1, 2, (uint16_t[]){2}, (uint32_t[]){2, 3}};
static const tml_type type_w = {TML_INT, 8, 2, 2, (uint16_t[]){1, 1}, (uint32_t[]){2, 2}};
static const tml_type type_large = {TML_REAL, 8, 1, 1, (uint16_t[]){1}, (uint32_t[]){20000}};

#define INPUT(name, type, structure) \
    {#name, "t", TML_INPUT, 1, 0, type, offsetof(structure, name), NULL}
#define OUTPUT(name, type, structure) \
    {#name, "t", TML_OUTPUT, 1, 0, type, offsetof(structure, name), NULL}
#define PARAM(name, type, structure, defaults) \
    {#name, "p", TML_PARAM, 0, 0, type, offsetof(structure, name), &(defaults).name}

// What every model has of functions, from its output and update of known types.
#define FUNCTIONS(prefix)                                                                         \
    static tml_status prefix##_step(void *s, const void *p, const void *u, void *y) {             \
        tml_status status = prefix##_output(s, p, u, y);                                          \
        return status == TML_OK ? prefix##_update(s, p, u, y) : status;                           \
    }                                                                                             \
    static tml_status prefix##_step_n(void *s, const void *p, size_t n, const void *u, void *y) { \
        for (size_t i = 0; i < n; i++) {                                                          \
            tml_status status =                                                                   \
                prefix##_step(s, p, (const prefix##_inputs *)u + i, (prefix##_outputs *)y + i);   \
            if (status != TML_OK) {                                                               \
                ((prefix##_state *)s)->fault.step = i;                                            \
                return status;                                                                    \
            }                                                                                     \
        }                                                                                         \
        return TML_OK;                                                                            \
    }

#define MODEL(prefix, inputs)                                       \
    {.version = TML_MODEL_VERSION,                                  \
     .kind = TML_COMPONENT,                                         \
     .name = #prefix,                                               \
     .layout = 0x1234567890abcdef,                                  \
     .code = sizeof(prefix##_state) << 8 | sizeof(prefix##_params), \
     .params_bytes = sizeof(prefix##_params),                       \
     .inputs_bytes = sizeof(prefix##_inputs),                       \
     .outputs_bytes = sizeof(prefix##_outputs),                     \
     .state_bytes = sizeof(prefix##_state),                         \
     .fault_offset = offsetof(prefix##_state, fault),               \
     .variable_count = COUNT(prefix##_variables),                   \
     .variables = prefix##_variables,                               \
     .defaults = &prefix##_defaults,                                \
     .inputs_defaults = inputs,                                     \
     .init = prefix##_init,                                         \
     .output = prefix##_output,                                     \
     .update = prefix##_update,                                     \
     .step = prefix##_step,                                         \
     .step_n = prefix##_step_n,                                     \
     .file_count = COUNT(files),                                    \
     .files = files,                                                \
     .text_count = COUNT(texts),                                    \
     .texts = texts}

typedef struct Empty {
    uint8_t none;
} Empty;

// pi and single

#define PI(prefix, real)                                                                \
    typedef struct prefix##_params {                                                    \
        real kp, ki;                                                                    \
    } prefix##_params;                                                                  \
    typedef struct prefix##_inputs {                                                    \
        real e;                                                                         \
    } prefix##_inputs;                                                                  \
    typedef struct prefix##_outputs {                                                   \
        real y;                                                                         \
    } prefix##_outputs;                                                                 \
    typedef struct prefix##_state {                                                     \
        real x;                                                                         \
        tml_fault fault;                                                                \
    } prefix##_state;                                                                   \
    static const prefix##_params prefix##_defaults = {2, 0.5};                          \
    static tml_status prefix##_init(void *s, const void *p) {                           \
        (void)p;                                                                        \
        memset(s, 0, sizeof(prefix##_state));                                           \
        return TML_OK;                                                                  \
    }                                                                                   \
    static tml_status prefix##_output(void *s, const void *p, const void *u, void *y) { \
        ((prefix##_outputs *)y)->y =                                                    \
            ((const prefix##_params *)p)->kp * ((const prefix##_inputs *)u)->e +        \
            ((prefix##_state *)s)->x;                                                   \
        return TML_OK;                                                                  \
    }                                                                                   \
    static tml_status prefix##_update(void *s, const void *p, const void *u, void *y) { \
        (void)y;                                                                        \
        ((prefix##_state *)s)->x +=                                                     \
            ((const prefix##_params *)p)->ki * ((const prefix##_inputs *)u)->e;         \
        return TML_OK;                                                                  \
    }                                                                                   \
    FUNCTIONS(prefix)

PI(pi, double)
PI(single, float)

static const tml_variable pi_variables[] = {
    INPUT(e, &type_real, pi_inputs),
    OUTPUT(y, &type_real, pi_outputs),
    PARAM(kp, &type_real, pi_params, pi_defaults),
    PARAM(ki, &type_real, pi_params, pi_defaults),
    {"x", "", TML_VARIABLE, 0, 0, &type_real, offsetof(pi_state, x), NULL},
};
static const float single_dt = 0.1F;
static const tml_variable single_variables[] = {
    {"dt", "n", TML_CONSTANT, 0, 0, &type_single, 0, &single_dt},
    INPUT(e, &type_single, single_inputs),
    OUTPUT(y, &type_single, single_outputs),
    PARAM(kp, &type_single, single_params, single_defaults),
    PARAM(ki, &type_single, single_params, single_defaults),
};

// mixed

typedef struct mixed_inputs {
    uint8_t b;
    uint32_t n;
    int32_t i;
    double v[3];
    double m[2][2];
} mixed_inputs;

typedef struct mixed_outputs {
    double mo[2][2];
    double vo[3];
    int32_t io;
    uint32_t no;
    uint8_t bo;
} mixed_outputs;

typedef struct mixed_state {
    tml_fault fault;
} mixed_state;

typedef Empty mixed_params;

static const mixed_params mixed_defaults = {0};

static tml_status mixed_init(void *s, const void *p) {
    (void)p;
    memset(s, 0, sizeof(mixed_state));
    return TML_OK;
}

static tml_status mixed_output(void *s, const void *p, const void *inputs, void *outputs) {
    const mixed_inputs *u = inputs;
    mixed_outputs *y = outputs;
    (void)s;
    (void)p;
    y->bo = !u->b;
    y->no = u->n + 1;
    y->io = (int32_t)(0 - (uint32_t)u->i);
    for (size_t i = 0; i < 3; i++) {
        y->vo[i] = 2 * u->v[i];
    }
    for (size_t i = 0; i < 4; i++) {
        y->mo[i / 2][i % 2] = u->m[i / 2][i % 2] + 1;
    }
    return TML_OK;
}

static tml_status mixed_update(void *s, const void *p, const void *u, void *y) {
    (void)s;
    (void)p;
    (void)u;
    (void)y;
    return TML_OK;
}

FUNCTIONS(mixed)

static const tml_variable mixed_variables[] = {
    INPUT(b, &type_bool, mixed_inputs),    INPUT(n, &type_uint, mixed_inputs),
    INPUT(i, &type_int, mixed_inputs),     INPUT(v, &type_v, mixed_inputs),
    INPUT(m, &type_m, mixed_inputs),       OUTPUT(bo, &type_bool, mixed_outputs),
    OUTPUT(no, &type_uint, mixed_outputs), OUTPUT(io, &type_int, mixed_outputs),
    OUTPUT(vo, &type_v, mixed_outputs),    OUTPUT(mo, &type_m, mixed_outputs),
};

// given

typedef struct given_inputs {
    double u;
    double v[2];
    int32_t k;
} given_inputs;

typedef struct given_outputs {
    double y;
} given_outputs;

typedef mixed_state given_state;

typedef struct given_params {
    double dt;
} given_params;

static const given_params given_defaults = {0.25};
static const given_inputs given_inputs_defaults = {0, {1, 2}, -3};

#define given_init mixed_init
#define given_update mixed_update

static tml_status given_output(void *s, const void *p, const void *inputs, void *outputs) {
    const given_inputs *u = inputs;
    (void)s;
    (void)p;
    ((given_outputs *)outputs)->y = u->u + u->v[0] * u->v[1] + u->k;
    return TML_OK;
}

FUNCTIONS(given)

static const tml_variable given_variables[] = {
    PARAM(dt, &type_real, given_params, given_defaults),
    INPUT(u, &type_real, given_inputs),
    {"v", "t", TML_INPUT, 1, 0, &type_v2, offsetof(given_inputs, v), &given_inputs_defaults.v},
    {"k", "t", TML_INPUT, 1, 0, &type_int, offsetof(given_inputs, k), &given_inputs_defaults.k},
    OUTPUT(y, &type_real, given_outputs),
};

// counter and large

typedef struct counter_params {
    uint32_t limit;
    int32_t start;
} counter_params;

typedef Empty counter_inputs;

typedef struct counter_outputs {
    int32_t c;
} counter_outputs;

typedef struct counter_state {
    uint32_t step;
    tml_fault fault;
} counter_state;

static const counter_params counter_defaults = {5, 0};

static tml_status counter_init(void *state, const void *params) {
    counter_state *s = state;
    memset(s, 0, sizeof *s);
    if (((const counter_params *)params)->start < 0) {
        s->fault = (tml_fault){TML_E_ASSERT, 1, 3, 4, 1, 0, 0};
        return TML_E_ASSERT;
    }
    return TML_OK;
}

static tml_status counter_output(void *state, const void *params, const void *u, void *y) {
    counter_state *s = state;
    (void)u;
    if (s->step == ((const counter_params *)params)->limit) {
        s->fault = (tml_fault){TML_E_INDEX, 1, 12, 5, 7, 3, 0};
        return TML_E_INDEX;
    }
    ((counter_outputs *)y)->c = (int32_t)s->step;
    return TML_OK;
}

static tml_status counter_update(void *s, const void *p, const void *u, void *y) {
    (void)p;
    (void)u;
    (void)y;
    ((counter_state *)s)->step++;
    return TML_OK;
}

FUNCTIONS(counter)

static const tml_variable counter_variables[] = {
    OUTPUT(c, &type_int, counter_outputs),
    PARAM(limit, &type_uint, counter_params, counter_defaults),
    PARAM(start, &type_int, counter_params, counter_defaults),
};

typedef counter_params large_params;
typedef Empty large_inputs;
typedef counter_state large_state;

typedef struct large_outputs {
    double y[20000];
} large_outputs;

static const large_params large_defaults = {100, 0};

#define large_init counter_init
#define large_update counter_update

static tml_status large_output(void *state, const void *params, const void *u, void *outputs) {
    counter_outputs c;
    tml_status status = counter_output(state, params, u, &c);
    for (size_t i = 0; status == TML_OK && i < 20000; i++) {
        ((large_outputs *)outputs)->y[i] = c.c;
    }
    return status;
}

FUNCTIONS(large)

static const tml_variable large_variables[] = {
    OUTPUT(y, &type_large, large_outputs),
    PARAM(limit, &type_uint, large_params, large_defaults),
};

// tunables

typedef struct tunables_params {
    uint8_t b;
    uint32_t n;
    int32_t i;
    double r;
    double m[2][3];
    int32_t w[2][2];
} tunables_params;

typedef Empty tunables_inputs;
typedef tunables_params tunables_outputs;
typedef mixed_state tunables_state;

static const tunables_params tunables_defaults = {
    1, 7, -3, 0.25, {{1, 2, 3}, {4, 5, 6}}, {{1, 2}, {3, 4}}};

#define tunables_init mixed_init
#define tunables_update mixed_update

static tml_status tunables_output(void *s, const void *p, const void *u, void *y) {
    (void)s;
    (void)u;
    memcpy(y, p, sizeof(tunables_params));
    return TML_OK;
}

FUNCTIONS(tunables)

static const double kp = 2.5;

static const tml_variable tunables_variables[] = {
    {"kp", "p", TML_CONSTANT, 0, 0, &type_real, 0, &kp},
    {"signs", "p", TML_CONSTANT, 0, 0, NULL, 0, "+-"},
    PARAM(b, &type_bool, tunables_params, tunables_defaults),
    PARAM(n, &type_uint, tunables_params, tunables_defaults),
    PARAM(i, &type_int, tunables_params, tunables_defaults),
    PARAM(r, &type_real, tunables_params, tunables_defaults),
    PARAM(m, &type_m23, tunables_params, tunables_defaults),
    PARAM(w, &type_w, tunables_params, tunables_defaults),
    OUTPUT(b, &type_bool, tunables_outputs),
    OUTPUT(n, &type_uint, tunables_outputs),
    OUTPUT(i, &type_int, tunables_outputs),
    OUTPUT(r, &type_real, tunables_outputs),
    OUTPUT(m, &type_m23, tunables_outputs),
    OUTPUT(w, &type_w, tunables_outputs),
};

// inner

typedef struct inner_inputs {
    double u;
} inner_inputs;

typedef struct inner_outputs {
    double y;
} inner_outputs;

typedef struct inner_state {
    tml_fault fault;
    double y;
    struct {
        int32_t u, v;
    } axis[2];
    double m[2][2];
    uint8_t odd;
    double seen;
    int32_t late;
} inner_state;

typedef Empty inner_params;

static const inner_params inner_defaults = {0};

static tml_status inner_init(void *state, const void *p) {
    inner_state *s = state;
    (void)p;
    memset(s, 0, sizeof *s);
    s->y = 10;
    return TML_OK;
}

static tml_status inner_output(void *state, const void *p, const void *inputs, void *outputs) {
    inner_state *s = state;
    const inner_inputs *u = inputs;
    (void)p;
    if (u->u < 0) {
        s->fault = (tml_fault){TML_E_INDEX, 1, 12, 5, 7, 3, 0};
        return TML_E_INDEX;
    }
    s->seen = 2 * u->u;
    s->odd = !s->odd;
    ((inner_outputs *)outputs)->y = u->u + s->y;
    return TML_OK;
}

static tml_status inner_update(void *state, const void *p, const void *inputs, void *outputs) {
    inner_state *s = state;
    (void)p;
    (void)outputs;
    if (((const inner_inputs *)inputs)->u > 1000) {
        s->fault = (tml_fault){TML_E_INDEX, 1, 12, 5, 7, 3, 0};
        return TML_E_INDEX;
    }
    s->y += 1;
    for (int i = 0; i < 2; i++) {
        s->axis[i].u += i + 1;
        s->axis[i].v -= i + 1;
        s->m[i][1 - i] += 0.5 + i;
    }
    s->late = s->axis[1].u;
    return TML_OK;
}

FUNCTIONS(inner)

#define STATE(name, type, member) \
    {name, "", TML_VARIABLE, 0, 0, type, offsetof(inner_state, member), NULL}

static const tml_variable inner_variables[] = {
    INPUT(u, &type_real, inner_inputs),
    OUTPUT(y, &type_real, inner_outputs),
    STATE("y", &type_real, y),
    STATE("axis[0].u", &type_int, axis[0].u),
    STATE("axis[0].v", &type_int, axis[0].v),
    STATE("axis[1].u", &type_int, axis[1].u),
    STATE("axis[1].v", &type_int, axis[1].v),
    STATE("m", &type_m, m),
    STATE("mode.odd", &type_bool, odd),
    {"seen", "", TML_DEBUG, 0, 0, &type_real, offsetof(inner_state, seen), "what was seen"},
    {"late", "", TML_DEBUG, 0, 0, &type_int, offsetof(inner_state, late), NULL},
};

const tml_model *test_model(const char *name) {
    static const tml_model models[] = {MODEL(pi, NULL),
                                       MODEL(single, NULL),
                                       MODEL(mixed, NULL),
                                       MODEL(counter, NULL),
                                       MODEL(large, NULL),
                                       MODEL(tunables, NULL),
                                       MODEL(given, &given_inputs_defaults),
                                       MODEL(inner, NULL)};
    for (size_t i = 0; i < COUNT(models); i++) {
        if (strcmp(models[i].name, name) == 0) {
            return &models[i];
        }
    }
    return NULL;
}
