// The least or greatest of many reals.
#ifndef TMLC_CODEGEN_EMIT_EXTENT_H
#define TMLC_CODEGEN_EMIT_EXTENT_H

#include "codegen/emit/lane_fold.h"
#include "codegen/emit/loop.h"

typedef struct Extent {
    bool is_max;
    bool has_signs; // values may be zeros of either sign
    unsigned lanes;
} Extent;

// Of the elements of an operand; with --fp=fast signs of zeros mean nothing.
bool extent_has_signs(Gen *gen, const TirExpr *operand);

// One by one, at each position of a space.
typedef struct ExtentOrder {
    Extent extent;
    LoopSpace space;
    bool is_straight; // terms are at constant positions only
    // The term at a position, in each lane.
    LLVMValueRef (*term)(Gen *gen, const void *data, const LLVMValueRef *at);
    const void *data;
} ExtentOrder;

// What it is, in each lane.
LLVMValueRef extent_in_order(Gen *gen, const ExtentOrder *order);

// A mask of nans: none are null. One with those of two values, which may be the same, noted.
LLVMTypeRef extent_mask_type(Gen *gen, unsigned lanes);
LLVMValueRef extent_note_nans(Gen *gen, LLVMValueRef a, LLVMValueRef b, LLVMValueRef nans);

// Of terms in lanes.
typedef struct ExtentLanes {
    TermsPlan plan;
    bool is_max, has_signs;
    // The terms [position, position + lanes).
    LLVMValueRef (*terms)(Gen *gen, const void *data, LLVMValueRef position, unsigned lanes);
    const void *data;
    LLVMValueRef *nans; // of these terms, once it is known; shared by all that are of the same ones
    bool notes_nans;    // the first of them
} ExtentLanes;

LaneFold extent_lanes(const ExtentLanes *lanes);

#endif
