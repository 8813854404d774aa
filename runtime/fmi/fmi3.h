// What FMI 3.0 calls the types of its functions, as far as co-simulation needs them.
#ifndef TML_RUNTIME_FMI_FMI3_H
#define TML_RUNTIME_FMI_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef const char *fmi3String;
typedef int fmi3Status; // an enumeration: ok, warning, discard, error, fatal

typedef void fmi3LogMessageCallback(fmi3InstanceEnvironment environment, fmi3Status status,
                                    fmi3String category, fmi3String message);

#endif
