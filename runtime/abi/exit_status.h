// How the compiler and produced executables end (L13).
#ifndef TML_RUNTIME_ABI_EXIT_STATUS_H
#define TML_RUNTIME_ABI_EXIT_STATUS_H

typedef enum ExitStatus {
    EXIT_OK = 0,
    EXIT_ERRORS = 1, // in the program text
    EXIT_USAGE = 2,
    EXIT_WORLD = 3, // files, memory, the linker
    EXIT_BUG = 70,  // of the compiler
    EXIT_TRAP = 101,
} ExitStatus;

#endif
