// The least or greatest of many reals: what has been seen so far is carried in EXTENT_PARTS values.
#ifndef TMLC_CODEGEN_EMIT_EXTENT_H
#define TMLC_CODEGEN_EMIT_EXTENT_H

#include "codegen/emit/lane_fold.h"

enum { EXTENT_PARTS = 3 };

typedef struct Extent {
    bool is_max;
    unsigned lanes;
} Extent;

// Nothing seen.
void extent_begin(Gen *gen, Extent extent, LLVMValueRef *parts);
// One value more in each lane.
void extent_add(Gen *gen, Extent extent, LLVMValueRef value, LLVMValueRef *parts);
// What it is, in each lane.
LLVMValueRef extent_end(Gen *gen, Extent extent, const LLVMValueRef *parts);

// A mask of nans: none are null. One with those of two values, which may be the same, noted.
LLVMTypeRef extent_mask_type(Gen *gen, unsigned lanes);
LLVMValueRef extent_note_nans(Gen *gen, LLVMValueRef a, LLVMValueRef b, LLVMValueRef nans);

// Of terms in lanes.
typedef struct ExtentLanes {
    TermsPlan plan;
    bool is_max;
    // The terms [position, position + lanes).
    LLVMValueRef (*terms)(Gen *gen, const void *data, LLVMValueRef position, unsigned lanes);
    const void *data;
    LLVMValueRef *nans; // of these terms, once it is known; shared by all that are of the same ones
    bool notes_nans;    // the first of them
} ExtentLanes;

LaneFold extent_lanes(const ExtentLanes *lanes);

#endif
