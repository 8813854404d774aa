// The command alone: an allocation that fails ends it with one message, in LLVM and in C++ too.
// LLVM does not look at all that malloc gives it, and its own ways to fail have no names in C; so
// the linker puts these functions in their place (--wrap in CMakeLists.txt). Libraries that are
// shared are left out of that: the C++ library has a handler, and Jansson takes its functions from
// main.c.
#include "support/memory.h"

void *real_malloc(size_t bytes) __asm__("__real_malloc");
void *real_calloc(size_t count, size_t bytes) __asm__("__real_calloc");
void *real_realloc(void *old, size_t bytes) __asm__("__real_realloc");
char *real_strdup(const char *text) __asm__("__real_strdup");
void *checked_malloc(size_t bytes) __asm__("__wrap_malloc");
void *checked_calloc(size_t count, size_t bytes) __asm__("__wrap_calloc");
void *checked_realloc(void *old, size_t bytes) __asm__("__wrap_realloc");
char *checked_strdup(const char *text) __asm__("__wrap_strdup");

typedef void NewHandler(void);
NewHandler *set_new_handler(NewHandler *handler) __asm__("_ZSt15set_new_handlerPFvvE");

static void *checked(void *memory) {
    if (memory == NULL) {
        memory_failed();
    }
    return memory;
}

void *checked_malloc(size_t bytes) {
    return checked(real_malloc(bytes == 0 ? 1 : bytes));
}

void *checked_calloc(size_t count, size_t bytes) {
    return checked(count == 0 || bytes == 0 ? real_calloc(1, 1) : real_calloc(count, bytes));
}

void *checked_realloc(void *old, size_t bytes) {
    return checked(real_realloc(old, bytes == 0 ? 1 : bytes));
}

// What LLVM's C interface makes its messages with.
char *checked_strdup(const char *text) {
    return checked(real_strdup(text));
}

// Static constructors may allocate. Those with a priority run before them, and 101 is the first
// that is free.
__attribute__((constructor(101))) static void install_new_handler(void) {
    set_new_handler(memory_failed);
}
