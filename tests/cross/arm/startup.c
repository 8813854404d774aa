/* A Cortex-M4 with nothing on it: vectors, floating point, memory; text and exit status leave
   through semihosting. */
#include "tests/cross/platform.h"

#include <stdint.h>

enum {
    SEMIHOST_WRITE0 = 0x04,        /* a text that ends in NUL */
    SEMIHOST_EXIT_EXTENDED = 0x20, /* reason and status */
    EXIT_APPLICATION = 0x20026,
    TEXT_BYTES = 128,
    PAINTED_BYTES = 16 * 1024,
};

#define PATTERN "0xa5c3e197"
#define CPACR (*(volatile uint32_t *)0xe000ed88)

extern uint32_t data_image[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];

static uint32_t semihost(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void leave(uint32_t status) {
    uint32_t block[] = {EXIT_APPLICATION, status};
    semihost(SEMIHOST_EXIT_EXTENDED, block);
    for (;;) {
    }
}

void platform_write(const char *text, size_t bytes) {
    char part[TEXT_BYTES + 1];
    while (bytes > 0) {
        size_t count = bytes < TEXT_BYTES ? bytes : TEXT_BYTES;
        for (size_t i = 0; i < count; i++) {
            part[i] = text[i];
        }
        part[count] = '\0';
        semihost(SEMIHOST_WRITE0, part);
        text += count;
        bytes -= count;
    }
}

/* Neither function has a frame, so that sp is the caller's. */
__attribute__((naked)) void stack_paint(void) {
    __asm__("ldr r0, =" PATTERN "\n"
            "sub r1, sp, %0\n"
            "1: str r0, [r1], #4\n"
            "cmp r1, sp\n"
            "blo 1b\n"
            "bx lr\n" ::"i"(PAINTED_BYTES));
}

__attribute__((naked)) size_t stack_depth(void) {
    __asm__("ldr r0, =" PATTERN "\n"
            "sub r1, sp, %0\n"
            "1: cmp r1, sp\n"
            "beq 2f\n"
            "ldr r2, [r1]\n"
            "cmp r2, r0\n"
            "itt eq\n"
            "addeq r1, r1, #4\n"
            "beq 1b\n"
            "2: sub r0, sp, r1\n"
            "bx lr\n" ::"i"(PAINTED_BYTES));
}

void reset(void);
void reset(void) {
    CPACR |= 0xfu << 20; /* coprocessors 10 and 11, the floating-point unit, for everybody */
    __asm__ volatile("dsb\nisb");
    for (uint32_t *to = data_start, *from = data_image; to < data_end;) {
        *to++ = *from++;
    }
    for (uint32_t *to = bss_start; to < bss_end;) {
        *to++ = 0;
    }
    leave((uint32_t)cross_main());
}

static void fault(void) {
    platform_write("FAILED: a hardware fault\n", 25);
    leave(4);
}

/* The stack, then the handlers: reset, NMI, hard, memory, bus and usage faults. */
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    stack_top,           (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault,
};
