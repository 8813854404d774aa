// Makes two arrays exchange their parts from turn to turn, where a loop computes one of the other
// and then copies it there, as in `next[...] = ...u...; u = next` of simulations in time. Two turns
// become one, in which the second computes `u` of `next`. Reads and leaves what pass_alias leaves.
//
// At the end of each turn of the source both arrays were the same, as far as the loop writes them
// and beyond. Before the first pair of turns they are made the same; afterwards what the loop never
// writes stays so, and of the rest each turn reads what the turn before it has written. No
// statement may end in a fault, as `u` is older than in the source in between.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    TURNS_FROM = 4,
    NUMEL_FROM = 64, // elements; what steps may keep in registers is not copied at all
};

typedef struct Exchanger {
    Tir *tir;
    TirFunction *function;
    TirUses *uses;
    size_t use_count;
} Exchanger;

// A loop whose body is scalars, then `next = value`, of a part of it, and a copy of that to
// `state`.
typedef struct Exchange {
    TirStmt *loop;
    const TirStmt *set, *copy;
    TirVar *state;
    TirVar *next;   // NULL: a temporary of the part alone, which nothing else uses
    TirExpr *place; // the part of `state` or of `next`
    TirExpr *value;
    int64_t first, step;
    uint64_t turns;
    bool is_possible; // of the value
} Exchange;

// A variable or a part of it that is the same in all turns.
static bool is_fixed(const TirExpr *place) {
    if (place->kind == EXPR_VAR) {
        return true;
    }
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR) {
        return false;
    }
    for (size_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        if (place->view.axes[k].index != NULL) {
            return false;
        }
    }
    return true;
}

// Other values take so much longer than a copy that nothing is gained.
static void look_at(const TirExpr *expr, void *data) {
    Exchange *exchange = data;
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_IOTA:
    case EXPR_MAP:
    case EXPR_CONVERT:
    case EXPR_VIEW: tir_read_operands(expr, look_at, data); return;
    case EXPR_RESHAPE:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT: exchange->is_possible = false; return;
    }
    UNREACHABLE();
}

static bool has_turns(Tir *tir, Exchange *exchange) {
    ConstantTurns turns;
    if (!constant_turns(tir, exchange->loop, &turns)) {
        return false;
    }
    exchange->first = turns.first;
    exchange->step = turns.step;
    exchange->turns = (uint64_t)turns.count;
    int64_t end = turns.first + turns.step * turns.count;
    return exchange->turns >= TURNS_FROM && end >= INT32_MIN && end <= INT32_MAX;
}

// `temp = value; state[...] = temp`, the temporary being used nowhere else. What takes its place is
// as long as `state`.
static bool copies_temp(const Exchanger *exchanger, const TirStmt *set, const TirStmt *copy,
                        Exchange *exchange) {
    const TirExpr *temp = set->set.place;
    if (temp->kind != EXPR_VAR || temp->var->role != VAR_TEMP || !is_fixed(copy->set.place) ||
        temp->var->id >= exchanger->use_count) {
        return false;
    }
    const TirUses *uses = &exchanger->uses[temp->var->id];
    exchange->place = copy->set.place;
    bool is_most = (uint64_t)temp->type->numel * 2 >= tir_place_var(copy->set.place)->type->numel;
    return is_most && copy->set.value->kind == EXPR_VAR && copy->set.value->var == temp->var &&
           uses->reads == 1 && uses->writes == 1 && uses->updates == 0;
}

// `next[...] = value; state = next`.
static bool copies_whole(const TirStmt *set, const TirStmt *copy, Exchange *exchange) {
    if (copy->set.place->kind != EXPR_VAR || copy->set.value->kind != EXPR_VAR ||
        !is_fixed(set->set.place)) {
        return false;
    }
    exchange->next = copy->set.value->var;
    exchange->place = set->set.place;
    return tir_place_var(set->set.place) == exchange->next &&
           exchange->next->type == copy->set.place->var->type;
}

