// What hosts of an object see of a planned program: names in C, the layout of the state, and the
// hash that ties a header to its object. Code generation and the header both read it from here.
#ifndef TMLC_CODEGEN_UNIT_LAYOUT_H
#define TMLC_CODEGEN_UNIT_LAYOUT_H

#include "tir/tir.h"

// Offsets in bytes. The state of a program or script begins with the runtime's head; that of a
// component or library is a plain struct: file-level variables and outputs that live there, the
// scratch, the fault, and where tests run, a pointer to the runtime's host.
typedef struct StateLayout {
    uint64_t globals_at;
    uint64_t scratch_at;
    uint64_t fault_at;
    uint64_t host_at; // of the runtime's tml_host; of programs, and of what runs tests
    uint64_t bytes;
    uint64_t align; // of the whole
} StateLayout;

StateLayout layout_state(const TirProgram *program);

// One of a component's other structs, as C lays it out: never empty (a lone `uint8_t none` then),
// and a whole number of alignments long.
typedef struct StructLayout {
    uint64_t bytes;
    uint64_t align;
} StructLayout;

StructLayout layout_struct(const TirProgram *program, TirInterfaceKind kind);

// Whether an input has a default, so that hosts have PREFIX_inputs_defaults.
bool layout_has_input_defaults(const TirProgram *program);

// Whether a text is an identifier of C.
bool layout_is_name(const char *text);
// The file's name without folders and suffix; characters that no name has become `_`.
const char *layout_program_name(Arena *arena, const char *path);
// What exported symbols begin with: that name, unless the runtime has it.
const char *layout_prefix(Arena *arena, const char *path);
// Changes with everything that a host compiled against: names, types, roles and offsets, not
// defaults. The upper half changes with variables only, not with scratch memory.
uint64_t layout_hash(Arena *arena, const TirProgram *program);
// Whether an exported function takes the state: it uses file-level variables, or it or what it
// calls needs scratch.
bool layout_needs_state(const TirFunction *function);
// Whether hosts have a state of it: of components, and of libraries where an exported function
// takes one.
bool layout_has_state(const TirProgram *program);

#endif
