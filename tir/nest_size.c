// The limits of nests, which are those of the machine: registers, and the ways of a first cache.
#include "tir/nest_size.h"

#include "tir/content.h"
#include "tir/visit.h"

enum {
    SETS_LIMIT = 24,   // of a nest
    NODES_LIMIT = 160, // of their values: more live values than registers are kept in memory again
    ARRAYS_LIMIT = 14, // that a nest walks at once: more streams than a first cache has ways for
};

// What is read or written: an array counts once, each view of it for itself.
typedef struct Streams {
    const TirVar *arrays[ARRAYS_LIMIT];
    unsigned array_count, count;
} Streams;

static bool is_known(const Streams *streams, const TirVar *var) {
    for (unsigned i = 0; i < streams->array_count; i++) {
        if (streams->arrays[i] == var) {
            return true;
        }
    }
    return false;
}

static void count_streams(const TirExpr *expr, void *data) {
    Streams *streams = data;
    if (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR) {
        streams->count++;
    } else if (expr->kind == EXPR_VAR && type_is_tensor(expr->type)) {
        bool is_new = !is_known(streams, expr->var);
        streams->count += is_new;
        if (is_new && streams->array_count < ARRAYS_LIMIT) {
            streams->arrays[streams->array_count++] = expr->var;
        }
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