static bool has_sets(const TirBlock *body) {
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        bool is_scalar = i + 2 < body->count;
        if (stmt->kind != STMT_SET || (is_scalar && !type_is_scalar(stmt->set.place->type)) ||
            (is_scalar && stmt->set.place->kind != EXPR_VAR)) {
            return false;
        }
    }
    return body->count >= 2;
}

// Neither array is seen by the scalars, nor do these end in a fault.
static bool has_own_scalars(const Exchange *exchange) {
    const TirBlock *body = &exchange->loop->for_loop.body;
    for (size_t i = 0; i + 2 < body->count; i++) {
        const TirExpr *value = body->items[i]->set.value;
        if (tir_may_trap(value) || tir_expr_reads(value, exchange->state) > 0 ||
            (exchange->next != NULL && tir_expr_reads(value, exchange->next) > 0)) {
            return false;
        }
    }
    return true;
}

static bool is_exchange(const Exchanger *exchanger, TirStmt *loop, Exchange *exchange) {
    *exchange = (Exchange){.loop = loop, .is_possible = true};
    const TirBlock *body = &loop->for_loop.body;
    if (loop->for_loop.has_lanes || !has_sets(body) || !has_turns(exchanger->tir, exchange)) {
        return false;
    }
    const TirStmt *set = body->items[body->count - 2], *copy = body->items[body->count - 1];
    exchange->set = set;
    exchange->copy = copy;
    if (!copies_temp(exchanger, set, copy, exchange) && !copies_whole(set, copy, exchange)) {
        return false;
    }
    exchange->state = tir_place_var(copy->set.place);
    exchange->value = set->set.value;
    look_at(exchange->value, exchange);
    return exchange->is_possible && has_own_scalars(exchange) &&
           exchange->place->type->numel >= NUMEL_FROM && exchange->next != exchange->state &&
           !tir_may_trap(exchange->value) && tir_expr_reads(exchange->value, exchange->state) > 0 &&
           (exchange->next == NULL || tir_expr_reads(exchange->value, exchange->next) == 0);
}

// What stands for two variables in a copy; an expression for the first of them.
typedef struct Copying {
    Tir *tir;
    const TirVar *counter;
    TirExpr *turn;
    const TirVar *from;
    TirVar *to;
} Copying;

static void copy_operand(TirExpr **operand, void *data);

static TirExpr *copied(Copying *copying, TirExpr *expr) {
    if (expr->kind == EXPR_VAR && expr->var == copying->counter) {
        return copying->turn;
    }
    if (expr->kind == EXPR_VAR) {
        TirVar *var = expr->var == copying->from ? copying->to : expr->var;
        return tir_read(copying->tir, var, expr->span);
    }
    TirExpr *copy = tir_copy_node(copying->tir, expr);
    tir_visit_operands(copy, copy_operand, copying);
    return copy;
}

static void copy_operand(TirExpr **operand, void *data) {
    *operand = copied(data, *operand);
}

// to[...] = value of `from`, in the turn whose number is `turn`.
static void emit_turn(Exchanger *exchanger, const Exchange *exchange, TirVar *from, TirVar *to,
                      TirExpr *turn, TirBlock *out) {
    const TirBlock *body = &exchange->loop->for_loop.body;
    const TirStmt *set = exchange->set;
    Copying value = {exchanger->tir, exchange->loop->for_loop.var, turn, exchange->state, from};
    Copying place = {exchanger->tir, NULL, NULL, tir_place_var(exchange->place), to};
    for (size_t i = 0; i + 2 < body->count; i++) {
        const TirStmt *scalar = body->items[i];
        tir_set(exchanger->tir, out, tir_read(exchanger->tir, scalar->set.place->var, scalar->span),
                copied(&value, scalar->set.value), scalar->span);
    }
    tir_set(exchanger->tir, out, copied(&place, exchange->place), copied(&value, exchange->value),
            set->span);
}

static void emit_copy(Exchanger *exchanger, const Exchange *exchange, TirVar *from, TirVar *to,
                      TirBlock *out) {
    Span span = exchange->copy->span;
    tir_set(exchanger->tir, out, tir_read(exchanger->tir, to, span),
            tir_read(exchanger->tir, from, span), span);
}

