// Instances that count their own seconds: by custom `n.dt` is the time of a step, which a file that
// holds instances gives to them.
#include "sema/warn/state.h"
#include "tir/visit.h"

#include <math.h>

static bool are_close(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

// What the instance is given itself may be meant so: as of a step that it does by hand.
static bool has_own(const TirInterface *item) {
    return item->written != NULL && item->written->kind == EXPR_CONST &&
           item->written->data[0].real == item->value->data[0].real;
}

void warn_step_times(Checker *checker) {
    const TirProgram *program = checker->program;
    const TirInterface *here = tir_step_time(program, 'n');
    for (size_t k = 0; here != NULL && k < program->instances.count; k++) {
        const TirInstance *instance = program->instances.items[k];
        const TirInterface *there = tir_step_time(instance->component, 'n');
        bool is_told = instance->is_element && instance->element > 0;
        if (there == NULL || is_told || !has_own(there)) {
            continue;
        }
        double own = there->value->data[0].real;
        double step = instance->every * here->value->data[0].real;
        if (are_close(own, step)) {
            continue;
        }
        Diag *diag = warn_later(checker, WARNING_STEP_TIME, instance->span,
                                "`%s` takes %.10g for the time of its step, which is %.10g here",
                                instance->name->text, own, step);
        diag_label(diag, there->span, "its `n.dt`");
        if (instance->every > 1) {
            diag_help(diag, "give it `n.dt = %u * n.dt`", instance->every);
        } else {
            diag_help(diag, "give it `n.dt = n.dt`");
        }
    }
}
