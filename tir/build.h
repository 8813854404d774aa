// Making TIR.
#ifndef TMLC_TIR_BUILD_H
#define TMLC_TIR_BUILD_H

#include "support/arena.h"
#include "tir/tir.h"

// How derivatives are computed: by what is counted, or as somebody wants (--derivative).
typedef enum TirDerivation {
    DERIVATION_COUNTED,
    DERIVATION_FORWARD,
    DERIVATION_REVERSE,
} TirDerivation;

enum { TIR_TAPE = 1 << 20 };

// What builders, passes and their tests need.
typedef struct Tir {
    Arena *arena;
    TypeTable *types;
    NameTable *names;
    bool single;
    uint32_t global_count;      // ids given to globals so far
    struct TirRemarks *remarks; // take what passes say (tir/remark.h); NULL: nobody wants it
    struct DiagList *diags;     // take what pass_derive refuses; NULL: it does the other thing
    TirDerivation derivation;
    uint64_t tape;   // bytes that a loop may keep for its derivative; 0: TIR_TAPE
    bool is_bare;    // without an operating system, where stacks are short
    uint32_t lanes;  // of reals in the target's vectors, at least roughly; 0: it has none
    bool is_batched; // there are instances in these lanes, too
    bool is_small;   // code is to be short rather than fast
} Tir;

// Adds the variable to `function`. A global has none (NULL): the caller adds it to its program.
TirVar *tir_var_create(Tir *tir, TirFunction *function, TirVarRole role, Name name,
                       const Type *type, Span span);

// Adds the function behind those that the program has.
void tir_add_function(Tir *tir, TirProgram *program, TirFunction *function);
// Makes the variable the last parameter of it.
void tir_add_param(Tir *tir, TirFunction *function, TirVar *param);
// Adds a result of that type to it.
TirVar *tir_result_create(Tir *tir, TirFunction *function, const Type *type, Span span);

// A node without content, for those who build what the builders below do not.
TirExpr *tir_new_expr(Arena *arena, TirExprKind kind, const Type *type, Span span);

// Expression builders. Each checks its operands with BUG and sets is_constant where all operands
// are constant (never for EXPR_VAR). `data` and item arrays are kept, not copied.
TirExpr *tir_const(Tir *tir, const Type *type, const TirScalar *data, Span span);
TirExpr *tir_const_bool(Tir *tir, bool value, Span span);
TirExpr *tir_const_uint(Tir *tir, uint32_t value, Span span);
TirExpr *tir_const_int(Tir *tir, int32_t value, Span span);
TirExpr *tir_const_real(Tir *tir, double value, Span span); // rounds when reals are single
TirExpr *tir_read(Tir *tir, TirVar *var, Span span);
TirExpr *tir_map(Tir *tir, TirOp op, const Type *type, TirExpr *a, TirExpr *b, TirExpr *c,
                 Span span);
// step * x + start, of an int x.
TirExpr *tir_line(Tir *tir, TirExpr *x, int64_t step, int64_t start, Span span);
// To the operand's shape with another root; the operand itself when it has that root.
TirExpr *tir_convert(Tir *tir, Root root, TirExpr *operand, Span span);
// A conversion once more, of elements of what it converts.
TirExpr *tir_convert_as(Tir *tir, const TirExpr *convert, TirExpr *operand);
// `axes` (one per flat dim of operand) is copied. Views of views are composed into one where the
// inner one has no `index` on a dim that the outer one moves along.
TirExpr *tir_view(Tir *tir, const Type *type, TirExpr *operand, const TirAxis *axes, Span span);
// All behind the first dim of an array, at one place of that.
TirExpr *tir_row(Tir *tir, const Type *type, TirExpr *array, TirAxis at);
// One scalar of an array, by its row-major position.
TirExpr *tir_element(Tir *tir, TirExpr *array, uint32_t position);
// The operand itself when the type is the same.
TirExpr *tir_reshape(Tir *tir, const Type *type, TirExpr *operand, Span span);
TirExpr *tir_literal(Tir *tir, const Type *type, TirExpr **items, size_t count, Span span);
TirExpr *tir_concat(Tir *tir, const Type *type, TirExpr **items, size_t count, uint32_t axis,
                    Span span);
TirExpr *tir_reduce(Tir *tir, TirReduction op, const Type *type, TirExpr *operand, uint32_t axis,
                    uint32_t axis_count, Span span);
TirExpr *tir_cumsum(Tir *tir, TirExpr *operand, Span span);
TirExpr *tir_dot(Tir *tir, const Type *type, TirExpr *left, TirExpr *right, Span span);
TirExpr *tir_iota(Tir *tir, const Type *type, Span span);

TirStmt *tir_stmt(Tir *tir, TirBlock *block, TirStmtKind kind, Span span); // appended to block
// The statements of a block, appended to another.
void tir_append(Tir *tir, TirBlock *block, const TirBlock *from);
TirStmt *tir_set(Tir *tir, TirBlock *block, TirExpr *place, TirExpr *value, Span span);
TirStmt *tir_set_var(Tir *tir, TirBlock *block, TirVar *var, TirExpr *value, Span span);
// A new temporary, which is given the value.
TirVar *tir_set_temp(Tir *tir, TirFunction *function, TirBlock *block, TirExpr *value);

// A loop from `first` in steps before `last`, whose variable is new.
TirStmt *tir_for(Tir *tir, TirBlock *block, TirFunction *function, int32_t first, int32_t last,
                 int32_t step, Span span);
// Constant bounds for a `for` that there is.
void tir_set_turns(Tir *tir, TirStmt *loop, int64_t first, int64_t last);

// A call for derivatives of the function by parameters at positions `by`. `args`, one per
// parameter, and `by` are kept, not copied; the caller adds the results.
TirStmt *tir_derivative(Tir *tir, TirBlock *block, TirDerivativeKind kind, TirFunction *function,
                        TirExpr **args, const uint32_t *by, size_t by_count, TirExpr *along,
                        Span span);

// A copy of the node whose operands may be replaced; they themselves are not copied.
TirExpr *tir_copy_node(Tir *tir, const TirExpr *expr);

#endif
