// The reported stack against what painting shows: never less, and not twice as much.
#include "embedded.h"

#include <criterion/criterion.h>
#include <string.h>

#if defined(__x86_64__)

enum { STACK_BYTES = 256 * 1024, PAINT = 0xB7, SHIFTS = 4, ARGS = 5 };
enum { TRAP_BYTES = 32 }; // of the call that reports a trap, which is counted and does not happen

static const char source[] = "in tensor<real, 9> t.u\n"
                             "in real t.s\n"
                             "out real t.y\n"
                             "out tensor<real, 3, 3> t.m\n"
                             "tensor<real, 3, 3> cov = 1.0\n"
                             "tensor<real, 60> old = 0.0\n"
                             "int at = 0\n"
                             "fn inner(tensor<real, 60> a, int k) real:\n"
                             "    tensor<real, 60> b = a * k\n"
                             "    for i = 1:60:\n"
                             "        b[i] += b[i - 1]\n"
                             "    end\n"
                             "    return b[59]\n"
                             "end\n"
                             "fn outer(tensor<real, 60> a) real:\n"
                             "    tensor<real, 60> c = a + 1\n"
                             "    for i = 1:60:\n"
                             "        c[i] += c[i - 1] * inner(a, i)\n"
                             "    end\n"
                             "    return c[59] + inner(c, 2)\n"
                             "end\n"
                             "fn output_fnc():\n"
                             "    tensor<real, 3, 3> q = reshape(t.u, 3, 3)\n"
                             "    t.m = q .* cov .* q' + inv(q + 3 * eye(3))\n"
                             "    t.y = outer(old) + sum(t.m)\n"
                             "end\n"
                             "fn update_fnc():\n"
                             "    cov = cov + 1\n"
                             "    old[at] = t.s\n"
                             "    at = (at + 1) % 60\n"
                             "end\n"
                             "fn small(real x) real:\n"
                             "    return x + 1\n"
                             "end\n"
                             "fn trapping(tensor<int, 4> x, int i) int:\n"
                             "    return x[i] / i\n"
                             "end\n"
                             // More vectors at once than there are registers: some are saved.
                             "fn saving(tensor<real, 8, 8> x) real:\n"
                             "    y = x .* x\n"
                             "    z = y .* x .* y\n"
                             "    return sum(z .* y .* z)\n"
                             "end\n";

// Calls function(args[0], ... args[4]) with the stack pointer at `top`, a multiple of 16.
void stack_bound_call(void *function, void *const *args, void *top);
__asm__(".text\n"
        "stack_bound_call:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    mov %rdx, %rsp\n"
        "    mov %rdi, %rax\n"
        "    mov %rsi, %r10\n"
        "    mov 0(%r10), %rdi\n"
        "    mov 8(%r10), %rsi\n"
        "    mov 16(%r10), %rdx\n"
        "    mov 24(%r10), %rcx\n"
        "    mov 32(%r10), %r8\n"
        "    call *%rax\n"
        "    mov %rbp, %rsp\n"
        "    pop %rbp\n"
        "    ret\n");

// How much of the stack the call changes. What it needs may depend on where the stack begins.
static size_t bytes_used(void *function, void *const *args) {
    static _Alignas(64) unsigned char stack[STACK_BYTES];
    size_t most = 0;
    for (size_t shift = 0; shift < SHIFTS; shift++) {
        memset(stack, PAINT, sizeof(stack));
        unsigned char *top = stack + sizeof(stack) - 16 * shift;
        stack_bound_call(function, args, top);
        size_t untouched = 0;
        while (untouched < sizeof(stack) && stack[untouched] == PAINT) {
            untouched++;
        }
        size_t used = (size_t)(top - stack) - untouched;
        most = used > most ? used : most;
    }
    return most;
}

static void check_function(Embedded *embedded, const CodegenStack *row, void *const *args) {
    void *function = embedded_symbol(embedded, row->symbol);
    cr_assert_not_null(function, "%s", row->symbol);
    size_t used = bytes_used(function, args);
    cr_assert(used <= row->bytes && row->bytes <= 2 * used + TRAP_BYTES,
              "%s uses %zu bytes, reported are %zu", row->symbol, used, (size_t)row->bytes);
    cr_assert(!row->calls_libm);
}

Test(stack_bound, is_true_and_not_twice_the_truth) {
    static _Alignas(64) char state[4096], inputs[1024], outputs[1024];
    static int32_t x[4], int_result;
    static double a[64], real_result;
    static const char *const cpus[] = {NULL, "x86-64", "x86-64-v3"};
    for (unsigned round = 0; round < 8; round++) {
        unsigned level = round < 4 ? round : 2;
        CodegenOptions options = {.cpu = cpus[round < 4 ? 0 : round % 2 + 1],
                                  .opt_level = level,
                                  .debug = round >= 6,
                                  .checks = true,
                                  .exports = true};
        Embedded *embedded = embedded_compile("stack.tml", source, &options);
        CodegenReport report = embedded_report(embedded);
        const tml_model *model = embedded_symbol(embedded, "stack_model");
        cr_assert_leq(model->state_bytes, sizeof(state));
        cr_assert_eq(model->init(state, model->defaults), TML_OK);
        void *params = (void *)model->defaults;
        const struct {
            const char *symbol;
            void *args[ARGS];
        } calls[] = {
            {"stack_init", {state, params}},
            {"stack_output", {state, params, inputs, outputs}},
            {"stack_update", {state, params, inputs, outputs}},
            {"stack_step", {state, params, inputs, outputs}},
            {"stack_step_n", {state, params, (void *)1, inputs, outputs}},
            {"stack_fn_inner", {a, (void *)3, &real_result}},
            {"stack_fn_outer", {a, &real_result}},
            {"stack_fn_small", {&real_result}},
            {"stack_fn_trapping", {x, (void *)17, &int_result}},
            {"stack_fn_saving", {a, &real_result}},
        };
        cr_assert_eq(report.stacks.count, sizeof(calls) / sizeof(calls[0]));
        for (size_t i = 0; i < report.stacks.count; i++) {
            cr_assert_str_eq(report.stacks.items[i].symbol, calls[i].symbol);
            check_function(embedded, &report.stacks.items[i], calls[i].args);
        }
        embedded_destroy(embedded);
    }
}

#endif
