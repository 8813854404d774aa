// What generated code and the runtime agree on. Generated code builds `tml_program` as a constant
// table and calls the functions of runtime/abi/abi.def; the runtime's main reads the table.
// The compiler includes this header for the layouts only. What components and libraries share with
// their hosts is in runtime/abi/model.h.
#ifndef TML_RUNTIME_ABI_ABI_H
#define TML_RUNTIME_ABI_ABI_H

#include "runtime/abi/model.h"

#include <stdbool.h>

typedef struct tml_host tml_host;

// A failure of the world: the runtime has said what failed; the process exits 3.
enum { TML_E_IO = 3 };

// The head of every program's state; file-level variables follow, then (64-aligned) the scratch.
typedef struct tml_state {
    tml_host *host;
    tml_fault fault;
} tml_state;

// A named input(type, "name") or output("name", e) of the program; names are unique per direction.
typedef struct tml_port {
    const char *name;
    bool is_output;
    const tml_type *type;
} tml_port;

enum { TML_ABI_VERSION = 1 };

typedef struct tml_program {
    uint32_t abi_version;
    const char *name;     // of the source file, without folders and suffix
    uint64_t state_bytes; // tml_state, globals and scratch; 64-aligned memory, all zero at start
    tml_status (*run)(tml_state *state);
    uint32_t file_count;
    const char *const *files;
    uint32_t port_count;
    const tml_port *ports;
    uint32_t text_count; // of assertions
    const char *const *texts;
} tml_program;

// Runs a program as an executable does and returns the exit status (0, 2 usage, 3 world,
// 101 trap). Reads --help, --in NAME=FILE, --out NAME=FILE.
int tml_program_main(const tml_program *program, int argc, char **argv);

// The same for a component: a simulation (--in, --out, --set, --steps, --every, --plot).
int tml_model_main(const tml_model *model, int argc, char **argv);

#define TML_FUNCTION(result, name, ...) result name(__VA_ARGS__);
#include "runtime/abi/abi.def"
#undef TML_FUNCTION

#endif
