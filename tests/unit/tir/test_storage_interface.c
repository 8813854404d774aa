// The structs that hosts pass to a component, compared with what a C compiler makes of the same
// members.
#include "tir_sample.h"

#include "tir/passes/passes.h"

#include <criterion/criterion.h>

static TirInterface *declare(Sample *sample, TirInterfaceKind kind, const char *name,
                             const Type *type) {
    static const TirVarRole roles[] = {[INTERFACE_INPUT] = VAR_INPUT,
                                       [INTERFACE_OUTPUT] = VAR_OUTPUT,
                                       [INTERFACE_TUNABLE] = VAR_TUNABLE};
    TirInterface *item = ARENA_NEW(sample->tir.arena, TirInterface);
    *item = (TirInterface){.kind = kind,
                           .space = kind == INTERFACE_TUNABLE ? 'p' : 't',
                           .name = names_intern_text(sample->tir.names, name),
                           .type = type,
                           .is_present = true,
                           .has_feedthrough = true};
    item->var = tir_var_create(&sample->tir, NULL, roles[kind], item->name, type, (Span){0, 0});
    LIST_PUSH(sample->tir.arena, &sample->program.globals, item->var);
    LIST_PUSH(sample->tir.arena, &sample->program.interface, item);
    return item;
}

static TirInterface *declare_scalar(Sample *sample, TirInterfaceKind kind, const char *name,
                                    Root root) {
    return declare(sample, kind, name, sample_scalar(sample, root));
}

static Sample *component(void) {
    Sample *sample = sample_create();
    sample->program.kind = PROGRAM_COMPONENT;
    return sample;
}

static const Type *bools(Sample *sample, uint32_t length) {
    return type_flat(sample->tir.types, ROOT_BOOL, 1, &length);
}

