// See parts.h. A view reads a part where it is no more than one row's share of it: along the last
// dim of what it views it begins elsewhere, ends before or leaves out elements, and still moves. Of
// a place one element is a part, too, and so are the pieces of a literal.
//
// An array that statements put together of scalars, or take apart into such, and that is otherwise
// only computed element by element, is better held in scalars. So is one whose elements loops count
// that are so short that LLVM writes them out.
#include "tir/parts.h"

#include "support/bug.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"
#include "types/shape.h"

enum {
    JOINED_MOST = 8,  // elements of a vector whose parts are moved, or summed, one by one
    COUNTED_MOST = 3, // turns of a loop that is straight code to LLVM
    LANES_WHOLE = 8,  // turns side by side fill all vectors of reals then
};

// Whether a view moves along the last dim of its operand, and not along all of it.
static bool reads_part(const TirExpr *view) {
    const Type *from = view->view.operand->type;
    if (from->flat_rank == 0) {
        return false;
    }
    const TirAxis *last = &view->view.axes[from->flat_rank - 1];
    bool moves = last->index == NULL && last->axis >= 0 && last->step != 0;
    return moves && (last->step != 1 || last->start != 0 ||
                     view->type->dims[last->axis] != from->dims[from->flat_rank - 1]);
}

static void note_reads(const TirExpr *expr, void *data) {
    (void)data;
    bool is_view = expr->kind == EXPR_VIEW;
    if (is_view || expr->kind == EXPR_RESHAPE) {
        const TirExpr *operand = is_view ? expr->view.operand : expr->operand;
        const TirExpr *bottom = tir_bottom(operand);
        bool is_part = is_view ? reads_part(expr) : !reshape_is_of_levels(expr);
        if (is_part && bottom->kind == EXPR_VAR) {
            bottom->var->has_parts = true;
        }
    }
    tir_read_operands(expr, note_reads, data);
}

// Whether it is the variable of a loop whose turns run side by side, as many as a row has elements,
// which are written as vectors then.
static bool is_row_of_turns(const LoopAround *around, const TirExpr *index, uint32_t length) {
    const TirStmt *loop = index->kind == EXPR_VAR ? tir_loop_of(around, index->var) : NULL;
    return loop != NULL && loop->for_loop.has_lanes && length % LANES_WHOLE == 0 &&
           loop->for_loop.first->kind == EXPR_CONST && loop->for_loop.last->kind == EXPR_CONST &&
           loop->for_loop.first->data[0].integer == 0 &&
           loop->for_loop.last->data[0].integer == (int32_t)length;
}

// Whether a place is not made of whole rows.
static bool writes_part(const LoopAround *around, const TirExpr *place) {
    for (; place->kind != EXPR_VAR; place = place->view.operand) {
        if (place->kind != EXPR_VIEW) {
            return true;
        }
        const Type *type = place->view.operand->type;
        const TirAxis *last = &place->view.axes[type->flat_rank - 1];
        bool is_row = last->index != NULL &&
                      is_row_of_turns(around, last->index, type->dims[type->flat_rank - 1]);
        if (!is_row && (last->index != NULL || last->axis < 0 || reads_part(place))) {
            return true;
        }
    }
    return false;
}

static void note_wholes(const TirExpr *expr, void *data) {
    if (expr->kind == EXPR_VAR) {
        expr->var->has_wholes = true;
    }
    tir_read_operands(expr, note_wholes, data);
}

bool tir_is_straight_loop(const TirStmt *loop) {
    const TirExpr *first = loop->for_loop.first, *last = loop->for_loop.last;
    const TirExpr *step = loop->for_loop.step;
    return first->kind == EXPR_CONST && last->kind == EXPR_CONST && step->kind == EXPR_CONST &&
           shape_range_count(first->data[0].integer, last->data[0].integer,
                             step->data[0].integer) <= COUNTED_MOST;
}

static bool is_counted(const LoopAround *around, const TirExpr *index) {
    int64_t offset;
    const TirVar *var = tir_index_var(index, &offset);
    const TirStmt *loop = var == NULL ? NULL : tir_loop_of(around, var);
    return loop != NULL && tir_is_straight_loop(loop);
}

bool tir_is_element(const LoopAround *around, const TirExpr *expr) {
    if (expr->kind != EXPR_VIEW || !type_is_scalar(expr->type) ||
        expr->view.operand->kind != EXPR_VAR) {
        return false;
    }
    for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
        const TirExpr *index = expr->view.axes[k].index;
        if (index != NULL && !is_counted(around, index)) {
            return false;
        }
    }
    return true;
}

