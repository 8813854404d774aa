// Functions that hosts call. Expected numbers are from hand arithmetic on the source.
#include "embedded.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char library[] = "g = 9.81\n"
                              "tensor<int, 3> counts = [1, 2, 3]\n"
                              "fn distance(real t) real:\n"
                              "    return 0.5 * g * t * t\n"
                              "end\n"
                              "fn pick(tensor<real, 3> v, bool last, int i, uint j) real:\n"
                              "    if last:\n"
                              "        return v[2]\n"
                              "    end\n"
                              "    return v[i] + j\n"
                              "end\n"
                              "fn scaled(tensor<real, 2, 3> m, real k) tensor<real, 2, 3>:\n"
                              "    return m * k\n"
                              "end\n"
                              "fn is_odd(uint i) bool:\n"
                              "    return i % 2 == 1\n"
                              "end\n"
                              "fn count(int i):\n"
                              "    counts[i] += 10\n"
                              "end\n"
                              "fn total() int:\n"
                              "    return sum(counts)\n"
                              "end\n"
                              "fn any_size(tensor<real, n> v) real:\n"
                              "    return v[0]\n"
                              "end\n"
                              "fn sized() real:\n"
                              "    return any_size([1.5, 2.5])\n"
                              "end\n";

typedef struct State {
    double g;
    int32_t counts[3];
    tml_fault fault;
} State;

typedef tml_status Distance(State *state, double t, double *result);
typedef tml_status Pick(const double *v, uint8_t last, int32_t i, uint32_t j, double *result);
typedef tml_status Scaled(const double *m, double k, double *result);
typedef tml_status IsOdd(uint32_t i, uint8_t *result);
typedef tml_status Count(State *state, int32_t i);
typedef tml_status Total(State *state, int32_t *result);
typedef tml_status Init(State *state);

static Embedded *library_at(unsigned level) {
    CodegenOptions options = {.opt_level = level, .checks = true, .exports = true};
    return embedded_compile("a/lib.tml", library, &options);
}

#define FOR_EACH_LEVEL(embedded)                                                     \
    for (unsigned level = 0; level <= 3; level++)                                    \
        for (Embedded *embedded = library_at(level), *once = embedded; once != NULL; \
             once = NULL, embedded_destroy(embedded))

Test(exports, functions_with_a_state) {
    FOR_EACH_LEVEL(embedded) {
        Init *init = (Init *)embedded_symbol(embedded, "lib_init");
        Distance *distance = (Distance *)embedded_symbol(embedded, "lib_fn_distance");
        Count *count = (Count *)embedded_symbol(embedded, "lib_fn_count");
        Total *total = (Total *)embedded_symbol(embedded, "lib_fn_total");
        State state;
        memset(&state, 0xEE, sizeof(state));
        cr_assert_eq(init(NULL), TML_E_ARG);
        cr_assert_eq(init(&state), TML_OK);
        cr_assert_eq(state.g, 9.81);
        cr_assert_eq(state.fault.code, 0);
        double result = 0;
        cr_assert_eq(distance(&state, 2, &result), TML_OK);
        cr_assert_eq(result, 0.5 * 9.81 * 2 * 2);
        cr_assert_eq(distance(NULL, 2, &result), TML_E_ARG);
        cr_assert_eq(distance(&state, 2, NULL), TML_E_ARG);
        cr_assert_eq(count(&state, 1), TML_OK);
        cr_assert_eq(count(NULL, 1), TML_E_ARG);
        int32_t sum = 0;
        cr_assert_eq(total(&state, &sum), TML_OK);
        cr_assert_eq(sum, 16);
        cr_assert_eq(count(&state, 3), TML_E_INDEX);
        cr_assert_eq(state.fault.code, TML_E_INDEX);
        cr_assert_eq(state.fault.line, 19);
        cr_assert_eq(state.fault.index, 3);
        cr_assert_eq(state.fault.length, 3);
        State other;
        cr_assert_eq(init(&other), TML_OK);
        cr_assert_eq(total(&other, &sum), TML_OK);
        cr_assert_eq(sum, 6);
    }
}

