/* Runs a component step by step and prints the bits of its outputs, without a C library.

   case.inc is written by run.py: it includes the component's header, names the component
   MODEL(...), and holds `rows`, an array of STEPS inputs. */
#include "case.inc"
#include "tests/cross/platform.h"

#define CHECK(what) check(#what, what)

static MODEL(state) state, other;
static MODEL(outputs) outputs[STEPS], again[STEPS];
static int failures;

/* --- printing --------------------------------------------------------------------------------- */

static void print(const char *text) {
    size_t bytes = 0;
    while (text[bytes] != '\0') {
        bytes++;
    }
    platform_write(text, bytes);
}

static void print_hex(uint64_t bits, unsigned bytes) {
    char text[17];
    unsigned digits = 2 * bytes;
    for (unsigned i = 0; i < digits; i++) {
        text[i] = "0123456789abcdef"[(bits >> (4 * (digits - 1 - i))) & 15];
    }
    text[digits] = '\0';
    print(text);
}

/* Division of 64 bits would be a call on small machines. */
static void print_number(uint32_t number) {
    char text[11];
    unsigned at = sizeof(text) - 1;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    print(text + at);
}

static void print_field(const char *name, uint32_t number) {
    print(" ");
    print(name);
    print(" ");
    print_number(number);
}

static void check(const char *what, int holds) {
    if (!holds) {
        print("FAILED: ");
        print(what);
        print("\n");
        failures++;
    }
}

/* --- outputs, as the table of the component describes them --------------------------------------
 */

static unsigned element_bytes(const tml_type *type) {
    return type->root == TML_BOOL ? 1 : type->root == TML_REAL ? type->real_bytes : 4;
}

static uint32_t element_count(const tml_type *type) {
    uint32_t count = 1;
    for (unsigned i = 0; i < type->flat_rank; i++) {
        count *= type->dims[i];
    }
    return count;
}

static uint64_t bits_at(const unsigned char *at, unsigned bytes) {
    uint64_t bits = 0;
    for (unsigned i = bytes; i-- > 0;) {
        bits = bits << 8 | at[i];
    }
    return bits;
}

/* Element `i` of an output. Machines make nans with different signs, so all nans are one. */
static uint64_t element(const tml_variable *variable, const MODEL(outputs) * row, uint32_t i) {
    unsigned bytes = element_bytes(variable->type);
    uint64_t bits = bits_at((const unsigned char *)row + variable->offset + i * bytes, bytes);
    uint64_t inf = bytes == 8 ? 0x7ff0000000000000u : 0x7f800000u;
    uint64_t sign = bytes == 8 ? 0x8000000000000000u : 0x80000000u;
    int is_nan = variable->type->root == TML_REAL && (bits & ~sign) > inf;
    return is_nan ? inf | inf >> 1 : bits;
}

static void print_row(const MODEL(outputs) * row) {
    for (uint32_t v = 0; v < MODEL(model).variable_count; v++) {
        const tml_variable *variable = &MODEL(model).variables[v];
        if (variable->role != TML_OUTPUT) {
            continue;
        }
        for (uint32_t i = 0; i < element_count(variable->type); i++) {
            print(" ");
            print_hex(element(variable, row, i), element_bytes(variable->type));
        }
    }
    print("\n");
}

static int same_row(const MODEL(outputs) * a, const MODEL(outputs) * b) {
    for (uint32_t v = 0; v < MODEL(model).variable_count; v++) {
        const tml_variable *variable = &MODEL(model).variables[v];
        if (variable->role != TML_OUTPUT) {
            continue;
        }
        for (uint32_t i = 0; i < element_count(variable->type); i++) {
            if (element(variable, a, i) != element(variable, b, i)) {
                return 0;
            }
        }
    }
    return 1;
}

static int same_rows(const MODEL(outputs) * a, const MODEL(outputs) * b, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (!same_row(&a[k], &b[k])) {
            return 0;
        }
    }
    return 1;
}

/* --- stack --------------------------------------------------------------------------------------
 */

typedef struct Depth {
    const char *entry;
    size_t bytes;
} Depth;

static Depth init_depth = {"init", 0}, output_depth = {"output", 0}, update_depth = {"update", 0},
             step_depth = {"step", 0}, step_n_depth = {"step_n", 0};

/* The value of a call, with the stack below it watched. */
#define WATCHED(depth, call) (stack_paint(), watched(&(depth), (call), stack_depth()))

static tml_status watched(Depth *depth, tml_status status, size_t bytes) {
    if (bytes > depth->bytes) {
        depth->bytes = bytes;
    }
    return status;
}

static void print_depth(const Depth *depth) {
    if (PLATFORM_HAS_STACK) {
        print("stack ");
        print(depth->entry);
        print(" ");
        print_number((uint32_t)depth->bytes);
        print("\n");
    }
}

/* --- the runs -----------------------------------------------------------------------------------
 */

