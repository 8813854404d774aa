// A program or component in execution: what its statements (eval.c) and the steps of a component
// (component.c) share.
#ifndef TMLC_EVAL_RUN_H
#define TMLC_EVAL_RUN_H

#include "eval/eval.h"
#include "eval/expr.h"
#include "runtime/text/print.h"

typedef struct RefRun {
    const TirProgram *program;
    const RefEvalIo *io;
    TirScalar **globals;
    RefFault *fault;
    Writer printed;           // to a temporary file, as the runtime writes to descriptors only
    struct RefRun *instances; // by position in the program
    TirMath math;
} RefRun;

// Variables by id, all zero.
TirScalar **ref_new_vars(TirVar *const *vars, size_t count);
// What an instance is in the run of the component that holds it.
RefRun *ref_instance_run(RefRun *run, const TirInstance *instance);
// Values by position.
void ref_free_arrays(RefArray *arrays, size_t count);
// Calls a function by copying: `results`, and back to `args` what is in-out. All numbers are of the
// level.
void ref_call(RefRun *run, const TirFunction *function, unsigned level, const RefArray *args,
              const RefArray *results);
// The results of a call that asks for derivatives (derive.c), of the same level as its arguments
// and the direction, if it has one.
void ref_derive(RefRun *run, const TirStmt *call, unsigned level, const RefArray *args,
                RefArray along, const RefArray *results);

#endif
