// Moves the value of an array variable to where it is read, so that the array itself is never
// made. Reads and leaves any valid TIR without nests.
//
// A `set` of a whole local array moves when it is the only write of it, cannot trap, and nothing
// between it and its readers writes what it reads. What moves:
//
// - a view of another variable or of a constant that keeps rows as rows, into any number of
//   readers that stand behind it, also in blocks: it is read in place;
// - a value that is computed element by element, into its only reader, which takes every element
//   once at most;
// - an array in another shape, or a view of that, likewise;
// - such a value that costs no more than reading it from memory, into a few readers;
// - a large one that costs a little more, where one statement reads it, as a filter along one dim
//   does with what one along the other made: rows at once share what they compute.
//
// Values that walk loops of their own (sums, products of matrices) stay: what computes them well
// needs them alone.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/content.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

enum {
    WINDOW = 200,     // statements behind a `set` in which its readers are looked for
    SIZE_LIMIT = 48,  // nodes of a value that moves: readers stay of a size that compiles fast
    CHEAP_OPS = 2,    // of a value that is computed again for each reader
    CHEAP_ARRAYS = 2, // that it reads
    CHEAP_READS = 3,  // of the variable
    CHEAP_FROM = 16,  // elements; fewer stay in registers anyway
    SHARED_OPS = 4,   // of a value that one statement computes again for each read
    SHARED_ARRAYS = 3,
    SHARED_FROM = 8192, // elements; fewer are in the first cache
};

typedef struct Forwarder {
    Tir *tir;
    TirUses *uses;
} Forwarder;

// What kind of value it is.

// At computed indices that readers compute again for nothing, variables or these and a constant.
static bool is_found_again(const TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        int64_t offset;
        if (axis->index != NULL && tir_index_var(axis->index, &offset) == NULL) {
            return false;
        }
    }
    return true;
}

// A variable, a constant, or a view of one of these that can be read in place.
static bool is_in_place(const TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_VAR:
    case EXPR_CONST:
    case EXPR_IOTA: return true;
    case EXPR_RESHAPE: return reshape_is_of_levels(expr) && is_in_place(expr->operand);
    case EXPR_VIEW:
        return is_found_again(expr) && view_keeps_rows(expr) && is_in_place(expr->view.operand);
    case EXPR_MAP:
    case EXPR_CONVERT:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT: return false;
    }
    UNREACHABLE();
}

// An array in another shape, or a view of that.
static bool is_reshaped(const TirExpr *expr) {
    if (expr->kind == EXPR_VIEW && view_is_constant(expr)) {
        expr = expr->view.operand;
    }
    return expr->kind == EXPR_RESHAPE && expr->operand->kind == EXPR_VAR;
}

// How the value may move, from what is free to do to what has a price.
typedef enum Movement {
    STAYS,
    MOVES_ANYWHERE,
    MOVES_TO_ELEMENTS,
    MOVES_TO_FEW,
    MOVES_TO_READER,
    MOVES_TO_ONE
} Movement;

static Movement movement_of(const TirVar *var, const TirExpr *value, const TirUses *uses) {
    if (uses->updates != 0 || uses->reads == 0 || tir_may_trap(value)) {
        return STAYS;
    }
    if (is_in_place(value)) {
        bool is_few = view_bottom(value) == NULL && var->type->numel < CHEAP_FROM;
        return is_few ? MOVES_TO_ELEMENTS : MOVES_ANYWHERE;
    }
    if (is_reshaped(value)) {
        return uses->reads == 1 ? MOVES_TO_ONE : STAYS;
    }
    TirContent content = {0};
    tir_content_add(&content, value, SIZE_LIMIT);
    if (content.walks || content.nodes > SIZE_LIMIT) {
        return STAYS;
    }
    if (uses->reads == 1) {
        return MOVES_TO_ONE;
    }
    bool is_cheap = !content.has_dear_ops && content.ops <= CHEAP_OPS &&
                    content.arrays <= CHEAP_ARRAYS && var->type->numel >= CHEAP_FROM;
    bool is_shared = !content.has_dear_ops && content.ops <= SHARED_OPS &&
                     content.arrays <= SHARED_ARRAYS && var->type->numel >= SHARED_FROM;
    return uses->reads > CHEAP_READS ? STAYS
           : is_cheap                ? MOVES_TO_FEW
           : is_shared               ? MOVES_TO_READER
                                     : STAYS;
}