/* The rows that a run finishes; after a trap, fewer than STEPS. */
static size_t run_in_halves(tml_status *status) {
    *status = WATCHED(init_depth, MODEL(init)(&state, &MODEL(defaults)));
    for (size_t k = 0; *status == TML_OK && k < STEPS; k++) {
        *status =
            WATCHED(output_depth, MODEL(output)(&state, &MODEL(defaults), &rows[k], &outputs[k]));
        if (*status != TML_OK) {
            return k;
        }
        print("row");
        print_row(&outputs[k]);
        *status =
            WATCHED(update_depth, MODEL(update)(&state, &MODEL(defaults), &rows[k], &outputs[k]));
        if (*status != TML_OK) {
            return k;
        }
    }
    return *status == TML_OK ? STEPS : 0;
}

static void print_fault(const tml_fault *fault, size_t row) {
    print("trap");
    print_field("code", (uint32_t)fault->code);
    print_field("line", fault->line);
    print_field("column", fault->column);
    print(" index ");
    print_hex((uint64_t)fault->index, 8);
    print_field("length", (uint32_t)fault->length);
    print_field("row", (uint32_t)row);
    print("\n");
}

static int same_fault(const tml_fault *a, const tml_fault *b) {
    return a->code == b->code && a->file == b->file && a->line == b->line &&
           a->column == b->column && a->index == b->index && a->length == b->length;
}

static void run_by_steps(size_t count, tml_status expected) {
    tml_status status = MODEL(init)(&other, &MODEL(defaults));
    size_t k = 0;
    while (status == TML_OK && k < STEPS) {
        status = WATCHED(step_depth, MODEL(step)(&other, &MODEL(defaults), &rows[k], &again[k]));
        k += status == TML_OK;
    }
    CHECK(status == expected);
    CHECK(k == count);
    CHECK(same_rows(outputs, again, count));
    CHECK(same_fault(&state.fault, &other.fault));
}

/* All steps at once, through the table that describes the component. */
static void run_at_once(size_t count, tml_status expected) {
    const tml_model *model = &MODEL(model);
    tml_status status = model->init(&other, model->defaults);
    if (status == TML_OK) {
        status = WATCHED(step_n_depth, model->step_n(&other, model->defaults, STEPS, rows, again));
    }
    CHECK(status == expected);
    CHECK(same_rows(outputs, again, count));
    CHECK(same_fault(&state.fault, &other.fault));
    CHECK(status == TML_OK || other.fault.step == count);
}

static void copy(void *to, const void *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
}

/* A copy of a state goes on as the original did. */
static void run_copy(size_t count) {
    size_t half = count / 2;
    CHECK(MODEL(init)(&state, &MODEL(defaults)) == TML_OK);
    CHECK(MODEL(step_n)(&state, &MODEL(defaults), half, rows, again) == TML_OK);
    copy(&other, &state, sizeof(state));
    CHECK(MODEL(step_n)(&state, &MODEL(defaults), count - half, rows + half, again) == TML_OK);
    CHECK(same_rows(outputs + half, again, count - half));
    CHECK(MODEL(step_n)(&other, &MODEL(defaults), count - half, rows + half, again) == TML_OK);
    CHECK(same_rows(outputs + half, again, count - half));
}

static void check_table(void) {
    const tml_model *model = &MODEL(model);
    CHECK(model->version == TML_MODEL_VERSION);
    CHECK(model->params_bytes == sizeof(MODEL(params)));
    CHECK(model->inputs_bytes == sizeof(MODEL(inputs)));
    CHECK(model->outputs_bytes == sizeof(MODEL(outputs)));
    CHECK(model->state_bytes == sizeof(MODEL(state)));
    CHECK(model->fault_offset == offsetof(MODEL(state), fault));
    CHECK(model->defaults == &MODEL(defaults));
    CHECK(model->file_count >= 1);
}

static void print_table(void) {
    print("bytes");
    print_field("params", (uint32_t)MODEL(model).params_bytes);
    print_field("inputs", (uint32_t)MODEL(model).inputs_bytes);
    print_field("outputs", (uint32_t)MODEL(model).outputs_bytes);
    print_field("state", (uint32_t)MODEL(model).state_bytes);
    print("\n");
}

static void check_null(void) {
    const MODEL(params) *params = &MODEL(defaults);
    CHECK(MODEL(init)(NULL, params) == TML_E_ARG);
    CHECK(MODEL(init)(&state, NULL) == TML_E_ARG);
    CHECK(MODEL(output)(&state, params, NULL, outputs) == TML_E_ARG);
    CHECK(MODEL(update)(NULL, params, rows, outputs) == TML_E_ARG);
    CHECK(MODEL(step)(&state, params, rows, NULL) == TML_E_ARG);
    CHECK(MODEL(step_n)(&state, NULL, STEPS, rows, outputs) == TML_E_ARG);
}

int cross_main(void) {
    tml_status status;
    print_table();
    size_t count = run_in_halves(&status);
    if (status != TML_OK) {
        print_fault(&state.fault, count);
        CHECK(state.fault.code == status);
    }
    run_by_steps(count, status);
    run_at_once(count, status);
    run_copy(count);
    check_table();
    check_null();
    print_depth(&init_depth);
    print_depth(&output_depth);
    print_depth(&update_depth);
    print_depth(&step_depth);
    print_depth(&step_n_depth);
    return failures == 0 ? 0 : 1;
}