// A sum, or the like, of a few elements, which are taken one by one.
static bool is_short_sum(const TirExpr *expr) {
    const TirExpr *terms = expr->kind == EXPR_DOT ? expr->dot.left : expr->reduce.operand;
    return type_is_scalar(expr->type) && terms->type->numel <= JOINED_MOST;
}

// What stands, in the loops of `data`, where each element has the position of the one that is
// computed.
static void note_elements(const TirExpr *expr, void *data) {
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_VAR: return;
    case EXPR_MAP:
    case EXPR_CONVERT: tir_read_operands(expr, note_elements, data); return;
    case EXPR_VIEW:
        if (tir_is_element(data, expr)) {
            expr->view.operand->var->has_elements = true;
        } else if (type_is_scalar(expr->view.operand->type)) {
            note_elements(expr->view.operand, data);
        } else {
            note_wholes(expr, data);
        }
        return;
    case EXPR_REDUCE:
    case EXPR_DOT:
        tir_read_operands(expr, is_short_sum(expr) ? note_elements : note_wholes, data);
        return;
    case EXPR_RESHAPE:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_CUMSUM:
    case EXPR_IOTA: note_wholes(expr, data); return;
    }
    UNREACHABLE();
}

// A part of a short vector that is put together of parts.
static void note_piece(const TirExpr *part, void *data) {
    bool is_piece = part->kind == EXPR_VIEW && part->type->flat_rank == 1 &&
                    part->view.operand->kind == EXPR_VAR &&
                    part->view.operand->type->flat_rank == 1 && part->view.axes[0].index == NULL;
    if (is_piece) {
        part->view.operand->var->has_elements = true;
    } else if (part->kind != EXPR_VAR) {
        note_wholes(part, data);
    }
}

static void see_rows(const TirExpr *expr, void *data) {
    bool *found = data;
    bool is_fill = expr->kind == EXPR_VIEW && type_is_scalar(expr->view.operand->type);
    bool is_each = expr->kind == EXPR_CONST || expr->kind == EXPR_VAR || expr->kind == EXPR_MAP ||
                   expr->kind == EXPR_CONVERT;
    *found = *found || !(is_each || is_fill);
    if (is_each) {
        tir_read_operands(expr, see_rows, data);
    }
}

static void note_rows(const TirExpr *expr, void *data) {
    if (expr->kind == EXPR_VAR) {
        expr->var->has_rows = true;
    }
    tir_read_operands(expr, note_rows, data);
}

static void note_set(const TirStmt *set, const LoopAround *around) {
    const TirExpr *place = set->set.place, *value = set->set.value;
    TirVar *var = tir_place_var(place);
    bool is_put_together = value->kind == EXPR_LITERAL && value->literal.count == var->type->numel;
    bool is_joined = value->kind == EXPR_CONCAT && place->kind == EXPR_VAR &&
                     var->type->flat_rank == 1 && var->type->numel <= JOINED_MOST;
    bool has_rows = place->kind != EXPR_VAR;
    see_rows(value, &has_rows);
    if (has_rows) {
        var->has_rows = true;
        note_rows(value, NULL);
    }
    var->has_elements |= tir_is_element(around, place) || is_put_together || is_joined;
    var->has_wholes |= place->kind != EXPR_VAR && !tir_is_element(around, place);
    if (is_joined) {
        tir_read_operands(value, note_piece, NULL);
    } else if (is_put_together) {
        tir_read_operands(value, note_elements, (void *)around);
    } else {
        note_elements(value, (void *)around);
    }
}

static void note_block(const TirBlock *block, const LoopAround *around) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        tir_read_values(stmt, note_reads, NULL);
        if (stmt->kind == STMT_SET) {
            note_set(stmt, around);
            TirExprKind kind = stmt->set.value->kind;
            TirVar *var = tir_place_var(stmt->set.place);
            var->has_parts = var->has_parts || kind == EXPR_LITERAL || kind == EXPR_CONCAT ||
                             writes_part(around, stmt->set.place);
        }
        if (stmt->kind == STMT_CALL || stmt->kind == STMT_INPUT) {
            TirVar *written;
            for (size_t k = 0; (written = tir_stmt_written(stmt, k)) != NULL; k++) {
                written->has_wholes = true;
            }
        }
        if (stmt->kind != STMT_SET) {
            tir_read_exprs(stmt, stmt->kind == STMT_CALL ? note_wholes : note_elements,
                           (void *)around);
        }
        const LoopAround inside = {stmt, around};
        TirBlock *blocks[2];
        for (size_t k = tir_stmt_blocks(stmt, blocks); k-- > 0;) {
            note_block(blocks[k], stmt->kind == STMT_FOR ? &inside : around);
        }
    }
}

void tir_note_parts(TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        if (function != program->side) { // which takes elements whatever the others do
            note_block(&function->body, NULL);
        }
    }
}
