// The values of variables from one entry to the next, known by where the variables are declared, by
// their names, of which a macro declares several at one place, and by their types.
#ifndef TMLC_DRIVER_REPL_KEPT_H
#define TMLC_DRIVER_REPL_KEPT_H

#include "driver/compile.h"
#include "eval/eval.h"

typedef struct KeptValue {
    char *key;
    Root root;
    uint32_t count;
    TirScalar *scalars;
} KeptValue;

typedef struct KeptValues {
    KeptValue *items;
    size_t count;
} KeptValues;

void kept_free(KeptValues *values);
const KeptValue *kept_find(const KeptValues *values, const Context *context, const TirVar *var);

// Whether what both have in common is the same.
bool kept_agree(const KeptValues *before, const KeptValues *after);

// Which statements of the entry run: those that stand in the main file from `from` on (an offset)
// and before `until`, and those of files that are not `known`, which may be NULL.
typedef struct KeptRange {
    uint32_t from, until;
    const SourceMap *known;
} KeptRange;

// Runs a part of a script. `before` are the values that variables have, `*after` those that they
// have then, only when it does not trap. False with *fault set; `stop` as in RefEvalIo.
bool kept_run(const Compilation *compilation, KeptRange range, const KeptValues *before,
              KeptValues *after, bool (*stop)(void *data), Buffer *out, RefFault *fault);

#endif
