// Each place where the values read an array lies at a constant distance from where it reads for the
// first row, and moves by a constant step from row to row. So the elements that some rows read
// together are known, and how many of them are read more than once. LLVM reads each once, and
// computes what is made of the same elements once, when the rows stand in one piece of code.
#include "codegen/plan/rows.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "tir/view.h"
#include "tir/visit.h"
#include "types/memory.h"

enum { READS_LIMIT = 32 }; // that are looked at

// An array that is read, as far from its first element as `start` in the first row.
typedef struct RowRead {
    const TirVar *var;
    int64_t start, step;
} RowRead;

typedef struct Reads {
    RowRead items[READS_LIMIT];
    size_t count;
    const int64_t *starts, *steps; // of the expression at hand, along each of its dims
} Reads;

static void add_read(Reads *reads, const TirVar *var) {
    RowRead read = {.var = var};
    for (size_t k = 0; k < var->type->flat_rank; k++) {
        read.start = read.start * var->type->dims[k] + reads->starts[k];
        read.step = read.step * var->type->dims[k] + reads->steps[k];
    }
    for (size_t i = 0; i < reads->count; i++) {
        const RowRead *other = &reads->items[i];
        if (other->var == var && other->start == read.start && other->step == read.step) {
            return;
        }
    }
    if (read.step != 0 && reads->count < READS_LIMIT) {
        reads->items[reads->count++] = read;
    }
}

static void see_reads(const TirExpr *expr, void *data);

static void see_view(const TirExpr *view, Reads *reads) {
    const TirExpr *operand = view->view.operand;
    const Reads outer = {.starts = reads->starts, .steps = reads->steps};
    int64_t starts[TYPE_FLAT_LIMIT] = {0};
    int64_t steps[TYPE_FLAT_LIMIT] = {0};
    for (size_t k = 0; k < operand->type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->index != NULL) {
            return;
        }
        bool moves = axis->axis >= 0;
        starts[k] = axis->start + (moves ? axis->step * outer.starts[axis->axis] : 0);
        steps[k] = moves ? axis->step * outer.steps[axis->axis] : 0;
    }
    reads->starts = starts;
    reads->steps = steps;
    see_reads(operand, reads);
    reads->starts = outer.starts;
    reads->steps = outer.steps;
}

static void see_reads(const TirExpr *expr, void *data) {
    Reads *reads = data;
    switch (expr->kind) {
    case EXPR_VAR: add_read(reads, expr->var); break;
    case EXPR_MAP:
    case EXPR_CONVERT: tir_read_operands(expr, see_reads, reads); break;
    case EXPR_VIEW: see_view(expr, reads); break;
    case EXPR_RESHAPE:
        if (reshape_is_of_levels(expr)) {
            see_reads(expr->operand, reads);
        }
        break;
    case EXPR_CONST:
    case EXPR_IOTA:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT: break;
    }
}

// Whether an earlier row of the same piece reads what the read takes in this one.
static bool is_read_before(const Reads *reads, const RowRead *read, unsigned row) {
    for (size_t i = 0; i < reads->count; i++) {
        const RowRead *other = &reads->items[i];
        int64_t distance = read->start + read->step * (int64_t)row - other->start;
        bool is_same_walk = other->var == read->var && other->step == read->step;
        if (is_same_walk && distance % read->step == 0 && distance / read->step >= 0 &&
            distance / read->step < (int64_t)row) {
            return true;
        }
    }
    return false;
}

static size_t shared_reads(const Reads *reads, unsigned rows) {
    size_t shared = 0;
    for (size_t i = 0; i < reads->count; i++) {
        for (unsigned row = 1; row < rows; row++) {
            shared += is_read_before(reads, &reads->items[i], row);
        }
    }
    return shared;
}

unsigned rows_at_once(const PlanFacts *facts, const PlanStore *stores, size_t count,
                      const WalkPlan *walk) {
    bool has_rows = walk->lanes > 1 && !walk->is_linear && walk->wrap.period == 0 &&
                    walk->along > 0 && !walk->unrolled && !walk->is_apart;
    if (!has_rows || facts->small || !walk->overlaps || walk->streams ||
        walk->dims[walk->along - 1] < 2 * ROWS_AT_ONCE) {
        return 1;
    }
    const Type *type = stores[0].value->type;
    uint64_t bytes = (uint64_t)walk->dims[walk->along] * root_bytes(type->root, facts->single);
    int64_t starts[TYPE_FLAT_LIMIT] = {0};
    int64_t steps[TYPE_FLAT_LIMIT] = {0};
    steps[walk->along - 1] = 1;
    Reads reads = {.starts = starts, .steps = steps};
    uint64_t cost = 0;
    for (size_t i = 0; i < count; i++) {
        const TirExpr *value = stores[i].value;
        cost += element_cost(value);
        if (element_has_loop(value) || element_has_function(value)) {
            return 1;
        }
        see_reads(value, &reads);
    }
    size_t shared = shared_reads(&reads, ROWS_AT_ONCE);
    bool gains = cost >= ROWS_COST_FROM && ROWS_AT_ONCE * bytes <= ROWS_BYTES && shared > 0 &&
                 shared * ROWS_SHARED_SHARE >= ROWS_AT_ONCE * reads.count;
    return gains && cost * ROWS_AT_ONCE <= UNROLL_COST_LIMIT ? ROWS_AT_ONCE : 1;
}
