// Objects to embed need nothing but libm, on every target; and what is reported of them is true.
#define _GNU_SOURCE // memmem
#include "embedded.h"
#include "object_file.h"
#include "tests/seed.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Something of everything: copies and fills, all exact functions, casts, divisions, products,
// reductions, indices, a function of libm and a remainder.
static const char source[] =
    "in tensor<real, 100> t.u\n"
    "in tensor<int, 7> t.k\n"
    "in real t.s\n"
    "out tensor<real, 100> t.y\n"
    "out tensor<real, 100> t.z\n"
    "out tensor<int, 7> t.j\n"
    "out tensor<uint, 7> t.i\n"
    "out tensor<real, 10, 10> t.m\n"
    "out real t.r\n"
    "out bool t.b\n"
    "out tensor<real, 300> t.joined\n"
    "not feedthrough out tensor<real, 200> t.big\n"
    "tunable tensor<real, 10, 10> p.a = eye(10)\n"
    "str p.text = \"of the table\"\n"
    "tensor<real, 100> x = 0.0\n"
    "tensor<real, 2000> past = 1.0\n"
    "tensor<real, 12> table = [1, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]\n"
    "int at = 0\n"
    "fn init_fnc():\n"
    "    t.big = 0.0\n"
    "end\n"
    "fn output_fnc():\n"
    "    t.y = floor(t.u) + ceil(t.u) * round(t.u) - trunc(t.u) + sqrt(abs(t.u)) + x\n"
    "    t.z = min(t.u, x) + max(t.u, 0.5) + sin(t.u) + t.u % 2.5\n"
    "    t.j = t.j.type(t.u[0:7]) + t.k / 3 + t.k % (t.k[0] + 5)\n"
    "    t.i = t.i.type(t.u[1:8] * 3.5)\n"
    "    tensor<real, 10, 10> b = reshape(t.u, 10, 10)\n"
    "    t.m = p.a .* b' + reshape(x, 10, 10)\n"
    "    t.r = sum(past) + past[at] + mean(t.u) + real(t.k[0]) + table[at % 12] + max(t.u)\n"
    "    t.joined = concat(0, t.u, x, t.u)\n"
    "    t.b = all(t.u == x) or any(t.u < x)\n"
    "end\n"
    "fn update_fnc():\n"
    "    x = 0.0\n"
    "    x[3:50] = t.u[4:51]\n"
    "    past[at] = t.s\n"
    "    at += 1\n"
    "    if at == 2000:\n"
    "        at = int(t.s)\n"
    "    end\n"
    "    t.big = concat(0, t.u, x)\n"
    "    past[0:1000] = past[1000:2000]\n"
    "    assert(at >= 0, \"at is a position\")\n"
    "end\n"
    "fn pick(tensor<real, 50> a, bool b, int i) real:\n"
    "    return select(b, sum(a), a[i])\n"
    "end\n";

typedef struct Machine {
    const char *target, *cpu;
    bool single; // the machine's reals
    bool is_elf;
} Machine;

static const Machine machines[] = {
    {"x86_64-unknown-linux-gnu", "x86-64", false, true},
    {"x86_64-unknown-linux-gnu", "x86-64-v4", false, true},
    {"aarch64-unknown-linux-gnu", NULL, false, true},
    {"armv7-unknown-linux-gnueabihf", "cortex-a15", false, true},
    {"thumbv7em-none-eabi", "cortex-m4", true, true},
    {"thumbv7em-none-eabihf", "cortex-m7", false, true},
    {"riscv32-unknown-linux-gnu", NULL, false, true},
    {"riscv32-unknown-elf", "sifive-e76", true, true},
    {"riscv64-unknown-linux-gnu", NULL, false, true},
    {"wasm32-unknown-unknown", NULL, false, false},
};
enum { MACHINE_COUNT = sizeof(machines) / sizeof(machines[0]) };