static TirExpr *turn_number(Exchanger *exchanger, const Exchange *exchange, uint64_t turn) {
    int64_t number = exchange->first + exchange->step * (int64_t)turn;
    return tir_const_int(exchanger->tir, (int32_t)number, exchange->loop->span);
}

// A turn as the source has it.
static void emit_single(Exchanger *exchanger, const Exchange *exchange, uint64_t turn,
                        TirBlock *out) {
    emit_turn(exchanger, exchange, exchange->state, exchange->next,
              turn_number(exchanger, exchange, turn), out);
    emit_copy(exchanger, exchange, exchange->next, exchange->state, out);
}

// `pairs` pairs of turns from turn `first` on.
static void emit_pairs(Exchanger *exchanger, const Exchange *exchange, uint64_t first,
                       uint64_t pairs, TirBlock *out) {
    Tir *tir = exchanger->tir;
    int64_t start = exchange->first + exchange->step * (int64_t)first;
    int64_t end = start + exchange->step * (int64_t)(2 * pairs);
    Span span = exchange->loop->span;
    TirStmt *loop = tir_for(tir, out, exchanger->function, (int32_t)start, (int32_t)end,
                            (int32_t)(2 * exchange->step), span);
    TirBlock *body = &loop->for_loop.body;
    TirExpr *turn = tir_read(tir, loop->for_loop.var, span);
    emit_turn(exchanger, exchange, exchange->state, exchange->next, turn, body);
    turn = tir_line(tir, tir_read(tir, loop->for_loop.var, span), 1, exchange->step, span);
    emit_turn(exchanger, exchange, exchange->next, exchange->state, turn, body);
}

// Whether anything but the loop reads the variable, or may.
static bool is_read_elsewhere(const Exchanger *exchanger, const TirVar *var) {
    bool is_own = (var->role == VAR_LOCAL || var->role == VAR_TEMP) && !tir_var_is_global(var);
    return !is_own || var->id >= exchanger->use_count || exchanger->uses[var->id].reads != 1;
}

static void emit_exchange(Exchanger *exchanger, Exchange *exchange, TirBlock *out) {
    Tir *tir = exchanger->tir;
    Span span = exchange->set->span;
    uint64_t first = 0;
    bool is_temp = exchange->next == NULL;
    if (is_temp) {
        exchange->next =
            tir_var_create(tir, exchanger->function, VAR_TEMP, NULL, exchange->state->type, span);
        if (exchange->place->kind != EXPR_VAR) {
            emit_copy(exchanger, exchange, exchange->state, exchange->next, out);
        }
    } else {
        emit_single(exchanger, exchange, first++, out);
    }
    uint64_t pairs = (exchange->turns - first) / 2;
    emit_pairs(exchanger, exchange, first, pairs, out);
    if (first + 2 * pairs < exchange->turns) {
        emit_single(exchanger, exchange, first + 2 * pairs, out);
    } else if (!is_temp && is_read_elsewhere(exchanger, exchange->next)) {
        emit_copy(exchanger, exchange, exchange->state, exchange->next, out);
    }
    tir_remark(tir, "exchange", span, (Span){0}, "%s is computed in two arrays by turns",
               tir_remark_name(tir, exchange->state));
}

static void exchange_block(Exchanger *exchanger, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        Exchange exchange;
        if (stmt->kind == STMT_FOR && is_exchange(exchanger, stmt, &exchange)) {
            emit_exchange(exchanger, &exchange, &out);
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            exchange_block(exchanger, nested[k]);
        }
        LIST_PUSH(exchanger->tir->arena, &out, stmt);
    }
    *block = out;
}

// Where there are no vectors, and little memory, a second copy of the body costs more.
void pass_exchange(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count && tir->lanes > 0 && !tir->is_bare; i++) {
        TirFunction *function = program->functions.items[i];
        Exchanger exchanger = {.tir = tir,
                               .function = function,
                               .uses = tir_count_uses(tir->arena, function),
                               .use_count = function->vars.count};
        exchange_block(&exchanger, &function->body);
    }
}
