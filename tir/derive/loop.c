// Ahead a log keeps, turn by turn, what the turn finds of the one before. Back, each turn begins
// with that, runs again keeping what is computed in it, and then come its adjoints. Where the log
// would be longer than it may be, the turns are those of about as many sections as each has turns:
// ahead the log has the starts of sections, and back each section runs once more, to log its own
// turns.
#include "tir/derive/maker.h"

#include "support/bug.h"
#include "tir/derive/turns.h"
#include "types/memory.h"

#include <inttypes.h>

typedef struct Loop {
    const TirStmt *stmt;
    int64_t first, step;
    uint32_t turns;
    uint32_t sections, length; // 0: the turns are one
} Loop;

static TirExpr *number(Maker *maker, TirOp op, TirExpr *a, int64_t b) {
    TirExpr *constant = tir_const_int(maker->tir, (int32_t)b, a->span);
    return tir_map(maker->tir, op, a->type, a, constant, NULL, a->span);
}

// The number of the turn that `counter` counts, in the section.
static TirExpr *turn_number(Maker *maker, const Loop *loop, TirVar *counter, TirVar *section) {
    TirExpr *turn = tir_read(maker->tir, counter, counter->span);
    if (section == NULL) {
        return turn;
    }
    TirExpr *before = tir_read(maker->tir, section, section->span);
    return tir_map(maker->tir, OP_ADD, turn->type, number(maker, OP_MUL, before, loop->length),
                   turn, NULL, turn->span);
}

// The block of a turn, in which the loop's variable is `own`. The last section may be short.
static TirBlock *begin_turn(Maker *maker, const Loop *loop, TirStmt *stmt, TirVar *section,
                            TirVar *own) {
    Tir *tir = maker->tir;
    TirVar *counter = stmt->for_loop.var;
    TirBlock *block = &stmt->for_loop.body;
    if (section == NULL && loop->first == 0 && loop->step == 1) {
        own->role = VAR_LOOP;
        stmt->for_loop.var = own;
        return block;
    }
    if (section != NULL && loop->turns % loop->length != 0) {
        TirExpr *turn = turn_number(maker, loop, counter, section);
        TirStmt *guard = tir_stmt(tir, block, STMT_IF, stmt->span);
        guard->branch.condition =
            tir_map(tir, OP_LT, type_scalar(tir->types, ROOT_BOOL), turn,
                    tir_const_int(tir, (int32_t)loop->turns, stmt->span), NULL, stmt->span);
        block = &guard->branch.then;
    }
    TirExpr *value = turn_number(maker, loop, counter, section);
    value = loop->step == 1 ? value : number(maker, OP_MUL, value, loop->step);
    value = loop->first == 0 ? value : number(maker, OP_ADD, value, loop->first);
    maker_set(maker, block, own, value);
    return block;
}

// A variable for the value of the loop's own, from here on.
static TirVar *name_turn(Maker *maker, const Loop *loop) {
    Sweep *sweep = &maker->sweep;
    const TirVar *var = loop->stmt->for_loop.var;
    TirVar *own = tir_var_create(maker->tir, sweep->function, VAR_TEMP, NULL, var->type, var->span);
    sweep->clone.vars[var->id] = own;
    table_set(maker->tir->arena, &sweep->stable, own, own);
    return own;
}

// Logs.

// Arrays with an entry for each turn, or section, of each variable.
static TirVar **new_logs(Maker *maker, const TirVars *needed, uint32_t entries, Span span) {
    Tir *tir = maker->tir;
    TirVar **logs = ARENA_ARRAY(tir->arena, TirVar *, needed->count + 1);
    for (size_t k = 0; k < needed->count; k++) {
        const Type *type = needed->items[k]->type;
        uint32_t *dims = ARENA_ARRAY(tir->arena, uint32_t, type->flat_rank + 1U);
        dims[0] = entries;
        for (uint32_t d = 0; d < type->flat_rank; d++) {
            dims[d + 1] = type->dims[d];
        }
        const Type *all = type_flat(tir->types, type->root, type->flat_rank + 1U, dims);
        logs[k] = tir_var_create(tir, maker->sweep.function, VAR_TEMP, NULL, all, span);
    }
    return logs;
}

static TirExpr *log_entry(Maker *maker, TirVar *log, const Type *type, TirVar *at) {
    Tir *tir = maker->tir;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, type->flat_rank + 1U);
    axes[0] = (TirAxis){.axis = -1, .index = tir_read(tir, at, log->span), .unchecked = true};
    for (uint32_t k = 0; k < type->flat_rank; k++) {
        axes[k + 1] = (TirAxis){.axis = (int32_t)k, .step = 1};
    }
    return tir_view(tir, type, tir_read(tir, log, log->span), axes, log->span);
}

