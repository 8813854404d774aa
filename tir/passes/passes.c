// Runs the rows of passes.def. Verifies after each when asked; what does not hold then is a bug.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/verify.h"

typedef void Pass(Tir *tir, TirProgram *program);

static void verify_after(const TirProgram *program, const char *pass) {
    Buffer errors = {0};
    if (!tir_verify(program, &errors)) {
        BUG("after %s:\n%s", pass, errors.data);
    }
    buffer_free(&errors);
}

void passes_run(Tir *tir, TirProgram *program, unsigned opt_level, bool verify) {
    static const struct {
        const char *name;
        unsigned level;
        Pass *run;
    } passes[] = {
#define PASS(name, level) {#name, level, pass_##name},
#include "tir/passes/passes.def"
    };
    for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
        if (passes[i].level > opt_level) {
            continue;
        }
        passes[i].run(tir, program);
        if (verify) {
            verify_after(program, passes[i].name);
        }
    }
}
