// Runs the rows of passes.def. Verifies after each when asked; what does not hold then is a bug.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/verify.h"

typedef struct Pass {
    const char *name;
    unsigned level;
    void (*run)(Tir *tir, TirFunction *function); // NULL: it takes the program
    void (*run_program)(Tir *tir, TirProgram *program);
} Pass;

static const Pass passes[] = {
#define PASS(name, level) {#name, level, pass_##name, NULL},
#define PROGRAM_PASS(name, level) {#name, level, NULL, pass_##name},
#include "tir/passes/passes.def"
};

const char *pass_name(PassKind pass) {
    return passes[pass].name;
}

bool pass_is_needed(PassKind pass) {
    return passes[pass].level == 0;
}

static void verify_after(const TirProgram *program, const char *pass) {
    Buffer errors = {0};
    if (!tir_verify(program, &errors)) {
        BUG("after %s:\n%s", pass, errors.data);
    }
    buffer_free(&errors);
}

static void run_one(Tir *tir, TirProgram *program, const Pass *pass) {
    if (pass->run == NULL) {
        pass->run_program(tir, program);
        return;
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        pass->run(tir, program->functions.items[i]);
    }
}

static void run_all(Tir *tir, TirProgram *program, const PassOptions *options) {
    unsigned last = options->last == 0 ? PASS_COUNT : options->last;
    for (unsigned i = 0; i < last; i++) {
        bool is_left_out = passes[i].level > 0 && (options->left_out & pass_bit((PassKind)i)) != 0;
        if (passes[i].level > options->opt_level || is_left_out) {
            continue;
        }
        run_one(tir, program, &passes[i]);
        if (options->verify) {
            verify_after(program, passes[i].name);
        }
    }
}

void passes_run(Tir *tir, TirProgram *program, const PassOptions *options) {
    for (size_t i = 0; i < program->components.count; i++) {
        Tir inner = *tir;
        inner.global_count = (uint32_t)program->components.items[i]->globals.count;
        run_all(&inner, program->components.items[i], options);
    }
    run_all(tir, program, options);
}
