// Components run in memory as their executables would.
#include "embedded.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char source[] = "in real t.u\n"
                             "out real t.y\n"
                             "tunable real p.k = 2.0\n"
                             "real sum = 0.5\n"
                             "fn output_fnc():\n"
                             "    t.y = sum\n"
                             "end\n"
                             "fn update_fnc():\n"
                             "    sum += p.k * t.u\n"
                             "end\n";

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

Test(simulation, in_memory) {
    char folder[] = "/tmp/tmlc_simulation_XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    char in[64], out[64];
    snprintf(in, sizeof(in), "%s/u.csv", folder);
    snprintf(out, sizeof(out), "%s/y.csv", folder);
    write_file(in, "u\n1\n2\n3\n");
    for (unsigned level = 0; level <= 3; level++) {
        CodegenOptions options = {.opt_level = level, .checks = true};
        Embedded *embedded = embedded_compile("sum.tml", source, &options);
        char name[] = "sum", in_option[] = "--in", out_option[] = "--out";
        char *argv[] = {name, in_option, in, out_option, out, NULL};
        int status = -1;
        const char *error = NULL;
        Context *context = embedded->context;
        cr_assert(codegen_run(embedded->module, 5, argv, &status, &error), "%s", error);
        cr_assert_eq(status, 0);
        char text[64] = "";
        FILE *file = fopen(out, "r");
        cr_assert_not_null(file);
        text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
        fclose(file);
        cr_assert_str_eq(text, "y\n0.5\n2.5\n6.5\n");
        context_destroy(context);
    }
    unlink(in);
    unlink(out);
    rmdir(folder);
}

Test(simulation, a_library_has_nothing_to_run) {
    CodegenOptions options = {.checks = true};
    Embedded *embedded =
        embedded_compile("half.tml", "fn half(real x) real:\n    return x / 2\nend\n", &options);
    char name[] = "half";
    char *argv[] = {name, NULL};
    int status;
    const char *error = NULL;
    Context *context = embedded->context;
    cr_assert_not(codegen_run(embedded->module, 1, argv, &status, &error));
    cr_assert_str_eq(error, "a library has nothing to run");
    context_destroy(context);
}
