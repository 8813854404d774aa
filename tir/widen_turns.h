// The turns of a loop as statements on arrays: what widen.h says of values and places, of a body.
#ifndef TMLC_TIR_WIDEN_TURNS_H
#define TMLC_TIR_WIDEN_TURNS_H

#include "tir/uses.h"
#include "tir/widen.h"

typedef struct Widener {
    Tir *tir;
    TirFunction *function;
    TirUses *uses;   // of the function's variables
    size_t capacity; // of `uses`
} Widener;

// What becomes of one loop.
typedef struct WidenedTurns {
    Widener *widener;
    TirStmt *loop;
    Widening widening;
    bool is_bank; // of few turns, which are in registers (tir/bank.h)
    Table values; // variables that belong to a turn, with the expression to read instead
    Table ended;  // those of which that does not hold any more
    LIST_OF(const TirVar *) copies; // those of them that are copies of what no turn has for itself
    TirBlock before;                // what is the same in all turns
    TirBlock sets, behind;
    bool has_columns; // of sets that are no nest, and have to be a loop again (tir/columns.h)
    const char *why;  // the loop stays one; NULL: it need not
    const char *name; // that `why` goes on from; or NULL
    Span at;          // what it is about
} WidenedTurns;

// Makes room for the uses of variables that the function has got.
void widener_reserve(Widener *widener);

// Fills in `before`, `sets` and `behind`, or `why` not, of a loop whose widening has begun. The
// loop stays as it is. The counts of the function's uses are to be right for its body.
void widen_turns(WidenedTurns *turns);

#endif