// Where it is read.

// Whether every read of `var` in the tree is at a place where a computed value costs no more than
// the variable: it is not kept for several uses, nor read by other steps than its rows have.
static bool takes_once(const TirExpr *expr, const TirVar *var) {
    if (expr->kind == EXPR_VAR || tir_expr_reads(expr, var) == 0) {
        return true;
    }
    switch (expr->kind) {
    case EXPR_MAP:
        for (unsigned i = 0; i < tir_op_arity(expr->map.op); i++) {
            if (!takes_once(expr->map.args[i], var)) {
                return false;
            }
        }
        return true;
    case EXPR_CONVERT: return takes_once(expr->operand, var);
    case EXPR_REDUCE: return takes_once(expr->reduce.operand, var);
    case EXPR_RESHAPE: return reshape_is_of_levels(expr) && takes_once(expr->operand, var);
    case EXPR_VIEW:
        return view_keeps_rows(expr) && !view_repeats(expr) && view_is_constant(expr) &&
               takes_once(expr->view.operand, var);
    case EXPR_LITERAL:
        for (size_t i = 0; i < expr->literal.count; i++) {
            if (!takes_once(expr->literal.items[i], var)) {
                return false;
            }
        }
        return true;
    case EXPR_CONCAT:
        for (size_t i = 0; i < expr->concat.count; i++) {
            if (!takes_once(expr->concat.items[i], var)) {
                return false;
            }
        }
        return true;
    case EXPR_CUMSUM:
    case EXPR_DOT: return false;
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_IOTA: return true;
    }
    UNREACHABLE();
}

// A call, a print or an output hands arrays over in memory.
static bool is_handed_over(const TirStmt *stmt) {
    return stmt->kind == STMT_CALL || stmt->kind == STMT_PRINT || stmt->kind == STMT_OUTPUT;
}

typedef struct Elements {
    const TirVar *var;
    uint32_t count;
} Elements;

static void count_elements(const TirExpr *expr, void *data) {
    Elements *elements = data;
    elements->count += expr->kind == EXPR_VIEW && type_is_scalar(expr->type) &&
                       expr->view.operand->kind == EXPR_VAR &&
                       expr->view.operand->var == elements->var && view_is_constant(expr);
    tir_read_operands(expr, count_elements, data);
}

// Whether all that is read of it is single elements, at the same positions always.
static bool reads_elements(TirStmt *stmt, const TirVar *var) {
    Elements elements = {.var = var};
    tir_read_values_in(&(TirBlock){.items = &stmt, .count = 1}, count_elements, &elements);
    return elements.count == tir_stmt_reads(stmt, var);
}

static bool block_takes(TirStmt *stmt, const TirVar *var, const TirExpr *value);

// Whether the statement, with the blocks in it, can read the value where it reads the variable.
static bool stmt_takes(TirStmt *stmt, const TirVar *var, const TirExpr *value, Movement movement) {
    if (movement == MOVES_ANYWHERE || movement == MOVES_TO_ELEMENTS) {
        return block_takes(stmt, var, value) &&
               (movement == MOVES_ANYWHERE || reads_elements(stmt, var));
    }
    TirBlock *nested[2];
    if (stmt->kind == STMT_SET) {
        return tir_expr_reads(stmt->set.place, var) == 0 && takes_once(stmt->set.value, var);
    }
    return tir_stmt_blocks(stmt, nested) == 0 && !is_handed_over(stmt);
}