#define EXPECT_MEMBER(item, space, Struct, member)                                  \
    do {                                                                            \
        cr_expect_eq((item)->offset, offsetof(Struct, member), "%s", #member);      \
        cr_expect_eq((item)->var->storage, space, "%s", #member);                   \
        cr_expect_eq((item)->var->offset, offsetof(Struct, member), "%s", #member); \
    } while (0)

// The bytes up to the end of the last member: C may round a struct up.
#define END(Struct, member) (offsetof(Struct, member) + sizeof(((Struct *)0)->member))

Test(pass_storage_interface, inputs_lie_as_c_lays_them) {
    typedef struct Inputs {
        uint8_t on;
        double u;
        int32_t k;
        double m[2][3];
        uint8_t flags[3];
        uint32_t mask;
        uint8_t last;
    } Inputs;
    Sample *sample = component();
    TirInterface *on = declare_scalar(sample, INTERFACE_INPUT, "on", ROOT_BOOL);
    TirInterface *u = declare_scalar(sample, INTERFACE_INPUT, "u", ROOT_REAL);
    TirInterface *k = declare_scalar(sample, INTERFACE_INPUT, "k", ROOT_INT);
    TirInterface *m = declare(sample, INTERFACE_INPUT, "m", sample_tensor(sample, 2, 3, 0));
    TirInterface *flags = declare(sample, INTERFACE_INPUT, "flags", bools(sample, 3));
    TirInterface *mask = declare_scalar(sample, INTERFACE_INPUT, "mask", ROOT_UINT);
    TirInterface *last = declare_scalar(sample, INTERFACE_INPUT, "last", ROOT_BOOL);
    pass_storage(&sample->tir, &sample->program);
    EXPECT_MEMBER(on, STORAGE_INPUTS, Inputs, on);
    EXPECT_MEMBER(u, STORAGE_INPUTS, Inputs, u);
    EXPECT_MEMBER(k, STORAGE_INPUTS, Inputs, k);
    EXPECT_MEMBER(m, STORAGE_INPUTS, Inputs, m);
    EXPECT_MEMBER(flags, STORAGE_INPUTS, Inputs, flags);
    EXPECT_MEMBER(mask, STORAGE_INPUTS, Inputs, mask);
    EXPECT_MEMBER(last, STORAGE_INPUTS, Inputs, last);
    cr_expect_eq(sample->program.inputs_bytes, END(Inputs, last));
    cr_expect_eq(sample->program.outputs_bytes, 0);
    cr_expect_eq(sample->program.params_bytes, 0);
    cr_expect_eq(sample->program.state_bytes, 0);
    sample_destroy(sample);
}

Test(pass_storage_interface, each_kind_has_its_struct) {
    typedef struct Inputs {
        double u;
        uint8_t on;
    } Inputs;
    typedef struct Outputs {
        uint8_t ready;
        double y[3];
    } Outputs;
    typedef struct Params {
        int32_t order;
        double gain;
    } Params;
    Sample *sample = component();
    TirInterface *order = declare_scalar(sample, INTERFACE_TUNABLE, "order", ROOT_INT);
    TirInterface *u = declare_scalar(sample, INTERFACE_INPUT, "u", ROOT_REAL);
    TirInterface *ready = declare_scalar(sample, INTERFACE_OUTPUT, "ready", ROOT_BOOL);
    TirInterface *gain = declare_scalar(sample, INTERFACE_TUNABLE, "gain", ROOT_REAL);
    TirInterface *y = declare(sample, INTERFACE_OUTPUT, "y", sample_tensor(sample, 3, 0, 0));
    TirInterface *on = declare_scalar(sample, INTERFACE_INPUT, "on", ROOT_BOOL);
    ready->is_direct = y->is_direct = true;
    pass_storage(&sample->tir, &sample->program);
    EXPECT_MEMBER(u, STORAGE_INPUTS, Inputs, u);
    EXPECT_MEMBER(on, STORAGE_INPUTS, Inputs, on);
    EXPECT_MEMBER(ready, STORAGE_OUTPUTS, Outputs, ready);
    EXPECT_MEMBER(y, STORAGE_OUTPUTS, Outputs, y);
    EXPECT_MEMBER(order, STORAGE_PARAMS, Params, order);
    EXPECT_MEMBER(gain, STORAGE_PARAMS, Params, gain);
    cr_expect_eq(sample->program.inputs_bytes, END(Inputs, on));
    cr_expect_eq(sample->program.outputs_bytes, END(Outputs, y));
    cr_expect_eq(sample->program.params_bytes, END(Params, gain));
    cr_expect_eq(sample->program.state_bytes, 0);
    sample_destroy(sample);
}

Test(pass_storage_interface, outputs_that_are_not_direct_live_in_the_state) {
    typedef struct Outputs {
        double direct;
        uint8_t kept;
        double kept_too[2];
    } Outputs;
    typedef struct State {
        uint8_t flag;
        uint8_t kept;
        double kept_too[2];
        int32_t count;
    } State;
    Sample *sample = component();
    TirInterface *direct = declare_scalar(sample, INTERFACE_OUTPUT, "direct", ROOT_REAL);
    TirVar *flag = sample_global(sample, "flag", sample_scalar(sample, ROOT_BOOL));
    TirInterface *kept = declare_scalar(sample, INTERFACE_OUTPUT, "kept", ROOT_BOOL);
    TirInterface *kept_too =
        declare(sample, INTERFACE_OUTPUT, "kept_too", sample_tensor(sample, 2, 0, 0));
    TirVar *count = sample_global(sample, "count", sample_scalar(sample, ROOT_INT));
    direct->is_direct = true;
    pass_storage(&sample->tir, &sample->program);
    EXPECT_MEMBER(direct, STORAGE_OUTPUTS, Outputs, direct);
    // In the struct of the host all have a place, whatever the component writes to.
    cr_expect_eq(kept->offset, offsetof(Outputs, kept));
    cr_expect_eq(kept_too->offset, offsetof(Outputs, kept_too));
    cr_expect_eq(sample->program.outputs_bytes, END(Outputs, kept_too));
    cr_expect_eq(kept->var->storage, STORAGE_STATE);
    cr_expect_eq(kept->var->offset, offsetof(State, kept));
    cr_expect_eq(kept_too->var->storage, STORAGE_STATE);
    cr_expect_eq(kept_too->var->offset, offsetof(State, kept_too));
    cr_expect_eq(flag->offset, offsetof(State, flag));
    cr_expect_eq(count->offset, offsetof(State, count));
    cr_expect_eq(sample->program.state_bytes, END(State, count));
    sample_destroy(sample);
}

Test(pass_storage_interface, what_is_absent_or_constant_has_no_place) {
    Sample *sample = component();
    TirInterface *absent = declare_scalar(sample, INTERFACE_INPUT, "absent", ROOT_REAL);
    absent->is_present = false;
    TirInterface *constant = ARENA_NEW(sample->tir.arena, TirInterface);
    *constant = (TirInterface){.kind = INTERFACE_CONSTANT,
                               .space = 'n',
                               .name = absent->name,
                               .type = absent->type,
                               .is_present = true,
                               .value = sample_real(sample, 2)};
    LIST_PUSH(sample->tir.arena, &sample->program.interface, constant);
    TirInterface *u = declare_scalar(sample, INTERFACE_INPUT, "u", ROOT_REAL);
    pass_storage(&sample->tir, &sample->program);
    cr_expect_eq(u->offset, 0);
    cr_expect_eq(absent->var->storage, STORAGE_NONE);
    cr_expect_eq(sample->program.inputs_bytes, sizeof(double));
    cr_expect_eq(sample->program.params_bytes, 0);
    sample_destroy(sample);
}

Test(pass_storage_interface, singles_are_floats) {
    typedef struct Inputs {
        uint8_t on;
        float u;
        float v[2];
    } Inputs;
    Sample *sample = component();
    sample->tir.single = true;
    TirInterface *on = declare_scalar(sample, INTERFACE_INPUT, "on", ROOT_BOOL);
    TirInterface *u = declare_scalar(sample, INTERFACE_INPUT, "u", ROOT_REAL);
    TirInterface *v = declare(sample, INTERFACE_INPUT, "v", sample_tensor(sample, 2, 0, 0));
    pass_storage(&sample->tir, &sample->program);
    EXPECT_MEMBER(on, STORAGE_INPUTS, Inputs, on);
    EXPECT_MEMBER(u, STORAGE_INPUTS, Inputs, u);
    EXPECT_MEMBER(v, STORAGE_INPUTS, Inputs, v);
    cr_expect_eq(sample->program.inputs_bytes, END(Inputs, v));
    sample_destroy(sample);
}

// A host gives its structs C's alignment and no more, so large members get no lines of their own.
Test(pass_storage_interface, large_members_are_aligned_as_in_c) {
    typedef struct Inputs {
        double first;
        double large[100];
    } Inputs;
    Sample *sample = component();
    TirInterface *first = declare_scalar(sample, INTERFACE_INPUT, "first", ROOT_REAL);
    TirInterface *large =
        declare(sample, INTERFACE_INPUT, "large", sample_tensor(sample, 100, 0, 0));
    TirVar *count = sample_global(sample, "count", sample_scalar(sample, ROOT_INT));
    TirVar *line = sample_global(sample, "line", sample_tensor(sample, 100, 0, 0));
    pass_storage(&sample->tir, &sample->program);
    EXPECT_MEMBER(first, STORAGE_INPUTS, Inputs, first);
    EXPECT_MEMBER(large, STORAGE_INPUTS, Inputs, large);
    cr_expect_eq(count->offset, 0);
    cr_expect_eq(line->offset, sizeof(double));
    sample_destroy(sample);
}

Test(pass_storage_interface, planning_twice_changes_nothing) {
    Sample *sample = component();
    TirInterface *u = declare_scalar(sample, INTERFACE_INPUT, "u", ROOT_REAL);
    TirInterface *y = declare_scalar(sample, INTERFACE_OUTPUT, "y", ROOT_REAL);
    TirInterface *k = declare_scalar(sample, INTERFACE_TUNABLE, "k", ROOT_REAL);
    for (int i = 0; i < 2; i++) {
        pass_storage(&sample->tir, &sample->program);
        cr_expect_eq(u->offset + y->offset + k->offset, 0);
        cr_expect_eq(sample->program.inputs_bytes, sizeof(double));
        cr_expect_eq(sample->program.outputs_bytes, sizeof(double));
        cr_expect_eq(sample->program.params_bytes, sizeof(double));
        cr_expect_eq(sample->program.state_bytes, sizeof(double));
    }
    sample_destroy(sample);
}
