/* What host.c needs of a machine; each folder here gives it for one. */
#ifndef CROSS_PLATFORM_H
#define CROSS_PLATFORM_H

#include <stddef.h>

/* What host.c gives the machine: 0 when every check held. */
int cross_main(void);

#ifdef __wasm__
__attribute__((import_module("host"), import_name("write")))
#endif
void platform_write(const char *text, size_t bytes);

/* Where the stack can be watched: fill what lies below the caller's frame with a pattern, and say
   how much of it is gone, in bytes. */
#ifdef __arm__
enum { PLATFORM_HAS_STACK = 1 };
void stack_paint(void);
size_t stack_depth(void);
#else
enum { PLATFORM_HAS_STACK = 0 };
static inline void stack_paint(void) {}
static inline size_t stack_depth(void) {
    return 0;
}
#endif

#endif
