// The lesser and the greater of two values, scalars or vectors of as many lanes.
#ifndef TMLC_CODEGEN_EMIT_OP_MIN_MAX_H
#define TMLC_CODEGEN_EMIT_OP_MIN_MAX_H

#include "codegen/gen.h"

LLVMValueRef op_min_max(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b);
// The same element by element, where the operands are of use for themselves.
LLVMValueRef op_min_max_pair(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b);
// The same of scalars of which `late` is known much later: little is left to do then.
LLVMValueRef op_min_max_late(Gen *gen, bool is_max, Root root, LLVMValueRef soon,
                             LLVMValueRef late);
// Of reals, where neither is a nan, but for which of two zeros it is.
LLVMValueRef op_min_max_one(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b);
// Of reals, beside a limit that stays as it is in a loop: what its nan, or the sign of its zero,
// does to other values is a mark, which is made before the loop. One comparison and the mark are
// enough then: a nan or a zero of the limit's sign that is added to the greater one, where -0.0
// changes nothing; bits of a nan or of a sign, which the lesser one has anyway unless it is zero.
LLVMValueRef op_min_max_mark(Gen *gen, bool is_max, LLVMValueRef limit);
LLVMValueRef op_min_max_marked(Gen *gen, bool is_max, LLVMValueRef limit, LLVMValueRef mark,
                               LLVMValueRef value);
// The same between two limits that stay, where `is_max_first` says which of the two is taken first.
// What the greater one keeps of its bits, all but a sign that is not the limit's, and what the
// lesser one gets, the nan of either limit too, are made before the loop.
typedef struct OpLimits {
    LLVMValueRef low, high;
    LLVMValueRef kept, added;
} OpLimits;
OpLimits op_min_max_limits(Gen *gen, LLVMValueRef low, LLVMValueRef high);
LLVMValueRef op_min_max_between(Gen *gen, const OpLimits *limits, bool is_max_first,
                                LLVMValueRef value);
// Of reals, by several such; what is left free by --fp may be lost.
LLVMValueRef op_min_max_of_reals(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b);
typedef struct OpBoth {
    LLVMValueRef least, greatest;
} OpBoth;
// Both of the same two, strictly, for less than twice the price.
OpBoth op_min_max_both(Gen *gen, LLVMValueRef a, LLVMValueRef b);
// How many instructions that takes on x86.
unsigned op_min_max_cost(const Gen *gen, bool is_max);
// Whether all lanes of a constant are alike, and no nan and not -0.0.
bool op_min_max_is_plain(LLVMValueRef constant);

#endif
