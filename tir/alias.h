// Dependence between places and expressions: what passes ask before they move or join statements.
#ifndef TMLC_TIR_ALIAS_H
#define TMLC_TIR_ALIAS_H

#include "tir/tir.h"

// Whether two axes of views are the same: any index is.
bool tir_same_axis(const TirAxis *a, const TirAxis *b);
// Whether element (i0, i1, ...) of `b`, of the same flat dims, is element (i0, i1, ...) of `a`, or
// none of `a` at all. `a` is a place.
bool tir_same_map(const TirExpr *a, const TirExpr *b);
// Whether two places have no scalar in common, as constants prove.
bool tir_places_disjoint(const TirExpr *a, const TirExpr *b);
// Whether some element of `expr` may read a scalar of `place` that belongs to another element of
// the place. `aligned`: element (i0, i1, ...) of the value needs this element of expr only.
bool tir_conflicts(const TirExpr *place, const TirExpr *expr, bool aligned);
// The same of a whole value before it is stored: a single scalar is complete, whatever it reads.
bool tir_set_conflicts(const TirExpr *place, const TirExpr *value);

// Whether a `set` can run element by element with those of a nest, behind them: it has their dims,
// traps only where that is the same (tir_nest_traps_agree), and no element of it meets a scalar
// that another element of theirs writes or reads. (It is what a nest may consist of; what is worth
// it pass_fuse knows.)
bool tir_nest_takes(const TirBlock *nest, const TirStmt *set);
// Whether a set writes what an index in one of the sets reads, its own too: as statements they know
// their indices before, but a loop that goes from element to element asks for them in each turn.
bool tir_sets_move_index(const TirBlock *sets);

// Why a nest does not take a set.
typedef enum NestRefusal {
    NEST_TAKES,
    NEST_TRAPS,       // the set may, in another way than the nest
    NEST_INDEX,       // a computed index of it is written in the nest
    NEST_SPACE,       // `other` runs over other dims
    NEST_READS,       // it reads elements of `var` that `other` writes elsewhere
    NEST_WRITES,      // it writes elements of `var` that `other` reads elsewhere
    NEST_WRITES_BOTH, // it writes elements of `var` that `other` writes elsewhere
} NestRefusal;

typedef struct NestAnswer {
    NestRefusal why;
    const TirStmt *other; // of the nest
    const TirVar *var;
} NestAnswer;

NestAnswer tir_nest_ask(const TirBlock *nest, const TirStmt *set);

#endif