static bool block_takes(TirStmt *stmt, const TirVar *var, const TirExpr *value) {
    if (is_handed_over(stmt) && (value->kind != EXPR_VAR || value->type != var->type)) {
        return tir_stmt_reads(stmt, var) == 0;
    }
    TirBlock *nested[2];
    for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
        for (size_t i = 0; i < nested[k]->count; i++) {
            if (!block_takes(nested[k]->items[i], var, value)) {
                return false;
            }
        }
    }
    return true;
}

// Whether a `set` that reads the variable may write what the value reads: it is complete before.
static bool writes_operand_too_soon(TirStmt *stmt, const TirExpr *value, bool is_last) {
    return !(is_last && stmt->kind == STMT_SET) && tir_stmt_writes_operand(stmt, value);
}

// The statement behind `first` that reads the variable last; 0 when there are readers elsewhere
// too, or one that cannot take the value.
static size_t last_reader(const Forwarder *forwarder, const TirBlock *block, size_t first,
                          Movement movement) {
    const TirVar *var = block->items[first]->set.place->var;
    const TirExpr *value = block->items[first]->set.value;
    uint32_t left = forwarder->uses[var->id].reads;
    for (size_t i = first + 1; i < block->count && i <= first + WINDOW; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt == NULL) {
            continue;
        }
        uint32_t reads = tir_stmt_reads(stmt, var);
        if (reads > 0 && !stmt_takes(stmt, var, value, movement)) {
            return 0;
        }
        left -= reads;
        if (writes_operand_too_soon(stmt, value, left == 0)) {
            return 0;
        }
        if (left == 0) {
            return i;
        }
    }
    return 0;
}

// Moving it.

static bool is_candidate(const Forwarder *forwarder, const TirStmt *stmt) {
    if (!tir_sets_whole(stmt) || stmt->set.is_update) {
        return false;
    }
    const TirVar *var = stmt->set.place->var;
    return tir_var_is_local(var) && type_is_tensor(var->type) &&
           forwarder->uses[var->id].writes == 1;
}

// Tries to move the value of the `set` at `first`; true when it is gone.
static bool forward(Forwarder *forwarder, TirBlock *block, size_t first) {
    TirStmt *stmt = block->items[first];
    const TirVar *var = stmt->set.place->var;
    TirUses *uses = &forwarder->uses[var->id];
    Movement movement = movement_of(var, stmt->set.value, uses);
    size_t last = movement == STAYS ? 0 : last_reader(forwarder, block, first, movement);
    bool is_read_elsewhere = last != 0 && movement == MOVES_TO_READER &&
                             tir_stmt_reads(block->items[last], var) < uses->reads;
    if (last == 0 || is_read_elsewhere) {
        return false;
    }
    TirExpr *value = tir_reshape(forwarder->tir, var->type, stmt->set.value, stmt->set.value->span);
    for (size_t i = first + 1; i <= last; i++) {
        if (block->items[i] != NULL && tir_stmt_reads(block->items[i], var) > 0) {
            tir_replace_in(forwarder->tir, block->items[i], var, value);
        }
    }
    if (var->name != NULL) {
        bool is_copy = movement == MOVES_ANYWHERE || movement == MOVES_TO_ELEMENTS;
        const TirStmt *reader = block->items[last];
        CHECK(reader != NULL);
        tir_remark(forwarder->tir, "forward", stmt->span, is_copy ? (Span){0} : reader->span,
                   is_copy ? "`%s` is not copied: it is read in place"
                           : "`%s` is not made: its value is computed at",
                   var->name->text);
    }
    for (uint32_t i = 1; i < uses->reads; i++) {
        tir_count_reads(forwarder->uses, stmt->set.value, 1);
    }
    *uses = (TirUses){0};
    return true;
}

