#include "support/context.h"

#include "support/memory.h"
#include "support/stack.h"

#include <stdlib.h>

static void context_fill(Context *context) {
    context->names = names_create(context->arena);
    context->sources = sources_create(context->arena);
    context->diags = diags_create(context->arena);
}

Context *context_create(void) {
    Context *context = memory_zeroed(sizeof(Context));
    context->arena = arena_create();
    context->stack_floor = stack_floor();
    context_fill(context);
    return context;
}

void context_reset(Context *context) {
    arena_reset(context->arena);
    context_fill(context);
}

bool context_has_stack(const Context *context) {
    return (uintptr_t)__builtin_frame_address(0) > context->stack_floor;
}

void context_destroy(Context *context) {
    arena_destroy(context->arena);
    free(context);
}