Test(exports, functions_without_a_state) {
    FOR_EACH_LEVEL(embedded) {
        Pick *pick = (Pick *)embedded_symbol(embedded, "lib_fn_pick");
        Scaled *scaled = (Scaled *)embedded_symbol(embedded, "lib_fn_scaled");
        IsOdd *is_odd = (IsOdd *)embedded_symbol(embedded, "lib_fn_is_odd");
        const double v[] = {1.5, 2.5, 3.5};
        double result = 0;
        cr_assert_eq(pick(v, 0, 1, 4294967295U, &result), TML_OK);
        cr_assert_eq(result, 2.5 + 4294967295.0);
        cr_assert_eq(pick(v, 1, 99, 0, &result), TML_OK);
        cr_assert_eq(result, 3.5);
        cr_assert_eq(pick(v, 0x80, 99, 0, &result), TML_OK); // any byte but 0 is true
        cr_assert_eq(pick(v, 0, 3, 0, &result), TML_E_INDEX);
        cr_assert_eq(pick(v, 0, -1, 0, &result), TML_E_INDEX);
        cr_assert_eq(pick(NULL, 0, 0, 0, &result), TML_E_ARG);
        cr_assert_eq(pick(v, 0, 0, 0, NULL), TML_E_ARG);
        const double m[] = {1, 2, 3, 4, 5, 6};
        double product[6] = {0};
        cr_assert_eq(scaled(m, 0.5, product), TML_OK);
        cr_assert(product[0] == 0.5 && product[5] == 3);
        uint8_t odd = 7;
        cr_assert_eq(is_odd(5, &odd), TML_OK);
        cr_assert_eq(odd, 1);
        cr_assert_eq(is_odd(4, &odd), TML_OK);
        cr_assert_eq(odd, 0);
        cr_assert_null(embedded_symbol(embedded, "lib_fn_any_size"));
        cr_assert_not_null(embedded_symbol(embedded, "lib_fn_sized"));
    }
}

Test(exports, results_that_overlap_an_argument_are_refused) {
    FOR_EACH_LEVEL(embedded) {
        Pick *pick = (Pick *)embedded_symbol(embedded, "lib_fn_pick");
        Scaled *scaled = (Scaled *)embedded_symbol(embedded, "lib_fn_scaled");
        double memory[20] = {0};
        for (int at = 0; at < 14; at++) {
            bool is_in_three = at >= 6 && at < 9;
            bool is_in_six = at > 0 && at < 12;
            cr_assert_eq(pick(memory + 6, 1, 0, 0, memory + at), is_in_three ? TML_E_ARG : TML_OK);
            cr_assert_eq(scaled(memory + 6, 1, memory + at), is_in_six ? TML_E_ARG : TML_OK);
        }
    }
}

Test(exports, a_library_without_a_state_has_no_init) {
    CodegenOptions options = {.opt_level = 2, .checks = true, .exports = true};
    Embedded *embedded =
        embedded_compile("pure.tml", "fn half(real x) real:\n    return x / 2\nend\n", &options);
    cr_assert_not_null(embedded_symbol(embedded, "pure_fn_half"));
    cr_assert_null(embedded_symbol(embedded, "pure_init"));
    embedded_destroy(embedded);
}

// A function that works in the scratch needs memory for it.
Test(exports, large_temporaries_live_in_the_state) {
    static const char large[] = "fn smooth(tensor<real, 2000> x) real:\n"
                                "    tensor<real, 2000> y = x * x\n"
                                "    for i = 1:2000:\n"
                                "        y[i] += y[i - 1] / 2\n"
                                "    end\n"
                                "    return y[1999] + y[0]\n"
                                "end\n";
    CodegenOptions options = {.opt_level = 2, .checks = true, .exports = true};
    Embedded *embedded = embedded_compile("large.tml", large, &options);
    typedef tml_status Smooth(void *state, const double *x, double *result);
    Smooth *smooth = (Smooth *)embedded_symbol(embedded, "large_fn_smooth");
    static double x[2000], result;
    x[0] = x[1998] = 2;
    x[1999] = 3;
    static _Alignas(8) char state[2000 * 8 + 1000];
    cr_assert_eq(((Init *)embedded_symbol(embedded, "large_init"))((State *)state), TML_OK);
    cr_assert_eq(smooth(state, x, &result), TML_OK);
    cr_assert_eq(result, 9 + 4 / 2 + 4); // y[0] has decayed below an ulp
    cr_assert_eq(smooth(NULL, x, &result), TML_E_ARG);
    embedded_destroy(embedded);
}

