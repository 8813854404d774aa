// See near.h. A vector is read for each element of the distance, and the lanes that are in it are
// put into the result: shuffles of whole vectors, which LLVM makes good ones of. Where elements
// around them may be read, the vectors begin where a row does, so that x[0::2] and x[1::2] are made
// of the same ones.
#include "codegen/emit/near.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/plan/limits.h"

enum { HALF_BYTES = 16 };

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

// Whether every second element is taken of pairs that may all be read, into registers of two halves
// between which a shuffle is dear.
static bool takes_halves(Gen *gen, const NearLanes *near) {
    size_t bytes = gen_root_bytes(gen, near->root);
    return gen->facts.vector_bytes == 2 * HALF_BYTES && near->distance == 2 && !near->backwards &&
           near->span >= 2 * near->lanes && near->lanes * bytes % (2 * HALF_BYTES) == 0;
}

// Elements [from, from + count) and as many from `other` on.
static LLVMValueRef load_halves(Gen *gen, const NearLanes *near, unsigned from, unsigned other,
                                unsigned count) {
    unsigned starts[] = {from, other};
    LLVMValueRef halves[2];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef at = gen_offset(gen, near->root, near->lowest, gen_i64(gen, starts[i]));
        halves[i] = gen_load(gen, near->root, at, count);
        alias_mark(gen, halves[i], near->var);
    }
    return lanes_join(gen, halves, 2);
}

// Each register takes four halves of it, so that what belongs into one half is there already.
static LLVMValueRef load_by_halves(Gen *gen, const NearLanes *near) {
    unsigned half = HALF_BYTES / (unsigned)gen_root_bytes(gen, near->root);
    unsigned lanes = 2 * half;
    LLVMValueRef registers[LANES_LIMIT];
    unsigned count = 0;
    for (unsigned start = 0; start < 2 * near->lanes; start += 2 * lanes) {
        LLVMValueRef even = load_halves(gen, near, start, start + lanes, half);
        LLVMValueRef odd = load_halves(gen, near, start + half, start + lanes + half, half);
        LLVMValueRef from[LANES_LIMIT];
        for (unsigned k = 0; k < lanes; k++) {
            unsigned in_half = k % half * 2 + near->first;
            unsigned at = k / half * half + in_half % half;
            from[k] = gen_i32(gen, in_half < half ? at : lanes + at);
        }
        registers[count++] =
            LLVMBuildShuffleVector(gen->builder, even, odd, LLVMConstVector(from, lanes), "");
    }
    return lanes_join(gen, registers, count);
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
    if (takes_halves(gen, &near)) {
        return load_by_halves(gen, &near);
    }
    LLVMValueRef result = NULL;
    for (unsigned i = 0; i < distance; i++) {
        unsigned start = start_of(&near, i);
        LLVMValueRef vector = load(gen, &near, start);
        result = result == NULL ? LLVMGetPoison(LLVMTypeOf(vector)) : result;
        result = add(gen, &near, result, vector, start);
    }
    return result;
}
