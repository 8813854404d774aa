/* Linux on AArch64 and RISC-V, without a C library: a start and two system calls. */
#include "tests/cross/platform.h"

enum { SYSTEM_WRITE = 64, SYSTEM_EXIT = 93 }; /* the same on both */

static long system_call(long number, long a, long b, long c) {
#ifdef __aarch64__
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#else
    register long a7 __asm__("a7") = number;
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    return a0;
#endif
}

static void leave(int status) {
    system_call(SYSTEM_EXIT, status, 0, 0);
    __builtin_unreachable();
}

void platform_write(const char *text, size_t bytes) {
    while (bytes > 0) {
        long written = system_call(SYSTEM_WRITE, 1, (long)text, (long)bytes);
        if (written <= 0) {
            leave(3);
        }
        text += written;
        bytes -= (size_t)written;
    }
}

/* The kernel has set the stack up; there is nothing to return to. */
void start(void);
void start(void) {
    leave(cross_main());
}

#ifdef __aarch64__
__asm__(".globl _start\n_start: bl start\n");
#else
__asm__(".globl _start\n"
        "_start:\n"
        ".option push\n"
        ".option norelax\n"
        "la gp, __global_pointer$\n"
        ".option pop\n"
        "call start\n");
#endif
