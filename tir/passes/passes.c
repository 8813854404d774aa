// The list of passes, in their order, each of which needs what those before it leave (passes.h).
// Verifies after each when asked; what does not hold then is a bug.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/verify.h"

typedef void Pass(Tir *tir, TirProgram *program);

static void check_pass(const TirProgram *program, const char *pass) {
    Buffer errors = {0};
    if (!tir_verify(program, &errors)) {
        BUG("after %s:\n%s", pass, errors.data);
    }
    buffer_free(&errors);
}

void passes_run(Tir *tir, TirProgram *program, bool verify) {
    static const struct {
        const char *name;
        Pass *run;
    } passes[] = {
        {"opt_place", opt_place},
        {"opt_alias", opt_alias},
        {"opt_plan", opt_plan},
    };
    for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
        passes[i].run(tir, program);
        if (verify) {
            check_pass(program, passes[i].name);
        }
    }
}
