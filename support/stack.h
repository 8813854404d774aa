// The stack that recursion over a program may use.
//
// Brackets and blocks nest as deeply as the parser allows, but chains of calls and of `elseif` have
// no limit of their own: generated sources have thousands of them. So the command works in a thread
// with a large stack, and what recurses along such a chain asks whether there is room to go on.
#ifndef TMLC_SUPPORT_STACK_H
#define TMLC_SUPPORT_STACK_H

#include <stddef.h>
#include <stdint.h>

// Runs `run(data)` with a large stack, or with the present one where the system gives no other.
void stack_run(void (*run)(void *data), void *data);

// From now on a stack that cannot grow ends the process as memory_failed() does. For one thread,
// once.
void stack_watch(void);

// How many bytes this thread's stack may grow from here.
size_t stack_room(void);

// The address down to which recursion that checks for room may use this thread's stack: a quarter
// of it. The rest is for later walks over the same program, which do not check.
uintptr_t stack_floor(void);

#endif
