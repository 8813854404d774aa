// What every phase of one compilation shares. There is no other shared state, so two compilations
// may run in two threads.
#ifndef TMLC_SUPPORT_CONTEXT_H
#define TMLC_SUPPORT_CONTEXT_H

#include "support/arena.h"
#include "support/diag/diag.h"
#include "support/intern.h"
#include "support/source.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Context {
    Arena *arena;
    NameTable *names;
    SourceMap *sources;
    DiagList *diags;
    uintptr_t stack_floor; // of the thread that made it, which is the one that works with it
} Context;

Context *context_create(void);
// Whether recursion along a chain that has no limit may go one level deeper (support/stack.h).
bool context_has_stack(const Context *context);
void context_destroy(Context *context);

#endif
