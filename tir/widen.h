// Values and places at all turns of a loop at once: the turns become one more axis.
#ifndef TMLC_TIR_WIDEN_H
#define TMLC_TIR_WIDEN_H

#include "support/table.h"
#include "tir/build.h"

typedef struct Widening {
    Tir *tir;
    const TirVar *counter; // of the loop: first + step * turn
    int64_t first, step;
    uint32_t turns;
    bool is_copy;   // what is widened is only copied, so that it may be of several parts
    bool is_branch; // in some turns conditions would keep what is widened from being computed
    uint32_t at;    // where the new axis stands in what has so many axes; in others it is the last
    Table wide;     // variables that belong to a turn, each with the one that has it for all turns
    const TirExpr *refused; // the first part that widening_value could not say; or NULL
} Widening;

// What an integer is at turn t: first + step * t.
typedef struct WideningLine {
    int64_t first, step;
} WideningLine;

// False: the bounds of the loop are not known, or it has no turns, or too many.
bool widening_begin(Widening *widening, Tir *tir, const TirStmt *loop);
// Whether it is the same in all turns, as far as the loop's variable and `wide` go.
bool widening_is_fixed(const Widening *widening, const TirExpr *expr);
// Whether it may be computed in all turns: its indices are inside of their dims in any.
bool widening_is_computed(const Widening *widening, const TirExpr *expr);
// What an index is in each turn. False: not a line, or not known.
bool widening_line(const Widening *widening, const TirExpr *expr, WideningLine *line);
// Whether it is the remainder of one by a constant, which an index may be, too.
bool widening_is_wrapped(const Widening *widening, const TirExpr *expr);
// The first turn in which such a remainder in the expression begins anew; the number of turns: none
// does.
uint32_t widening_wrap(const Widening *widening, const TirExpr *expr);
// The value in all turns; NULL where that cannot be said element by element. Scalar operations
// become those of arrays, of which only such with the same results are taken.
TirExpr *widening_value(Widening *widening, TirExpr *value);
// The place, a view of a variable, in all turns: each has its own part of it. NULL: it has not.
TirExpr *widening_place(Widening *widening, TirExpr *place);
// Whether each turn of `place = value`, both in all turns, reads nothing that another one writes.
bool widening_reads_own(const Widening *widening, const TirExpr *place, const TirExpr *value);
// The axis of `place` along which turns would go, in the order of what it is a place of.
uint32_t widening_axis(const Widening *widening, const TirExpr *place);
// The type of all turns' values of a type; NULL: too large.
const Type *widening_type(const Widening *widening, const Type *type);

#endif
