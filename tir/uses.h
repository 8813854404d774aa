// Which variables expressions and statements read and write.
#ifndef TMLC_TIR_USES_H
#define TMLC_TIR_USES_H

#include "tir/tir.h"
#include "tir/visit.h"

// How often the text of a function uses a variable of its own.
typedef struct TirUses {
    uint32_t reads;
    uint32_t writes;  // of all of it: by a `set`, a call or an input
    uint32_t updates; // of a part of it, or by a call that reads it too
} TirUses;

// By variable id, for those that the function has now.
TirUses *tir_count_uses(Arena *arena, const TirFunction *function);
// Adds what an expression reads to, or with -1 takes it from, such counts.
void tir_count_reads(TirUses *uses, const TirExpr *expr, int sign);
// The same of what a statement reads and writes itself.
void tir_count_stmt(TirUses *uses, const TirStmt *stmt, int sign);
// The same of all statements of a block, and of those in it.
void tir_count_block(TirUses *uses, const TirBlock *block, int sign);
// How often each local variable of a function is read or written in a block of it, by its id.
uint32_t *tir_count_mentions(Arena *arena, const TirFunction *function, TirBlock *block);
// Says by the ids of functions which of them a block calls, and which it asks for derivatives.
void tir_note_calls(const TirBlock *block, bool *called, bool *asked);

// Calls read on each index of a place.
void tir_read_indices(const TirExpr *place, TirReader *read, void *data);
// Calls read on each expression that the statement itself reads: of a place only its indices.
void tir_read_values(const TirStmt *stmt, TirReader *read, void *data);
// The same of all statements of a block, and of those in it.
void tir_read_values_in(const TirBlock *block, TirReader *read, void *data);
// Whether both read some array.
bool tir_share_array(const TirExpr *a, const TirExpr *b);
// How often an expression reads the variable.
uint32_t tir_expr_reads(const TirExpr *expr, const TirVar *var);
// The same of a statement, with the blocks in it; writing a part is not reading.
uint32_t tir_stmt_reads(TirStmt *stmt, const TirVar *var);
// The variables that the statement itself writes, as a whole or in part, for k = 0, 1, ...: that of
// a place, a call's results and then what it gives to in-out parameters, that of an input or a
// `for`. NULL behind the last one.
TirVar *tir_stmt_written(const TirStmt *stmt, size_t k);
// Whether the statement, or one of a block in it, may write the variable.
bool tir_stmt_writes(TirStmt *stmt, const TirVar *var);
// The same of a block.
bool tir_block_writes(const TirBlock *block, const TirVar *var);
// How often a block reads it.
uint32_t tir_block_reads(const TirBlock *block, const TirVar *var);
// Whether no statement of the block but number `at` reads or writes it.
bool tir_is_alone(const TirBlock *block, size_t at, const TirVar *var);
// Whether it hands a variable over as a whole, to a function, to be written out or to be read in: a
// test of statements.
bool tir_is_handed_over(TirStmt *stmt, void *var);
// Whether it may write one that the expression reads.
bool tir_stmt_writes_operand(TirStmt *stmt, const TirExpr *expr);
// Whether a block only sets variables, chooses and counts, and goes through to its end if nothing
// in it traps.
bool tir_is_plain(TirBlock *block);
// Whether it is plain and nothing traps.
bool tir_only_computes(TirBlock *block);

#endif
