// What lies of instances in the structs of a host, with the names that users give it: `speed.u`,
// `axis[1].p.kp`, `axis[1].filter.y`. Of a planned program.
#ifndef TMLC_CODEGEN_UNIT_INSTANCES_H
#define TMLC_CODEGEN_UNIT_INSTANCES_H

#include "tir/tir.h"

typedef struct InstanceMember {
    const char *name;
    const Type *type;
    bool is_param;        // a tunable property, in the params; else in the state
    const char *debug;    // of a debug signal: its text, or ""; else NULL
    uint64_t offset;      // there
    const TirExpr *value; // of a tunable property: its default
} InstanceMember;

typedef LIST_OF(InstanceMember) InstanceMembers;

// In the order of declaration, those of the params in that of their offsets.
InstanceMembers instances_members(Arena *arena, const TirProgram *program);

// Whether a terminal of the component has this name.
bool instances_is_terminal(const TirProgram *component, Name name);

// How many instances from number `first` on, an array or the start of one, lie as elements of an
// array of C: their components have one layout.
size_t instances_alike(const TirProgram *program, size_t first);

#endif
