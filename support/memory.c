// The one place where a failed allocation is noticed.
//
// Note [Full stack]
// A stack that cannot grow, beyond its limit or for want of memory, is a SIGSEGV at an address that
// belongs to it, or to the guard below. The handler runs on a stack of its own. Where the watched
// stack lies is written once, before the handler can run.
#include "support/memory.h"

#include "runtime/abi/exit_status.h"
#include "support/cleanup.h"
#include "support/stack.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

// Libraries call this in the middle of what they do, and nothing here may need memory: what exit()
// would run, such as their destructors, is left out.
void memory_failed(void) {
    static const char message[] = "tmlc: error: out of memory\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);
    (void)written; // there is nobody else to tell
    cleanup_run();
    _exit(EXIT_WORLD);
}

void *memory_zeroed(size_t bytes) {
    void *memory = calloc(bytes == 0 ? 1 : bytes, 1);
    if (memory == NULL) {
        memory_failed();
    }
    return memory;
}

void *memory_resize(void *old, size_t bytes) {
    void *memory = realloc(old, bytes == 0 ? 1 : bytes);
    if (memory == NULL) {
        memory_failed();
    }
    return memory;
}

size_t memory_product(size_t count, size_t size) {
    size_t product;
    if (__builtin_mul_overflow(count, size, &product)) {
        memory_failed();
    }
    return product;
}

static struct {
    uintptr_t top;
    uintptr_t bytes;
} stack; // see Note [Full stack]

// Installed with SA_RESETHAND: the signal raised again does what it does without us.
static void handle_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    uintptr_t address = (uintptr_t)info->si_addr;
    if (address < stack.top && stack.top - address < stack.bytes) {
        memory_failed();
    }
    cleanup_run();
    raise(number);
}

void memory_watch_stack(void) {
    static char handler_stack[64 * 1024];
    enum { GUARD = 1 << 20 }; // a frame may begin that far below the limit
    struct sigaction old;
    stack_t other = {.ss_sp = handler_stack, .ss_size = sizeof(handler_stack)};
    if (sigaction(SIGSEGV, NULL, &old) != 0 || old.sa_handler != SIG_DFL ||
        sigaltstack(&other, NULL) != 0) {
        return;
    }
    stack.top = (uintptr_t)__builtin_frame_address(0);
    stack.bytes = GUARD + stack_room();
    struct sigaction action = {.sa_sigaction = handle_fault,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
}
