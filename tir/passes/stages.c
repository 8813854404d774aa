// Writes out `while` loops whose counter is multiplied or divided from turn to turn, from one
// constant to another, as in transforms that go through an array in stages:
//
//     h = 1                               for i = 0:8:2: for j = i:i + 1: ...
//     while h < 8:                        for i = 0:8:4: for j = i:i + 2: ...
//         for i = 0:8:2 * h:              for i = 0:8:8: for j = i:i + 4: ...
//             for j = i:i + h: ...        h = 8
//         end
//         h *= 2
//     end
//
// One copy of the body for each turn, with the counter, and what is computed from it, as constants:
// bounds of loops in it are constants then. Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/own.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/rewrite.h"
#include "tir/scalar.h"
#include "tir/visit.h"

enum {
    STAGES_MOST = 16,
    NUMBERS_MOST = 8,
    NODES_MOST = 2048, // of all copies of a body
    FUNCTION_NODES = 4096,
};

// An int that the body gives values, or that the condition reads.
typedef struct Number {
    TirVar *var;
    int32_t value;
    bool is_known; // at the statement at hand
    bool stays;    // nothing gives it a value that is not known
} Number;

typedef struct Numbers {
    Number items[NUMBERS_MOST];
    size_t count;
} Numbers;

typedef struct Stages {
    Numbers first; // before the loop
    size_t count;
} Stages;

typedef struct Writer {
    Tir *tir;
    TirOwn own;
    unsigned nodes; // that may still be copied
} Writer;

static Number *number_of(Numbers *numbers, const TirVar *var) {
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->items[i].var == var) {
            return &numbers->items[i];
        }
    }
    return NULL;
}

static void add_number(const TirExpr *expr, void *data) {
    Numbers *numbers = data;
    if (expr->kind == EXPR_VAR && expr->type->root == ROOT_INT && type_is_scalar(expr->type) &&
        !tir_var_is_global(expr->var) && !tir_var_is_interface(expr->var) &&
        numbers->count < NUMBERS_MOST && number_of(numbers, expr->var) == NULL) {
        numbers->items[numbers->count++] = (Number){.var = expr->var};
    }
    tir_read_operands(expr, add_number, data);
}

static Numbers numbers_behind(const TirBlock *before, const TirStmt *loop) {
    Numbers numbers = {.count = 0};
    const TirBlock *body = &loop->while_loop.body;
    add_number(loop->while_loop.condition, &numbers);
    for (size_t i = 0; i < body->count; i++) {
        if (tir_sets_whole(body->items[i])) {
            add_number(body->items[i]->set.place, &numbers);
        }
    }
    for (size_t i = 0; i < numbers.count; i++) {
        Number *number = &numbers.items[i];
        number->is_known = constant_int_behind(before, before->count, number->var, &number->value);
        number->stays = true;
    }
    return numbers;
}

static bool is_plain(const TirExpr *expr) {
    Root root = expr->type->root;
    return type_is_scalar(expr->type) && (root == ROOT_INT || root == ROOT_BOOL);
}

// False: it is not known, or traps.
static bool evaluate(Numbers *numbers, const TirExpr *expr, TirScalar *value) {
    if (!is_plain(expr)) {
        return false;
    }
    if (expr->kind == EXPR_CONST) {
        *value = expr->data[0];
        return true;
    }
    if (expr->kind == EXPR_VAR) {
        const Number *number = number_of(numbers, expr->var);
        value->integer = number != NULL ? number->value : 0;
        return number != NULL && number->is_known;
    }
    if (expr->kind != EXPR_MAP || tir_op_arity(expr->map.op) > 2) {
        return false;
    }
    Root roots[2];
    TirScalar args[2];
    for (unsigned k = 0; k < tir_op_arity(expr->map.op); k++) {
        roots[k] = expr->map.args[k]->type->root;
        if (!evaluate(numbers, expr->map.args[k], &args[k])) {
            return false;
        }
    }
    return scalar_apply(expr->map.op, roots, args, false, value);
}

static Number *set_number(Numbers *numbers, const TirStmt *stmt) {
    bool is_set = tir_sets_whole(stmt);
    return is_set ? number_of(numbers, stmt->set.place->var) : NULL;
}

// What is known behind the statement.
static void step_over(Numbers *numbers, TirStmt *stmt) {
    const Number *set = set_number(numbers, stmt);
    TirScalar value = {0};
    bool is_known = set != NULL && evaluate(numbers, stmt->set.value, &value);
    for (size_t i = 0; i < numbers->count; i++) {
        Number *number = &numbers->items[i];
        if (tir_stmt_writes(stmt, number->var)) {
            number->is_known = number == set && is_known;
            number->value = value.integer;
            number->stays = number->stays && number->is_known;
        }
    }
}

// Whether all numbers that the condition reads have gone on from `before` as they go on from
// `here`.
static bool counts_on(const TirStmt *loop, const Numbers *before, const Numbers *here,
                      const Numbers *after) {
    for (size_t i = 0; i < here->count; i++) {
        int64_t last = (int64_t)here->items[i].value - before->items[i].value;
        int64_t next = (int64_t)after->items[i].value - here->items[i].value;
        if (tir_expr_reads(loop->while_loop.condition, here->items[i].var) > 0 && next != last) {
            return false;
        }
    }
    return true;
}

