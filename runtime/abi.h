// What generated code and the runtime agree on. Generated code builds `tml_program` as a constant
// table and calls the functions of runtime/abi.def; the runtime's main reads the table.
// The compiler includes this header for the layouts only.
#ifndef TML_RUNTIME_ABI_H
#define TML_RUNTIME_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tml_host tml_host;

// Status of every generated function: TML_OK, a trap (L13), or a failure of the world.
typedef int32_t tml_status;
enum {
    TML_OK = 0,
    TML_E_IO = 3, // the runtime has said what failed; the process exits 3
    TML_E_INDEX = 1001,
    TML_E_DIVISION = 1002,
    TML_E_STEP = 1003,
    TML_E_ASSERT = 1004,
};

typedef enum tml_root { TML_BOOL, TML_UINT, TML_INT, TML_REAL } tml_root;

// A type: `depth` levels of dims, outermost first; depth 0 is a scalar.
typedef struct tml_type {
    uint8_t root;       // tml_root
    uint8_t real_bytes; // 8, or 4 when reals are single
    uint16_t depth;
    uint16_t flat_rank;          // dims of all levels together
    const uint16_t *level_ranks; // `depth` of them
    const uint32_t *dims;        // `flat_rank` of them, outermost first
} tml_type;

// Elements in memory, row-major over the flat dims: bool is one byte 0 or 1, uint and int 4 bytes,
// real 8 (or 4) bytes.

typedef struct tml_fault {
    int32_t code;    // tml_status
    uint32_t file;   // index in tml_program.files
    uint32_t line;   // from 1
    uint32_t column; // from 1
    int64_t index;   // TML_E_INDEX: the index; TML_E_ASSERT: which of tml_program.texts
    uint64_t length; // TML_E_INDEX: of the dimension
} tml_fault;

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

// Runs a program as an executable does and returns the exit status (INTERFACES: 0, 2 usage, 3
// world, 101 trap). Reads --help, --in NAME=FILE, --out NAME=FILE.
int tml_program_main(const tml_program *program, int argc, char **argv);

#define TML_FUNCTION(result, name, ...) result name(__VA_ARGS__);
#include "runtime/abi.def"
#undef TML_FUNCTION

#endif
