// Ahead a log keeps, turn by turn, what the turn finds of the one before. Back, each turn begins
// with that, runs again keeping what is computed in it, and then come its adjoints. Where the log
// would be longer than it may be, the turns are those of about as many sections as each has turns:
// ahead the log has the starts of sections, and back each section runs once more, to log its own
// turns.
#include "tir/derive/log.h"

#include "support/bug.h"
#include "tir/derive/tidy.h"
#include "tir/derive/turns.h"
#include "tir/saturate.h"

typedef struct Loop {
    const TirStmt *stmt;
    int64_t first, step;
    uint32_t turns;
    uint32_t sections, length; // 0: the turns are one
} Loop;

// The number of the turn that `counter` counts, in the section.
static TirExpr *turn_number(Maker *maker, const Loop *loop, TirVar *counter, TirVar *section) {
    TirExpr *turn = tir_read(maker->tir, counter, counter->span);
    if (section == NULL) {
        return turn;
    }
    TirExpr *before = tir_read(maker->tir, section, section->span);
    before = tir_line(maker->tir, before, loop->length, 0, section->span);
    return tir_map(maker->tir, OP_ADD, turn->type, before, turn, NULL, turn->span);
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
    maker_set(maker, block, own, tir_line(tir, value, loop->step, loop->first, value->span));
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

static uint64_t limit(const Maker *maker) {
    return maker->tir->tape > 0 ? maker->tir->tape : TIR_TAPE;
}

// Whether so many entries may be kept.
static bool fits(const Maker *maker, const Log *log, uint64_t entries, uint64_t bytes) {
    return log_widest(log) <= TYPE_SCALARS_LIMIT / entries && bytes <= limit(maker);
}

static void note_tape(Maker *maker, TirTape tape) {
    maker->kept += tape.bytes;
    LIST_PUSH(maker->tir->arena, &maker->reversed->tapes, tape);
}

// Cuts the loop into sections where its log would be too long. False: it is then, too.
static bool plan(Maker *maker, Loop *loop, const Log *log, const Log *starts) {
    TirTape tape = {.loop = loop->stmt->span,
                    .turns = loop->turns,
                    .turn = log_bytes(maker, log),
                    .kept = log_kept_bytes(maker, log)};
    tape.bytes = saturating_add(tape.kept, saturating_multiply(tape.turn, loop->turns));
    if (fits(maker, log, loop->turns, tape.bytes)) {
        note_tape(maker, tape);
        return true;
    }
    uint32_t root = 1;
    while ((uint64_t)root * root < loop->turns) {
        root++;
    }
    loop->length = (loop->turns - 1) / root + 1;
    loop->sections = (loop->turns - 1) / loop->length + 1;
    tape.start = log_bytes(maker, starts);
    uint64_t whole = tape.bytes;
    tape.bytes =
        saturating_add(tape.kept, saturating_add(saturating_multiply(tape.start, loop->sections),
                                                 saturating_multiply(tape.turn, loop->length)));
    if (!fits(maker, log, loop->length, tape.bytes) ||
        !fits(maker, starts, loop->sections, tape.bytes)) {
        Obstacle *obstacle = ARENA_NEW(maker->tir->arena, Obstacle);
        *obstacle = (Obstacle){.loop = tape.loop,
                               .is_log = true,
                               .turns = loop->turns,
                               .turn = tape.turn,
                               .bytes = whole,
                               .sectioned = tape.bytes,
                               .limit = limit(maker),
                               .variables = log_text(maker, log)};
        maker->reversed->obstacle = obstacle;
        return false;
    }
    tape.sections = loop->sections;
    tape.length = loop->length;
    note_tape(maker, tape);
    return true;
}

// Both sweeps of a loop.

typedef struct Turn {
    TirBlock rerun, adjoints;
    TirVar *own; // the value of the loop's variable
} Turn;

// A loop ahead over turns, which logs them; NULL: it does not.
static void run_turns(Maker *maker, const Loop *loop, const Log *log, TirVar *section) {
    Sweep *sweep = &maker->sweep;
    TirBlock *ahead = sweep->ahead;
    const TirBlock *body = &loop->stmt->for_loop.body;
    uint32_t count = section == NULL ? loop->turns : loop->length;
    TirStmt *runs =
        tir_for(maker->tir, ahead, sweep->function, 0, (int32_t)count, 1, loop->stmt->span);
    TirVar *own = name_turn(maker, loop);
    TirBlock *block = begin_turn(maker, loop, runs, section, own);
    sweep->ahead = block;
    if (log != NULL) {
        log_save(maker, log, runs->for_loop.var, block);
    }
    size_t first = block->count;
    maker_copy(maker, body);
    if (log != NULL) {
        log_save_inside(maker, log, runs->for_loop.var, body, block, first);
    }
    sweep->ahead = ahead;
}

// The loop back over those turns.
static void reverse_turns(Maker *maker, const Loop *loop, const Turn *turn, const Log *log,
                          TirVar *section) {
    Sweep *sweep = &maker->sweep;
    uint32_t count = section == NULL ? loop->turns : loop->length;
    TirStmt *again = tir_for(maker->tir, sweep->back, sweep->function, (int32_t)count - 1, -1, -1,
                             loop->stmt->span);
    sweep->clone.vars[loop->stmt->for_loop.var->id] = turn->own;
    TirBlock *block = begin_turn(maker, loop, again, section, turn->own);
    log_restore(maker, log, again->for_loop.var, block);
    tir_append(maker->tir, block, &turn->rerun);
    tir_append(maker->tir, block, &turn->adjoints);
    log_undo(maker, log, again->for_loop.var, block);
}

static void reverse_sections(Maker *maker, const Loop *loop, const Turn *turn, const Log *log,
                             const Log *starts) {
    Sweep *sweep = &maker->sweep;
    Span span = loop->stmt->span;
    TirBlock *ahead = sweep->ahead, *back = sweep->back;
    int32_t sections = (int32_t)loop->sections;
    TirStmt *runs = tir_for(maker->tir, ahead, sweep->function, 0, sections, 1, span);
    sweep->ahead = &runs->for_loop.body;
    log_save(maker, starts, runs->for_loop.var, sweep->ahead);
    run_turns(maker, loop, NULL, runs->for_loop.var);
    sweep->ahead = ahead;
    log_keep(maker, log);
    TirStmt *again = tir_for(maker->tir, back, sweep->function, sections - 1, -1, -1, span);
    sweep->ahead = sweep->back = &again->for_loop.body;
    log_restore(maker, starts, again->for_loop.var, sweep->ahead);
    TirBlock second = {0}, adjoints = {0}; // the starts have what these need, and no more
    sweep->ahead = &second;
    run_turns(maker, loop, log, again->for_loop.var);
    sweep->back = &adjoints;
    reverse_turns(maker, loop, turn, log, again->for_loop.var);
    tidy_rerun(maker->tir, sweep->function, &second, &adjoints);
    tir_append(maker->tir, &again->for_loop.body, &second);
    tir_append(maker->tir, &again->for_loop.body, &adjoints);
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
    maker->intervals[stmt->for_loop.var->id] = interval_of_loop(maker->intervals, stmt, NULL);
    TirBlock *ahead = sweep->ahead, *back = sweep->back;
    Turn turn = {.own = name_turn(maker, &loop)};
    sweep->ahead = &turn.rerun;
    sweep->back = &turn.adjoints;
    maker_block(maker, &stmt->for_loop.body);
    sweep->ahead = ahead;
    sweep->back = back;
    tidy_rerun(maker->tir, sweep->function, &turn.rerun, &turn.adjoints);
    bool *carried = turns_carried(maker->tir, from, stmt);
    TirVars needed = turns_needed(maker->tir, sweep->clone.vars, from->vars.count, carried,
                                  &turn.rerun, &turn.adjoints);
    TirVars given = turns_given(maker->tir, sweep->clone.vars, from->vars.count, stmt, &turn.rerun,
                                &turn.adjoints);
    keep_given(maker, &given);
    Log log = log_plan(maker, stmt, loop.turns, &needed), starts = log_of_starts(maker, &log);
    if (!plan(maker, &loop, &log, &starts)) {
        return;
    }
    log_create(maker, &log, loop.sections > 0 ? loop.length : loop.turns, stmt->span);
    if (loop.sections > 0) {
        log_create(maker, &starts, loop.sections, stmt->span);
        reverse_sections(maker, &loop, &turn, &log, &starts);
        return;
    }
    run_turns(maker, &loop, &log, NULL);
    log_keep(maker, &log);
    reverse_turns(maker, &loop, &turn, &log, NULL);
}
