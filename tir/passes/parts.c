// Makes a statement for each row of what stacks arrays, as `stack(0, re, im)` does, so that all of
// them can run as one nest, with what makes their operands. Reads what pass_hoist leaves, and
// leaves such.
//
// The value is complete before the place changes, so no row may read what is written, and none may
// trap.
#include "tir/passes/passes.h"

#include "tir/remark.h"
#include "tir/rewrite.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    ROWS_LIMIT = 8,
    ROW_NUMEL = 16, // elements of one; fewer are straight code together
};

static bool has_operations(const TirExpr *part) {
    return tir_bottom(part)->kind == EXPR_MAP;
}

static bool is_row(const TirExpr *part, const TirVar *written) {
    return part->type->dims[0] == 1 && part->type->numel >= ROW_NUMEL && !tir_may_trap(part) &&
           tir_expr_reads(part, written) == 0;
}

static bool is_stack(const TirStmt *stmt) {
    if (stmt->kind != STMT_SET || stmt->set.value->kind != EXPR_CONCAT) {
        return false;
    }
    const TirExpr *place = stmt->set.place;
    const TirExpr *value = stmt->set.value;
    const TirVar *var = tir_place_var(place);
    size_t count = value->concat.count;
    if (value->concat.axis != 0 || count > ROWS_LIMIT || place->type->flat_rank < 2 ||
        tir_may_trap(place) || tir_expr_reads(place, var) > 1) {
        return false;
    }
    bool computes = false;
    for (size_t i = 0; i < count; i++) {
        if (!is_row(value->concat.items[i], var)) {
            return false;
        }
        computes = computes || has_operations(value->concat.items[i]);
    }
    return computes;
}

// One row of an array, or all of a row that stands alone.
static TirExpr *row_of(Tir *tir, TirExpr *array, size_t row) {
    const Type *from = array->type;
    const Type *type = type_tensor(tir->types, type_scalar(tir->types, from->root),
                                   from->flat_rank - 1U, from->dims + 1);
    return tir_row(tir, type, array, (TirAxis){.axis = -1, .start = (int64_t)row});
}

static bool write_rows(TirStmt *stmt, TirBlock *out, void *data) {
    Tir *tir = data;
    if (!is_stack(stmt)) {
        return false;
    }
    for (size_t row = 0; row < stmt->set.value->concat.count; row++) {
        TirExpr *part = stmt->set.value->concat.items[row];
        tir_set(tir, out, row_of(tir, stmt->set.place, row), row_of(tir, part, 0), stmt->span);
    }
    tir_remark(tir, "parts", stmt->span, (Span){0}, "each row is a statement of its own");
    return true;
}

void pass_parts(Tir *tir, TirFunction *function) {
    tir_rewrite_inner_first(tir, &function->body, write_rows, tir);
}
