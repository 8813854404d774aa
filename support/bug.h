// Our own mistakes: an internal bug ends the process with exit status 70 and says what to report.
#ifndef TMLC_SUPPORT_BUG_H
#define TMLC_SUPPORT_BUG_H

// Prints "internal compiler error" with the place in the compiler and the message, and exits 70.
_Noreturn void bug_report(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define BUG(...) bug_report(__FILE__, __LINE__, __VA_ARGS__)
#define UNREACHABLE() BUG("unreachable code was reached")
// Checks an invariant of the compiler, in release builds too. Never for what a program text causes.
#define CHECK(condition)                             \
    do {                                             \
        if (!(condition)) {                          \
            BUG("broken invariant: %s", #condition); \
        }                                            \
    } while (0)

#endif
