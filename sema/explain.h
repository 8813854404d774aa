// The checker's longer messages: which shapes or types do not fit, where they came from, and what
// would be legal instead.
#ifndef TMLC_SEMA_EXPLAIN_H
#define TMLC_SEMA_EXPLAIN_H

#include "sema/checker.h"

// An operator or a function on operands that are checked.
typedef struct Operation {
    const char *text; // "+", "atan2"
    Span span;        // of all of it
    Span op_span;     // where messages point
    TirExpr *left, *right;
    bool is_one_of_two; // another one has the same mistake: a cure of this alone is none
} Operation;

// The symbol of an operand that is a named variable, or NULL.
Symbol *explain_symbol(const Checker *checker, const TirExpr *operand);
// Underlines the operand with its type. A variable whose type was inferred has the type where it
// got it.
void explain_operand(Checker *checker, Diag *diag, const TirExpr *operand);
// Both operands, the right one unless it is NULL.
void explain_operands(Checker *checker, Diag *diag, const Operation *operation);
// E0501 or, when strict, E0502: operands whose shapes do not combine; E0902 for a result too large.
void explain_shapes(Checker *checker, const Operation *operation, const ShapeFit *fit, bool strict);
// L5.7: tensors of unequal rank, refused (E0501) or with a warning.
void explain_promotion(Checker *checker, const Operation *operation, bool refused);
// What the operator takes, and the types it got; the right operand may be NULL. When `cast` is an
// operand, the cast of it to `root` is offered. Returns poison, as those that follow.
TirExpr *explain_roots(Checker *checker, const Operation *operation, DiagCode code,
                       const char *takes, const TirExpr *cast, Root root);
// `~` of a bool, and `not` of a number.
TirExpr *explain_complement(Checker *checker, const Operation *operation);
TirExpr *explain_not_of_number(Checker *checker, const Operation *operation, const AstExpr *ast);
// E0404: numbers and bools that do not compare.
TirExpr *explain_comparison(Checker *checker, const Operation *operation, bool equality);
// E0405: `and` and `or` of numbers.
TirExpr *explain_logical(Checker *checker, const Operation *operation);
// E0406, with the operator or the casts that were meant.
TirExpr *explain_bitwise(Checker *checker, const Operation *operation);
// E0503: tensors that `.*` does not take.
TirExpr *explain_dot_operands(Checker *checker, const Operation *operation);
// `[[1, 2], [3, 4]]`, or a variable that has it from there, where a matrix is wanted: says how that
// is written, and uses of the variable stay silent from then on. False for other operands.
bool explain_nested(Checker *checker, Diag *diag, const TirExpr *operand);
// E0505, once of each variable.
void explain_transpose(Checker *checker, const TirExpr *operand, Span mark);
// E0504.
TirExpr *explain_dot(Checker *checker, const Operation *operation);
// E0402: a condition that is no scalar bool.
void explain_condition(Checker *checker, const AstExpr *ast, const TirExpr *condition);
// E0401 or E0510: a value that cannot be assigned to `target`; see check_assignable.
void explain_assignment(Checker *checker, const ShapeFit *fit, const Type *target,
                        const TirExpr *value, const char *what, Span origin);

// Stands for an index whose text is too long for a message.
#define INDEX_TOO_LONG "?"

// Indices given for the dims of `object`, as texts.
typedef struct IndexTexts {
    const TirExpr *object;
    const char *const *items;
    size_t count;
    bool counts_elements; // one index on several dims
} IndexTexts;

// E0601: an index that is no integer.
void explain_no_index(Checker *checker, const AstExpr *ast, const Type *type);
// E0605: a bound of `range` that varies, which may be a variable that has one value only.
void explain_varying_bound(Checker *checker, const AstExpr *bound, const AstExpr *range);
// E0603: a constant index outside its dim.
void explain_bounds(Checker *checker, const ShapeFit *fit, Span span, const IndexTexts *indices);
// E0605: a range without elements, which may begin anywhere.
void explain_empty_range(Checker *checker, Span range, const ShapeIndex *index, uint32_t length,
                         bool moves);
// E0605 or E0603 for a bound of a range that counts from the end elsewhere; false when it is
// another mistake.
bool explain_negative_end(Checker *checker, const ShapeFit *fit, const TirExpr *object,
                          const AstExpr *range, const ShapeIndex *index);
// E0602 for `m[0][1:3]` and `m[:][0]`, where one bracket holds both indices; false for others.
bool explain_split_indices(Checker *checker, Span brackets, const TirExpr *object,
                           const AstExpr *first, const AstExpr *second);
// E0602: too few or too many indices. `brackets` is where they stand; `...` in them is offered
// where that makes the rest legal.
void explain_count(Checker *checker, Span brackets, const IndexTexts *indices, bool can_complete);

#endif
