// Between the oracle's scalars and values as they lie in memory (docs/embedding.md).
#ifndef TMLC_EVAL_MEMORY_H
#define TMLC_EVAL_MEMORY_H

#include "runtime/abi/model.h"
#include "tir/tir.h"

#include <stddef.h>

// The runtime's description of a type; the array has room for every level and lives as long.
tml_type ref_describe(const Type *type, bool single, uint16_t level_ranks[TYPE_DEPTH_LIMIT]);
// All scalars of a type, in row-major order. Any bool but 0 is true.
void ref_to_memory(const Type *type, bool single, const TirScalar *scalars, void *memory);
void ref_from_memory(const Type *type, bool single, const void *memory, TirScalar *scalars);

#endif
