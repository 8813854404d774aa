// Writes out `while` loops whose counter is multiplied or divided by a constant from turn to turn,
// from one constant to another, as in transforms that go through an array in stages:
//
//     h = 1                               for i = 0:8:2: for j = i:i + 1: ...
//     while h < 8:                        for i = 0:8:4: for j = i:i + 2: ...
//         for i = 0:8:2 * h:              for i = 0:8:8: for j = i:i + 4: ...
//             for j = i:i + h: ...        h = 8
//         end
//         h *= 2
//     end
//
// One copy of the body for each turn, with the counter as a constant: bounds of loops in it are
// constants then. Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/own.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/scalar.h"
#include "tir/visit.h"

enum {
    STAGES_MOST = 16,
    NODES_MOST = 1024, // of all copies of a body
    FUNCTION_NODES = 4096,
};

typedef struct Stages {
    TirVar *counter;
    int32_t values[STAGES_MOST + 1]; // the last one is that behind the loop
    size_t count;
} Stages;

typedef struct Writer {
    Tir *tir;
    TirOwn own;
    unsigned nodes; // that may still be copied
} Writer;

static bool is_counter(const TirExpr *expr) {
    return expr->kind == EXPR_VAR && expr->type->root == ROOT_INT && type_is_scalar(expr->type) &&
           !tir_var_is_global(expr->var) && !tir_var_is_interface(expr->var);
}

// The variable that a condition compares with a constant; NULL: it does something else.
static TirVar *compared(const TirExpr *condition) {
    if (condition->kind != EXPR_MAP || condition->map.args[0]->type->root != ROOT_INT) {
        return NULL;
    }
    switch ((int)condition->map.op) {
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_NE: break;
    default: return NULL;
    }
    const TirExpr *a = condition->map.args[0], *b = condition->map.args[1];
    return is_counter(a) && constant_is_int(b)   ? a->var
           : is_counter(b) && constant_is_int(a) ? b->var
                                                 : NULL;
}

// Whether the last statement of the body, and none before it, gives the counter a multiple, or a
// part, of what it is.
static bool ends_with_step(const TirBlock *body, const TirVar *counter) {
    const TirStmt *step = body->count == 0 ? NULL : body->items[body->count - 1];
    if (step == NULL || !constant_sets(step, counter) || step->set.value->kind != EXPR_MAP) {
        return false;
    }
    const TirExpr *value = step->set.value;
    bool is_product = value->map.op == OP_MUL || value->map.op == OP_DIV;
    if (!is_product || value->map.args[0]->kind != EXPR_VAR || value->map.args[0]->var != counter ||
        !constant_is_int(value->map.args[1]) || value->map.args[1]->data[0].integer < 2) {
        return false;
    }
    for (size_t i = 0; i + 1 < body->count; i++) {
        if (tir_stmt_writes(body->items[i], counter)) {
            return false;
        }
    }
    return true;
}

// An operation on ints of which one is the counter.
static bool apply(const TirExpr *expr, const TirVar *counter, int32_t value, TirScalar *result) {
    const Root roots[] = {ROOT_INT, ROOT_INT};
    TirScalar args[2];
    for (unsigned k = 0; k < 2; k++) {
        const TirExpr *arg = expr->map.args[k];
        bool is_read = arg->kind == EXPR_VAR && arg->var == counter;
        args[k].integer = is_read ? value : arg->data[0].integer;
    }
    return scalar_apply(expr->map.op, roots, args, false, result);
}

// The values of the counter, turn by turn. False: there are none, or too many.
static bool find_values(const TirStmt *loop, int32_t first, Stages *stages) {
    const TirBlock *body = &loop->while_loop.body;
    const TirExpr *step = body->items[body->count - 1]->set.value;
    stages->values[0] = first;
    for (;;) {
        TirScalar goes_on, next;
        int32_t value = stages->values[stages->count];
        if (!apply(loop->while_loop.condition, stages->counter, value, &goes_on)) {
            return false;
        }
        if (!goes_on.boolean) {
            return stages->count > 0;
        }
        if (stages->count == STAGES_MOST || !apply(step, stages->counter, value, &next)) {
            return false;
        }
        stages->values[++stages->count] = next.integer;
    }
}

typedef struct Size {
    unsigned nodes;
    bool is_possible, has_loop;
} Size;

static void count_node(const TirExpr *expr, void *data) {
    Size *size = data;
    if (size->nodes++ < NODES_MOST) {
        tir_read_operands(expr, count_node, data);
    }
}

static void measure(const TirBlock *block, Size *size) {
    for (size_t i = 0; i < block->count && size->nodes <= NODES_MOST; i++) {
        TirStmt *stmt = block->items[i];
        size->has_loop |= stmt->kind == STMT_FOR;
        size->is_possible &= stmt->kind != STMT_INPUT && stmt->kind != STMT_OUTPUT;
        size->nodes++;
        tir_read_exprs(stmt, count_node, size);
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            measure(nested[k], size);
        }
    }
}

// Whether the loop behind these statements is one of stages, in which others run.
static bool find_stages(const Writer *writer, const TirBlock *before, TirStmt *loop, Stages *stages,
                        unsigned *nodes) {
    int32_t first;
    *stages = (Stages){0};
    if (loop->kind != STMT_WHILE || loop->while_loop.before.count > 0) {
        return false;
    }
    TirBlock *body = &loop->while_loop.body;
    stages->counter = compared(loop->while_loop.condition);
    if (stages->counter == NULL || !ends_with_step(body, stages->counter) ||
        tir_block_jumps(body, STMT_BREAK) || tir_block_jumps(body, STMT_CONTINUE) ||
        !constant_int_behind(before, before->count, stages->counter, &first) ||
        !find_values(loop, first, stages)) {
        return false;
    }
    Size size = {.is_possible = true};
    measure(body, &size);
    *nodes = size.nodes * (unsigned)stages->count;
    return size.is_possible && size.has_loop && *nodes <= NODES_MOST && *nodes <= writer->nodes;
}

static void write_out(Writer *writer, TirStmt *loop, const Stages *stages, TirBlock *out) {
    Tir *tir = writer->tir;
    const TirBlock *body = &loop->while_loop.body;
    TirBlock turn = {.items = body->items, .count = body->count - 1};
    TirStmt *step = body->items[turn.count];
    for (size_t i = 0; i < stages->count; i++) {
        size_t first = out->count;
        own_copy(&writer->own, &turn, out);
        TirExpr *value = tir_const_int(tir, stages->values[i], loop->span);
        for (size_t k = first; k < out->count; k++) {
            tir_put_in(tir, out->items[k], stages->counter, value);
        }
    }
    own_count(&writer->own, &(TirBlock){.items = &loop, .count = 1}, -1);
    step->set.value = tir_const_int(tir, stages->values[stages->count], step->span);
    own_count(&writer->own, &(TirBlock){.items = &step, .count = 1}, 1);
    LIST_PUSH(tir->arena, out, step);
    tir_remark(tir, "stages", loop->span, (Span){0}, "its %zu turns are written out",
               stages->count);
}

static void write_block(Writer *writer, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        Stages stages;
        unsigned nodes;
        if (find_stages(writer, &out, stmt, &stages, &nodes)) {
            writer->nodes -= nodes;
            write_out(writer, stmt, &stages, &out);
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            write_block(writer, nested[k]);
        }
        LIST_PUSH(writer->tir->arena, &out, stmt);
    }
    *block = out;
}

void pass_stages(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        Writer writer = {.tir = tir, .own = own_create(tir, function), .nodes = FUNCTION_NODES};
        write_block(&writer, &function->body);
    }
}
