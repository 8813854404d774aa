// Makes two arrays exchange their parts from turn to turn, where a loop computes one of the other
// and then copies it there, as in `next[...] = ...u...; u = next` of simulations in time. Two turns
// become one, in which the second computes `u` of `next`. Reads and leaves what pass_alias leaves.
//
// At the end of each turn of the source both arrays were the same, as far as the loop writes them
// and beyond. Before the first pair of turns they are made the same; afterwards what the loop never
// writes stays so, and of the rest each turn reads what the turn before it has written. What a turn
// takes of `u` as it is, before it computes any of `next`, as in `next = u; next[...] = ...`, both
// have then. No statement may end in a fault, as `u` is older than in the source in between.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/remark.h"
#include "tir/rewrite.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

enum {
    TURNS_FROM = 4,
    NUMEL_FROM = 8, // elements; what steps may keep in registers is not copied at all
};

typedef struct Exchanger {
    Tir *tir;
    TirFunction *function;
    TirUses *uses;
    size_t use_count;
} Exchanger;

// A loop whose body sets scalars and parts of `next`, and then copies that to `state`.
typedef struct Exchange {
    TirStmt *loop;
    const TirStmt *copy;
    TirVar *state;
    TirVar *next;     // NULL: a temporary of the part alone, which nothing else uses
    TirExpr *place;   // then that part of `state`, else NULL
    size_t first_new; // of the body, behind what takes parts of `state` as they are
    int64_t first, step;
    uint64_t turns;   // 0: as many as the loop's last bound says
    bool is_possible; // of the value
} Exchange;

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
    enum { FIRST_LIMIT = 1 << 30 };
    const TirStmt *loop = exchange->loop;
    ConstantTurns turns;
    if (!constant_turns(tir, loop, &turns)) {
        return constant_integer(tir, loop->for_loop.first, &exchange->first) &&
               constant_integer(tir, loop->for_loop.step, &exchange->step) && exchange->step == 1 &&
               exchange->first < FIRST_LIMIT && !tir_may_trap(loop->for_loop.last);
    }
    exchange->first = turns.first;
    exchange->step = turns.step;
    exchange->turns = (uint64_t)turns.count;
    int64_t end = turns.first + turns.step * turns.count;
    return turns.count >= TURNS_FROM && end >= INT32_MIN && end <= INT32_MAX;
}

static bool is_of_scalar(const TirStmt *set) {
    return set->set.place->kind == EXPR_VAR && type_is_scalar(set->set.place->type);
}

// `temp = value; state[...] = temp`, the temporary being used nowhere else. What takes its place is
// as long as `state`.
static bool copies_temp(const Exchanger *exchanger, const TirStmt *set, const TirStmt *copy,
                        Exchange *exchange) {
    const TirExpr *temp = set->set.place;
    if (temp->kind != EXPR_VAR || temp->var->role != VAR_TEMP ||
        !view_is_fixed_part(copy->set.place) || temp->var->id >= exchanger->use_count) {
        return false;
    }
    const TirUses *uses = &exchanger->uses[temp->var->id];
    exchange->place = copy->set.place;
    bool is_most = (uint64_t)temp->type->numel * 2 >= tir_place_var(copy->set.place)->type->numel;
    return is_most && copy->set.value->kind == EXPR_VAR && copy->set.value->var == temp->var &&
           uses->reads == 1 && uses->writes == 1 && uses->updates == 0;
}

// `next[...] = value; state = next`, of one part or several.
static bool copies_whole(const TirStmt *copy, Exchange *exchange) {
    if (copy->set.place->kind != EXPR_VAR || copy->set.value->kind != EXPR_VAR) {
        return false;
    }
    const TirBlock *body = &exchange->loop->for_loop.body;
    exchange->next = copy->set.value->var;
    exchange->place = NULL;
    for (size_t i = 0; i + 1 < body->count; i++) {
        const TirExpr *place = body->items[i]->set.place;
        bool is_part = view_is_fixed_part(place) && tir_place_var(place) == exchange->next;
        if (!is_part && !is_of_scalar(body->items[i])) {
            return false;
        }
    }
    return exchange->next->type == copy->set.place->var->type;
}

// The first `set` of an array. NULL: there is none before the last statement, or there are others.
static const TirStmt *first_set(const TirBlock *body) {
    const TirStmt *first = NULL;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        if (stmt->kind != STMT_SET) {
            return NULL;
        }
        if (first == NULL && i + 1 < body->count && !is_of_scalar(stmt)) {
            first = stmt;
        }
    }
    return first;
}

