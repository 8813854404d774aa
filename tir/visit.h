// Asking and walking TIR.
#ifndef TMLC_TIR_VISIT_H
#define TMLC_TIR_VISIT_H

#include "tir/tir.h"

#include <stdbool.h>
#include <stddef.h>

const char *tir_op_text(TirOp op);
unsigned tir_op_arity(TirOp op);
const char *tir_reduction_text(TirReduction reduction);

// Whether it lives longer than a call: in the program's globals, without a function.
bool tir_var_is_global(const TirVar *var);
// Whether it is of the file, and neither of an instance nor of hardware, which change elsewhere.
bool tir_var_is_of_file(const TirProgram *program, const TirVar *var);
// Whether its function alone has it, named or not: it is no loop's, which turns give its values.
bool tir_var_is_local(const TirVar *var);
// Whether it is a parameter or a result: what callers know of.
bool tir_var_is_interface(const TirVar *var);
// Whether it has its memory, once that is planned, to itself: in scratch memory it may lie where
// something has ended when it begins, so that it must not be written any earlier.
bool tir_var_is_apart(const TirVar *var);
// The function of a component that an instance runs; NULL where it has none.
const TirFunction *tir_phase_function(const TirProgram *component, TirPhase phase);
// Where a name of `t.`, `p.` or `n.` stands in the interface; false: nowhere.
bool tir_find_interface(const TirProgram *program, char space, Name name, size_t *position);
// Whether hosts have to take it that it may depend on, or be read in, the same cycle: any function,
// `output_fnc` too, may write hardware (L16).
bool tir_may_feed_through(const TirInterface *item);
// The constant `n.dt` or `p.dt`, by custom the seconds that a step takes; NULL where there is none.
const TirInterface *tir_step_time(const TirProgram *program, char space);
// "init", "output" or "update".
const char *tir_phase_text(TirPhase phase);
// What stands before its name in the source: "t.", "p.", or nothing.
const char *tir_var_space(const TirVar *var);
// Whether the statement gives a variable, that one, or a scalar as a whole a value.
bool tir_sets_whole(const TirStmt *stmt);
bool tir_sets_var(const TirStmt *stmt, const TirVar *var);
bool tir_sets_scalar(const TirStmt *stmt);
// What lies below views and reshapes.
const TirExpr *tir_bottom(const TirExpr *expr);
// The variable at the bottom of a place.
TirVar *tir_place_var(const TirExpr *place);
// `and` or `or` of scalars: the right side is evaluated only where the left does not decide.
bool tir_is_short_circuit(const TirExpr *expr);
// The variable of an index that is one and constants added or taken away, and their sum, modulo
// 2^32 as integers are. NULL: it is no such index.
const TirVar *tir_index_var(const TirExpr *index, int64_t *offset);
// Adds, subtracts or multiplies: of integers exactly, but for what wraps around.
bool tir_op_is_sum(TirOp op);
// The C library has it as a function whose result is not always exactly rounded.
bool tir_op_is_function(TirOp op);
// It takes longer than a few loads.
bool tir_op_is_dear(TirOp op);
// A reduction whose result is the position of the least or greatest.
bool tir_finds_place(const TirExpr *expr);
// Evaluating it may trap: an index that is checked, or an integer division or remainder whose
// divisor is not a nonzero constant.
bool tir_may_trap(const TirExpr *expr);
bool tir_block_may_trap(const TirBlock *block);
// The same of this one node, without its operands.
bool tir_node_may_trap(const TirExpr *expr);
// Evaluating it reads nothing outside, even where conditions around it would keep it from that.
bool tir_is_free(const TirExpr *expr);
// Whether a block, or what has the statement, may be left before its end.
bool tir_block_may_leave(const TirBlock *block);
bool tir_may_leave(TirStmt *stmt);

// The `for` loops around a place, from the inside out.
typedef struct LoopAround {
    const TirStmt *loop;
    const struct LoopAround *outer;
} LoopAround;

// The one whose variable that is; NULL: none.
const TirStmt *tir_loop_of(const LoopAround *around, const TirVar *var);
// Calls visit on each direct operand in order of evaluation; a view's indices come before what it
// views.
typedef void TirVisitor(TirExpr **operand, void *data);
void tir_visit_operands(TirExpr *expr, TirVisitor *visit, void *data);
// Calls visit on each expression of the statement itself (places included), not of nested blocks.
void tir_visit_exprs(TirStmt *stmt, TirVisitor *visit, void *data);
// The same for those that change nothing.
typedef void TirReader(const TirExpr *operand, void *data);
void tir_read_operands(const TirExpr *expr, TirReader *read, void *data);
void tir_read_exprs(const TirStmt *stmt, TirReader *read, void *data);
// Whether the expression or one inside of it is what is looked for; the others are not asked then.
typedef bool TirExprTest(const TirExpr *expr, const void *data);
bool tir_any_expr(const TirExpr *expr, TirExprTest *is_one, const void *data);
// The same of those of a statement itself, and of all that a block has.
bool tir_any_expr_of(const TirStmt *stmt, TirExprTest *is_one, const void *data);
bool tir_any_expr_in(const TirBlock *block, TirExprTest *is_one, const void *data);
// The nested blocks of a statement, 0 to 2 of them; the sets of a nest are one.
size_t tir_stmt_blocks(TirStmt *stmt, TirBlock *blocks[2]);
// All statements of a block and of those in it, each before what it has inside.
typedef void TirStmtVisitor(TirStmt *stmt, void *data);
void tir_visit_stmts(const TirBlock *block, TirStmtVisitor *visit, void *data);
// Whether one of them is what is looked for; those behind it are not asked.
typedef bool TirStmtTest(TirStmt *stmt, void *data);
bool tir_any_stmt(const TirBlock *block, TirStmtTest *is_one, void *data);
// The expressions of all of them.
void tir_visit_exprs_in(const TirBlock *block, TirVisitor *visit, void *data);
void tir_read_exprs_in(const TirBlock *block, TirReader *read, void *data);
// Whether an `if` stands in the block itself.
bool tir_block_branches(const TirBlock *block);
// Whether a `break` or a `continue`, as `kind` says, in the block is for a loop around it.
bool tir_block_jumps(TirBlock *block, TirStmtKind kind);
// Whether either is.
bool tir_block_has_jumps(TirBlock *block);

#endif
