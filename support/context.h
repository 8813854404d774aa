// What every phase of one compilation shares. Two compilations may run in two threads: what they
// have in common belongs to the process (staged.c, memory.c, LLVM's targets) and is safe for that,
// or is set before they start.
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
// Makes it as new, and keeps its memory (arena_reset).
void context_reset(Context *context);
void context_destroy(Context *context);

#endif