// Finds how often the loop runs. False: that is not known, too often, or pass_count knows it too.
static bool count_turns(TirStmt *loop, Stages *stages) {
    const TirBlock *body = &loop->while_loop.body;
    Numbers before = stages->first, here = before;
    bool counts = true;
    for (;;) {
        TirScalar goes_on;
        if (!evaluate(&here, loop->while_loop.condition, &goes_on)) {
            return false;
        }
        if (!goes_on.boolean) {
            return stages->count == 1 || (stages->count > 1 && !counts);
        }
        if (stages->count++ == STAGES_MOST) {
            return false;
        }
        Numbers after = here;
        for (size_t i = 0; i < body->count; i++) {
            step_over(&after, body->items[i]);
        }
        counts = counts && (stages->count == 1 || counts_on(loop, &before, &here, &after));
        before = here;
        here = after;
        for (size_t i = 0; i < here.count; i++) {
            stages->first.items[i].stays = stages->first.items[i].stays && here.items[i].stays;
        }
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

static bool is_too_large(TirStmt *stmt, void *data) {
    Size *size = data;
    size->has_loop |= stmt->kind == STMT_FOR;
    size->is_possible &= stmt->kind != STMT_INPUT && stmt->kind != STMT_OUTPUT;
    size->nodes++;
    tir_read_exprs(stmt, count_node, size);
    return size->nodes > NODES_MOST;
}

// Whether the loop behind these statements is one of stages, in which others run.
static bool find_stages(const Writer *writer, const TirBlock *before, TirStmt *loop, Stages *stages,
                        unsigned *nodes) {
    *stages = (Stages){.count = 0};
    if (loop->kind != STMT_WHILE || loop->while_loop.before.count > 0) {
        return false;
    }
    TirBlock *body = &loop->while_loop.body;
    Size size = {.is_possible = true};
    if (tir_any_stmt(body, is_too_large, &size) || !size.is_possible || !size.has_loop ||
        tir_block_has_jumps(body)) {
        return false;
    }
    stages->first = numbers_behind(before, loop);
    if (!count_turns(loop, stages)) {
        return false;
    }
    *nodes = size.nodes * (unsigned)stages->count;
    return *nodes <= NODES_MOST && *nodes <= writer->nodes;
}

static void put_numbers(Writer *writer, TirStmt *stmt, const Numbers *numbers) {
    for (size_t i = 0; i < numbers->count; i++) {
        const Number *number = &numbers->items[i];
        if (number->is_known && !tir_stmt_writes(stmt, number->var)) {
            tir_put_in(writer->tir, stmt, number->var,
                       tir_const_int(writer->tir, number->value, stmt->span));
        }
    }
}

// One turn, of which what is known of numbers is taken to its end. Those that stay known are given
// values in the last one only.
static void write_turn(Writer *writer, const TirBlock *body, Numbers *numbers, bool is_last,
                       TirBlock *out) {
    Tir *tir = writer->tir;
    TirBlock turn = {0}, copies = {0};
    for (size_t i = 0; i < body->count; i++) {
        const Number *set = set_number(numbers, body->items[i]);
        if (set == NULL || !set->stays) {
            LIST_PUSH(tir->arena, &turn, body->items[i]);
        }
    }
    own_copy(&writer->own, &turn, &copies);
    size_t next = 0;
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *stmt = body->items[i];
        const Number *set = set_number(numbers, stmt);
        bool is_copied = set == NULL || !set->stays;
        if (is_copied) {
            put_numbers(writer, copies.items[next], numbers);
            LIST_PUSH(tir->arena, out, copies.items[next++]);
        }
        step_over(numbers, stmt);
        if (!is_copied && is_last) {
            TirStmt *last = tir_set(tir, out, stmt->set.place,
                                    tir_const_int(tir, set->value, stmt->span), stmt->span);
            own_count(&writer->own, &(TirBlock){.items = &last, .count = 1}, 1);
        }
    }
}

static void write_out(Writer *writer, TirStmt *loop, const Stages *stages, TirBlock *out) {
    Numbers numbers = stages->first;
    for (size_t i = 0; i < stages->count; i++) {
        write_turn(writer, &loop->while_loop.body, &numbers, i + 1 == stages->count, out);
    }
    own_count(&writer->own, &(TirBlock){.items = &loop, .count = 1}, -1);
    tir_remark(writer->tir, "stages", loop->span, (Span){0}, "its %zu turns are written out",
               stages->count);
}

static bool write_stages(TirStmt *stmt, TirBlock *out, void *data) {
    Writer *writer = data;
    Stages stages;
    unsigned nodes;
    if (!find_stages(writer, out, stmt, &stages, &nodes)) {
        return false;
    }
    writer->nodes -= nodes;
    write_out(writer, stmt, &stages, out);
    return true;
}

void pass_stages(Tir *tir, TirFunction *function) {
    Writer writer = {.tir = tir, .own = own_create(tir, function), .nodes = FUNCTION_NODES};
    tir_rewrite_outer_first(tir, &function->body, write_stages, &writer);
}
