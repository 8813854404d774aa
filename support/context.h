// What every phase of one compilation shares. There is no other shared state, so two compilations
// may run in two threads.
#ifndef TMLC_SUPPORT_CONTEXT_H
#define TMLC_SUPPORT_CONTEXT_H

#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "support/source.h"

typedef struct Context {
    Arena *arena;
    NameTable *names;
    SourceMap *sources;
    DiagList *diags;
} Context;

Context *context_create(void);
void context_destroy(Context *context);

#endif