static bool is_listed(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_libm(const char *name, bool single) {
    static const char *const names[] = {"sin", "fmod", "floor", "ceil", "round", "trunc"};
    static const char *const single_names[] = {"sinf",  "fmodf",  "floorf",
                                               "ceilf", "roundf", "truncf"};
    return is_listed(single ? single_names : names, 6, name);
}

enum { LEVEL_S = 4, LEVEL_Z };

static Embedded *compile_for(const Machine *machine, unsigned level) {
    CodegenOptions options = {.target = machine->target,
                              .cpu = machine->cpu,
                              .opt_level = level < LEVEL_S ? level : 2,
                              .size = level == LEVEL_S   ? SIZE_SMALL
                                      : level == LEVEL_Z ? SIZE_LEAST
                                                         : SIZE_ANY,
                              .debug = level == 1,
                              .checks = true,
                              .exports = true};
    return machine->single ? embedded_compile_single("all.tml", source, &options)
                           : embedded_compile("all.tml", source, &options);
}

static void check_elf(const Machine *machine, Embedded *embedded, const CodegenReport *report) {
    Buffer object = embedded_object(embedded);
    ObjectFile file = object_file_read(&object);
    cr_assert_null(file.writable, "%s: %s", machine->target, file.writable);
    cr_assert_null(file.extra, "%s: %s", machine->target, file.extra);
    cr_assert_eq(file.code_bytes, report->code_bytes, "%s", machine->target);
    cr_assert_eq(file.constant_bytes, report->constant_bytes, "%s", machine->target);
    cr_assert_eq(file.undefined_count, report->externals.count, "%s", machine->target);
    for (size_t i = 0; i < file.undefined_count; i++) {
        cr_assert(is_libm(file.undefined[i], machine->single), "%s needs %s", machine->target,
                  file.undefined[i]);
        cr_assert(is_listed(report->externals.items, report->externals.count, file.undefined[i]));
    }
    buffer_free(&object);
}

// Of the machines at their levels another third each day.
Test(embedded_objects, need_nothing_but_libm) {
    uint64_t day = 0;
    cr_assert(seed_of_today(&day));
    for (size_t i = 0; i < MACHINE_COUNT; i++) {
        const Machine *machine = &machines[i];
        static const unsigned levels[] = {0, 1, 2, LEVEL_S, LEVEL_Z};
        for (size_t n = 0; n < sizeof(levels) / sizeof(levels[0]); n++) {
            unsigned level = levels[n];
            if ((i + n) % 3 != day % 3) {
                continue;
            }
            Embedded *embedded = compile_for(machine, level);
            CodegenReport report = embedded_report(embedded);
            cr_assert_eq(report.writable_bytes, 0);
            cr_assert_gt(report.code_bytes, 1000);
            cr_assert_gt(report.constant_bytes, 800); // the defaults alone
            cr_assert_geq(report.externals.count, 2);
            for (size_t k = 0; k < report.externals.count; k++) {
                cr_assert(is_libm(report.externals.items[k], machine->single), "%s -O%u needs %s",
                          machine->target, level, report.externals.items[k]);
            }
            if (machine->is_elf) {
                check_elf(machine, embedded, &report);
            }
            embedded_destroy(embedded);
        }
    }
}

// With single reals nothing is computed or stored as double.
Test(embedded_objects, of_single_reals_have_no_doubles) {
    for (unsigned level = 0; level <= 2; level += 2) {
        CodegenOptions options = {.target = "thumbv7em-none-eabi",
                                  .cpu = "cortex-m4",
                                  .opt_level = level,
                                  .checks = true};
        Embedded *embedded = embedded_compile_single("all.tml", source, &options);
        Buffer text = {0};
        const char *error = NULL;
        cr_assert(codegen_emit(embedded->module, CODEGEN_LLVM, &text, &error));
        cr_assert_null(strstr(text.data, "double"));
        buffer_free(&text);
        embedded_destroy(embedded);
    }
}

Test(embedded_objects, only_init_has_the_hash_in_its_name) {
    CodegenOptions options = {.opt_level = 1, .checks = true, .exports = true};
    Embedded *embedded = embedded_compile("all.tml", source, &options);
    CodegenReport report = embedded_report(embedded);
    static const char *const symbols[] = {"all_init", "all_output", "all_update",
                                          "all_step", "all_step_n", "all_fn_pick"};
    cr_assert_eq(report.stacks.count, 6);
    for (size_t i = 0; i < 6; i++) {
        cr_assert_str_eq(report.stacks.items[i].symbol, symbols[i]);
    }
    embedded_destroy(embedded);
}

Test(embedded_objects, tell_which_functions_call_libm) {
    static const char some[] = "in real t.u\n"
                               "out real t.y\n"
                               "real x = 0.0\n"
                               "fn output_fnc():\n"
                               "    t.y = t.u + x\n"
                               "end\n"
                               "fn update_fnc():\n"
                               "    x = cos(t.u)\n"
                               "end\n"
                               "fn down(real a) real:\n"
                               "    return floor(a)\n"
                               "end\n";
    static const char *const cpus[] = {"x86-64", "x86-64-v3"}; // v3 has roundsd
    for (size_t k = 0; k < 2; k++) {
        CodegenOptions options = {.target = "x86_64-linux-gnu",
                                  .cpu = cpus[k],
                                  .opt_level = 2,
                                  .checks = true,
                                  .exports = true};
        Embedded *embedded = embedded_compile("some.tml", some, &options);
        CodegenReport report = embedded_report(embedded);
        const bool calls[] = {false, false, true, true, true, k == 0};
        cr_assert_eq(report.stacks.count, 6);
        for (size_t i = 0; i < 6; i++) {
            const CodegenStack *row = &report.stacks.items[i];
            cr_assert_eq(row->calls_libm, calls[i], "%s", row->symbol);
        }
        embedded_destroy(embedded);
    }
}

// Two angles, of one of which both are on every path.
static const char turning[] = "fn turn(real a, real b, bool c) tensor<real, 4>:\n"
                              "    real y = sin(b)\n"
                              "    if c:\n"
                              "        y = cos(b)\n"
                              "    end\n"
                              "    return [cos(a), y, sin(a), cos(a) - sin(a)]\n"
                              "end\n";

Test(embedded_objects, sine_and_cosine_of_one_angle_are_one_call) {
    static const char *const targets[] = {"x86_64-unknown-linux-gnu", "thumbv7em-none-eabihf"};
    for (unsigned k = 0; k < 4; k++) {
        CodegenOptions options = {
            .target = targets[k / 2], .opt_level = k % 2 * 2, .checks = true, .exports = true};
        Embedded *embedded = embedded_compile("turning.tml", turning, &options);
        CodegenReport report = embedded_report(embedded);
        const char *const *names = report.externals.items;
        size_t count = report.externals.count;
        cr_assert_eq(is_listed(names, count, "sincos"), k == 1);
        cr_assert(is_listed(names, count, "sin") && is_listed(names, count, "cos"));
        embedded_destroy(embedded);
    }
}

Test(embedded_objects, sine_and_cosine_are_those_of_the_library) {
    typedef tml_status Turn(double a, double b, bool c, double *result);
    CodegenOptions options = {.opt_level = 2, .checks = true, .exports = true};
    Embedded *embedded = embedded_compile("turning.tml", turning, &options);
    Turn *turn = *(Turn **)&(void *){embedded_symbol(embedded, "turning_fn_turn")};
    for (int i = -200; i <= 200; i++) {
        volatile double a = i * (i % 3 == 0 ? 0.01 : 1e3), b = i * 0.7;
        double sine = sin(a), cosine = cos(a), result[4];
        const double expected[] = {cosine, i % 2 == 0 ? cos(b) : sin(b), sine, cosine - sine};
        cr_assert_eq(turn(a, b, i % 2 == 0, result), TML_OK);
        cr_assert_eq(memcmp(result, expected, sizeof(expected)), 0, "%g", a);
    }
    embedded_destroy(embedded);
}

Test(embedded_objects, are_made_once) {
    CodegenOptions options = {.opt_level = 2, .checks = true};
    Embedded *embedded = embedded_compile("all.tml", source, &options);
    embedded_report(embedded);
    Buffer first = embedded_object(embedded);
    Buffer second = embedded_object(embedded);
    cr_assert_eq(first.len, second.len);
    cr_assert_eq(memcmp(first.data, second.data, first.len), 0);
    buffer_free(&first);
    buffer_free(&second);
    embedded_destroy(embedded);
}

Test(embedded_objects, debug_information_has_terminals_and_state) {
    CodegenOptions options = {.debug = true, .checks = true};
    Embedded *embedded = embedded_compile("all.tml", source, &options);
    Buffer text = {0};
    const char *error = NULL;
    cr_assert(codegen_emit(embedded->module, CODEGEN_LLVM, &text, &error));
    static const char *const names[] = {"u", "k", "y", "m", "a", "x", "past", "big", "b"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char line[64];
        snprintf(line, sizeof(line), "!DILocalVariable(name: \"%s\"", names[i]);
        cr_assert(strstr(text.data, line) != NULL, "%s", names[i]);
    }
    cr_assert(strstr(text.data, "!DISubprogram(name: \"all_step_n\"") != NULL);
    buffer_free(&text);
    embedded_destroy(embedded);
}

static bool has_text(const Buffer *object, const char *text) {
    return memmem(object->data, object->len, text, strlen(text)) != NULL;
}

// Linkers leave out sections that nothing refers to; where there is a loader, it relocates tables.
Test(embedded_objects, come_in_parts) {
    static const char *const targets[] = {"thumbv7em-none-eabi", "x86_64-unknown-linux-gnu"};
    static const char *const tables[] = {".rodata.all_model", ".data.rel.ro.all_model"};
    for (size_t i = 0; i < 2; i++) {
        CodegenOptions options = {.target = targets[i], .opt_level = 1, .checks = true};
        Embedded *embedded = embedded_compile_single("all.tml", source, &options);
        Buffer object = embedded_object(embedded);
        static const char *const sections[] = {".text.all_step_n", ".text.all_update",
                                               ".rodata.all_defaults"};
        for (size_t k = 0; k < 3; k++) {
            cr_assert(has_text(&object, sections[k]), "%s", sections[k]);
        }
        for (size_t k = 0; k < 2; k++) {
            cr_assert_eq(has_text(&object, tables[k]), i == k, "%s", tables[k]);
        }
        buffer_free(&object);
        embedded_destroy(embedded);
    }
}
