// See stack.h. The thread gets 256 MiB of stack, which cost nothing before they are used, or a part
// of the address space where that is limited; signals that arrive meanwhile are its own. Where no
// thread can be had, the work is done on the stack that is there.
//
// Note [Full stack]
// A stack that cannot grow, beyond its limit or for want of memory, is a SIGSEGV at an address that
// belongs to it, or to the guard below. The handler runs on a stack of its own. Where the watched
// stack lies is written once, before the handler can run.
#include "support/stack.h"

#include "support/cleanup.h"
#include "support/heap.h"
#include "support/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

enum { MIB = 1024 * 1024, STACK_BYTES = 256 * MIB, LEAST_BYTES = 16 * MIB };
enum { HEAP_BYTES = MIB / 4 }; // of any command

typedef struct Work {
    void (*run)(void *data);
    void *data;
    sigset_t signals; // that stay blocked
} Work;

static void *work(void *data) {
    const Work *todo = data;
    pthread_sigmask(SIG_SETMASK, &todo->signals, NULL);
    todo->run(todo->data);
    return NULL;
}

// The stack must leave most of a limited address space to the work.
static size_t stack_bytes(void) {
    enum { SHARE = 8 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur / SHARE > STACK_BYTES) {
        return STACK_BYTES;
    }
    return limit.rlim_cur / SHARE;
}

static int start(pthread_t *thread, size_t bytes, Work *todo) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        error = pthread_attr_setstacksize(&attributes, bytes);
        if (error == 0) {
            error = pthread_create(thread, &attributes, work, todo);
        }
        pthread_attr_destroy(&attributes);
    }
    return error;
}

void stack_run(void (*run)(void *data), void *data) {
    heap_expect(HEAP_BYTES);
    Work todo = {.run = run, .data = data};
    // Signals are for the thread that works: where it blocks them, nobody may take them.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &todo.signals);
    pthread_t thread;
    bool started = false;
    for (size_t bytes = stack_bytes(); bytes >= LEAST_BYTES && !started; bytes /= 2) {
        started = start(&thread, bytes, &todo) == 0;
    }
    if (started) {
        pthread_join(thread, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &todo.signals, NULL);
    if (!started) {
        run(data);
    }
}

size_t stack_room(void) {
    static const size_t unknown = 1024 * 1024; // of a system that does not tell
    pthread_attr_t attributes;
    int error = pthread_getattr_np(pthread_self(), &attributes);
    if (error == ENOMEM) {
        memory_failed(); // a guess would refuse programs that there is room for
    }
    if (error != 0) {
        return unknown;
    }
    void *lowest = NULL;
    size_t bytes = 0;
    error = pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return error != 0 ? unknown : here - (uintptr_t)lowest;
}

uintptr_t stack_floor(void) {
    enum { SHARE = 4 };
    return (uintptr_t)__builtin_frame_address(0) - stack_room() / SHARE;
}

static struct {
    uintptr_t top;
    uintptr_t bytes;
} watched; // see Note [Full stack]

// Installed with SA_RESETHAND: the signal raised again does what it does without us.
static void handle_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    uintptr_t address = (uintptr_t)info->si_addr;
    if (address < watched.top && watched.top - address < watched.bytes) {
        memory_failed();
    }
    cleanup_run();
    raise(number);
}

void stack_watch(void) {
    static char handler_stack[64 * 1024];
    enum { GUARD = 1 << 20 }; // a frame may begin that far below the limit
    struct sigaction old;
    stack_t other = {.ss_sp = handler_stack, .ss_size = sizeof(handler_stack)};
    if (sigaction(SIGSEGV, NULL, &old) != 0 || old.sa_handler != SIG_DFL ||
        sigaltstack(&other, NULL) != 0) {
        return;
    }
    watched.top = (uintptr_t)__builtin_frame_address(0);
    watched.bytes = GUARD + stack_room();
    struct sigaction action = {.sa_sigaction = handle_fault,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
}