Test(exports, of_a_script_are_those_without_a_state) {
    static const char script[] = "real k = 2.0\n"
                                 "fn twice(real x) real:\n"
                                 "    assert(x < 100)\n"
                                 "    return 2 * x\n"
                                 "end\n"
                                 "fn times_k(real x) real:\n"
                                 "    return k * x\n"
                                 "end\n"
                                 "print(twice(input(real)), times_k(k))\n";
    for (int exports = 0; exports <= 1; exports++) {
        CodegenOptions options = {.opt_level = 2, .checks = true, .exports = exports};
        Embedded *embedded = embedded_compile("run.tml", script, &options);
        Buffer text = {0};
        const char *error = NULL;
        cr_assert(codegen_emit(embedded->module, CODEGEN_LLVM, &text, &error));
        cr_assert_eq(strstr(text.data, "@run_fn_twice_") != NULL, exports);
        cr_assert_null(strstr(text.data, "run_fn_times_k"));
        cr_assert_eq(strstr(text.data, "@tml_note") != NULL,
                     !exports); // hosts have no state for it
        buffer_free(&text);
        embedded_destroy(embedded);
    }
}

enum { NARROW_ROWS = 21, NARROW_MOST = 7 };

static Embedded *product_of(unsigned columns, unsigned level) {
    char text[256];
    snprintf(text, sizeof(text),
             "fn run(tensor<real, %d, %u> a, tensor<real, %u, %u> b) tensor<real, %d, %u>:\n"
             "    return a .* b\n"
             "end\n",
             NARROW_ROWS, columns, columns, columns, NARROW_ROWS, columns);
    CodegenOptions options = {.opt_level = level, .checks = true, .exports = true};
    return embedded_compile("lib.tml", text, &options);
}

// Stores of narrow rows run over into the next row, never past the last one.
Test(exports, products_of_narrow_rows_write_their_result_alone) {
    typedef tml_status Run(const double *a, const double *b, double *result);
    for (unsigned i = 0; i < 2 * NARROW_MOST; i++) {
        unsigned columns = i / 2 + 1;
        Embedded *embedded = product_of(columns, i % 2 * 2);
        Run *run = (Run *)embedded_symbol(embedded, "lib_fn_run");
        double a[NARROW_ROWS * NARROW_MOST], b[NARROW_MOST * NARROW_MOST];
        double result[NARROW_ROWS * NARROW_MOST + 8];
        for (unsigned k = 0; k < NARROW_ROWS * columns; k++) {
            a[k] = 3 * k % 17;
        }
        for (unsigned k = 0; k < columns * columns; k++) {
            b[k] = 5 * k % 7;
        }
        for (unsigned k = 0; k < sizeof(result) / sizeof(*result); k++) {
            result[k] = -1;
        }
        cr_assert_eq(run(a, b, result), TML_OK);
        for (unsigned k = 0; k < NARROW_ROWS * columns; k++) {
            double expected = 0;
            for (unsigned n = 0; n < columns; n++) {
                expected += a[k / columns * columns + n] * b[n * columns + k % columns];
            }
            cr_assert_eq(result[k], expected);
        }
        for (unsigned k = 0; k < 8; k++) {
            cr_assert_eq(result[NARROW_ROWS * columns + k], -1);
        }
        embedded_destroy(embedded);
    }
}

// Hosts see the bits of nan: those that arithmetic gives, but for the sign.
Test(exports, the_least_and_greatest_of_nan_are_the_usual_one) {
    typedef tml_status Run(const double *a, const double *b, double *result);
    static const char text[] =
        "fn run(tensor<real, 9> a, tensor<real, 9> b) tensor<real, 2, 9>:\n"
        "    return concat(0, reshape(min(a, b), 1, 9), reshape(max(a, b), 1, 9))\n"
        "end\n";
    for (unsigned level = 0; level <= 2; level += 2) {
        CodegenOptions options = {.opt_level = level, .checks = true, .exports = true};
        Embedded *embedded = embedded_compile("lib.tml", text, &options);
        Run *run = (Run *)embedded_symbol(embedded, "lib_fn_run");
        double a[9], b[9], result[18];
        for (unsigned i = 0; i < 9; i++) {
            a[i] = i % 3 == 1 ? 1 : (double)NAN;
            b[i] = i % 3 == 2 ? -0.0 : (double)NAN;
        }
        cr_assert_eq(run(a, b, result), TML_OK);
        for (unsigned i = 0; i < 18; i++) {
            double expected = NAN;
            double found = fabs(result[i]);
            cr_assert_eq(memcmp(&found, &expected, sizeof(found)), 0);
        }
        embedded_destroy(embedded);
    }
}
