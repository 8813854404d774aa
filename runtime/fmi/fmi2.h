// What FMI 2.0 calls the types of its functions, as far as co-simulation needs them.
#ifndef TML_RUNTIME_FMI_FMI2_H
#define TML_RUNTIME_FMI_FMI2_H

#include <stddef.h>

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef int fmi2Status; // an enumeration: ok, warning, discard, error, fatal, pending

enum { fmi2CoSimulation = 1 }; // of fmi2Type
enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

typedef void fmi2Logger(fmi2ComponentEnvironment environment, fmi2String instance,
                        fmi2Status status, fmi2String category, fmi2String format, ...);

typedef struct fmi2CallbackFunctions {
    fmi2Logger *logger;
    void *(*allocateMemory)(size_t count, size_t bytes);
    void (*freeMemory)(void *memory);
    void (*stepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

#endif
