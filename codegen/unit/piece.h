// Long bodies are generated in pieces: functions that the body calls one after the other.
//
// Note [Pieces]
// Some of LLVM's passes need time that grows with the square of the calls and checks that follow
// each other in one function, for each is a block that only the one before it leads to. Such bodies
// are long scripts and generated sources. Their statements are cut into pieces of bounded length.
// What several pieces use lives in a frame of the body, whose address they are handed; the rest is
// a piece's own. A piece that meets `return` answers with PIECE_RETURNED.
#ifndef TMLC_CODEGEN_UNIT_PIECE_H
#define TMLC_CODEGEN_UNIT_PIECE_H

#include "support/arena.h"
#include "tir/tir.h"

enum { PIECE_RETURNED = -1 }; // no tml_status

// The statements [first, first + count) of the body.
typedef struct Piece {
    size_t first, count;
    bool returns; // has a `return`, which leaves the function
} Piece;

typedef struct Pieces {
    LIST_OF(Piece) list;            // empty: the body stays whole
    LIST_OF(const TirVar *) shared; // variables of the frame
} Pieces;

// How the body of a function is cut; nothing is for bodies of ordinary length. One that only sets
// arrays is cut shorter: it is one block of stores, for which LLVM's scheduler needs time that
// grows with their square.
Pieces pieces_plan(Arena *arena, const TirFunction *function, bool only_sets);

#endif