static void save(Maker *maker, TirBlock *block, const TirVars *needed, TirVar **logs, TirVar *at) {
    for (size_t k = 0; k < needed->count; k++) {
        TirVar *own = needed->items[k];
        tir_set(maker->tir, block, log_entry(maker, logs[k], own->type, at),
                tir_read(maker->tir, own, logs[k]->span), logs[k]->span);
    }
}

static void restore(Maker *maker, TirBlock *block, const TirVars *needed, TirVar **logs,
                    TirVar *at) {
    for (size_t k = 0; k < needed->count; k++) {
        TirVar *own = needed->items[k];
        maker_set(maker, block, own, log_entry(maker, logs[k], own->type, at));
    }
}

// "`x` (16), `y` (8)": the bytes of each in a turn.
static const char *name_variables(Maker *maker, const TirVars *needed) {
    const char *text = "";
    for (size_t k = 0; k < needed->count; k++) {
        const TirVar *var = needed->items[k];
        uint64_t bytes = type_bytes(var->type, maker->tir->single);
        const char *comma = k == 0 ? "" : ", ";
        text = var->name == NULL ? arena_format(maker->tir->arena, "%s%sa value (%" PRIu64 ")",
                                                text, comma, bytes)
                                 : arena_format(maker->tir->arena, "%s%s`%s` (%" PRIu64 ")", text,
                                                comma, var->name->text, bytes);
    }
    return text;
}

static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t limit(const Maker *maker) {
    return maker->tir->tape > 0 ? maker->tir->tape : TIR_TAPE;
}

// Whether so many entries may be kept.
static bool fits(const Maker *maker, const TirVars *needed, uint64_t entries, uint64_t bytes) {
    for (size_t k = 0; k < needed->count; k++) {
        if (needed->items[k]->type->numel > TYPE_SCALARS_LIMIT / entries) {
            return false;
        }
    }
    return bytes <= limit(maker);
}

static void note_tape(Maker *maker, TirTape tape) {
    maker->kept += tape.bytes;
    LIST_PUSH(maker->tir->arena, &maker->reversed->tapes, tape);
}

// Cuts the loop into sections where its log would be too long. False: it is then, too.
static bool plan(Maker *maker, Loop *loop, const TirVars *needed) {
    uint64_t turn = 0;
    for (size_t k = 0; k < needed->count; k++) {
        turn += type_bytes(needed->items[k]->type, maker->tir->single);
    }
    TirTape tape = {.loop = loop->stmt->span,
                    .turns = loop->turns,
                    .turn = turn,
                    .bytes = times(turn, loop->turns)};
    if (fits(maker, needed, loop->turns, tape.bytes)) {
        note_tape(maker, tape);
        return true;
    }
    uint32_t root = 1;
    while ((uint64_t)root * root < loop->turns) {
        root++;
    }
    loop->length = (loop->turns - 1) / root + 1;
    loop->sections = (loop->turns - 1) / loop->length + 1;
    uint64_t bytes = times(turn, (uint64_t)loop->sections + loop->length);
    if (!fits(maker, needed, root, bytes)) {
        Obstacle *obstacle = ARENA_NEW(maker->tir->arena, Obstacle);
        *obstacle = (Obstacle){.loop = tape.loop,
                               .is_log = true,
                               .turns = loop->turns,
                               .turn = turn,
                               .bytes = tape.bytes,
                               .sectioned = bytes,
                               .limit = limit(maker),
                               .variables = name_variables(maker, needed)};
        maker->reversed->obstacle = obstacle;
        return false;
    }
    tape.bytes = bytes;
    tape.sections = loop->sections;
    tape.length = loop->length;
    note_tape(maker, tape);
    return true;
}

// Both sweeps of a loop.

typedef struct Turn {
    TirBlock rerun, adjoints;
    TirVar *own; // the value of the loop's variable
    TirVars needed;
} Turn;

static void append(Maker *maker, TirBlock *to, const TirBlock *from) {
    for (size_t i = 0; i < from->count; i++) {
        LIST_PUSH(maker->tir->arena, to, from->items[i]);
    }
}