// Whether turns may compute in either array: none reads what it writes, scalars see neither.
static bool has_possible_values(Exchange *exchange) {
    const TirBlock *body = &exchange->loop->for_loop.body;
    bool reads_state = false;
    for (size_t i = 0; i + 1 < body->count; i++) {
        const TirExpr *value = body->items[i]->set.value;
        bool reads = tir_expr_reads(value, exchange->state) > 0;
        bool is_scalar = is_of_scalar(body->items[i]);
        if (tir_may_trap(value) || (is_scalar && reads) ||
            (exchange->next != NULL && tir_expr_reads(value, exchange->next) > 0)) {
            return false;
        }
        if (!is_scalar) {
            look_at(value, exchange);
            reads_state = reads_state || reads;
        }
    }
    return reads_state && exchange->is_possible;
}

static bool is_exchange(const Exchanger *exchanger, TirStmt *loop, Exchange *exchange) {
    *exchange = (Exchange){.loop = loop, .is_possible = true};
    const TirBlock *body = &loop->for_loop.body;
    const TirStmt *set = first_set(body);
    if (loop->for_loop.has_lanes || set == NULL || !has_turns(exchanger->tir, exchange)) {
        return false;
    }
    const TirStmt *copy = body->items[body->count - 1];
    exchange->copy = copy;
    bool copies =
        set == body->items[body->count - 2] && copies_temp(exchanger, set, copy, exchange);
    if (!copies && !copies_whole(copy, exchange)) {
        return false;
    }
    exchange->state = tir_place_var(copy->set.place);
    return exchange->next != exchange->state && copy->set.place->type->numel >= NUMEL_FROM &&
           has_possible_values(exchange);
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

// Finds the end of `next[part] = state[part]` at the front of the sets.
static void skip_same(Tir *tir, Exchange *exchange) {
    const TirBlock *body = &exchange->loop->for_loop.body;
    Copying copying = {tir, NULL, NULL, exchange->next, exchange->state};
    for (size_t i = 0; exchange->next != NULL && i + 2 < body->count; i++) {
        const TirStmt *set = body->items[i];
        if (!is_of_scalar(set)) {
            if (!tir_same_value(copied(&copying, set->set.place), set->set.value)) {
                return;
            }
            exchange->first_new = i + 1;
        }
    }
}

// to[...] = value of `from`, in the turn whose number is `turn`: the sets from `first` on.
static void emit_turn(Exchanger *exchanger, const Exchange *exchange, size_t first, TirVar *from,
                      TirVar *to, TirExpr *turn, TirBlock *out) {
    const TirBlock *body = &exchange->loop->for_loop.body;
    Copying value = {exchanger->tir, exchange->loop->for_loop.var, turn, exchange->state, from};
    for (size_t i = 0; i + 1 < body->count; i++) {
        const TirStmt *set = body->items[i];
        bool is_scalar = is_of_scalar(set);
        if (!is_scalar && i < first) {
            continue;
        }
        TirExpr *place = is_scalar || exchange->place == NULL ? set->set.place : exchange->place;
        TirVar *var = tir_place_var(place);
        Copying target = {exchanger->tir, NULL, NULL, var, is_scalar ? var : to};
        tir_set(exchanger->tir, out, copied(&target, place), copied(&value, set->set.value),
                set->span);
    }
}

static void emit_copy(Exchanger *exchanger, const Exchange *exchange, TirVar *from, TirVar *to,
                      TirBlock *out) {
    Span span = exchange->copy->span;
    tir_set_var(exchanger->tir, out, to, tir_read(exchanger->tir, from, span), span);
}

// The sets from `first_set` on, and the copy.
static void emit_single(Exchanger *exchanger, const Exchange *exchange, size_t first_set,
                        TirExpr *turn, TirBlock *out) {
    emit_turn(exchanger, exchange, first_set, exchange->state, exchange->next, turn, out);
    emit_copy(exchanger, exchange, exchange->next, exchange->state, out);
}

// Pairs of turns from the one of that number on, before `last`.
static void emit_pairs(Exchanger *exchanger, const Exchange *exchange, int64_t number,
                       TirExpr *last, TirBlock *out) {
    Tir *tir = exchanger->tir;
    Span span = exchange->loop->span;
    TirStmt *loop = tir_for(tir, out, exchanger->function, (int32_t)number, 0,
                            (int32_t)(2 * exchange->step), span);
    loop->for_loop.last = last;
    TirBlock *body = &loop->for_loop.body;
    TirExpr *turn = tir_read(tir, loop->for_loop.var, span);
    emit_turn(exchanger, exchange, exchange->first_new, exchange->state, exchange->next, turn,
              body);
    turn = tir_line(tir, tir_read(tir, loop->for_loop.var, span), 1, exchange->step, span);
    emit_turn(exchanger, exchange, exchange->first_new, exchange->next, exchange->state, turn,
              body);
}

// Whether anything but the loop reads the variable, or may.
static bool is_read_elsewhere(const Exchanger *exchanger, const TirVar *var) {
    return !tir_var_is_local(var) || var->id >= exchanger->use_count ||
           exchanger->uses[var->id].reads != 1;
}

// Behind the pairs where no turn is left, which would have made both arrays the same.
static void emit_last_copy(Exchanger *exchanger, const Exchange *exchange, TirBlock *out) {
    if (exchange->place == NULL && is_read_elsewhere(exchanger, exchange->next)) {
        emit_copy(exchanger, exchange, exchange->state, exchange->next, out);
    }
}

// Both arrays are the same behind it, but for a temporary of a part. Returns how many turns it ran.
static uint64_t emit_start(Exchanger *exchanger, const Exchange *exchange, TirBlock *out) {
    if (exchange->place == NULL) {
        TirExpr *turn =
            tir_const_int(exchanger->tir, (int32_t)exchange->first, exchange->loop->span);
        emit_single(exchanger, exchange, 0, turn, out);
        return 1;
    }
    if (exchange->place->kind != EXPR_VAR) {
        emit_copy(exchanger, exchange, exchange->state, exchange->next, out);
    }
    return 0;
}

static void emit_counted(Exchanger *exchanger, const Exchange *exchange, TirBlock *out) {
    Tir *tir = exchanger->tir;
    Span span = exchange->loop->span;
    uint64_t done = emit_start(exchanger, exchange, out);
    uint64_t left = (exchange->turns - done) % 2;
    int64_t start = exchange->first + exchange->step * (int64_t)done;
    int64_t end = exchange->first + exchange->step * (int64_t)(exchange->turns - left);
    emit_pairs(exchanger, exchange, start, tir_const_int(tir, (int32_t)end, span), out);
    if (left > 0) {
        TirExpr *turn = tir_const_int(tir, (int32_t)end, span);
        emit_single(exchanger, exchange, exchange->first_new, turn, out);
    } else {
        emit_last_copy(exchanger, exchange, out);
    }
}

static TirExpr *compare(Tir *tir, TirOp op, TirExpr *a, int64_t b, Span span) {
    const Type *type = type_scalar(tir->types, ROOT_BOOL);
    return tir_map(tir, op, type, a, tir_const_int(tir, (int32_t)b, span), NULL, span);
}

// Turns one after the other up to a bound that is computed.
static void emit_open(Exchanger *exchanger, const Exchange *exchange, TirBlock *out) {
    Tir *tir = exchanger->tir;
    TirExpr *bound = exchange->loop->for_loop.last;
    Span span = bound->span;
    TirVar *last = tir_var_create(tir, exchanger->function, VAR_TEMP, NULL, bound->type, span);
    tir_set_var(tir, out, last, bound, span);
    TirStmt *any = tir_stmt(tir, out, STMT_IF, span);
    any->branch.condition = compare(tir, OP_GT, tir_read(tir, last, span), exchange->first, span);
    TirBlock *then = &any->branch.then;
    int64_t start = exchange->first + (int64_t)emit_start(exchanger, exchange, then);
    TirExpr *turn = tir_line(tir, tir_read(tir, last, span), 1, -1, span);
    emit_pairs(exchanger, exchange, start, turn, then);
    TirExpr *left = tir_line(tir, tir_read(tir, last, span), 1, -start, span);
    left = tir_map(tir, OP_REM, bound->type, left, tir_const_int(tir, 2, span), NULL, span);
    TirStmt *odd = tir_stmt(tir, then, STMT_IF, span);
    odd->branch.condition = compare(tir, OP_NE, left, 0, span);
    turn = tir_line(tir, tir_read(tir, last, span), 1, -1, span);
    emit_single(exchanger, exchange, exchange->first_new, turn, &odd->branch.then);
    emit_last_copy(exchanger, exchange, &odd->branch.otherwise);
}

static void emit_exchange(Exchanger *exchanger, Exchange *exchange, TirBlock *out) {
    Tir *tir = exchanger->tir;
    skip_same(tir, exchange);
    Span span = exchange->copy->span;
    if (exchange->next == NULL) {
        exchange->next =
            tir_var_create(tir, exchanger->function, VAR_TEMP, NULL, exchange->state->type, span);
    }
    if (exchange->turns > 0) {
        emit_counted(exchanger, exchange, out);
    } else {
        emit_open(exchanger, exchange, out);
    }
    tir_remark(tir, "exchange", span, (Span){0}, "%s is computed in two arrays by turns",
               tir_remark_name(tir, exchange->state));
}

static bool exchange_loop(TirStmt *stmt, TirBlock *out, void *data) {
    Exchanger *exchanger = data;
    Exchange exchange;
    if (stmt->kind != STMT_FOR || !is_exchange(exchanger, stmt, &exchange)) {
        return false;
    }
    emit_exchange(exchanger, &exchange, out);
    return true;
}

// Where there are no vectors, and little memory, a second copy of the body costs more.
void pass_exchange(Tir *tir, TirFunction *function) {
    if (tir->lanes == 0 || tir->is_bare) {
        return;
    }
    Exchanger exchanger = {.tir = tir,
                           .function = function,
                           .uses = tir_count_uses(tir->arena, function),
                           .use_count = function->vars.count};
    tir_rewrite_outer_first(tir, &function->body, exchange_loop, &exchanger);
}
