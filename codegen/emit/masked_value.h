// Values and masks of a loop whose turns run side by side (masked.h), and the elements that its
// expressions read.
#ifndef TMLC_CODEGEN_EMIT_MASKED_VALUE_H
#define TMLC_CODEGEN_EMIT_MASKED_VALUE_H

#include "codegen/gen.h"
#include "codegen/plan/limits.h"
#include "tir/lanes_body.h"
#include "tir/lanes_rows.h"
#include "tir/lanes_values.h"

enum {
    // Vectors that are walked at once. Where one turn waits for its divisions, as in Newton's
    // steps, 4 take 0.65 of the time of 2 (AVX-512), Collatz' steps 0.8, points of a Mandelbrot set
    // 0.85 to 0.95, where lanes without a turn do not eat that up.
    MASKED_PARTS = 4,
    MASKED_PARTS_FEW = 2,
};

// One vector for each part.
typedef struct Parts {
    LLVMValueRef of[MASKED_PARTS];
} Parts;

typedef struct Masked {
    TirStmt *loop;
    LanesBody body;
    LanesValues values;
    unsigned lanes, parts;
    bool has_mask_registers;
    bool is_full;          // all lanes are turns
    bool has_jumps;        // of a turn to its end
    unsigned conditions;   // around the statement at hand, which not all turns may run
    const Parts *active;   // lanes that run the statement at hand
    LLVMValueRef chosen;   // i1: those of them for which a value is computed; NULL: all
    const Parts *in_step;  // `active` in a loop body that is so for all lanes in `running`
    const Parts *whole;    // `active` in the body where all lanes run; NULL: some may not
    bool is_whole;         // all lanes run what is at hand
    LLVMTypeRef mask_type; // of slots
    unsigned part;         // at hand
    bool is_first;         // scalars are those of the part's first lane: in positions
    LLVMValueRef counter;  // i64: the loop's variable in the first turn of all lanes
    LLVMValueRef last;     // i64: behind that of the last turn of the loop
    Parts turns;           // i1: lanes that are turns of the loop at all
    // i64: the turn of each lane of all parts, or the last one; NULL: not asked for yet, which is
    // done where all that follows in the loop is reached from only (masked_rows.h).
    LLVMValueRef row_turns[MASKED_PARTS * TILE_LIMIT];
    Table slots; // TirVar to its Parts
    Table
        terms; // TirStmt that adds to a total, to the Parts of what the turns add (masked_total.h)
    const LanesRows *rows; // of the loop inside at hand; NULL: none are moved
    Table ahead; // TirExpr to Parts that were read for the turn at hand of a loop inside, or that
                 // will be written (masked_ahead.h)
} Masked;

// Whether each turn has a value of its own; that value, a vector.
bool masked_has(Gen *gen, const TirVar *var);
LLVMValueRef masked_value(Gen *gen, const TirVar *var);
// Makes its vectors, before it is used; and gives it a value in the lanes of a mask, NULL: in all.
void masked_create_slots(Gen *gen, const TirVar *var);
void masked_assign(Gen *gen, const TirVar *var, LLVMValueRef value, LLVMValueRef mask);
// The element that a view of one element reads: a vector unless it is the same in all turns.
LLVMValueRef masked_element(Gen *gen, const TirExpr *view);

// Whether lanes read elements that are a known distance apart, and inside whatever lanes are
// active.
bool masked_strides(const Masked *masked, const TirExpr *view);

// The value of an expression for the part at hand, as a vector.
LLVMValueRef masked_lanes(Gen *gen, const TirExpr *expr);
// The value of what not all active lanes reach, as the right side of `and` and `or`, or what a
// branch sets: its indices are inside only in those that do.
LLVMValueRef masked_if_reached(Gen *gen, const TirExpr *expr);
// An integer in the first lane of the part at hand, as i64.
LLVMValueRef masked_first(Gen *gen, const TirExpr *expr);
// Where the first lane of the part at hand reads or writes. It may be no turn, and outside.
LLVMValueRef masked_address(Gen *gen, const TirExpr *view);
// Where each lane of the part at hand reads or writes, inside of the array whatever the lane.
LLVMValueRef masked_places(Gen *gen, const TirExpr *view);
// Where the array begins of which a view reads or writes an element.
LLVMValueRef masked_array_address(Gen *gen, const TirExpr *view);

// Masks of all parts, in memory of the frame.
Parts masked_new_masks(Gen *gen);
Parts masked_copy_masks(Gen *gen, const Parts *from);
void masked_store_mask(Gen *gen, LLVMValueRef mask, LLVMValueRef slot);
LLVMValueRef masked_load_mask(Gen *gen, LLVMValueRef slot);
// A mask of lanes of i1, and back.
LLVMValueRef masked_widen(Gen *gen, LLVMValueRef bits);
LLVMValueRef masked_bits(Gen *gen, LLVMValueRef mask);
// Whether there is an active lane in any part.
LLVMValueRef masked_any(Gen *gen, const Parts *masks);

#endif
