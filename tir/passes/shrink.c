// Takes away the part of a value that is overwritten before anybody reads it. Reads and leaves any
// valid TIR without nests.
//
// A `set` of a whole array, of which a set behind it writes most again, as in `y = x` before
// `y[1:n - 1] = ...`, becomes sets of the slabs around that box: for each axis those before and
// behind it, within the box along the axes before. One that a loop behind it writes element by
// element, or row by row, goes; where each row is made of those before it, the first rows stay.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/overwrite.h"
#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

#include <string.h>

enum {
    WINDOW = 32,     // statements behind a `set` in which it is looked for
    NUMEL_FROM = 16, // elements; fewer are written faster than it takes to begin
    RANK_LIMIT = 4,
};

// Elements [start, start + length) along each axis.
typedef struct Box {
    uint32_t start[RANK_LIMIT], length[RANK_LIMIT];
} Box;

// False when the place is no box of `var`.
static bool box_of(const TirExpr *place, const TirVar *var, Box *box) {
    if (place->kind == EXPR_VAR) {
        memcpy(box->length, var->type->dims, var->type->flat_rank * sizeof(uint32_t));
        return true;
    }
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR ||
        place->view.operand->var != var || place->type->flat_rank != var->type->flat_rank) {
        return false;
    }
    for (uint32_t k = 0; k < var->type->flat_rank; k++) {
        const TirAxis *axis = &place->view.axes[k];
        if (axis->index != NULL || axis->axis != (int32_t)k || axis->step != 1) {
            return false;
        }
        box->start[k] = (uint32_t)axis->start;
        box->length[k] = place->type->dims[k];
    }
    return true;
}

static TirExpr *part_of(Tir *tir, TirExpr *whole, const Box *box, bool is_element) {
    uint32_t rank = whole->type->flat_rank;
    TirAxis axes[RANK_LIMIT] = {{0}};
    for (uint32_t k = 0; k < rank; k++) {
        axes[k] =
            (TirAxis){.axis = is_element ? -1 : (int32_t)k, .start = box->start[k], .step = 1};
    }
    const Type *base = type_scalar(tir->types, whole->type->root);
    const Type *type = is_element ? base : type_tensor(tir->types, base, rank, box->length);
    return tir_view(tir, type, whole, axes, whole->span);
}

// One element that is only copied is a scalar. What is computed stays an array, of which functions
// are others than those of scalars.
static void set_part(Tir *tir, const TirStmt *whole, const Box *box, TirBlock *out) {
    uint64_t numel = 1;
    for (uint32_t k = 0; k < whole->set.place->type->flat_rank; k++) {
        numel *= box->length[k];
    }
    TirExprKind bottom = tir_bottom(whole->set.value)->kind;
    bool is_element = numel == 1 && (bottom == EXPR_VAR || bottom == EXPR_CONST);
    tir_set(tir, out, part_of(tir, whole->set.place, box, is_element),
            part_of(tir, whole->set.value, box, is_element), whole->span);
}

static void set_around(Tir *tir, const TirStmt *whole, const Box *inner, TirBlock *out) {
    const Type *type = whole->set.place->type;
    Box slab = {{0}, {0}};
    memcpy(slab.length, type->dims, type->flat_rank * sizeof(uint32_t));
    for (uint32_t k = 0; k < type->flat_rank; k++) {
        uint32_t end = inner->start[k] + inner->length[k];
        uint32_t starts[] = {0, end};
        uint32_t lengths[] = {inner->start[k], type->dims[k] - end};
        for (int side = 0; side < 2; side++) {
            slab.start[k] = starts[side];
            slab.length[k] = lengths[side];
            if (lengths[side] > 0) {
                set_part(tir, whole, &slab, out);
            }
        }
        slab.start[k] = inner->start[k];
        slab.length[k] = inner->length[k];
    }
}

// The rows behind the first ones.
static Box rows_from(const Type *type, uint32_t rows) {
    Box box = {{rows}, {0}};
    memcpy(box.length, type->dims, type->flat_rank * sizeof(uint32_t));
    box.length[0] -= rows;
    return box;
}

// The `set` behind `first` that writes most of its array again before it is read; NULL: none.
static const TirStmt *find_cover(const TirBlock *block, size_t first, Box *box) {
    const TirVar *var = block->items[first]->set.place->var;
    for (size_t i = first + 1; i < block->count && i <= first + WINDOW; i++) {
        TirStmt *stmt = block->items[i];
        if (tir_stmt_reads(stmt, var) > 0) {
            return NULL;
        }
        if (tir_stmt_writes(stmt, var)) {
            bool is_box = stmt->kind == STMT_SET && box_of(stmt->set.place, var, box);
            return is_box && stmt->set.place->type->numel > var->type->numel / 2 ? stmt : NULL;
        }
        TirBlock *nested[2];
        if (tir_stmt_blocks(stmt, nested) > 0 || stmt->kind == STMT_RETURN ||
            stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE) {
            return NULL;
        }
    }
    return NULL;
}

// Whether a part of the set can be left out.
static bool has_parts(const TirStmt *stmt) {
    if (stmt->kind != STMT_SET || stmt->set.place->kind == EXPR_RESHAPE) {
        return false;
    }
    const TirVar *var = tir_place_var(stmt->set.place);
    const Type *type = stmt->set.place->type;
    TirExprKind kind = stmt->set.value->kind;
    return kind != EXPR_LITERAL && kind != EXPR_CONCAT && kind != EXPR_CUMSUM && kind != EXPR_DOT &&
           kind != EXPR_RESHAPE && !tir_var_is_global(var) && type->flat_rank > 0 &&
           type->flat_rank <= RANK_LIMIT && type->numel >= NUMEL_FROM &&
           !tir_may_trap(stmt->set.place) && !tir_may_trap(stmt->set.value) &&
           tir_expr_reads(stmt->set.value, var) == 0;
}

static void shrink_block(Tir *tir, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            shrink_block(tir, nested[k]);
        }
        if (tir_is_overwritten(tir, block, i)) {
            tir_remark(tir, "shrink", stmt->span, (Span){0},
                       "not done: it is overwritten before it is read");
            continue;
        }
        Box box = {{0}, {0}};
        uint32_t rows;
        bool is_whole = tir_sets_whole(stmt);
        if (is_whole && has_parts(stmt) && find_cover(block, i, &box) != NULL) {
            set_around(tir, stmt, &box, &out);
        } else if (has_parts(stmt) && (rows = tir_loop_goes_on_from(tir, block, i)) > 0) {
            box = rows_from(stmt->set.place->type, rows);
            set_around(tir, stmt, &box, &out);
            tir_remark(tir, "shrink", stmt->span, (Span){0},
                       "only the first rows: a loop writes the others");
        } else {
            LIST_PUSH(tir->arena, &out, stmt);
        }
    }
    *block = out;
}

static void drop_overwritten(Tir *tir, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            drop_overwritten(tir, nested[k]);
        }
        if (!tir_is_overwritten(tir, block, i)) {
            LIST_PUSH(tir->arena, &out, stmt);
        }
    }
    *block = out;
}

// What loops read of their own part only, pass_promote reads once, before they write it.
void pass_shrink_rest(Tir *tir, TirFunction *function) {
    drop_overwritten(tir, &function->body);
}

void pass_shrink(Tir *tir, TirFunction *function) {
    shrink_block(tir, &function->body);
}
