// Two elements differ where they do along one dim: at positions that are as far from one variable,
// or from none, or where one counts up from behind the other, as in `r[i, j]` and `r[i, k]` for
// j = k + 1:n.
#include "tir/apart.h"

// A variable and a constant; NULL: the constant alone.
typedef struct Line {
    const TirVar *var;
    int64_t offset;
} Line;

// So far that sums of some of them and of a position inside of an array do not wrap around.
static bool is_near(int64_t offset) {
    enum { FAR = 1 << 20 };
    return offset >= -FAR && offset <= FAR;
}

static bool line_of(const TirExpr *expr, Line *line) {
    if (expr->type->root != ROOT_INT || !type_is_scalar(expr->type)) {
        return false;
    }
    if (expr->kind == EXPR_CONST) {
        *line = (Line){NULL, expr->data[0].integer};
        return true;
    }
    line->var = tir_index_var(expr, &line->offset);
    return line->var != NULL && is_near(line->offset);
}

static bool line_of_axis(const TirAxis *axis, Line *line) {
    if (axis->index != NULL) {
        return line_of(axis->index, line);
    }
    *line = (Line){NULL, axis->start};
    return axis->axis < 0;
}

// Whether all turns are beyond `other`, counted from `offset` behind the variable of the loop.
static bool is_beyond(const TirStmt *loop, int64_t offset, Line other) {
    const TirExpr *step = loop->for_loop.step;
    Line first, last;
    if (step->kind != EXPR_CONST || step->data[0].integer == 0) {
        return false;
    }
    bool rises = step->data[0].integer > 0;
    if (line_of(loop->for_loop.first, &first) && first.var == other.var) {
        int64_t begin = first.offset + offset;
        if (rises ? begin > other.offset : begin < other.offset) {
            return true;
        }
    }
    if (line_of(loop->for_loop.last, &last) && last.var == other.var) {
        int64_t end = last.offset + offset + (rises ? -1 : 1);
        return rises ? end < other.offset : end > other.offset;
    }
    return false;
}

static bool are_apart(const LoopAround *around, const TirAxis *place, const TirAxis *axis) {
    Line one, other;
    if (!line_of_axis(place, &one) || !line_of_axis(axis, &other)) {
        return false;
    }
    const TirStmt *loop = one.var == NULL ? NULL : tir_loop_of(around, one.var);
    return loop == NULL ? one.var == other.var && one.offset != other.offset
                        : is_beyond(loop, one.offset, other);
}

bool tir_elements_apart(const LoopAround *around, const TirExpr *place, const TirExpr *view) {
    enum { LENGTH_MOST = 1 << 30 };
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR) {
        return false;
    }
    const Type *type = place->view.operand->type;
    for (size_t k = 0; k < type->flat_rank; k++) {
        if (type->dims[k] <= LENGTH_MOST &&
            are_apart(around, &place->view.axes[k], &view->view.axes[k])) {
            return true;
        }
    }
    return false;
}
