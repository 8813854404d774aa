// The parts of an array that statements write, one after the other, and whether they read any
// element before they have written it.
#ifndef TMLC_TIR_COVER_H
#define TMLC_TIR_COVER_H

#include "tir/build.h"
#include "tir/visit.h"

enum { COVER_PARTS_MOST = 8 };

// Positions along a dim.
typedef struct TirRange {
    int64_t first, behind;
} TirRange;

// What is written whatever happens, by all turns of the loops around.
typedef struct TirPart {
    const TirExpr *place;
    TirRange ranges[TYPE_FLAT_LIMIT]; // that it is within
} TirPart;

// Parts none of which meets another one. The caller sets `tir` and `var`, and the rest to nothing.
typedef struct TirCover {
    Tir *tir;
    const TirVar *var;
    TirPart parts[COVER_PARTS_MOST];
    size_t count;
    uint64_t numel;           // of all of them
    bool reads_others;        // than elements that were written before
    const LoopAround *around; // while a statement is added: the loops that are not over
} TirCover;

// Adds what a statement behind the others reads and writes. What traps leaves nobody to read.
void tir_cover_add(TirCover *cover, TirStmt *stmt);

#endif
