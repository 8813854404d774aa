// The limits of nests, which are those of the machine: registers, and the ways of a first cache.
#include "tir/nest_size.h"

#include "tir/content.h"
#include "tir/same.h"
#include "tir/visit.h"

enum {
    SETS_LIMIT = 32,   // of a nest
    NODES_LIMIT = 160, // of their values: more live values than registers are kept in memory again
    ARRAYS_LIMIT = 14, // that a nest walks at once: more streams than a first cache has ways for
};

// What is read or written: an array counts once, and so do all views of one that go along the same
// rows of it; what does not move counts nothing.
typedef struct Streams {
    const TirExpr *known[ARRAYS_LIMIT]; // variables, and views of them
    unsigned count;
} Streams;

static bool moves(const TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->index != NULL || (axis->axis >= 0 && axis->step != 0)) {
            return true;
        }
    }
    return false;
}

// Whether two views of one variable differ at most in where they begin along the last dim.
static bool share_rows(const TirExpr *a, const TirExpr *b) {
    size_t rank = a->view.operand->type->flat_rank;
    for (size_t k = 0; k < rank; k++) {
        const TirAxis *x = &a->view.axes[k];
        const TirAxis *y = &b->view.axes[k];
        bool is_last = k + 1 == rank;
        bool is_other = (x->index == NULL) != (y->index == NULL) ||
                        (x->index != NULL && !tir_same_value(x->index, y->index));
        if (is_other || x->axis != y->axis || x->step != y->step ||
            (x->start != y->start && !is_last)) {
            return false;
        }
    }
    return true;
}

static bool is_same_stream(const TirExpr *a, const TirExpr *b) {
    if (a->kind != b->kind) {
        return false;
    }
    return a->kind == EXPR_VAR ? a->var == b->var
                               : a->view.operand->var == b->view.operand->var && share_rows(a, b);
}

static void add_stream(Streams *streams, const TirExpr *expr) {
    for (unsigned i = 0; i < streams->count && i < ARRAYS_LIMIT; i++) {
        if (is_same_stream(streams->known[i], expr)) {
            return;
        }
    }
    if (streams->count < ARRAYS_LIMIT) {
        streams->known[streams->count] = expr;
    }
    streams->count++;
}

static void count_streams(const TirExpr *expr, void *data) {
    Streams *streams = data;
    if (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR) {
        if (moves(expr)) {
            add_stream(streams, expr);
        }
    } else if (expr->kind == EXPR_VAR && type_is_tensor(expr->type)) {
        add_stream(streams, expr);
    } else {
        tir_read_operands(expr, count_streams, data);
    }
}

static void look_at_set(const TirStmt *set, TirContent *content, Streams *streams) {
    tir_content_add(content, set->set.value, NODES_LIMIT);
    tir_content_add(content, set->set.place, NODES_LIMIT);
    if (content->nodes <= NODES_LIMIT) {
        count_streams(set->set.value, streams);
        count_streams(set->set.place, streams);
    }
}

bool tir_nest_fits(const TirBlock *nest, const TirStmt *set) {
    TirContent content = {0};
    Streams streams = {.count = 0};
    look_at_set(set, &content, &streams);
    for (size_t i = 0; i < nest->count; i++) {
        look_at_set(nest->items[i], &content, &streams);
    }
    return !content.walks && !content.leaves_rows && content.nodes <= NODES_LIMIT &&
           streams.count <= ARRAYS_LIMIT && nest->count < SETS_LIMIT;
}