// An array that is written again later is still a copy until then, or until what it is of changes:
// readers so far read the other one.
static void read_through_copy(Forwarder *forwarder, TirBlock *block, size_t first) {
    const TirStmt *copy = block->items[first];
    const TirVar *var = copy->set.place->var;
    TirExpr *value = tir_reshape(forwarder->tir, var->type, copy->set.value, copy->set.value->span);
    for (size_t i = first + 1; i < block->count && i <= first + WINDOW; i++) {
        TirStmt *stmt = block->items[i];
        bool changes = tir_stmt_writes(stmt, var) || tir_stmt_writes(stmt, copy->set.value->var);
        bool is_set = stmt->kind == STMT_SET;
        if (changes && !is_set) {
            return;
        }
        if (block_takes(stmt, var, value)) {
            uint32_t reads =
                is_set ? tir_expr_reads(stmt->set.value, var) : tir_stmt_reads(stmt, var);
            if (is_set) {
                tir_replace(forwarder->tir, &stmt->set.value, var, value);
            } else {
                tir_replace_in(forwarder->tir, stmt, var, value);
            }
            forwarder->uses[var->id].reads -= reads;
            for (uint32_t k = 0; k < reads; k++) {
                tir_count_reads(forwarder->uses, copy->set.value, 1);
            }
        }
        if (changes) {
            return;
        }
    }
}

static bool is_copy(const Forwarder *forwarder, const TirStmt *stmt) {
    if (!tir_sets_whole(stmt) || stmt->set.is_update || stmt->set.value->kind != EXPR_VAR) {
        return false;
    }
    const TirVar *var = stmt->set.place->var;
    const TirVar *from = stmt->set.value->var;
    // What is read only here pass_alias will make in `var` itself.
    bool is_moved = from->role == VAR_TEMP && forwarder->uses[from->id].reads == 1;
    return !tir_var_is_global(var) && type_is_tensor(var->type) && from != var && !is_moved &&
           forwarder->uses[var->id].reads > 0;
}

// Temporary scalars are what is left of checks that cannot fail.
static bool is_unused(const Forwarder *forwarder, const TirStmt *stmt) {
    bool is_temporary =
        tir_sets_whole(stmt) && stmt->set.place->var->role == VAR_TEMP && !stmt->set.is_update;
    return (is_temporary || is_candidate(forwarder, stmt)) &&
           forwarder->uses[stmt->set.place->var->id].reads == 0 &&
           forwarder->uses[stmt->set.place->var->id].updates == 0 && !tir_may_trap(stmt->set.value);
}

static void close_gaps(TirBlock *block) {
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        if (block->items[i] != NULL) {
            block->items[count++] = block->items[i];
        }
    }
    block->count = count;
}

// Backwards, so that what only unused values read is found to be unused.
static void drop_unused(Forwarder *forwarder, TirBlock *block) {
    for (size_t i = block->count; i-- > 0;) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            drop_unused(forwarder, nested[k]);
        }
        if (is_unused(forwarder, stmt)) {
            tir_count_reads(forwarder->uses, stmt->set.value, -1);
            block->items[i] = NULL;
        }
    }
    close_gaps(block);
}

static void forward_block(Forwarder *forwarder, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            forward_block(forwarder, nested[k]);
        }
        if (is_candidate(forwarder, block->items[i]) && forward(forwarder, block, i)) {
            block->items[i] = NULL;
        } else if (is_copy(forwarder, block->items[i])) {
            read_through_copy(forwarder, block, i);
        }
    }
    close_gaps(block);
}

// Behind pass_hoist: sums in values have temporaries now, so what is left is element by element.
void pass_forward_rest(Tir *tir, TirFunction *function) {
    pass_forward(tir, function);
}

void pass_forward(Tir *tir, TirFunction *function) {
    Forwarder forwarder = {tir, tir_count_uses(tir->arena, function)};
    drop_unused(&forwarder, &function->body);
    forward_block(&forwarder, &function->body);
}
