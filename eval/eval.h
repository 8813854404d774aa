// The oracle: evaluates TIR naively, as tir/tir.h reads, before or after the passes. It shares no
// code with the compiler's constant folding or code generation. Every value is computed whole into
// fresh memory and then stored; terms of sums are added in row-major order.
#ifndef TMLC_EVAL_EVAL_H
#define TMLC_EVAL_EVAL_H

#include "support/buffer.h"
#include "tir/tir.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where named values come from and go to. A callback that is NULL knows no name.
typedef struct RefEvalIo {
    void *data;
    // Instead of computing whole values, stores them element by element, last one first, each
    // computed after those before it were stored: what pass_alias makes legal. Slow.
    bool element_by_element;
    // The scalars of an input in row-major order, or NULL when there is no such input. The name of
    // standard input is empty.
    const TirScalar *(*input)(void *data, Slice name, const Type *type);
    // Takes an output; false when nobody wants it: then it is printed.
    bool (*output)(void *data, Slice name, const Type *type, const TirScalar *scalars);
    // Asked before each statement: true ends the run with REF_STOPPED.
    bool (*stop)(void *data);
} RefEvalIo;

enum { REF_STOPPED = -1 };

typedef struct RefFault {
    int code; // 1001 to 1004 as in L13; 3: an input is missing; REF_STOPPED
    Span span;
    int64_t index;            // of 1001
    uint64_t length;          // of 1001
    Slice text;               // of an assertion, or the name of the missing input
    const TirStmt *assertion; // of 1004, and the values of its notes
    TirScalar noted[ASSERTION_NOTES];
} RefFault;

// Runs the entry of a program (of a library: what initialises its globals) and appends what it
// prints to `out`. False when it traps, with *fault set; `io` may be NULL.
__attribute__((warn_unused_result)) bool
ref_eval_run(const TirProgram *program, const RefEvalIo *io, Buffer *out, RefFault *fault);

// Runs a test of a program that was made to run its tests, on a state of its own, and prints what
// it prints to the descriptor. False when it traps.
__attribute__((warn_unused_result)) bool
ref_eval_test(const TirProgram *program, const TirTest *test, int printed, RefFault *fault);

// A component (L10.4), step by step. Every terminal, tunable property and file-level variable is an
// array of scalars in row-major order.
typedef struct RefComponent RefComponent;

// All values are zero, tunable properties have their defaults. The caller frees it.
RefComponent *ref_component_create(const TirProgram *program);
void ref_component_free(RefComponent *component);
// Has its steps ask io->stop, which outlives it.
void ref_component_watch(RefComponent *component, const RefEvalIo *io);
// The scalars of a terminal, tunable property or file-level variable, to read or to set.
TirScalar *ref_component_value(RefComponent *component, const TirVar *var);

// A tunable property of an instance in a component, or in one of these: `axis[1].p.kp`.
typedef struct RefTunable {
    const char *name;
    const TirExpr *value; // its default
    TirScalar *scalars;   // to read or to set
} RefTunable;

typedef LIST_OF(RefTunable) RefTunables;

RefTunables ref_component_tunables(const RefComponent *component, Arena *arena);
// Each is false when it traps, with *fault set; the component must be initialised again then.
// Initialising begins with zeros everywhere but in tunable properties. The outputs of a step are
// those between ref_component_output and ref_component_update, which changes some of them.
__attribute__((warn_unused_result)) bool ref_component_init(RefComponent *component,
                                                            RefFault *fault);
__attribute__((warn_unused_result)) bool ref_component_output(RefComponent *component,
                                                              RefFault *fault);
__attribute__((warn_unused_result)) bool ref_component_update(RefComponent *component,
                                                              RefFault *fault);

#endif
