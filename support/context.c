#include "support/context.h"

#include "support/memory.h"

#include <stdlib.h>

Context *context_create(void) {
    Context *context = memory_zeroed(sizeof(Context));
    context->arena = arena_create();
    context->names = names_create(context->arena);
    context->sources = sources_create(context->arena);
    context->diags = diags_create(context->arena);
    return context;
}

void context_destroy(Context *context) {
    arena_destroy(context->arena);
    free(context);
}