// A loop ahead over turns that logs them.
static void run_turns(Maker *maker, const Loop *loop, const Turn *turn, TirVar **logs,
                      TirVar *section) {
    Sweep *sweep = &maker->sweep;
    TirBlock *ahead = sweep->ahead;
    uint32_t count = section == NULL ? loop->turns : loop->length;
    TirStmt *runs =
        tir_for(maker->tir, ahead, sweep->function, 0, (int32_t)count, 1, loop->stmt->span);
    TirVar *own = name_turn(maker, loop);
    sweep->ahead = begin_turn(maker, loop, runs, section, own);
    if (logs != NULL) {
        save(maker, sweep->ahead, &turn->needed, logs, runs->for_loop.var);
    }
    maker_copy(maker, &loop->stmt->for_loop.body);
    sweep->ahead = ahead;
}

// The loop back over those turns.
static void reverse_turns(Maker *maker, const Loop *loop, const Turn *turn, TirVar **logs,
                          TirVar *section) {
    Sweep *sweep = &maker->sweep;
    uint32_t count = section == NULL ? loop->turns : loop->length;
    TirStmt *again = tir_for(maker->tir, sweep->back, sweep->function, (int32_t)count - 1, -1, -1,
                             loop->stmt->span);
    TirBlock *block = begin_turn(maker, loop, again, section, turn->own);
    restore(maker, block, &turn->needed, logs, again->for_loop.var);
    append(maker, block, &turn->rerun);
    append(maker, block, &turn->adjoints);
}

static void reverse_sections(Maker *maker, const Loop *loop, const Turn *turn) {
    Sweep *sweep = &maker->sweep;
    Span span = loop->stmt->span;
    TirBlock *ahead = sweep->ahead, *back = sweep->back;
    int32_t sections = (int32_t)loop->sections;
    TirStmt *runs = tir_for(maker->tir, ahead, sweep->function, 0, sections, 1, span);
    TirStmt *again = tir_for(maker->tir, back, sweep->function, sections - 1, -1, -1, span);
    TirVar **starts = new_logs(maker, &turn->needed, loop->sections, span);
    TirVar **logs = new_logs(maker, &turn->needed, loop->length, span);
    sweep->ahead = &runs->for_loop.body;
    save(maker, sweep->ahead, &turn->needed, starts, runs->for_loop.var);
    run_turns(maker, loop, turn, NULL, runs->for_loop.var);
    sweep->ahead = sweep->back = &again->for_loop.body;
    restore(maker, sweep->ahead, &turn->needed, starts, again->for_loop.var);
    run_turns(maker, loop, turn, logs, again->for_loop.var);
    reverse_turns(maker, loop, turn, logs, again->for_loop.var);
    sweep->ahead = ahead;
    sweep->back = back;
}

// What turns find of statements before the loop, and others behind it may change, is kept ahead,
// and is there again before the first turn back.
static void keep_given(Maker *maker, const TirVars *given) {
    Sweep *sweep = &maker->sweep;
    for (size_t k = 0; k < given->count; k++) {
        TirVar *own = given->items[k];
        if (table_get(&sweep->stable, own) == NULL) {
            TirVar *kept = sweep_set(sweep, sweep->ahead, tir_read(maker->tir, own, own->span));
            maker_set(maker, sweep->back, own, tir_read(maker->tir, kept, own->span));
        }
    }
}

void maker_loop(Maker *maker, const TirStmt *stmt) {
    Sweep *sweep = &maker->sweep;
    const TirFunction *from = maker->active->function;
    Loop loop = {.stmt = stmt};
    CHECK(turns_of(maker->tir, stmt, &loop.first, &loop.step, &loop.turns));
    if (loop.turns == 0) {
        return;
    }
    TirBlock *ahead = sweep->ahead, *back = sweep->back;
    Turn turn = {.own = name_turn(maker, &loop)};
    sweep->ahead = &turn.rerun;
    sweep->back = &turn.adjoints;
    maker_block(maker, &stmt->for_loop.body);
    sweep->ahead = ahead;
    sweep->back = back;
    bool *carried = turns_carried(maker->tir, from, stmt);
    turn.needed = turns_needed(maker->tir, sweep->clone.vars, from->vars.count, carried,
                               &turn.rerun, &turn.adjoints);
    TirVars given = turns_given(maker->tir, sweep->clone.vars, from->vars.count, stmt, &turn.rerun,
                                &turn.adjoints);
    keep_given(maker, &given);
    if (!plan(maker, &loop, &turn.needed)) {
        return;
    }
    if (loop.sections > 0) {
        reverse_sections(maker, &loop, &turn);
        return;
    }
    TirVar **logs = new_logs(maker, &turn.needed, loop.turns, stmt->span);
    run_turns(maker, &loop, &turn, logs, NULL);
    reverse_turns(maker, &loop, &turn, logs, NULL);
}
