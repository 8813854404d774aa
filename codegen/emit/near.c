// See near.h. A vector is read for each element of the distance, and the lanes that are in it are
// put into the result: shuffles of whole vectors, which LLVM makes good ones of. Where elements
// around them may be read, the vectors begin where a row does, so that x[0::2] and x[1::2] are made
// of the same ones.
#include "codegen/emit/near.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/types.h"
#include "codegen/plan/limits.h"

// Lane k of the result is the element first + k * distance of those from the lowest on.
typedef struct NearLanes {
    Root root;
    LLVMValueRef lowest;
    unsigned lanes, first, distance;
    unsigned span; // of what is read
    bool backwards;
    const TirVar *var;
} NearLanes;

// The element of a lane, from the lowest on.
static unsigned element_of(const NearLanes *near, unsigned lane) {
    return near->first + (near->backwards ? near->lanes - 1 - lane : lane) * near->distance;
}

static LLVMValueRef load(Gen *gen, const NearLanes *near, unsigned from) {
    LLVMValueRef at = gen_offset(gen, near->root, near->lowest, gen_i64(gen, from));
    LLVMValueRef vector = gen_load(gen, near->root, at, near->lanes);
    alias_mark(gen, vector, near->var);
    return vector;
}

// Each vector is as far on as the one before is long; the last one ends with what may be read.
static unsigned start_of(const NearLanes *near, unsigned vector) {
    unsigned start = vector * near->lanes;
    return start + near->lanes <= near->span ? start : near->span - near->lanes;
}

// Puts the lanes that are in a vector into the result so far.
static LLVMValueRef add(Gen *gen, const NearLanes *near, LLVMValueRef so_far, LLVMValueRef vector,
                        unsigned start) {
    LLVMValueRef from[LANES_LIMIT];
    for (unsigned k = 0; k < near->lanes; k++) {
        unsigned element = element_of(near, k);
        bool is_here = element >= start && element < start + near->lanes;
        from[k] = gen_i32(gen, is_here ? near->lanes + element - start : k);
    }
    return LLVMBuildShuffleVector(gen->builder, so_far, vector, LLVMConstVector(from, near->lanes),
                                  "");
}

bool near_can_load(Gen *gen, Root root, int64_t step, unsigned lanes) {
    return gen->target.has->vectors && lanes >= NEAR_LANES_FROM && step >= -NEAR_LIMIT &&
           step <= NEAR_LIMIT && gen_root_bytes(gen, root) >= NEAR_ELEMENT_BYTES;
}

LLVMValueRef near_load(Gen *gen, Root root, Address address, unsigned lanes) {
    bool backwards = address.step < 0;
    unsigned distance = (unsigned)(backwards ? -address.step : address.step);
    unsigned reach = (lanes - 1) * distance;
    int64_t before = backwards ? (int64_t)reach : address.before;
    NearLanes near = {.root = root,
                      .lowest = gen_offset(gen, root, address.pointer, gen_i64(gen, -before)),
                      .lanes = lanes,
                      .first = backwards ? 0 : address.before,
                      .distance = distance,
                      .span = reach + 1 + (backwards ? 0 : address.before + address.behind),
                      .backwards = backwards,
                      .var = address.var};
    LLVMValueRef result = NULL;
    for (unsigned i = 0; i < distance; i++) {
        unsigned start = start_of(&near, i);
        LLVMValueRef vector = load(gen, &near, start);
        result = result == NULL ? LLVMGetPoison(LLVMTypeOf(vector)) : result;
        result = add(gen, &near, result, vector, start);
    }
    return result;
}
