// Structs of a component as C lays them out, member by member.
#ifndef TMLC_TIR_STRUCT_LAYOUT_H
#define TMLC_TIR_STRUCT_LAYOUT_H

#include "tir/build.h"

// The sum; more than an address has is a bug.
uint64_t bytes_sum(uint64_t a, uint64_t b);

// A struct that grows: its bytes so far, and the strictest alignment in it.
typedef struct Growing {
    uint64_t *bytes, *align;
} Growing;

Growing struct_begin(uint64_t *bytes, uint64_t *align);
// Appends that many bytes and returns their offset.
uint64_t struct_append(const Growing *to, uint64_t bytes, uint64_t align);

// Gives what is present of the interface its offsets in the structs of inputs, outputs and tunable
// properties, and these their bytes and alignment.
void interface_lay_out(const Tir *tir, TirProgram *program);

#endif
