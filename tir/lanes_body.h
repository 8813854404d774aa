// What the turns of a loop write, and which of its expressions differ from turn to turn, and how
// far.
#ifndef TMLC_TIR_LANES_BODY_H
#define TMLC_TIR_LANES_BODY_H

#include "support/table.h"
#include "tir/interval.h"
#include "tir/tir.h"

// A scalar that the body does nothing to but to add to it, in no loop inside: `s = s + e`, also
// with `-` and `*`; or an array of which it does so to elements that are the same in all turns.
// What the turns add comes one after the other, as it is written.
typedef struct LanesTotal {
    const TirVar *var;
    struct {
        TirStmt **items;
        size_t count, capacity;
    } additions;
} LanesTotal;

// A branch that keeps what a turn has where it is greater, or less, than what turns before it had:
// `if e > s: s = e`. Also what belongs to it, as the turn's number, and nothing else uses what is
// kept.
typedef struct LanesRecord {
    TirExpr *value;     // of the turn
    TirOp op;           // how it stands to what is kept
    const TirVar *best; // what is kept of it
} LanesRecord;

// What one needs to know of a loop to ask about its expressions.
typedef struct LanesBody {
    const TirVar *counter; // the loop's variable
    Table written;         // the variables that the body writes, each with itself
    struct {
        const TirVar **items;
        size_t count, capacity;
    } all, scalars; // all of them, and those that are scalars
    Table sums;     // ints that the body sets once, to the loop's variable and what it does not
                    // change, with that expression
    Table totals;   // those of `all` that are totals, each with its LanesTotal
    Table records;  // TirStmt to LanesRecord
    Table kept;     // the scalars that records keep, each with itself
} LanesBody;

LanesBody lanes_body(Arena *arena, TirStmt *loop);
// Whether anything goes on from turn to turn, which it does in their order.
bool lanes_have_order(const LanesBody *body);
// What a statement of the body adds to a total; NULL: it does not.
TirExpr *lanes_total_term(const LanesBody *body, const TirStmt *stmt);
// Whether each turn has a value of its own.
bool lanes_varies(const LanesBody *body, const TirExpr *expr);
// How far an integer grows from turn to turn. False: that is not known. With `ranges`, also where
// it could wrap around.
bool lanes_growth(const LanesBody *body, const Interval *ranges, const TirExpr *expr,
                  int64_t *growth);
// By how many elements what a view of one element reads or writes moves from turn to turn.
bool lanes_step(const LanesBody *body, const Interval *ranges, const TirExpr *view, int64_t *step);

// The array that an element is of, in its own dims or in others; NULL: a constant one.
const TirVar *lanes_array(const TirExpr *view);
// Whether the body writes that array.
bool lanes_write_array(const LanesBody *body, const TirExpr *view);

// Whether turns read elements that lie neither side by side nor are the same. Lanes that are not
// active may have any indices then.
bool lanes_gathers(const LanesBody *body, const TirExpr *view);

#endif
