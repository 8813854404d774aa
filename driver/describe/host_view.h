// What a host in C sees of a compiled file: structs with the names and places of their members, and
// functions. The header and the JSON description are both printed from it.
#ifndef TMLC_DRIVER_DESCRIBE_HOST_VIEW_H
#define TMLC_DRIVER_DESCRIBE_HOST_VIEW_H

#include "codegen/codegen.h"
#include "support/arena.h"
#include "support/context.h"
#include "tir/tir.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct HostStruct HostStruct;

typedef struct HostMember {
    const char *name;        // in C: no keyword, and the only one of its struct
    const Type *type;        // NULL: a struct within, `count` words of scratch, or the fault
    const HostStruct *inner; // of an instance, or of a part of one; NULL: none
    uint64_t count;          // of an array of instances; 0: no array
    uint64_t stride;         // bytes from one of them to the next
    uint64_t offset;
    const TirInterface *item; // NULL: a file-level variable, the scratch, the fault
    const char *debug;        // the text of a debug signal; else NULL
} HostMember;

typedef enum HostStructKind { HOST_PARAMS, HOST_INPUTS, HOST_OUTPUTS, HOST_STATE } HostStructKind;

enum { HOST_STRUCT_COUNT = HOST_STATE + 1 };

struct HostStruct {
    const char *name; // "pid_params"; of one within, the file of the component
    const char *tag;  // what C++ makes names of functions and templates of, with the hash
    HostStructKind kind;
    uint64_t bytes; // sizeof in C: 1 when it has no members
    LIST_OF(HostMember) members;
};

typedef struct HostFunction {
    const TirFunction *function;
    const char *name;    // in C: "physics_fn_distance"
    const char *symbol;  // as linkers know it
    const char **params; // names in C, as many as it has parameters
    const char **results;
    bool needs_state;
} HostFunction;

// An entry point or table.
typedef struct HostEntry {
    const char *what;   // "step"
    const char *name;   // in C: "pid_step"
    const char *symbol; // as linkers know it
} HostEntry;

typedef struct HostView {
    const TirProgram *program;
    const char *prefix; // of every exported name
    const char *guard;  // of the header, with the hash
    const char *file;   // the source file, without its folder
    TextList files;     // of all sources, as they were named; by a fault's `file`
    SliceList texts;    // of assertions, by a fault's `index`
    uint64_t layout;    // the hash of the layout (layout_hash)
    bool is_component;
    bool has_state;          // there are a state and PREFIX_init
    bool has_table;          // there is PREFIX_model
    bool has_input_defaults; // there is PREFIX_inputs_defaults
    unsigned lanes;          // of runs side by side; 0: there are no functions for them
    HostStruct structs[HOST_STRUCT_COUNT];
    LIST_OF(HostEntry) entries;
    LIST_OF(HostFunction) functions;
} HostView;

// Of a planned program and its module; everything is from the arena.
HostView host_view(Context *context, const TirProgram *program, const CodegenModule *module);
// "input", "output", "tunable" or "constant".
const char *host_role(TirInterfaceKind kind);
// Whether it is not made for hosts, and nothing in its object is of use to one.
bool host_view_is_empty(const HostView *view);

#endif
