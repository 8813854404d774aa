// What generated code and the runtime agree on. Generated code builds the `tml_model` of
// runtime/abi/model.h as a constant table; the runtime's one main reads it. Programs, whose host is
// the runtime, also call the functions of runtime/abi/abi.def.
// The compiler includes this header for the layouts only.
#ifndef TML_RUNTIME_ABI_ABI_H
#define TML_RUNTIME_ABI_ABI_H

#include "runtime/abi/model.h"

#include <stdbool.h>

typedef struct tml_host tml_host;

// A failure of the world: the runtime has said what failed; the process exits 3.
enum { TML_E_IO = 3 };

// The head of every program's state, which is 64-aligned and all zero at the start; file-level
// variables follow, then (64-aligned) the scratch.
typedef struct tml_state {
    tml_host *host;
    tml_fault fault;
} tml_state;

// Runs a program or simulates a component as its executable does and returns the exit status
// (runtime/abi/exit_status.h). --help says which options there are.
int tml_main(const tml_model *model, int argc, char **argv);

// Turns [first, end) of a loop.
typedef void tml_part(void *context, int64_t first, int64_t end);

#define TML_FUNCTION(result, name, ...) result name(__VA_ARGS__);
#include "runtime/abi/abi.def"
#undef TML_FUNCTION

#endif
